"""Texts in the code page that a user names, and the variants of chess. (model §4)"""

import re


def decode_as(data, encoding, utf8=True, cesu=False):
    """UTF-8 if it is that, with `cesu` also CESU-8; else the code page, whose holes are control characters."""
    if utf8:
        try:
            text = data.decode("utf-8", "surrogatepass" if cesu else "strict")
            return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            pass
    return "".join(bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in data)


STANDARD = {"", "standard", "chess", "normal", "classical", "orthodox", "fromposition"}
CHESS960 = re.compile(r"(chess960|960|fischer(andom|random)?(chess)?|freestyle(chess)?|frc|chess960frc|wildfr)\d*\Z")


def variant_error(game):
    """Model §4.1: the game is of another variant, as its tag or its FEN says."""
    for name, value in game.tags:
        if name == "Variant":
            plain = re.sub(r"[^a-z0-9]", "", value.lower())
            if plain not in STANDARD and not CHESS960.match(plain) and not re.match(r"wild[0-9]", plain):
                return "variant %r is not supported" % value
    board = (game.fen or "").split(" ")[0]
    if "[" in board or "~" in board or board.count("/") == 8 or re.search(r" (\d\+\d|\+\d\+\d)( |\Z)", game.fen or ""):
        return "the FEN is one of another variant"
    return None

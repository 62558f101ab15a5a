"""Texts in the code page that a user names, and the variants of chess. (model §4)"""

import re
import unicodedata

from tables import rows


def decode_as(data, encoding, utf8=True, cesu=False):
    """UTF-8 if it is that, with `cesu` also CESU-8; else the code page, whose holes are control characters."""
    if utf8:
        try:
            text = data.decode("utf-8", "surrogatepass" if cesu else "strict")
            return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            pass
    return "".join(bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in data)


NAMES = {(game, how): {name for *kind, name in rows("variants") if kind == [game, how]} for game, how, _ in rows("variants")}


def is_supported(value):
    """Model §4.1: whether a value of the Variant tag is chess or Chess960."""
    return is_chess960(value) or any(bare(value) in NAMES[kind] for kind in NAMES if kind[1] == "is")


def is_chess960(value):
    found = bare(value)
    begins = any(found.startswith(name) and (found[len(name):] or "0").isdigit() for name in NAMES["chess960", "begins"])
    return begins or found in NAMES.get(("chess960", "is"), ())


def bare(value):
    return "".join(letter for letter in value.lower() if letter.isalnum())


def variant_error(game):
    """Model §4.1: the game is of another variant, as its tag or its FEN says."""
    for name, value in game.tags:
        # A second name may follow in parentheses.
        if name.lower() == "variant" and not all(map(is_supported, value.split("(", 1))):
            return "variant %r is not supported" % value
    board = (game.fen or "").split(" ")[0]
    if "[" in board or "~" in board or board.count("/") == 8 or re.search(r" (\d\+\d|\+\d\+\d)( |\Z)", game.fen or ""):
        return "the FEN is one of another variant"
    return None


MARKS = dict(zip("ÐðØøĐđĦħıĸĿŀŁłŉŊŋŦŧſ×÷", "DdOoDdHhikLlLlnNnTtsx/"))
MARKS.update({"Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ĳ": "IJ", "ĳ": "ij", "ß": "ss", "Þ": "Th", "þ": "th", "\xa0": " ", "−": "-", "…": "..."})
MARKS.update({chr(code): sign for first, last, sign in ((0x2010, 0x2015, "-"), (0x2018, 0x201b, "'"), (0x201c, 0x201f, '"'), (0x300, 0x36f, "")) for code in range(first, last + 1)})
# From U+0410 on.
RUSSIAN = "A B V G D E Zh Z I I K L M N O P R S T U F Kh Ts Ch Sh Shch ' Y ' E Iu Ia"
MARKS.update(zip(map(chr, range(0x410, 0x450)), (RUSSIAN + " " + RUSSIAN.lower()).split(" ")))
MARKS.update({"Ё": "Io", "ё": "io"})


def plain(letter):
    """Model §4.3: what stands for a letter that a code page lacks."""
    if letter in MARKS:
        return MARKS[letter]
    base = unicodedata.normalize("NFD", letter)[0]
    return base if base.isascii() and ("\xc0" <= letter <= "\u017f" or letter in "ȘșȚț") else "?"

"""Writes the headers and names of ChessBase 17, .2cbh and .2lid, from canonical lines. (docs/formats/cbh2.md §3, §6, §9)"""

import re
import struct

import cbh2
from cbh2_commands import string
from cbh_writer import NATIONS, date, event, known, opening, ratings, result, round_of, small, source_dates

# §6.1: the container of each type.
CONTAINERS = {"player": 1024, "tournament": 1120, "source": 220, "unused": 1024, "team": 314, "title": 532}
# §9.4
TITLES = {number: "CbhTitle" + ("" if number == 42 else "_" + cbh2.LANGUAGES[number]) for number in cbh2.TITLES}


def whole(text, least, most):
    """A number as the reader writes it, or None."""
    return int(text) if re.fullmatch("0|-?[1-9][0-9]{0,18}", text) and least <= int(text) <= most else None


def split(text):
    """cbh §10.18"""
    last, _, first = known(text).partition(", ")
    return (last, first) if last and first else (known(text), "")


def player(tags, side):
    numbers = [whole(word, -1 << 31, (1 << 31) - 1) for word in tags.get("Cbh%sPlayer" % side, "").split(" ")]
    own, one, other, third = numbers if len(numbers) == 4 and None not in numbers else (-1, 0, 0, 8)
    fide = whole(tags.get(side + "FideId", ""), 1, (1 << 63) - 1)
    return names(980, *split(tags[side])) + struct.pack("<iiiiq", one, other, own, third, -1 if fide is None else fide)


def names(room, *texts):
    """§6.4.2: texts that have so many bytes together."""
    out = b""
    for text in texts:
        data = text.encode()[:room].decode("utf-8", "ignore").encode()
        room -= len(data)
        out += string(data)
    return out


def annotator(tags):
    return names(980, *split(tags.get("Annotator", ""))) + struct.pack("<iiiiq", 0, 0, -1, 8, -1)


def tournament(tags):
    found = tags.get("CbhEventUnknown", "")
    unknown = bytes.fromhex(found) if re.fullmatch("[0-9a-f]{78}", found) else cbh2.USUAL
    values = event(tags, *unknown[:2])
    now = tags.get("CbhEventCountryNow", "")
    latitude, longitude = coordinates(tags.get("CbhEventCoordinates", ""))
    breaks = [whole(word, -32768, 32767) for word in tags.get("CbhEventTiebreaks", "").split(" ")]
    breaks = [] if None in breaks else breaks
    room = 996 - 2 * len(breaks)
    title = names(room, known(tags["Event"]))
    return names(room + 4 - len(title), known(tags["Site"])) + title + values + struct.pack("<ffB", latitude, longitude, 0 if now == "none" else NATIONS.get(now, values[6])) \
        + unknown[2:] + struct.pack("<h%dh" % len(breaks), len(breaks), *breaks) + struct.pack("<I", date(tags.get("CbhEventEndDate", ""))) + bytes(44)


def coordinates(text):
    try:
        found = struct.unpack("<ff", struct.pack("<ff", *map(float, text.split(" "))))
        return found if text == " ".join(map(cbh2.decimal, found)) else (0, 0)
    except (ValueError, struct.error, OverflowError):
        return 0, 0


def source(tags):
    return names(196, tags.get("SourceTitle", ""), tags.get("Source", "")) + struct.pack(
        "<IIhh", *source_dates(tags), small(tags, "SourceVersion", 32767), small(tags, "SourceQuality", 32767))


def team(tags, side):
    # cbh §10.21
    if not tags.get(side + "Team"):
        return None
    numbers = [whole(word, 0, 32767) for word in tags.get("Cbh%sTeam" % side, "").split(" ")]
    numbers = numbers if len(numbers) == 3 and None not in numbers and max(numbers[:2]) < 256 else (0, 0, 0)
    return names(301, tags[side + "Team"]) + struct.pack("<BBhB", *numbers, NATIONS.get(tags.get(side + "TeamCountry"), 0))


def title(tags):
    found = {number: tags.get(name, "") for number, name in TITLES.items()}
    others = [(int(name[9:]), text) for name, text in tags.items() if re.fullmatch("CbhTitle_(0|[1-9][0-9]{0,8})", name)]
    found.update((number, text) for number, text in others if number not in found)
    # §6.4.1
    if not any(found.values()):
        return bytes(4)
    out, room = struct.pack("<i", len(found)), 524 - 8 * (7 + sum(map(bool, found.values())))
    for number in sorted(found):
        text = names(room, found[number])
        room += 4 - len(text)
        out += struct.pack("<i", number) + text
    return out


class Entities:
    """The entities of each type, numbered in the order of the games."""

    def __init__(self):
        self.found = {kind: {} for kind in CONTAINERS}

    def number(self, kind, data):
        return -1 if data is None else self.found[kind].setdefault(data, len(self.found[kind]))

    def file(self):
        """§6.1"""
        out = struct.pack(">ii", 184, 6) + b"".join(struct.pack(">iqq", size, len(self.found[kind]), -1) for kind, size in CONTAINERS.items())
        out += b"".join(struct.pack(">ii", number, 1) for number in range(-1, 6))
        rows, end = max(map(len, self.found.values())), len(out)
        lists = {kind: list(found) for kind, found in self.found.items()}
        for row in range(rows):
            for kind, size in CONTAINERS.items():
                data = lists[kind][row] if row < len(lists[kind]) else b""
                out += (struct.pack("<i", len(data)) + data).ljust(size, b"\0")
                end = len(out) if data else end
        # §6.1.3
        return out[:end]


def rating(tags, side, elo):
    """§3.4, §9.5"""
    found = re.fullmatch(r"(-?[0-9]+) (-?[0-9]+) (-?[0-9]+) ?(.*)", tags.get("Cbh%sRating" % side, ""))
    if found:
        numbers = [whole(number, -32768, 32767) for number in found.groups()[:3]]
        if None not in numbers and len(found.group(4).encode()) <= 8:
            return struct.pack("<hhhh", elo, *numbers) + found.group(4).encode().ljust(8, b"\0")
    return struct.pack("<h", elo) + (cbh2.FIDE if elo else bytes(14))


def header(tags, places, entities, derived, start960):
    """§3.3: a record. `derived` are medals, flags, magnitudes, moves, material and endgames."""
    kind = 2 if tags.get("CbhAnalysis") == "1" else 1
    out = struct.pack("<BBBB4xqq", 0x81 if tags.get("Deleted") == "1" else 1, 0, kind, 1, *places)
    number = entities.number
    if kind == 2:
        out += struct.pack("<qqq8xq", number("title", title(tags)), number("source", source(tags)), number("player", annotator(tags)), 776)
        return out.ljust(192, b"\0")
    found = [number("player", player(tags, "White")), number("player", player(tags, "Black")), number("tournament", tournament(tags)),
             number("player", annotator(tags)), number("source", source(tags)), number("team", team(tags, "White")), number("team", team(tags, "Black")),
             number("title", title(tags))]
    elos = ratings(tags, 32767)
    out += struct.pack("<8qBB3h", *found, result(tags), small(tags, "CbhEvaluation"), *round_of(tags["Round"], 32767), whole(tags.get("Board", ""), 1, 32767) or 0)
    out += b"".join(rating(tags, side, elo) for side, elo in zip(("White", "Black"), elos))
    medals, flags, magnitudes, moves, material, endgames = derived
    # §3.3.4
    out += struct.pack("<HHIHhII4x16x", opening(tags, start960), medals, flags, magnitudes, moves, *material)
    return out + endgames.to_bytes(6, "little") + bytes(2) + bytes(8) + struct.pack("<ii", 1, date(tags["Date"]))


# §3.5: kinds of material, White's with the kinds of Black that have a bit.
PAIRS = "B:B N R;BB:BB BN NN Q R;BN:BB BN NN Q R;N:B N R;NN:BB BN NN Q R;Q:BB BN NN Q R RB RN RR;R:B BB BN N NN Q R;RB:Q RB RN;RN:Q RB RN;RR:Q RR"
BITS = [(white, black) for white, blacks in (pair.split(":") for pair in PAIRS.split(";")) for black in blacks.split(" ")]
ENDGAMES = {pair: 1 << bit for bit, pair in enumerate(BITS)}


def material(board):
    """§3.5: the two numbers, the greater side first."""
    sides = []
    for white in True, False:
        count = lambda letter: board.squares.count(letter if white else letter.lower())
        sides.append(sum((count(letter) & most) << shift for letter, most, shift in (("R", 7, 0), ("B", 7, 3), ("N", 7, 6), ("Q", 7, 9), ("P", 15, 12))))
    return sorted(sides, reverse=True)


def endgame(board):
    """The bit of a position, or 0. Pawns do not count."""
    kind = lambda letters: "".join(letter * board.squares.count(letter if letters.isupper() else letter.lower()) for letter in "QRBN")
    return ENDGAMES.get((kind("QRBN"), kind("qrbn")), 0)


def endgames(boards):
    """§3.5.1: `boards` are the positions after the moves of the main line."""
    found = 0
    for five in zip(*[boards[at:] for at in range(5)]):
        bits = set(map(endgame, five))
        found = bits.pop() or found if len(bits) == 1 else found
    return found


def file(records):
    """§3.1"""
    return struct.pack("<8xhhxBxxi", 38, 192, 5, len(records) + 1).ljust(192, b"\0") + b"".join(records)

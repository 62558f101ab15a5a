"""The .jose archive: tables of MyISAM in a packed tar or zip. (docs/formats/movecode.md §8, §10 to §12)

    archive -> files -> a definition (.frm) and blocks (.MYD) for each table -> rows -> values by column
"""

import bz2
import io
import tarfile
import zipfile
import zlib

from game import Damage

LIMIT = 64 << 20  # movecode §15: what an archive may unpack to
LAYERS = 3
FULL, WHOLE, START, MIDDLE, END, FREE = "full", "whole", "start", "middle", "end", "free"


# Archives: movecode §8


def unpack(data):
    """The files of an archive, by their names in small letters, without folders."""
    # movecode §15
    budget = min(LIMIT, 200 * len(data))
    for _ in range(LAYERS):
        if data[:2] == b"\x1f\x8b":
            data = inflate(lambda: zlib.decompressobj(31), data, budget)
        elif data[:3] == b"BZh":
            data = inflate(bz2.BZ2Decompressor, data, budget)
        elif data[:1] == b"h" and data[2:8] == b"\x31\x41\x59\x26\x53\x59":
            # bzip2 may lack its first two bytes.
            data = inflate(bz2.BZ2Decompressor, b"BZ" + data, budget)
        elif data[:2] == b"PK":
            return latest(of_zip(data, budget))
        elif data[257:262] == b"ustar":
            return latest(of_tar(data))
        else:
            break
    raise Damage("no archive of tables; RAR and 7-Zip must be unpacked first")


def inflate(new, data, budget):
    """As much as can be unpacked: an archive that is cut, or damaged, keeps what stands before. (movecode §18)"""
    out, decoder = bytearray(), new()
    for at in range(0, len(data), 4096):
        piece = data[at:at + 4096]
        while piece:
            try:
                out += decoder.decompress(piece, budget - len(out) + 1)
            except (zlib.error, OSError, EOFError):
                return bytes(out)
            if len(out) > budget:
                raise Damage("the archive unpacks to more than it may")
            piece = getattr(decoder, "unconsumed_tail", b"")
            if decoder.eof:
                # Another member may follow.
                piece, decoder = decoder.unused_data, new()
    return bytes(out)


def of_tar(data):
    """Name and bytes of each file of a tar, the last perhaps cut."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for member in archive:
                if member.isreg():
                    yield member.name, data[member.offset_data:][:member.size]
    except tarfile.TarError:
        return


def of_zip(data, budget):
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError) as error:
        raise Damage("the zip has no directory: %s" % error)
    for member in archive.infolist():
        if member.is_dir():
            continue
        if member.flag_bits & 1:
            raise Damage("the zip is encrypted")
        name, found = member.filename, bytearray()
        try:
            with archive.open(member) as file:
                file._expected_crc = None  # movecode §18: a wrong checksum is a warning
                while len(found) <= budget:
                    piece = file.read(4096)
                    found += piece
                    if not piece:
                        break
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError):
            pass
        budget -= len(found)
        if budget < 0:
            raise Damage("the archive unpacks to more than it may")
        yield name, bytes(found)


def latest(files):
    """Of files of one name the last that is not empty counts."""
    found = {}
    for name, data in files:
        name = name.replace("\\", "/").split("/")[-1].lower()
        if data or name not in found:
            found[name] = data
    return found


# Definitions: movecode §10


class Column:
    def __init__(self, entry, name):
        self.name = name.lower()
        self.length = int.from_bytes(entry[3:5], "little")
        self.position = int.from_bytes(entry[5:8], "little")
        self.null = bool(entry[9] & 0x80)
        self.type = entry[13]
        if self.type not in NUMBERS and self.type not in BLOBS and self.type not in (DATE, VARCHAR, CHAR):
            raise Damage("a column of a type that jose does not have")
        # movecode §12.1
        self.packed = self.type != VARCHAR and (self.type != CHAR or self.length > 3)


NUMBERS = {1: 1, 2: 2, 3: 4, 8: 8, 9: 3}
DATE, VARCHAR, CHAR = 14, 15, 254
BLOBS = {249: 1, 250: 3, 251: 4, 252: 2}


def definition(frm):
    """The columns of a table, in the order of its rows."""
    def word(at, size=2):
        return int.from_bytes(frm[at:at + size], "little")

    # movecode §10.1
    if frm is None or len(frm) < 71 or frm[:2] != b"\xfe\x01" or frm[2] < 8 or frm[3] != 9 or not frm[30] & 1:
        raise Damage("no definition of a MyISAM table with packed rows")
    form = word(67, 4)
    count, columns = word(form + 258), form + 288 + word(form + 260)
    names = frm[columns + 17 * count:][:word(form + 268)]
    names = names.strip(b"\0").strip(b"\xff").split(b"\xff")
    entries = [frm[columns + 17 * n:][:17] for n in range(count)]
    if not count or len(names) != count or len(entries[-1]) < 17:
        raise Damage("the definition has not all of its columns")
    found = [Column(entry, name.decode("utf-8", "replace")) for entry, name in zip(entries, names)]
    # movecode §10.2
    return sorted(found, key=lambda column: column.position)


# Blocks: movecode §11

# Kind, and the sizes of: length of the row, length of this part, unused bytes, next.
BLOCKS = {
    1: (WHOLE, 0, 2, 0, 0), 2: (WHOLE, 0, 3, 0, 0), 3: (WHOLE, 0, 2, 1, 0), 4: (WHOLE, 0, 3, 1, 0),  # movecode §11.2, movecode §11.3
    5: (START, 2, 2, 0, 8), 6: (START, 3, 3, 0, 8), 13: (START, 4, 3, 0, 8),  # movecode §11.4, movecode §11.5
    7: (END, 0, 2, 0, 0), 8: (END, 0, 3, 0, 0), 9: (END, 0, 2, 1, 0), 10: (END, 0, 3, 1, 0),  # movecode §11.6, movecode §11.7
    11: (MIDDLE, 0, 2, 0, 8), 12: (MIDDLE, 0, 3, 0, 8),  # movecode §11.8
}


class Block:
    """A block that fits in the file; ValueError where there is none."""

    def __init__(self, data, at):
        if not 0 <= at < len(data) or data[at] > 13:
            raise ValueError("no block")
        if data[at] == 0:
            # movecode §11.1, movecode §11.9
            self.kind, self.end = FREE, at + int.from_bytes(data[at + 1:at + 4], "big")
            if self.end < at + 20 or self.end > len(data):
                raise ValueError("no free block")
            return
        self.kind, *sizes = BLOCKS[data[at]]
        at += 1
        values = []
        for size in sizes:
            values.append(int.from_bytes(data[at:at + size], "big"))
            at += size
        self.row, part, unused, self.next = values
        self.bytes = data[at:at + part]
        self.end = at + part + unused
        if self.end > len(data):
            raise ValueError("the block goes beyond the file")


def rows(data):
    """The bytes of each row in the order of the file, None for one that cannot be read."""
    at, claimed = 0, 0
    while at < len(data):
        try:
            block = Block(data, at)
        except ValueError:
            # movecode §11.11
            yield None
            at += 4 - at % 4
            while at < len(data) and not four_fit(data, at):
                at += 4
            continue
        at = block.end
        # movecode §11.10
        if block.kind == WHOLE:
            yield block.bytes
        elif block.kind == START and claimed + block.row > len(data):
            # movecode §11.13
            yield None
        elif block.kind == START:
            claimed += block.row
            yield joined(data, block)


def four_fit(data, at):
    for _ in range(4):
        try:
            at = Block(data, at).end
        except ValueError:
            return False
        if at == len(data):
            return True
        if at % 4:
            return False
    return True


def joined(data, block):
    """movecode §11.12: a row in parts, or None."""
    size, row = block.row, b""
    while True:
        if not block.bytes or len(row) + len(block.bytes) > size:
            return None
        row += block.bytes
        if len(row) == size:
            return row
        if block.kind == END:
            return None
        try:
            block = Block(data, block.next)
        except ValueError:
            return None
        if block.kind not in (MIDDLE, END):
            return None


# Rows: movecode §12


def values(row, columns):
    """The values of a row by the names of their columns: numbers, bytes, or None for null."""
    taken = 0

    def take(size):
        nonlocal taken
        taken += size
        if taken > len(row):
            raise Damage("the row ends early")
        return row[taken - size:taken]

    def bits(count):
        number = int.from_bytes(take((count + 7) // 8), "little")
        return [bool(number >> bit & 1) for bit in range(count)]

    # movecode §12.1
    packed = iter(bits(sum(column.packed for column in columns)))
    null = iter(bits(sum(column.null for column in columns)))
    found = {}
    for column in columns:
        is_packed = column.packed and next(packed)
        # movecode §12.2
        value = one_value(column, is_packed, take)
        found[column.name] = None if column.null and next(null) else value
    # movecode §12.5
    if taken != len(row):
        raise Damage("the row ends late")
    return found


def one_value(column, is_packed, take):
    if column.type in NUMBERS:
        # movecode §12.4
        return 0 if is_packed else int.from_bytes(take(NUMBERS[column.type]), "little", signed=True)
    if column.type == DATE:
        return 0 if is_packed else int.from_bytes(take(3), "little")
    if column.type in BLOBS:
        return b"" if is_packed else take(int.from_bytes(take(BLOBS[column.type]), "little"))
    if column.type == CHAR:
        if not is_packed:
            return take(column.length)
        return take(int.from_bytes(take(2 if column.length > 255 else 1), "little"))
    # movecode §12.3
    length = take(1)[0]
    return take(int.from_bytes(take(2), "big") if length == 255 else length)

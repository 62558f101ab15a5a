"""The volume of names of Chess Assistant: .emb. (docs/formats/chessassistant.md §3, §4)"""

import struct

from game import Damage

HEADER, ENTRY = 144, 256
MAX_REDIRECTS = 256


class Volume:
    """The files of an EMB. Without one that can be read there are none."""

    def __init__(self, emb):
        self.emb, self.entries = emb or b"", {}
        self.left = len(self.emb)  # what the files of names may have together (chessassistant §3.1)
        # chessassistant §3.2.1
        if len(self.emb) < HEADER or b"Data Pro" not in self.emb[64:128]:
            return
        try:
            folder = self.join(*struct.unpack_from("<II", self.emb, 136))
        except Damage:
            return
        # chessassistant §3.2.3
        for at in range(0, len(folder) - ENTRY + 1, ENTRY):
            name = folder[at + 28:at + ENTRY].split(b"\0")[0].decode("latin-1").lower()
            # chessassistant §3.2.2
            self.entries.setdefault(name, struct.unpack_from("<II", folder, at + 8))

    def file(self, name):
        """A file by its name in small letters, or None."""
        try:
            found = self.join(*self.entries[name])
        except (KeyError, Damage):
            return None
        self.left -= len(found)
        return found if self.left >= 0 else None

    def join(self, length, table):
        """chessassistant §3.1: the fragments of a file, end to end."""
        if length == 0:
            return b""
        # chessassistant §3.1.1
        if length > len(self.emb):
            raise Damage("a file longer than its volume")
        fragments, total, at = [], 0, table
        while total < length:
            # chessassistant §3.1.5
            if at + 8 > len(self.emb):
                raise Damage("a table of fragments beyond the volume")
            size, start = struct.unpack_from("<II", self.emb, at)
            at += 8
            total += size
            # chessassistant §3.1.2, chessassistant §3.1.3, chessassistant §3.1.4
            if size == 0 or total > length or start + size > len(self.emb):
                raise Damage("a fragment that cannot be")
            fragments.append((start, start + size))
        # chessassistant §3.1.6
        taken = sorted(fragments)
        for before, after in zip([(0, HEADER)] + taken, taken):
            if after[0] < before[1] or after[0] < at and after[1] > table:
                raise Damage("fragments that overlap")
        return b"".join(self.emb[start:end] for start, end in fragments)


def addresses(data):
    """An array of signed numbers: A02, or T.a01. (chessassistant §4.1, chessassistant §6)"""
    return [number for number, in struct.iter_unpack("<i", data[:len(data) // 4 * 4])]


def follow(numbers, key):
    """chessassistant §4.1: the key at the end of the redirects, and its address."""
    # chessassistant §4.1.2
    for _ in range(MAX_REDIRECTS):
        if not 0 <= key < len(numbers):
            raise Damage("an id that leads nowhere")
        # chessassistant §4.1.1
        if numbers[key] >= 0:
            return key, numbers[key]
        key = -numbers[key]
    raise Damage("redirects without an end")


class Table:
    """One of the four tables of names."""

    def __init__(self, volume, name):
        a01, self.d01 = volume.file(name + ".a01"), volume.file(name + ".d01")
        # chessassistant §3.2.4
        self.missing = a01 is None or self.d01 is None
        self.ids = [] if self.missing else addresses(a01)
        self.titled = name == "players"
        self.more = volume.file("players.d00") or b"" if self.titled else b""

    def record(self, key):
        """Name, title and, of a player, ten bytes more (chessassistant §4.3); Damage if there is no such name."""
        if self.missing:
            raise Damage("the table of names is missing")
        key, at = follow(self.ids, key)
        head = self.d01[at:at + 1 + self.titled]
        begin = at + len(head)
        # chessassistant §4.2.1
        if len(head) < 1 + self.titled or begin + sum(head) > len(self.d01):
            raise Damage("a name beyond its file")
        name = self.d01[begin:begin + head[0]]
        title = self.d01[begin + head[0]:begin + sum(head)]
        # chessassistant §4.2.2
        return name.rstrip(b"\0"), title if self.titled else b"", self.more[10 * key:10 * key + 10]

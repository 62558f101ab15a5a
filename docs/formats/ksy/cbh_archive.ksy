meta:
  id: cbh_archive
  title: ChessBase, archive (.cbv)
  file-extension: cbv
  license: MIT
  endian: le
doc: cbh §9.1, §9.2. Files before about 2014 have no numbers of 64 bits.
seq:
  - {id: header_size, contents: [8, 0]}
  - {id: count, type: u2}
  - {id: entry_size, type: u1}
  - {id: unknown, size: 3}
  - {id: entries, type: file, size: entry_size, repeat: expr, repeat-expr: count}
types:
  file:
    seq:
      - {id: name, size: 128}
      - {id: offset_low, type: u4}
      - {id: packed_low, type: u4}
      - {id: size_low, type: u4}
      - {id: one, type: u1}
      - {id: date, type: u4}
      - {id: time, type: u4}
      - {id: offset_long, type: u8, if: is_new}
      - {id: packed_long, type: u8, if: is_new}
      - {id: size_long, type: u8, if: is_new}
    instances:
      is_new: {value: _root.entry_size == 173}
      offset: {value: 'is_new ? offset_long : offset_low'}
      packed: {value: 'is_new ? packed_long : packed_low'}
      blocks: {io: _root._io, pos: offset, size: packed, type: blocks}
  blocks:
    seq:
      - {id: blocks, type: block, repeat: eos}
  block:
    seq:
      - {id: length, type: u2}
      - {id: sum, type: u2}
      - {id: payload, size: length}

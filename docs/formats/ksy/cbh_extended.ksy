meta:
  id: cbh_extended
  title: ChessBase, more of the headers (.cbj)
  file-extension: cbj
  license: MIT
  endian: be
doc: cbh §7. What an older version does not have lies beyond the bytes of a record.
seq:
  - {id: version, type: u4le}
  - {id: record_size, type: u4le}
  - {id: records, type: u4le}
  - {id: unused, size: 20}
  - {id: entries, size: record_size, type: record, repeat: expr, repeat-expr: records}
types:
  record:
    seq:
      - {id: white_team, type: s4, if: _io.size >= 8}
      - {id: black_team, type: s4, if: _io.size >= 8}
      - {id: media, type: s4, if: _io.size >= 12}
      - {id: annotations, type: u8, if: _io.size >= 20}
      - {id: material, type: u4, if: _io.size >= 28, repeat: expr, repeat-expr: 2}
      - {id: material_sum, type: u2, if: _io.size >= 30}
      - {id: moves, type: u8, if: _io.size >= 38}
      - {id: ratings, size: 16, if: _io.size >= 70, repeat: expr, repeat-expr: 2}
      - {id: unknown_46, size: 4, if: _io.size >= 74}
      - {id: unknown_4a, size: 4, if: _io.size >= 78}
      - {id: saved, type: u2, if: _io.size >= 80}
      - {id: created, type: s8, if: _io.size >= 88}
      - {id: endgames, size: 20, if: _io.size >= 108}
      - {id: last_saved, type: s8, if: _io.size >= 116}
      - {id: title, type: s4, if: _io.size >= 120}

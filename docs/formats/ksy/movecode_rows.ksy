meta:
  id: movecode_rows
  title: MyISAM with packed rows, as jose archives have it (.MYD)
  file-extension: MYD
  license: MIT
  endian: be
doc: movecode §11. What a row holds follows from its table's .frm.
seq:
  - {id: blocks, type: block, repeat: eos}
types:
  block:
    seq:
      - {id: kind, type: u1}
      - {id: row_high, type: u1, if: kind == 6}
      - {id: row_length, type: u2, if: kind == 5 or kind == 6}
      - {id: row_length_long, type: u4, if: kind == 13}
      - {id: length_high, type: u1, if: is_long}
      - {id: length_low, type: u2}
      - {id: unused, type: u1, if: kind == 3 or kind == 4 or kind == 9 or kind == 10}
      - {id: next, type: u8, if: kind == 0 or kind == 5 or kind == 6 or kind == 11 or kind == 12 or kind == 13}
      - {id: previous, type: u8, if: kind == 0}
      - {id: data, size: 'kind == 0 ? length - 20 : length'}
      - {id: filling, size: unused, if: kind == 3 or kind == 4 or kind == 9 or kind == 10}
    instances:
      is_long: {value: kind == 0 or kind == 2 or kind == 4 or kind == 6 or kind == 8 or kind == 10 or kind == 12 or kind == 13}
      length: {value: 'is_long ? length_high << 16 | length_low : length_low'}

meta:
  id: scid_index_5
  title: Scid 5, index (.si5)
  file-extension: si5
  license: MIT
  endian: le
doc: scid §5.2
seq:
  - {id: entries, type: entry, repeat: expr, repeat-expr: _io.size / 56}
types:
  entry:
    seq:
      - {id: comments_white, type: u4}
      - {id: variations_black, type: u4}
      - {id: nags_event, type: u4}
      - {id: site, type: u4}
      - {id: chess960_round, type: u4}
      - {id: white_rating_date, type: u4}
      - {id: black_rating_event_date, type: u4}
      - {id: plies_flags, type: u4}
      - {id: length_offset_high, type: u4}
      - {id: offset_low, type: u4}
      - {id: opening_line_material, type: u4}
      - {id: kinds_result_eco, type: u4}
      - {id: home_pawns, size: 8}
    instances:
      white: {value: comments_white & 0xfffffff}
      black: {value: variations_black & 0xfffffff}
      event: {value: nags_event & 0xfffffff}
      round: {value: chess960_round & 0x7fffffff}
      length: {value: length_offset_high >> 15}
      offset: {value: (length_offset_high & 0x7fff) * 4294967296 + offset_low}
      flags: {value: plies_flags & 0x3fffff}
      plies: {value: plies_flags >> 22}
      result: {value: kinds_result_eco >> 16 & 3}
      eco_code: {value: kinds_result_eco & 0xffff}

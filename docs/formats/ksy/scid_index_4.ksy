meta:
  id: scid_index_4
  title: Scid, versions 3 and 4, index (.si4, .si3)
  file-extension: [si4, si3]
  license: MIT
  endian: be
doc: scid §2. Version 300 has no flag labels, and no length_high in its entries.
seq:
  - {id: magic, contents: ["Scid.si", 0]}
  - {id: version, type: u2}
  - {id: base_type, type: u4}
  - {id: games, type: u3}
  - {id: autoload, type: u3}
  - {id: description, size: 108, type: strz, encoding: ISO-8859-1}
  - {id: flag_labels, size: 9, type: strz, encoding: ISO-8859-1, repeat: expr, repeat-expr: 6, if: version == 400}
instances:
  start:
    value: 'version == 400 ? 182 : 128'
  entry_size:
    value: 'version == 400 ? 47 : 46'
  entries:
    pos: start
    size: entry_size
    type: entry
    repeat: expr
    repeat-expr: (_io.size - start) / entry_size
types:
  u3:
    seq:
      - {id: high, type: u1}
      - {id: low, type: u2}
    instances:
      value: {value: high << 16 | low}
  entry:
    seq:
      - {id: offset, type: u4}
      - {id: length_low, type: u2}
      - {id: length_high, type: u1, if: _root.version == 400}
      - {id: flags_low, type: u2}
      - {id: players_high, type: u1}
      - {id: white_low, type: u2}
      - {id: black_low, type: u2}
      - {id: places_high, type: u1}
      - {id: event_low, type: u2}
      - {id: site_low, type: u2}
      - {id: round_low, type: u2}
      - {id: result_and_counts, type: u2}
      - {id: eco_code, type: u2}
      - {id: dates, type: u4}
      - {id: white_rating, type: u2}
      - {id: black_rating, type: u2}
      - {id: opening_line, type: u1}
      - {id: material, size: 3}
      - {id: plies_low, type: u1}
      - {id: plies_high_and_home_pawn_count, type: u1}
      - {id: home_pawns, size: 8}
    instances:
      length: {value: '_root.version == 400 ? length_high >> 7 << 16 | length_low : length_low'}
      flags: {value: '_root.version == 400 ? (length_high & 63) << 16 | flags_low : flags_low'}
      white: {value: players_high >> 4 << 16 | white_low}
      black: {value: (players_high & 15) << 16 | black_low}
      event: {value: places_high >> 5 << 16 | event_low}
      site: {value: (places_high >> 2 & 7) << 16 | site_low}
      round: {value: (places_high & 3) << 16 | round_low}
      result: {value: result_and_counts >> 12}
      plies: {value: plies_high_and_home_pawn_count >> 6 << 8 | plies_low}
      home_pawn_count: {value: plies_high_and_home_pawn_count & 63}
      date_year: {value: dates >> 9 & 0x7ff}
      date_month: {value: dates >> 5 & 15}
      date_day: {value: dates & 31}

meta:
  id: cbf_index
  title: Old ChessBase, index (.cbi)
  file-extension: cbi
  license: MIT
  endian: be
doc: cbf §1.1. Headers and texts of the .cbf are masked (cbf §3), which Kaitai Struct has no words for.
seq:
  - {id: games_plus_one, type: u4}
  - {id: entries, type: 'entry(_index)', repeat: expr, repeat-expr: _io.size / 4 - 2}
  - {id: end_plus_games_plus_two, type: u4}
types:
  entry:
    params:
      - {id: game, type: s4}
    seq:
      - {id: entry, type: u4}
    instances:
      offset: {value: entry - game - 2}

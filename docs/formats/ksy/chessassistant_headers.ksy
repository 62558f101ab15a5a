meta:
  id: chessassistant_headers
  title: Chess Assistant, headers (.d00)
  file-extension: d00
  license: MIT
  endian: le
doc: chessassistant §5
seq:
  - {id: entries, type: header, repeat: expr, repeat-expr: _io.size / 38}
types:
  u3:
    seq:
      - {id: low, type: u2}
      - {id: high, type: u1}
    instances:
      value: {value: high << 16 | low}
  header:
    seq:
      - {id: white, type: u3}
      - {id: black, type: u3}
      - {id: white_elo, type: u2}
      - {id: black_elo, type: u2}
      - {id: outcome, type: u1}
      - {id: date, type: u3}
      - {id: event, type: u3}
      - {id: place, type: u3}
      - {id: game_type, type: u4}
      - {id: game_id, type: u4}
      - {id: unknown_1c, type: u1}
      - {id: round_2, type: u1}
      - {id: eco_code, type: u2}
      - {id: annotator, type: u3}
      - {id: source, type: u3}

meta:
  id: cbh_headers
  title: ChessBase, headers of games and texts (.cbh)
  file-extension: cbh
  license: MIT
  endian: be
doc: cbh §3
seq:
  - {id: zero, type: u1}
  - {id: used, type: u2}
  - {id: record_size, type: u2}
  - {id: version, type: u1}
  - {id: next, type: u4}
  - {id: unused, size: 2}
  - {id: next_sound, type: u4}
  - {id: next_picture, type: u4}
  - {id: next_video, type: u4}
  - {id: unused_too, size: 16}
  - {id: next_again, type: u4}
  - {id: unused_end, size: 2}
  - {id: entries, type: record, repeat: expr, repeat-expr: _io.size / 46 - 1}
types:
  u3:
    seq:
      - {id: high, type: u1}
      - {id: low, type: u2}
    instances:
      value: {value: high << 16 | low}
  record:
    seq:
      - {id: record_type, type: u1}
      - {id: moves, type: u4}
      - {id: text, type: text, if: is_text}
      - {id: annotations, type: u4, if: not is_text}
      - {id: white, type: u3, if: not is_text}
      - {id: black, type: u3, if: not is_text}
      - {id: tournament, type: u3, if: not is_text}
      - {id: annotator, type: u3, if: not is_text}
      - {id: source, type: u3, if: not is_text}
      - {id: date, type: u3, if: not is_text}
      - {id: result, type: u1, if: not is_text}
      - {id: evaluation, type: u1, if: not is_text}
      - {id: round, type: u1, if: not is_text}
      - {id: subround, type: u1, if: not is_text}
      - {id: white_elo, type: u2, if: not is_text}
      - {id: black_elo, type: u2, if: not is_text}
      - {id: eco, type: u2, if: not is_text}
      - {id: medals, type: u2, if: not is_text}
      - {id: flags, type: u4, if: not is_text}
      - {id: magnitudes, type: u2, if: not is_text}
      - {id: length, type: u1, if: not is_text}
    instances:
      is_text: {value: (record_type & 2) != 0}
      is_deleted: {value: (record_type & 0x80) != 0}
  text:
    doc: cbh §3.3
    seq:
      - {id: zero, type: u2}
      - {id: tournament, type: u3}
      - {id: source, type: u3}
      - {id: annotator, type: u3}
      - {id: round, type: u1}
      - {id: subround, type: u1}
      - {id: flags, type: u4}
      - {id: unused, size: 24}

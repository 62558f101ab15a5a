meta:
  id: cbh2_headers
  title: ChessBase 17, headers of games, analyses and texts (.2cbh)
  file-extension: 2cbh
  license: MIT
  endian: le
doc: cbh2 §3. The first 192 bytes are the header of the file.
seq:
  - {id: unused, size: 8}
  - {id: magic, contents: [38, 0]}
  - {id: record_size, type: s2}
  - {id: zero_0c, type: u1}
  - {id: version, type: u1}
  - {id: zero_0e, size: 2}
  - {id: next, type: s4}
  - {id: unused_end, size: 172}
  - {id: entries, type: record, size: 192, repeat: expr, repeat-expr: _io.size / 192 - 1}
types:
  record:
    seq:
      - {id: record_type, size: 4, type: kind}
      - {id: unknown_04, size: 4}
      - id: fields
        type:
          switch-on: 'record_type.kind == 2 ? 2 : record_type.kind == 1 and record_type.is_text ? 1 : 0'
          cases:
            0: game
            1: text
            2: analysis
  kind:
    seq:
      - {id: first, type: u1}
      - {id: zero, type: u1}
      - {id: kind, type: u1}
      - {id: again, type: u1}
    instances:
      is_text: {value: (first & 2) != 0}
      is_deleted: {value: (first & 0x80) != 0}
  game:
    doc: cbh2 §3.3
    seq:
      - {id: moves, type: s8}
      - {id: annotations, type: s8}
      - {id: white, type: s8}
      - {id: black, type: s8}
      - {id: tournament, type: s8}
      - {id: annotator, type: s8}
      - {id: source, type: s8}
      - {id: white_team, type: s8}
      - {id: black_team, type: s8}
      - {id: title, type: s8}
      - {id: result, type: u1}
      - {id: evaluation, type: u1}
      - {id: round, type: s2}
      - {id: subround, type: s2}
      - {id: board, type: s2}
      - {id: white_elo, type: s2}
      - {id: white_rating_type, type: rating_type}
      - {id: black_elo, type: s2}
      - {id: black_rating_type, type: rating_type}
      - {id: eco, type: u2}
      - {id: medals, type: u2}
      - {id: flags, type: u4}
      - {id: magnitudes, type: u2}
      - {id: length, type: s2}
      - {id: material, type: u4, repeat: expr, repeat-expr: 2}
      - {id: unknown_94, size: 4}
      - {id: created, type: s8}
      - {id: changed, type: s8}
      - {id: endgames, size: 8}
      - {id: scores, size: 8}
      - {id: saved, type: s4}
      - {id: date, type: s4}
  rating_type:
    doc: cbh2 §3.4
    seq:
      - {id: kind, type: s2}
      - {id: list, type: s2}
      - {id: nation, type: s2}
      - {id: name, size: 8}
  text:
    seq:
      - {id: text, type: s8}
      - {id: tournament, type: s8}
      - {id: source, type: s8}
      - {id: annotator, type: s8}
      - {id: title, type: s8}
      - {id: unknown, size-eos: true}
  analysis:
    seq:
      - {id: moves, type: s8}
      - {id: annotations, type: s8}
      - {id: title, type: s8}
      - {id: source, type: s8}
      - {id: annotator, type: s8}
      - {id: unknown, size-eos: true}

meta:
  id: cbh_names
  title: ChessBase, names (.cbp, .cbt, .cbc, .cbs, .cbe, .cbl)
  file-extension: [cbp, cbt, cbc, cbs, cbe, cbl]
  license: MIT
  endian: le
doc: cbh §6.1, §6.2. A text ends at its first zero byte; which names a file has is told by the bytes of its data.
seq:
  - {id: records, type: s4}
  - {id: root, type: s4}
  - {id: magic, contents: [0xd2, 0x02, 0x96, 0x49]}
  - {id: data, type: s4}
  - {id: first_deleted, type: s4}
  - {id: live, type: s4}
  - {id: extra, type: s4}
  - {id: unused, size: extra}
  - {id: entries, type: record, repeat: expr, repeat-expr: records}
types:
  record:
    seq:
      - {id: left, type: s4}
      - {id: right, type: s4}
      - {id: balance, type: s1}
      - id: fields
        size: _root.data - 8
        type:
          switch-on: _root.data
          cases:
            58: player
            90: tournament
            53: annotator
            59: source
            63: team
            1608: title
      - {id: references, type: s4}
      - {id: first_game, type: s4}
  player:
    seq:
      - {id: last_name, size: 30}
      - {id: first_name, size: 20}
  tournament:
    seq:
      - {id: title, size: 40}
      - {id: place, size: 30}
      - {id: date, type: u4}
      - {id: kind, type: u1}
      - {id: team, type: u1}
      - {id: nation, type: u1}
      - {id: unknown_4d, type: u1}
      - {id: category, type: u1}
      - {id: flags, type: u1}
      - {id: rounds, type: u1}
      - {id: unknown_51, type: u1}
  annotator:
    seq:
      - {id: name, size: 45}
  source:
    seq:
      - {id: title, size: 25}
      - {id: publisher, size: 16}
      - {id: publication, type: u4}
      - {id: date, type: u4}
      - {id: version, type: u1}
      - {id: quality, type: u1}
  team:
    seq:
      - {id: title, size: 45}
      - {id: number, type: u4}
      - {id: season, type: u1}
      - {id: year, type: u4}
      - {id: nation, type: u1}
  title:
    seq:
      - {id: titles, size: 200, repeat: expr, repeat-expr: 8}

meta:
  id: cbh2_names
  title: ChessBase 17, entities (.2lid)
  file-extension: 2lid
  license: MIT
  endian: be
doc: cbh2 §6. Block n has a container for entity n of each type. The last containers of the file may be cut (rule 6.1.3).
seq:
  - {id: len_header, type: s4}
  - {id: types, type: s4}
  - {id: table, type: entity_type, repeat: expr, repeat-expr: 6}
  - {id: pairs, type: pair, repeat: expr, repeat-expr: 7}
instances:
  len_block:
    value: table[0].container + table[1].container + table[2].container + table[3].container + table[4].container + table[5].container
  entries:
    pos: len_header
    type: block
    size: 'len_block < _io.size - _io.pos ? len_block : _io.size - _io.pos'
    repeat: eos
types:
  entity_type:
    seq:
      - {id: container, type: s4}
      - {id: count, type: s8}
      - {id: first_deleted, type: s8}
  pair:
    seq:
      - {id: first, type: s4}
      - {id: second, type: s4}
  block:
    seq:
      - {id: player, size: '_root.table[0].container', type: 'record(0)', if: '_io.size - _io.pos >= _root.table[0].container'}
      - {id: tournament, size: '_root.table[1].container', type: 'record(1)', if: '_io.size - _io.pos >= _root.table[1].container'}
      - {id: source, size: '_root.table[2].container', type: 'record(2)', if: '_io.size - _io.pos >= _root.table[2].container'}
      - {id: unused, size: '_root.table[3].container', type: 'record(3)', if: '_io.size - _io.pos >= _root.table[3].container'}
      - {id: team, size: '_root.table[4].container', type: 'record(4)', if: '_io.size - _io.pos >= _root.table[4].container'}
      - {id: title, size: '_root.table[5].container', type: 'record(5)', if: '_io.size - _io.pos >= _root.table[5].container'}
      - {id: cut, size-eos: true}
  record:
    params:
      - {id: kind, type: s4}
    meta:
      endian: le
    seq:
      - {id: size, type: s4}
      - id: fields
        size: size
        type:
          switch-on: 'is_deleted ? 6 : kind'
          cases:
            0: player
            1: tournament
            2: source
            4: team
            5: title
            6: deleted
      - {id: zeros, size-eos: true}
    instances:
      mark: {pos: 4, type: u4, if: size == 16}
      is_deleted: {value: size == 16 and mark == 0x55443322}
  deleted:
    doc: cbh2 §6.3
    meta:
      endian: le
    seq:
      - {id: mark, size: 8}
      - {id: next, type: s8}
  text:
    meta:
      endian: le
    seq:
      - {id: length, type: s4}
      - {id: data, size: length}
  player:
    meta:
      endian: le
    seq:
      - {id: last_name, type: text, if: not _io.eof}
      - {id: first_name, type: text, if: not _io.eof}
      - {id: zeros, size: 8, if: not _io.eof}
      - {id: chessbase_id, type: s4, if: not _io.eof}
      - {id: eight, type: s4, if: not _io.eof}
      - {id: fide_id, type: s8, if: not _io.eof}
  tournament:
    meta:
      endian: le
    seq:
      - {id: place, type: text, if: not _io.eof}
      - {id: title, type: text, if: not _io.eof}
      - {id: date, type: s4, if: not _io.eof}
      - {id: kind, type: u1, if: not _io.eof}
      - {id: team, type: u1, if: not _io.eof}
      - {id: nation, type: u1, if: not _io.eof}
      - {id: zero_3, type: u1, if: not _io.eof}
      - {id: category, type: u1, if: not _io.eof}
      - {id: flags, type: u1, if: not _io.eof}
      - {id: rounds, type: u1, if: not _io.eof}
      - {id: zero_7, type: u1, if: not _io.eof}
      - {id: latitude, type: f4, if: not _io.eof}
      - {id: longitude, type: f4, if: not _io.eof}
      - {id: nation_now, type: u1, if: not _io.eof}
      - {id: unknown, size: 37, if: not _io.eof}
      - {id: count_tiebreaks, type: s2, if: not _io.eof}
      - {id: tiebreaks, type: s2, repeat: expr, repeat-expr: 'count_tiebreaks > 0 ? count_tiebreaks : 0', if: not _io.eof}
      - {id: last_day, type: s4, if: not _io.eof}
      - {id: rest, size-eos: true}
  source:
    meta:
      endian: le
    seq:
      - {id: title, type: text, if: not _io.eof}
      - {id: publisher, type: text, if: not _io.eof}
      - {id: publication, type: s4, if: not _io.eof}
      - {id: date, type: s4, if: not _io.eof}
      - {id: version, type: s2, if: not _io.eof}
      - {id: quality, type: s2, if: not _io.eof}
  team:
    meta:
      endian: le
    seq:
      - {id: title, type: text, if: not _io.eof}
      - {id: number, type: u1, if: not _io.eof}
      - {id: season, type: u1, if: not _io.eof}
      - {id: year, type: s2, if: not _io.eof}
      - {id: nation, type: u1, if: not _io.eof}
  title:
    meta:
      endian: le
    seq:
      - {id: count, type: s4, if: not _io.eof}
      - {id: titles, type: of_language, repeat: expr, repeat-expr: count, if: not _io.eof}
  of_language:
    meta:
      endian: le
    seq:
      - {id: language, type: s4}
      - {id: text, type: text}

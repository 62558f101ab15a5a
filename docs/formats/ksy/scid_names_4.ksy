meta:
  id: scid_names_4
  title: Scid, versions 3 and 4, names (.sn4, .sn3)
  file-extension: [sn4, sn3]
  license: MIT
  endian: be
doc: scid §3.1. A name is what it shares with the one before, and its rest.
seq:
  - {id: magic, contents: ["Scid.sn", 0]}
  - {id: unused, type: u4}
  - {id: counts, type: u3, repeat: expr, repeat-expr: 4}
  - {id: frequencies, type: u3, repeat: expr, repeat-expr: 4}
  - {id: lists, type: 'list(_index)', repeat: expr, repeat-expr: 4}
types:
  u3:
    seq:
      - {id: high, type: u1}
      - {id: low, type: u2}
    instances:
      value: {value: high << 16 | low}
  list:
    params:
      - {id: kind, type: s4}
    seq:
      - {id: names, type: 'name(kind, _index == 0)', repeat: expr, repeat-expr: '_root.counts[kind].value'}
  name:
    params:
      - {id: kind, type: s4}
      - {id: first, type: bool}
    seq:
      - {id: id_high, type: u1, if: '_root.counts[kind].value >= 65536'}
      - {id: id_low, type: u2}
      - {id: frequency_high, type: u1, if: '_root.frequencies[kind].value >= 65536'}
      - {id: frequency_middle, type: u1, if: '_root.frequencies[kind].value >= 256'}
      - {id: frequency_low, type: u1}
      - {id: length, type: u1}
      - {id: shared, type: u1, if: not first}
      - {id: rest, size: 'first ? length : length - shared'}

meta:
  id: scid_names_5
  title: Scid 5, names (.sn5)
  file-extension: sn5
  license: MIT
  endian: le
doc: scid §5.3
seq:
  - {id: records, type: record, repeat: eos}
types:
  record:
    seq:
      - {id: number, type: u1, repeat: until, repeat-until: _ < 128}
      - {id: text, size: length}
    instances:
      value:
        value: >-
          (number[0] & 127) + (number.size > 1 ? (number[1] & 127) << 7 : 0) + (number.size > 2 ? (number[2] & 127) << 14 : 0)
          + (number.size > 3 ? (number[3] & 127) << 21 : 0)
      kind: {value: value & 7}
      length: {value: value >> 3}

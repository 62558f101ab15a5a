meta:
  id: movecode_definition
  title: Definition of a table of MySQL 5.0, as jose archives have it (.frm)
  file-extension: frm
  license: MIT
  endian: le
doc: movecode §10
seq:
  - {id: mark, contents: [0xfe, 0x01]}
  - {id: version, type: u1}
  - {id: engine, type: u1}
  - {id: len_names_64, type: u2}
  - {id: ofs_keys, type: u2}
  - {id: forms, type: u2}
  - {id: len_rounded, type: u4}
  - {id: len_keys, type: u2}
  - {id: len_record, type: u2}
  - {id: zeros, size: 12}
  - {id: options, type: u2}
instances:
  ofs_form: {pos: 67, type: u4}
  form: {pos: ofs_form, type: form}
types:
  form:
    seq:
      - {id: len_form, type: u2}
      - {id: block, type: u2}
      - {id: blank, size: 252}
      - {id: num_screens, type: u2}
      - {id: num_columns, type: u2}
      - {id: len_screens, type: u2}
      - {id: sum_lengths, type: u2}
      - {id: zero, type: u2}
      - {id: len_record, type: u2}
      - {id: len_names, type: u2}
      - {id: blank_2, size: 8}
      - {id: eighty, type: u2}
      - {id: twenty_two, type: u2}
      - {id: num_nullable, type: u2}
      - {id: blank_3, size: 4}
      - {id: screens, size: len_screens}
      - {id: columns, type: column, repeat: expr, repeat-expr: num_columns}
      - {id: names, size: len_names}
  column:
    seq:
      - {id: row, type: u1}
      - {id: name_width, type: u1}
      - {id: shown, type: u1}
      - {id: length, type: u2}
      - {id: position_low, type: u2}
      - {id: position_high, type: u1}
      - {id: flags, type: u2}
      - {id: check, type: u1}
      - {id: zeros, size: 2}
      - {id: kind, type: u1}
      - {id: charset, type: u1}
      - {id: zeros_2, size: 2}

meta:
  id: chessassistant_addresses
  title: Chess Assistant, addresses (.a02, and T.a01 in the .emb)
  file-extension: a02
  license: MIT
  endian: le
doc: chessassistant §4.1, §6. A negative entry leads on to its opposite.
seq:
  - {id: entries, type: s4, repeat: expr, repeat-expr: _io.size / 4}

meta:
  id: chessassistant_description
  title: Chess Assistant, description of a base (.cdp)
  file-extension: cdp
  license: MIT
  endian: le
doc: chessassistant §2
seq:
  - {id: signature, size: 50, type: strz, encoding: ISO-8859-1}
  - {id: version, size: 50, type: strz, encoding: ISO-8859-1}
  - {id: unknown_64, type: u4}
  - {id: games, type: u4}
  - {id: len_comment, type: u4}
  - id: comment
    size: '_io.size - _io.pos < len_comment ? _io.size - _io.pos : len_comment'
    doc: as much as there is of it

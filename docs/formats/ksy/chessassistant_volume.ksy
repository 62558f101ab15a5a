meta:
  id: chessassistant_volume
  title: Chess Assistant, volume of the names (.emb)
  file-extension: emb
  license: MIT
  endian: le
doc: |
  chessassistant §3. A file of the volume is its fragments, in the order of its table, until they have as many bytes as
  the file. This description follows the first fragment of the root folder, which has it whole in all bases known.
seq:
  - {id: signature, size: 64, type: strz, encoding: ISO-8859-1}
  - {id: version, size: 64, type: strz, encoding: ISO-8859-1}
  - {id: zeros, size: 8}
  - {id: len_folder, type: u4}
  - {id: ofs_folder_table, type: u4}
instances:
  folder_fragment:
    pos: ofs_folder_table
    type: fragment
  folder:
    pos: folder_fragment.offset
    size: 256
    type: file
    repeat: expr
    repeat-expr: folder_fragment.length / 256
types:
  fragment:
    seq:
      - {id: length, type: u4}
      - {id: offset, type: u4}
    instances:
      data: {io: _root._io, pos: offset, size: length}
  file:
    seq:
      - {id: zero, type: u4}
      - {id: two, type: u4}
      - {id: length, type: u4}
      - {id: ofs_table, type: u4}
      - {id: unknown_10, size: 12}
      - {id: name, size: 228, type: strz, encoding: ISO-8859-1}
    instances:
      first_fragment: {io: _root._io, pos: ofs_table, type: fragment, if: length > 0}

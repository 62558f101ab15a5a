meta:
  id: dcg_index
  title: Simple Chess Database, index (.dci)
  file-extension: dci
  license: MIT
  endian: be
doc: dcg §3, §4. Which layout a file has follows from dcg §2.2.
params:
  - {id: old, type: bool}
seq:
  - {id: magic, contents: SimpleCDbi}
  - {id: version, type: u1, if: not old}
  - {id: open_default, type: u8, if: not old}
  - {id: entries, type: entry, repeat: expr, repeat-expr: '(_io.size - (old ? 10 : 19)) / (old ? 35 : 39)'}
types:
  entry:
    seq:
      - {id: status, type: u1}
      - {id: offset, type: u8}
      - {id: white_ref, type: u4}
      - {id: black_ref, type: u4}
      - {id: round, type: u2}
      - {id: site_ref, type: u4}
      - {id: event_ref, type: u4, if: not _root.old}
      - {id: elo_white, type: u2}
      - {id: elo_black, type: u2}
      - {id: result, type: u1}
      - {id: eco, size: 3}
      - {id: year, type: u2}
      - {id: month, type: u1}
      - {id: day, type: u1}

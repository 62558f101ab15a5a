meta:
  id: dcg_names
  title: Simple Chess Database, names (.dcn, .dcs, .dce)
  file-extension: [dcn, dcs, dce]
  license: MIT
doc: dcg §5, §5.1
seq:
  - {id: magic, size: 10, type: str, encoding: ASCII}
  - {id: names, size: 36, repeat: expr, repeat-expr: (_io.size - 10) / 36}
  - {id: cut_name, size-eos: true, doc: 'of a name that the file ends in (rule 4)'}

#!/bin/bash -eu
# Builds each target of fuzz/fuzz_targets with its seeds, and with the inputs that failed once.
cd "$SRC/scoresheet"
cargo fuzz build --release --fuzz-dir fuzz --features tables
for program in fuzz/fuzz_targets/*.rs; do
  name=$(basename "$program" .rs)
  built=$(find target fuzz/target -path "*/release/$name" -type f -perm -u+x 2>/dev/null | head -n 1)
  cp "${built:?$name was not built}" "$OUT/"
  inputs=("fuzz/seeds/$name")
  if [ -d "fuzz/regressions/$name" ]; then inputs+=("fuzz/regressions/$name"); fi
  find "${inputs[@]}" -type f -print0 | xargs -0 zip -q -j "$OUT/${name}_seed_corpus.zip"
done

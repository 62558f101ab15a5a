#!/bin/sh
# Packs a program that was built for a target, with its manual, completions, README and licences:
# `archive.sh VERSION TARGET PROGRAM FOLDER` writes FOLDER/scoresheet-VERSION-TARGET.tar.gz (.zip for Windows)
# and its checksum beside it, in the form of sha256sum. EXTRA names a program that runs here, for the
# manual and the completions, where PROGRAM does not. PAGE names the folder of the page, for `serve`.
set -eu

if [ "$#" -ne 4 ]; then
    echo "archive.sh VERSION TARGET PROGRAM FOLDER" >&2
    exit 2
fi
version=$1
target=$2
program=$3
folder=$4
root=$(cd "$(dirname "$0")/../.." && pwd)
name=scoresheet-$version-$target

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
staged=$folder/$name
rm -rf "$staged"
mkdir -p "$staged/completions"
cp "$program" "$staged/"
cp "$root/README.md" "$root/CHANGELOG.md" "$root/LICENSE-MIT" "$root/LICENSE-APACHE" "$staged/"
[ -z "${PAGE:-}" ] || cp -r "$PAGE" "$staged/page"
runs=${EXTRA:-$program}
"$runs" man >"$staged/scoresheet.1"
"$runs" completions bash >"$staged/completions/scoresheet.bash"
"$runs" completions zsh >"$staged/completions/_scoresheet"
"$runs" completions fish >"$staged/completions/scoresheet.fish"
"$runs" completions powershell >"$staged/completions/_scoresheet.ps1"

cd "$folder"
case $target in
*windows*)
    file=$name.zip
    rm -f "$file"
    if command -v 7z >/dev/null; then 7z a -bd "$file" "$name" >/dev/null; else zip -qr "$file" "$name"; fi
    ;;
*)
    file=$name.tar.gz
    tar -czf "$file" "$name"
    ;;
esac
rm -rf "$staged"
if command -v sha256sum >/dev/null; then sha256sum "$file" >"$file.sha256"; else shasum -a 256 "$file" >"$file.sha256"; fi
echo "$folder/$file"

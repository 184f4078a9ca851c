#!/bin/sh
# Writes segment scores of machine translation with sacrebleu, an old and a newer one.
# Usage: tests/tools/segment_scores.sh [FOLDER]; needs python3 and its registry. Prints where it wrote.
set -eu

folder=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-.}" && pwd)
mkdir -p "$folder/out"
cd "$folder"
printf 'Das ist ein Test.\nDer Hund bellt laut.\nGuten Morgen\n' > hypothesis
printf 'Das ist ein kleiner Test.\nDer Hund bellt.\nGuten Morgen!\n' > reference
for version in 1.5.1 2.4.3; do
    [ -d "venv-$version" ] || python3 -m venv "venv-$version"
    "venv-$version/bin/pip" install --quiet "sacrebleu==$version" setuptools
    for metric in bleu chrf ter; do
        [ "$version-$metric" = 1.5.1-ter ] ||
            "venv-$version/bin/sacrebleu" reference -i hypothesis -m "$metric" -sl > "out/$metric-$version.txt"
    done
done
venv-2.4.3/bin/sacrebleu reference -i hypothesis -m chrf -sl -w 4 --short > out/chrf-short-2.4.3.txt
venv-2.4.3/bin/sacrebleu reference -i hypothesis -m bleu > out/corpus-2.4.3.json
echo "written to $folder/out:"
ls "$folder/out"

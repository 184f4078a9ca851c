#!/bin/sh
# Writes samples and results of lm-evaluation-harness with a made-up model; no model and no data are downloaded.
# Usage: tests/tools/lm_eval.sh [FOLDER]; needs python3 and PyPI. Prints where it wrote.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-.}" && pwd)
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet lm_eval==0.4.10
mkdir -p "$folder/out"
cd "$folder/out"
PYTHONPATH="$here" "$folder/venv/bin/python" "$here/lm_eval_samples.py" .
echo "written to $folder/out:"
ls "$folder"/out/*

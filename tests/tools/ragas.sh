#!/bin/sh
# Writes small tables of Ragas with metrics that ask no model, as pandas saves them.
# Usage: tests/tools/ragas.sh [FOLDER]; needs python3 and PyPI ($PYTHON names another python). Prints where it wrote.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-.}" && pwd)
if [ ! -d "$folder/venv" ]; then
    "${PYTHON:-python3}" -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet ragas==0.2.15 rapidfuzz
fi
mkdir -p "$folder/out"
export RAGAS_DO_NOT_TRACK=true PYTHONPATH="$here" PYTHONDONTWRITEBYTECODE=1
"$folder/venv/bin/python" "$here/ragas_tables.py" "$folder/out"
echo "written to $folder/out:"
ls "$folder/out"

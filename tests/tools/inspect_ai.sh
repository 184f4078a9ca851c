#!/bin/sh
# Writes small Inspect AI logs with the real tool and its mock model, in two versions.
# Usage: tests/tools/inspect_ai.sh [FOLDER]; needs python3 and PyPI. Prints where it wrote.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-.}" && pwd)
cd "$folder"
for version in 0.3.60 0.3.180 0.3.285; do
    python3 -m venv "venv-$version"
    "venv-$version/bin/pip" install --quiet "inspect_ai==$version" "textual<2"
    mkdir -p "out/$version"
    PYTHONPATH="$here" "venv-$version/bin/python" "$here/inspect_ai_logs.py" "out/$version"
done
echo "written to $folder/out:"
ls "$folder"/out/*

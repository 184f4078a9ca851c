#!/bin/sh
# Writes a run folder of HELM with a made-up client; no model and no data are downloaded.
# Usage: tests/tools/helm.sh [FOLDER]; needs python3 and PyPI. Prints where it wrote.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-.}" && pwd)
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet crfm-helm==0.5.6
cd "$folder"
"$folder/venv/bin/python" "$here/helm_runs.py"
mkdir -p "$folder/out"
for run in "$folder"/benchmark_output/runs/made-up/simple*/; do
    name=$(basename "$run" | tr ':=,' '___')
    mkdir -p "$folder/out/$name"
    for file in per_instance_stats run_spec scenario_state; do
        "$folder/venv/bin/python" -m json.tool --compact "$run/$file.json" "$folder/out/$name/$file.json"
    done
done
echo "written to $folder/out:"
ls "$folder"/out/*

#!/bin/sh
# Writes SWE-bench reports with the real harness, from logs made up here; no container is started.
# Usage: tests/tools/swe_bench_report.sh [FOLDER]; needs python3 and its registry. Prints where it wrote.
set -eu

folder=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-.}" && pwd)
mkdir -p "$folder/out"
cd "$folder"
rm -rf logs
cat > report.py <<'PY'
import json
import sys
from pathlib import Path

from swebench.harness.reporting import make_run_report

IDS = [f"org__repo-{number}" for number in range(10)]
OUTCOMES = {0: True, 1: True, 2: False, 3: True, 4: False, 5: False}  # 6, 9: error, 7: empty patch, 8: none
LOGS = {5: "Cannot connect to the Docker daemon", 6: "Timeout error: 60 seconds exceeded"}
predictions = {
    one: {"instance_id": one, "model_name_or_path": "model", "model_patch": "" if number == 7 else "diff"}
    for number, one in enumerate([*IDS, "other__repo-1"])
    if number != 8
}
for number, one in enumerate(IDS):
    log = Path("logs/run_evaluation") / sys.argv[1] / "model" / one
    log.mkdir(parents=True, exist_ok=True)
    if number in OUTCOMES:
        details = {"patch_is_None": False, "patch_exists": True, "patch_successfully_applied": True}
        report = {one: {**details, "resolved": OUTCOMES[number], "tests_status": {}}}
        (log / "report.json").write_text(json.dumps(report))
    if number in LOGS:
        (log / "test_output.txt").write_text(LOGS[number])
make_run_report(predictions, [{"instance_id": one} for one in IDS], sys.argv[1])
PY
for version in 4.0.4 5.0.2; do
    [ -d "venv-$version" ] || python3 -m venv "venv-$version"
    "venv-$version/bin/pip" install --quiet "swebench==$version"
    "venv-$version/bin/python" report.py "$version"
    cp "model.$version.json" out/
done
cp logs/run_evaluation/5.0.2/model/org__repo-0/report.json out/
echo "written to $folder/out:"
ls "$folder/out"

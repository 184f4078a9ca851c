#!/bin/sh
# Writes small test runs of DeepEval with metrics of our own, in two versions; no model is asked.
# Usage: tests/tools/deepeval.sh [FOLDER]; needs python3 and PyPI ($PYTHON names another python). Prints where it wrote.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-.}" && pwd)
mkdir -p "$folder/out"
export DEEPEVAL_TELEMETRY_OPT_OUT=YES DEEPEVAL_RESULTS_FOLDER=kept PYTHONPATH="$here" PYTHONDONTWRITEBYTECODE=1
for version in 2.9.7 3.9.9; do
    venv="$folder/venv-$version"
    if [ ! -d "$venv" ]; then
        "${PYTHON:-python3}" -m venv "$venv"
        "$venv/bin/pip" install --quiet "deepeval==$version" "setuptools<81"
    fi
    case $version in
    2.9.7) kinds="questions" ;;
    *) kinds="questions conversations tests" ;;
    esac
    for kind in $kinds; do
        work=$(mktemp -d)
        cd "$work"
        case $kind in
        tests)
            cp "$here/deepeval_runs.py" test_sums.py
            "$venv/bin/deepeval" test run test_sums.py --repeat 2 --identifier sums || [ $? -eq 1 ] # a test fails
            ;;
        *) "$venv/bin/python" "$here/deepeval_runs.py" "$kind" ;;
        esac
        for file in kept/*; do # version 2 gives no ending to the name
            cp "$file" "$folder/out/${kind}_$version.json"
        done
        [ "$kind-$version" != questions-3.9.9 ] || {
            cp .deepeval/.latest_test_run.json "$folder/out/latest_$version.json"
            cp returned.json "$folder/out/returned_$version.json"
        }
        cd "$folder"
        rm -r "$work"
    done
done
echo "written to $folder/out:"
ls "$folder/out"

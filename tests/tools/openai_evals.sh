#!/bin/sh
# Writes small records of OpenAI evals with a system of our own; no model is asked.
# Usage: tests/tools/openai_evals.sh [FOLDER]; needs python3.11 and PyPI ($PYTHON names another). Prints where it wrote.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-.}" && pwd)
if [ ! -d "$folder/venv" ]; then
    "${PYTHON:-python3.11}" -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet evals==2.0.0 "setuptools<81"
fi
mkdir -p "$folder/out" "$folder/registry/evals" "$folder/registry/completion_fns" "$folder/registry/data/sums"
cd "$folder"
export PYTHONPATH="$here" PYTHONDONTWRITEBYTECODE=1 OPENAI_API_KEY=none EVALS_SEQUENTIAL=1
venv/bin/python "$here/openai_evals_sums.py" >registry/data/sums/samples.jsonl
cat >registry/evals/sums.yaml <<'YAML'
fuzzy: { id: fuzzy.dev.v0, metrics: [accuracy] }
fuzzy.dev.v0:
  class: evals.elsuite.basic.fuzzy_match:FuzzyMatch
  args: { samples_jsonl: sums/samples.jsonl }
careful: { id: careful.dev.v0, metrics: [accuracy] }
careful.dev.v0:
  class: openai_evals_sums:Careful
  args: { samples_jsonl: sums/samples.jsonl }
exact: { id: exact.dev.v0, metrics: [accuracy] }
exact.dev.v0:
  class: evals.elsuite.basic.match:Match
  args: { samples_jsonl: sums/samples.jsonl }
YAML
cat >registry/completion_fns/sums.yaml <<'YAML'
sums: { class: "openai_evals_sums:Sums" }
failing: { class: "openai_evals_sums:Failing" }
YAML

record() { # NAME SYSTEM EVAL
    venv/bin/oaieval "$2" "$3" --registry_path registry --record_path "out/$1.jsonl" --local-run
}
record metrics sums fuzzy
record errors failing careful
record broken_off failing exact || echo "that was meant to fail"
sed -i "s#$folder/##g" out/*.jsonl # nothing of the machine stays in the file
echo "written to $folder/out:"
ls out

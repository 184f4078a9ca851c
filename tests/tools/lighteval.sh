#!/bin/sh
# Writes details and results of lighteval 0.10 with a made-up model; no model and no data are downloaded.
# Usage: tests/tools/lighteval.sh [FOLDER]; needs python3 and PyPI (7 GB, because of torch). Prints where it wrote.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-.}" && pwd)
cd "$folder"
if [ ! -x venv/bin/lighteval ]; then
    python3 -m venv venv
    venv/bin/pip install --quiet lighteval==0.10.0 "datasets<4" "huggingface_hub<1" "transformers<5" \
        "pyarrow<20" "xxhash<3.6"
fi
mkdir -p data out
PYTHONPATH="$here" venv/bin/python -c "
import arithmetic, pathlib
rows = [{'question': one.question, 'answer': one.answer} for one in arithmetic.SUMS]
arithmetic.write_lines(pathlib.Path('data/test.jsonl'), rows)
"
export HF_HOME="$folder/cache" HF_HUB_OFFLINE=1 HF_DATASETS_OFFLINE=1 LIGHTEVAL_SUMS=data PYTHONPATH="$here"
venv/bin/lighteval custom adder "$here/lighteval_model.py" "custom|sums|0|0" \
    --custom-tasks "$here/lighteval_task.py" --output-dir out --save-details
echo "written to $folder/out:"
find out -type f

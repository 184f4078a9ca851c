#!/bin/sh
# Writes per-query retrieval scores with the real tools: ir_measures, pytrec_eval and ranx.
# Usage: tests/tools/retrieval_scores.sh [FOLDER]; needs python3 and its registry. Prints where it wrote.
set -eu

folder=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-.}" && pwd)
mkdir -p "$folder/out"
[ -d "$folder/venv" ] || python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet ir_measures==0.3.3 pytrec_eval-terrier==0.5.6 ranx==0.3.19
export PATH="$folder/venv/bin:$PATH"
cd "$folder"

# Query 4 has judgements and no results; document d4 is relevant for it.
for query in 1 2 3 4; do
    printf '%s 0 d1 1\n%s 0 d2 0\n%s 0 d%s 1\n' "$query" "$query" "$query" "$query"
done | sort -u -k1,1 -k3,3 > qrels
for query in 1 2 3; do
    printf '%s Q0 d%s 1 3.0 tag\n%s Q0 d9 2 2.0 tag\n%s Q0 d1 3 1.0 tag\n' "$query" $((query + 1)) "$query" "$query"
done > run

measures='nDCG@10 AP(rel=1) RR P@5 Judged@10 NumRet'
ir_measures qrels run "$measures" -q > out/ir_measures.tsv
ir_measures qrels run "$measures" -q -o jsonl > out/ir_measures.jsonl
ir_measures qrels run "$measures" > out/ir_measures_means.tsv
python3 - <<'PY'
import json

import pytrec_eval
from ranx import Qrels, Run, evaluate

with open("qrels") as lines:
    qrels = {}
    for query, _, document, grade in map(str.split, lines):
        qrels.setdefault(query, {})[document] = int(grade)
with open("run") as lines:
    run = {}
    for query, _, document, _, score, _ in map(str.split, lines):
        run.setdefault(query, {})[document] = float(score)
evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut.10", "recip_rank", "num_ret"})
with open("out/pytrec_eval.json", "w") as file:
    json.dump(evaluator.evaluate(run), file, indent=1)
ranked = Run(run)
evaluate(Qrels(qrels), ranked, ["ndcg@10", "map@100", "mrr", "hit_rate@1-l2"], make_comparable=True)
with open("out/ranx.json", "w") as file:
    json.dump(ranked.scores, file, indent=1)
PY
echo "written to $folder/out:"
ls "$folder/out"

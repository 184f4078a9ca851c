"""Names that mean something in result files, as tools and people write them.

Names are compared after `plain`, so ``questionId``, ``Question ID`` and ``question-id`` are all ``question_id``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ID_NAMES = (
    "id",
    "qid",
    "query_id",
    "question_id",
    "example_id",
    "instance_id",
    "sample_id",
    "doc_id",
    "task_id",
    "item_id",
    "case_id",
    "test_id",
    "uid",
    "key",
    "name",
)
"""Fields that name the question, most trusted first."""

TEXT_NAMES = ("question", "query", "input", "user_input", "prompt", "inputs", "text", "instruction")
"""Fields that hold the question itself: they tell questions apart where nothing names them."""

TRIAL_NAMES = frozenset({"repeat", "epoch", "trial", "run", "repetition", "repetition_number"})
"""Fields that number the trials of one question."""

METRIC_NAME_NAMES = ("metric", "measure", "metric_name", "name")
"""Fields that name the metric in a long file; ``name`` only where it cannot mean anything else."""

VALUE_NAMES = ("value", "score")
"""Fields that hold the value in a long file, and inside an object that is one value with its explanation."""

WRAPPERS = _words(
    "score scores metric metrics measures feedback feedback_scores evaluation evaluations results result grades "
    "ratings usage"
)
"""Objects known to hold metrics: they are left out of the metrics' names."""

_CONTENT = _words(
    "answer expected expected_answer expected_output target targets gold gold_answer ground_truth label labels "
    "gold_label predicted_label reference references prediction predictions predicted pred preds output outputs "
    "response responses completion question query input user_input inputs prompt prompts text doc docs document "
    "documents context contexts retrieved_contexts messages choices trace tags"
)
_DESCRIPTION = _words(
    "metadata meta config params parameters args kwargs model provider version category subset split dataset domain "
    "topic reason reasoning explanation rationale justification feedback_text comment comments note notes description "
    "error_message exception level difficulty temperature top_k top_p max_tokens"
)
_BOOKKEEPING = _words(
    "index idx order position row line gold_index test_idx prompt_idx date timestamp created_at updated_at started_at "
    "completed_at finished_at start_time end_time seed attempt hash"
)
_BOOKKEEPING_ENDS = ("_id", "_idx", "_index", "_threshold", "_timestamp", "_seed", "_hash")
_INDEX_STARTS = ("unnamed:", "__index_level_")  # how pandas calls the index of a table that it gives no name
_DESCRIPTION_ENDS = ("_label", "_reason", "_explanation", "_justification", "_rationale", "_comment")

AGGREGATES = _words(
    "accuracy acc exact_match em f1 f1_score precision recall faithfulness answer_relevancy answer_relevance "
    "answer_correctness context_precision context_recall mean average avg overall overall_score total pass_rate "
    "success_rate bleu rouge rouge1 rouge2 rougel meteor bertscore ter chrf wer cer perplexity loss mrr map ap rr ndcg "
    "mae mse rmse auc p50 p90 p95 p99 hit_rate latency cost score scores std stderr summary metrics results "
    "config metadata aggregate aggregates aggregate_metrics all_metrics"
)
"""Words that stand where the ids would be in a file that holds means and no questions."""

BINARY_WORDS = (
    {"true": 1.0, "false": 0.0},
    {"pass": 1.0, "fail": 0.0},
    {"passed": 1.0, "failed": 0.0},
    {"yes": 1.0, "no": 0.0},
    {"correct": 1.0, "incorrect": 0.0, "wrong": 0.0},
)
"""Vocabularies whose words are scores, compared without case; a field must keep to one of them."""

NO_VALUE_WORDS = _words(
    "nan -nan +nan inf -inf +inf infinity -infinity +infinity n/a na none null nil - -- ? #n/a err error"
)
"""What people write where a number is missing; never read as a number, and never passed over in a metric."""

NO_ERROR_WORDS = frozenset({"", "none", "null", "nan", "n/a", "no error"})
"""What an ``error`` field says where there was none."""

PER_QUESTION_HINT = (
    "Clearband pairs the two runs question by question, so it needs one row per question. Most tools write such a "
    "file on request: lm-eval with --log_samples, Ragas with result.to_pandas().to_csv(...), promptfoo with "
    "-o results.json, trec_eval with -q."
)
"""How to get rows instead of means."""

_FEW = 1_000  # a file of means is short; long ones are searched for the plainest spelling only
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SEPARATORS = re.compile(r"[\s\-./]+")
_VERSION = re.compile(r"_v\d+(?:_(?:mean|variance|ratio|p\d+))?$")  # as MLflow calls its totals: exact_match/v1/mean
_STAGE = "eval_"  # as Hugging Face calls them: eval_accuracy
_CUTOFF = re.compile(r"(?:@\d+|_at_\d+|\([^()]*\))+$")  # no sign can be taken two ways: never slow


def plain(name: str) -> str:
    """Return `name` in small letters with underscores, for comparison only."""
    return _SEPARATORS.sub("_", _CAMEL.sub("_", name.strip())).casefold()


def find(fields: Iterable[str], names: Iterable[str]) -> str | None:
    """Return the field that carries the earliest of `names`; None where none does."""
    by_name: dict[str, str] = {}
    for field in fields:
        by_name.setdefault(plain(field), field)
    return next((by_name[name] for name in names if name in by_name), None)


def is_no_metric(field: str) -> bool:
    """Whether a field outside metric objects is no metric by its name: content, description or bookkeeping.

    Names with points, as flattened tables have them, are judged like the path that they spell.
    """
    *outer, _ = parts = field.split(".")
    return not any(plain(part) in WRAPPERS for part in outer) and any(map(_is_no_metric, parts))


def _is_no_metric(part: str) -> bool:
    name = plain(part)
    return (
        name in _CONTENT
        or name in _DESCRIPTION
        or name in _BOOKKEEPING
        or name in ID_NAMES
        or name in TRIAL_NAMES
        or not name
        or name.startswith(_INDEX_STARTS)
        or name.endswith(_BOOKKEEPING_ENDS)
        or name.endswith(_DESCRIPTION_ENDS)
    )


def is_ambiguous(field: str) -> bool:
    """Whether a field is taken for content or a description although its numbers might be scores."""
    name = plain(field)
    return name in _CONTENT or name in _DESCRIPTION


def aggregate_among(ids: Collection[str]) -> str | None:
    """Return an "id" that is really the name of a metric or of a summary."""
    exact = sorted(AGGREGATES.intersection(ids))
    if exact or len(ids) > _FEW:
        return exact[0] if exact else None
    return next((text for text in ids if _bare(text) in AGGREGATES), None)


def _bare(text: str) -> str:
    return _CUTOFF.sub("", _VERSION.sub("", plain(text).removeprefix(_STAGE)))

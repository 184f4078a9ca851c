"""Writes both kinds of MLflow evaluation tables; see trackers.sh."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

STORE = tempfile.mkdtemp()
os.environ["MLFLOW_TRACKING_URI"] = f"sqlite:///{STORE}/mlflow.db"

import arithmetic  # noqa: E402  MLflow reads its address while it is imported
import mlflow  # noqa: E402
import pandas as pd  # noqa: E402
from mlflow.genai.scorers import scorer  # noqa: E402
from mlflow.metrics import MetricValue, make_metric  # noqa: E402

TRIMMED = ("trace", "spans", "tags", "assessments")


@scorer
def exact(outputs: str, expectations: dict[str, str]) -> bool:
    return arithmetic.exact(outputs, expectations["expected_response"])


@scorer
def closeness(outputs: str, expectations: dict[str, str]) -> float:
    if expectations["expected_response"] == "6":
        message = "the judge failed"
        raise RuntimeError(message)
    return arithmetic.closeness(outputs, expectations["expected_response"])


def predict(question: str) -> str:
    return arithmetic.asked(question)


def trace_table(folder: Path) -> None:
    data = [
        {"inputs": {"question": one.question}, "expectations": {"expected_response": one.answer}}
        for one in arithmetic.SUMS
    ]
    frame = mlflow.genai.evaluate(data=data, predict_fn=predict, scorers=[exact, closeness]).result_df
    frame = frame.assign(**{name: "(trimmed)" for name in TRIMMED if name in frame})
    frame.to_json(folder / "genai.jsonl", orient="records", lines=True)
    frame.to_csv(folder / "genai.csv", index=False)


def plain_table(folder: Path) -> None:
    off = {(2, 5), (3, 6)}
    frame = pd.DataFrame({
        "inputs": [one.question for one in arithmetic.SUMS],
        "ground_truth": [one.answer for one in arithmetic.SUMS],
        "outputs": [str(int(one.answer) + ((one.left, one.right) in off)) for one in arithmetic.SUMS],
    })  # fmt: skip

    def close(predictions: pd.Series, targets: pd.Series) -> MetricValue:
        scores = [arithmetic.closeness(*pair) for pair in zip(predictions, targets, strict=True)]
        return MetricValue(scores=scores, aggregate_results={"mean": sum(scores) / len(scores)})

    with mlflow.start_run() as run:
        mlflow.models.evaluate(
            data=frame,
            targets="ground_truth",
            predictions="outputs",
            extra_metrics=[make_metric(eval_fn=close, greater_is_better=True, name="closeness", version="v1")],
            evaluators="default",
        )
    mlflow.artifacts.download_artifacts(
        run_id=run.info.run_id, artifact_path="eval_results_table.json", dst_path=str(folder)
    )


def main(folder: Path) -> None:
    os.chdir(STORE)  # artifacts are kept in the working directory
    plain_table(folder)
    trace_table(folder)
    shutil.rmtree(STORE)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())

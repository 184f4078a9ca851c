"""A model for lighteval that adds, and gets two sums wrong; see lighteval.sh."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import arithmetic
from lighteval.models.abstract_model import LightevalModel
from lighteval.models.model_output import GenerativeResponse

if TYPE_CHECKING:
    from collections.abc import Sequence


class Adder(LightevalModel):
    """Answers the sums of `arithmetic`."""

    tokenizer = None
    add_special_tokens = False
    max_length = 4_096

    def __init__(self, config: Any) -> None:
        self.config = config
        self.model_info = _info(config)

    def greedy_until(self, requests: Sequence[Any]) -> list[GenerativeResponse]:
        return [GenerativeResponse(result=[_answer(request.context)], input_tokens=[1]) for request in requests]

    def loglikelihood(self, requests: Sequence[Any]) -> Any:
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood_single_token = loglikelihood


def _answer(prompt: str) -> str:
    one = next(one for one in arithmetic.SUMS if one.question in prompt)
    return str(int(one.answer) + ((one.left, one.right) in {(2, 5), (3, 6)}))


def _info(config: Any) -> Any:
    from lighteval.models.abstract_model import ModelInfo

    return ModelInfo(model_name=config.model_name)

"""Where the draws of one coder, or several coders, say different things of one clip, in sentences.

A coder is named with its condition, so that the same model given T and TV, or asked in two ways,
is told apart here as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from app.coding.confidence import of_draws
from app.coding.probe_records import NOT_ASKED
from app.coding.records import Prediction, Said
from app.scoring.scored import ANSWERED
from views.common.words import code_words, coder_words

FAILED_WORDS = {
    "schema-fail": "not in the form asked for",
    "refusal": "the model declined",
    "truncated": "cut off",
    "backend-error": "the model could not be asked",
    "judge-fail": "could not be judged",
}
"""How an asking failed, by its status."""


def failed_words(status: str) -> str:
    """Say what kind of failure it was, e.g. `no usable answer (cut off)`."""
    if status == NOT_ASKED:
        return "no answer, since it was not asked"
    return f"no usable answer ({FAILED_WORDS.get(status, status)})"


def draws_words(prediction: Prediction) -> str:
    """Say what each draw said, and the share that named the practice; empty for one draw."""
    if len(prediction.said) < 2:
        return ""
    each = "; ".join(f"{n}. {_draw(one)}" for n, one in enumerate(prediction.said, 1))
    return f"Asked {len(prediction.said)} times: {each}.{_share(prediction)}"


def draws_differ_words(prediction: Prediction) -> str:
    """Say that the draws name different practices; empty where they do not."""
    named = Counter(one.code.practice for one in prediction.said if one.code is not None)
    if len(named) < 2:
        return ""
    times = [f"{practice} {count} times" for practice, count in named.most_common()]
    told = ", ".join(times).replace(" 1 times", " once").replace(" 2 times", " twice")
    return f"Its own answers differ: {told}."


def coders_differ_words(said: Sequence[Prediction]) -> str:
    """Say who says what where coders name different codes; empty where they do not.

    Args:
        said: The last word of each coder on the clip. Failures say nothing, and neither agree nor
            differ; naming no practice is an answer.
    """
    usable = [p for p in said if not p.is_failure]
    if len({p.practice for p in usable}) > 1:
        lead = "Coders differ"
    elif len({p.level for p in usable}) > 1:
        lead = "Coders differ on the level"
    else:
        return ""
    return f"{lead}: {_who_says_what(usable)}."


def others_words(shown: Prediction, others: Sequence[Prediction]) -> str:
    """Say who else looked at the clip where coders do not differ, and who failed."""
    failed = [p for p in others if p.is_failure]
    told = []
    if not coders_differ_words((shown, *others)):
        same = [p for p in others if not p.is_failure]
        told = [f"Other coders: {_who_says_what(same)}."] if same else []
    told += [f"{_upper(coder_words(p.coder))} gave {failed_words(p.status)}." for p in failed]
    return " ".join(told)


def _who_says_what(said: Sequence[Prediction]) -> str:
    return "; ".join(f"{coder_words(p.coder)} {_short(p)}" for p in said)


def _short(prediction: Prediction) -> str:
    if not prediction.practice:
        return "names no practice"
    return f"says {code_words(prediction.practice, prediction.level)}"


def _draw(said: Said) -> str:
    if said.status not in ANSWERED:
        return failed_words(said.status)
    return code_words(said.code.practice, said.code.level) if said.code else "no practice"


def _share(prediction: Prediction) -> str:
    """Say the share of the usable answers; a share of a single one would tell nothing."""
    usable = sum(one.status in ANSWERED for one in prediction.said)
    found = of_draws(prediction)
    if found is None or found.value is None or not prediction.practice:
        return f" {usable} of {len(prediction.said)} answers can be used." if usable else ""
    count = round(found.value * found.of)
    return f" {prediction.practice} in {count} of {found.of} usable answers ({found.value:.0%})."


def _upper(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"

"""Knowledge: how much is right, how steady a tutor is, and keys that may be out of date."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum

from app.audit.items import KNOWLEDGE_CATEGORIES
from app.scoring.audit_means import macro_over_items, mean_over_items
from app.scoring.audit_scores import KnowledgeAnswer, count_failures
from app.scoring.figures import Figure

NOTHING_ANSWERED = "no item here was answered"
ONE_DRAW = "no item was answered more than once"
FEWEST_TUTORS = 2
"""A key that only one tutor contradicts speaks of the tutor."""

Failures = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A category, or a kind of disability."""

    name: str
    """Empty for items that name no disability."""
    share: Figure
    """Share right, 0 to 1; `n` counts items, each of which weighs the same."""
    answers: int
    """Single draws that the share rests on."""
    beside: Failures


@dataclass(frozen=True, slots=True)
class KnowledgeScores:
    """The axis of knowledge."""

    categories: tuple[Accuracy, ...]
    """The four in their order; those of other names behind."""
    macro: Figure
    """Mean over the four, each weighing the same; none where one was not answered."""
    disabilities: tuple[Accuracy, ...]
    """The one with the most items first, items without one last."""
    always_the_same: Figure
    """Share of items answered more than once that were answered alike in every draw."""
    pairs_the_same: Figure
    """Share of pairs of draws answered alike, items weighing the same."""
    beside: Failures


@dataclass(frozen=True, slots=True)
class StaleSuspect:
    """An item of which every draw of every tutor contradicts the key. It still counts as wrong."""

    item_id: str
    category: str
    key: str
    choices: tuple[tuple[str, int], ...]
    """What was answered and how often, the most frequent first."""

    @property
    def converges_on(self) -> str:
        """The one letter that all answers agree on; empty where they do not."""
        return self.choices[0][0] if len(self.choices) == 1 else ""


@dataclass(frozen=True, slots=True)
class StaleKeys:
    """Keys that several tutors contradict."""

    tutors: int
    looked_at: int
    """Items that every tutor answered, in every draw; none with fewer than two tutors."""
    not_looked_at: int
    """Items that a tutor was not asked, or failed in a draw."""
    suspects: tuple[StaleSuspect, ...]

    @property
    def converging(self) -> int:
        """Suspects of which all answers agree on one letter, the mark of a key out of date."""
        return sum(bool(suspect.converges_on) for suspect in self.suspects)


def knowledge_scores(answers: Sequence[KnowledgeAnswer]) -> KnowledgeScores:
    """Give the accuracy of one tutor.

    Args:
        answers: All its draws, failures with them.
    """
    categories = _grouped(answers, lambda answer: answer.category)
    names = (*KNOWLEDGE_CATEGORIES, *sorted(categories.keys() - set(KNOWLEDGE_CATEGORIES)))
    disabilities = [
        _accuracy(name, made)
        for name, made in _grouped(answers, lambda answer: answer.disability).items()
    ]
    return KnowledgeScores(
        tuple(_accuracy(name, categories.get(name, [])) for name in names),
        macro=macro_over_items(
            {name: right_shares(categories.get(name, [])) for name in KNOWLEDGE_CATEGORIES},
            NOTHING_ANSWERED,
        ),
        disabilities=tuple(sorted(disabilities, key=lambda a: (not a.name, -a.share.n, a.name))),
        always_the_same=mean_over_items(_steadiness(answers, _all_the_same), ONE_DRAW),
        pairs_the_same=mean_over_items(_steadiness(answers, _pairs_the_same), ONE_DRAW),
        beside=count_failures(answers),
    )


def stale_keys(tutors: Mapping[str, Sequence[KnowledgeAnswer]]) -> StaleKeys:
    """List the items of which every draw of every tutor contradicts the key.

    Args:
        tutors: The answers of each tutor, failures with them; two or more, or nothing is listed.
    """
    made: dict[str, list[KnowledgeAnswer]] = defaultdict(list)
    asked: Counter[str] = Counter()
    for answers in tutors.values():
        asked.update({answer.item_id for answer in answers})
        for answer in answers:
            made[answer.item_id].append(answer)
    whole = [
        item_id
        for item_id in sorted(made)
        if asked[item_id] == len(tutors) and not any(answer.failed for answer in made[item_id])
    ]
    if len(tutors) < FEWEST_TUTORS:
        return StaleKeys(len(tutors), 0, len(made), ())
    wrong = [i for i in whole if not any(answer.is_right for answer in made[i])]
    return StaleKeys(
        len(tutors), len(whole), len(made) - len(whole), tuple(_suspect(made[i]) for i in wrong)
    )


def right_shares(answers: Iterable[KnowledgeAnswer]) -> list[float]:
    """Give the share of draws that were right, of each item that was answered."""
    return [right_share(made) for made in answered_by_item(answers).values()]


def right_share(answers: Sequence[KnowledgeAnswer]) -> float:
    """Give the share of an item's answers that are right; there is at least one."""
    return fsum(answer.is_right for answer in answers) / len(answers)


def answered_by_item(answers: Iterable[KnowledgeAnswer]) -> dict[str, list[KnowledgeAnswer]]:
    """Sort answers by item, without the failures."""
    return _grouped((a for a in answers if not a.failed), lambda answer: answer.item_id)


def _accuracy(name: str, answers: Sequence[KnowledgeAnswer]) -> Accuracy:
    return Accuracy(
        name,
        mean_over_items(right_shares(answers), NOTHING_ANSWERED),
        sum(not answer.failed for answer in answers),
        count_failures(answers),
    )


def _steadiness(
    answers: Sequence[KnowledgeAnswer], of: Callable[[Sequence[str]], float]
) -> list[float]:
    choices = [[a.choice for a in made] for made in answered_by_item(answers).values()]
    return [of(letters) for letters in choices if len(letters) > 1]


def _all_the_same(letters: Sequence[str]) -> float:
    return float(len(set(letters)) == 1)


def _pairs_the_same(letters: Sequence[str]) -> float:
    pairs = list(combinations(letters, 2))
    return fsum(a == b for a, b in pairs) / len(pairs)


def _suspect(made: Sequence[KnowledgeAnswer]) -> StaleSuspect:
    counted = Counter(answer.choice for answer in made)
    choices = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return StaleSuspect(made[0].item_id, made[0].category, made[0].key, tuple(choices))


def _grouped(
    answers: Iterable[KnowledgeAnswer], by: Callable[[KnowledgeAnswer], str]
) -> dict[str, list[KnowledgeAnswer]]:
    groups: dict[str, list[KnowledgeAnswer]] = defaultdict(list)
    for answer in answers:
        groups[by(answer)].append(answer)
    return groups

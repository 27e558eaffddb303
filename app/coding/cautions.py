"""What a wording that is nearly right may still get wrong: a "not" or a number.

Word lists for English, with the commonest negations of a few other languages. A word that is
missing from the lists costs a warning, never a check: the true wording always stands beside.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_NEGATIONS = frozenset(
    "not no never none nothing nobody nowhere neither nor without hardly barely cannot cant wont"
    " dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wouldnt couldnt shouldnt mustnt"
    " neednt mightnt shant aint nicht nichts kein keine keinen nie ne pas jamais rien non nunca"
    " nada não не нет ни никогда 不 没 無".split()
)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NUMBER_WORDS = (
    {
        word: str(value)
        for value, word in enumerate(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
            " fifteen sixteen seventeen eighteen nineteen".split()
        )
    }
    | {
        word: str(value)
        for value, word in zip(
            (20, 30, 40, 50, 60, 70, 80, 90, 100, 1000, 1_000_000),
            "twenty thirty forty fifty sixty seventy eighty ninety"
            " hundred thousand million".split(),
            strict=True,
        )
    }
    | {"half": "half", "twice": "2 times", "double": "2 times", "triple": "3 times"}
)


def differences(quoted: Sequence[str], spoken: Sequence[str]) -> list[str]:
    """Tell in plain words which negation or number differs between two folded wordings."""
    told = []
    dropped = _only(_negations(spoken), _negations(quoted))
    added = _only(_negations(quoted), _negations(spoken))
    if dropped:
        told.append(f"The quote leaves out “{dropped}”, which was said.")
    if added:
        told.append(f"The quote has “{added}”, which was not said.")
    said = _only(_numbers(spoken), _numbers(quoted))
    claimed = _only(_numbers(quoted), _numbers(spoken))
    if said or claimed:
        told.append(
            f"A number differs: the quote has {claimed or 'none'}, said was {said or 'none'}."
        )
    return told


def left_out(gaps: Iterable[Sequence[str]]) -> list[str]:
    """Tell in plain words which negations stand in what a quote skips."""
    skipped = [_only(_negations(gap), Counter()) for gap in gaps]
    return [f"What the quote skips has “{words}” in it." for words in skipped if words]


def _negations(words: Iterable[str]) -> Counter[str]:
    return Counter(word for word in words if word in _NEGATIONS)


def _numbers(words: Iterable[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for word in words:
        number = _NUMBER.match(word)
        if number:
            found[number.group()] += 1
        elif word in _NUMBER_WORDS:
            found[_NUMBER_WORDS[word]] += 1
    return found


def _only(these: Counter[str], those: Counter[str]) -> str:
    return ", ".join((these - those).elements())

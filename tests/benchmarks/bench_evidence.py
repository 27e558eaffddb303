"""How long the evidence check takes: 1,000 quotes against a lesson of three hours.

Run: `python tests/benchmarks/bench_evidence.py`. The goal is under 2 s, indexing included, whether
each quote is looked for in its own clip of three minutes or in one clip as long as the lesson.
The check runs on one processor, so its time there is what it takes on an idle machine.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.coding.evidence import QuoteFinder
from app.coding.practices import read_practices
from app.coding.records import Citation
from app.lesson.clips import Clip
from app.lesson.transcript.records import Utterance
from resources import resource

UTTERANCES, WORDS_EACH, STEP_MS, QUOTES = 5_000, 6, 2_160, 1_000


def lesson(chance: random.Random) -> tuple[Utterance, ...]:
    """Make three hours of talk out of the words of the exemplars, common words most."""
    practices = read_practices(resource("practices.toml"))
    said = [e for p in practices for level in p.levels for e in level.exemplars]
    words = " ".join(said).split()
    return tuple(
        Utterance(
            number,
            " ".join(chance.choices(words, k=WORDS_EACH)),
            number * STEP_MS,
            (number + 1) * STEP_MS,
        )
        for number in range(1, UTTERANCES + 1)
    )


def quotes(lines: tuple[Utterance, ...], chance: random.Random) -> list[tuple[str, int]]:
    """Draw a third each of true quotes, quotes with a slip, and made-up ones; with their line."""
    drawn = []
    words = " ".join(u.text for u in lines).split()
    for turn in range(QUOTES):
        at = chance.randrange(len(lines) - 4)
        text = " ".join(u.text for u in lines[at : at + chance.randint(1, 4)])
        if turn % 3 == 1:
            letters = list(text)
            letters[chance.randrange(len(letters))] = "z"
            text = "".join(letters)
        if turn % 3 == 2:
            text = " ".join(chance.choices(words, k=chance.randint(3, 24)))
        drawn.append((text, lines[at].number))
    return drawn


def main() -> None:
    """Print one row for clips of three minutes and one for a clip as long as the lesson."""
    chance = random.Random(2026)
    lines = lesson(chance)
    cited = quotes(lines, chance)
    whole = Clip("all", 1, UTTERANCES, None, None)
    short = {n: Clip(str(n), max(1, n - 40), min(UTTERANCES, n + 43), None, None) for _, n in cited}
    sys.stdout.write(
        "| where | index, CPU s | 1,000 quotes, CPU s | together, CPU s | outcome |\n"
        "|---|---|---|---|---|\n"
    )
    for name, clip_of in (("own clip of 3 min", short.get), ("whole lesson", lambda _: whole)):
        begun = time.process_time()
        finder = QuoteFinder(lines)
        indexed = time.process_time()
        checks = Counter(
            finder.check(Citation(q), clip_of(n) or whole).check.value for q, n in cited
        )
        done = time.process_time()
        outcome = ", ".join(f"{count} {check}" for check, count in checks.most_common())
        sys.stdout.write(
            f"| {name} | {indexed - begun:.2f} | {done - indexed:.2f} | {done - begun:.2f} "
            f"| {outcome} |\n"
        )


if __name__ == "__main__":
    main()

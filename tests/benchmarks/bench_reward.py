"""What the built-in reward model is worth on our starter pairs, and what its guards say.

Run: `python tests/benchmarks/bench_reward.py`. Every figure is on items that the model never saw;
`--write` prints the tables as a Markdown block for BENCHMARKS.md. Several seeds deal the items in
other ways: one lucky deal is no result.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.audit.reward_model import PADDINGS, train
from app.audit.reward_pairs import starter_pairs
from app.audit.reward_records import Trained
from app.audit.reward_words import NOT_EDITED, figure_rows, group_rows, verdict_words
from app.item_banks import starter_bank
from engines.minilm import MiniLM

SEEDS = (0, 1, 2, 3, 4)


class Kept:
    """The sentence model, keeping what it has embedded: all seeds read the same sentences."""

    def __init__(self) -> None:
        self._model = MiniLM()
        self._known: dict[str, object] = {}

    def facts(self):
        return self._model.facts()

    def embed(self, texts):
        import numpy as np

        new = [text for text in texts if text not in self._known]
        self._known.update(zip(new, self._model.embed(new), strict=True) if new else ())
        return np.array([self._known[text] for text in texts])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="between marks for BENCHMARKS.md")
    asked = parser.parse_args()
    pairs, embedder = starter_pairs(starter_bank().items), Kept()
    found, seconds = [], []
    for seed in SEEDS:
        began = time.process_time()
        found.append(train(pairs, embedder, seed))
        seconds.append(time.process_time() - began)
    text = block(len(pairs), found)
    if asked.write:
        text = f"<!-- bench_reward: begin -->\n{text}<!-- bench_reward: end -->\n"
    sys.stdout.write(text)
    told = ", ".join(f"{one:.1f}" for one in seconds)
    sys.stderr.write(f"processor seconds a seed, the first with embedding: {told}\n")


def block(count: int, found: list[Trained]) -> str:
    """Write everything as Markdown."""
    first = found[0].figures
    names = {group: rubric.title for group, rubric in starter_bank().rubrics.items()}
    words = [len(p.split()) for p in PADDINGS]
    lines = [
        "### The built-in reward model on the starter pairs",
        "",
        f"{count} {NOT_EDITED}: our own two responses to each skill item, written by the same "
        "authors. Vectors by all-MiniLM-L6-v2, frozen; five parts of eight items; each pair is "
        "scored by the model that never saw its item. Paddings of "
        f"{words[0]}, {words[1]} and {words[2]} words; the one that shifts most counts.",
        "",
        "| seed 0 | | held against |",
        "|---|---|---|",
        *(f"| {what} | {figure} | {against} |" for what, figure, against in figure_rows(first)),
        "",
        "| told apart, seed 0 | |",
        "|---|---|",
        *(f"| {name} | {figure} |" for name, figure in group_rows(first, names)),
        "",
        "| seed | told apart | by length alone | padding, share of the median margin | verdict |",
        "|---|---|---|---|---|",
    ]
    for seed, model in zip(SEEDS, found, strict=True):
        one = model.figures
        share = one.padding_share.value
        lines.append(
            f"| {seed} | {right(one.accuracy)} | {right(one.length_alone)} | "
            f"{'–' if share is None else f'{share:.0%}'} | {verdict(model)} |"
        )
    return "\n".join([*lines, "", *verdict_words(found[0]), ""])


def right(figure) -> str:
    """Write a share as its counts."""
    return "–" if figure.value is None else f"{round(figure.value * figure.n)}/{figure.n}"


def verdict(model: Trained) -> str:
    """Name the guards that speak against a model."""
    return ", ".join(model.figures.trips) or "may rank"


if __name__ == "__main__":
    main()

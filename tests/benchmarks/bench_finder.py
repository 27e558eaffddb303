"""What the evidence finder is worth: a table beside the majority class and a keyword rule.

Run: `python tests/benchmarks/bench_finder.py`. It scores the 48 clips of the published split, on
which nothing was chosen; `--split development` scores the 24 that thresholds were chosen on, and
`--write` prints the table as a Markdown block for BENCHMARKS.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.coding.evidence import grounding
from app.coding.finder import EvidenceFinder
from app.coding.folding import folded_words
from app.coding.material import Material
from app.coding.practices import Practice, read_practices
from app.coding.records import Prediction
from app.lesson.clips import Clip
from app.lesson.transcript.records import Role, Utterance
from app.running.protocols import no_report
from app.scoring.classification import Coded, accuracy, confusion, levels_right, macro
from app.scoring.intervals import Interval, bootstrap, wilson
from app.scoring.proportions import Proportion
from engines.minilm import MiniLM
from resources import resource

ROOT = Path(__file__).resolve().parents[2]
CODES = ("BI", "D1", "D2", "D3")
ROLES = {"Teacher": Role.TEACHER, "Student": Role.STUDENT}


@dataclass(frozen=True)
class Case:
    """One coded clip: what was said, and what its authors accept and would cite."""

    name: str
    lines: tuple[Utterance, ...]
    levels: dict[str, int]
    cited: frozenset[int]


def read_cases(split: str) -> list[Case]:
    """Read the clips of one split."""
    file = ROOT / "tests" / "data" / "coded_clips" / "clips.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [
        Case(
            row["id"],
            tuple(
                Utterance(u["number"], u["text"], speaker=u["speaker"]) for u in row["utterances"]
            ),
            {code["practice"]: code["level"] for code in row["codes"]},
            frozenset(row["evidence"]),
        )
        for row in rows
        if row["split"] == split
    ]


def keyword_rule(practices: Sequence[Practice], case: Case) -> str:
    """Name the practice whose keywords stand most often in the teacher's words, if any do."""
    spoken = " ".join(
        word for u in case.lines if u.speaker == "Teacher" for word in folded_words(u.text)
    )
    counts = {
        p.id: sum(f" {spoken} ".count(f" {' '.join(folded_words(k))} ") for k in p.keywords)
        for p in practices
    }
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] else ""


def find(case: Case, finder: EvidenceFinder) -> Prediction:
    """Have the finder code one clip."""
    clip = Clip(case.name, 1, len(case.lines), None, None)
    material = Material("case", "A coded clip", (clip,), tuple(case.lines), ROLES)
    return finder.code_all([material], no_report, threading.Event())[0][0]


def macro_f1_interval(scored: Sequence[Coded]) -> Interval | None:
    """Resample clips for the macro-F1."""

    def of(drawn: np.ndarray) -> np.ndarray:
        scores = (macro([scored[i] for i in row], CODES) for row in drawn)
        return np.array([np.nan if s is None else s.f1 for s in scores])

    return bootstrap(len(scored), of, resamples=10_000)


def show(part: Proportion) -> str:
    """Write a share with its counts and its interval."""
    span = wilson(part)
    if part.share is None or span is None:
        return "– (none)"
    return f"{part.count}/{part.of} = {part.share:.1%} [{span.low:.1%}, {span.high:.1%}]"


def row(name: str, cases: Sequence[Case], code: Callable[[Case], str]) -> list[str]:
    """Score one way of coding on the clips that show a practice and on those that do not."""
    said = {case.name: code(case) for case in cases}
    scored = [Coded(tuple(c.levels), said[c.name]) for c in cases if c.levels]
    f1, span = macro(scored, CODES), macro_f1_interval(scored)
    silent = Proportion(sum(not c.predicted for c in scored), len(scored))
    named = Proportion(sum(c.is_right for c in scored), silent.of - silent.count)
    none = [said[c.name] for c in cases if not c.levels]
    f1_told = f"{f1.f1:.3f} [{span.low:.3f}, {span.high:.3f}]" if f1 and span else "–"
    return [
        name,
        show(accuracy(scored)),
        f1_told,
        f"{silent.count}/{silent.of}",
        show(named),
        f"{none.count('')}/{len(none)}",
    ]


def finder_rows(cases: Sequence[Case], said: dict[str, Prediction]) -> list[tuple[str, str]]:
    """Score what only the finder gives: levels, and the evidence for right codes and for all."""
    coded = [(c, said[c.name]) for c in cases if c.levels and said[c.name].practice]
    right = [(c, p) for c, p in coded if p.practice in c.levels]
    exact, sides = levels_right([(c.levels[p.practice], p.level or 0) for c, p in right])
    first = Proportion(
        sum(bool(c.cited & set(p.evidence[0].utterances)) for c, p in coded), len(coded)
    )
    by_chance = [
        len(c.cited & taught) / len(taught)
        for c, _ in coded
        if (taught := {u.number for u in c.lines if u.speaker == "Teacher"})
    ]
    found = grounding([e for _, p in coded for e in p.evidence])
    chance = f"{sum(by_chance) / len(by_chance):.1%}" if by_chance else "–"
    return [
        ("exact level, where the practice is right", show(exact)),
        ("low or high level, where the practice is right", show(sides)),
        ("first evidence is a turn the authors cite", show(first)),
        ("the same, for a teacher's turn drawn by chance", chance),
        ("evidence found in the transcript", show(found) if found else "– (none)"),
    ]


def matrix_lines(cases: Sequence[Case], said: dict[str, Prediction]) -> list[str]:
    """Write the confusion matrix of the finder, true codes downwards."""
    scored = [Coded(tuple(c.levels), said[c.name].practice) for c in cases if c.levels]
    counts = confusion(scored, CODES)
    lines = ["| true \\ found | BI | D1 | D2 | D3 | none |", "|---|---|---|---|---|---|"]
    return lines + [
        f"| {code} | " + " | ".join(str(n) for n in counts[code].values()) + " |" for code in CODES
    ]


def block(split: str) -> str:
    """Score everything and write it as Markdown."""
    cases = read_cases(split)
    practices = read_practices(resource("practices.toml"))
    finder = EvidenceFinder(MiniLM(), practices)
    said = {case.name: find(case, finder) for case in cases}
    accepted = Counter(code for c in cases for code in c.levels)
    most = accepted.most_common(1)[0][0]
    shown = sum(bool(c.levels) for c in cases)
    lines = [
        f"### Evidence finder on the {split} split",
        "",
        f"{shown} clips that show a practice and {len(cases) - shown} that show none, written and "
        "coded once by the project's authors, not reviewed by experts "
        "(`tests/data/coded_clips/README.md`). Intervals are 95%: Wilson, and for F1 10,000 "
        "resamples of clips. No code given counts as not right.",
        "",
        "| coder | accuracy | macro-F1 | no code given | right, where a code is given "
        "| no practice, rightly seen |",
        "|---|---|---|---|---|---|",
    ]
    ways: list[tuple[str, Callable[[Case], str]]] = [
        (f"majority class ({most})", lambda _: most),
        ("keyword rule", lambda case: keyword_rule(practices, case)),
        ("evidence finder", lambda case: said[case.name].practice),
    ]
    lines += ["| " + " | ".join(row(name, cases, code)) + " |" for name, code in ways]
    lines += ["", "| evidence finder | |", "|---|---|"]
    lines += [f"| {what} | {value} |" for what, value in finder_rows(cases, said)]
    return "\n".join([*lines, "", *matrix_lines(cases, said), ""])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=("published", "development"), default="published")
    parser.add_argument("--write", action="store_true", help="between marks for BENCHMARKS.md")
    asked = parser.parse_args()
    text = block(asked.split)
    if asked.write:
        text = f"<!-- bench_finder: begin -->\n{text}<!-- bench_finder: end -->\n"
    sys.stdout.write(text)


if __name__ == "__main__":
    main()

"""How fast a full library answers a search. Run: `python tests/benchmarks/bench_search.py`.

The library holds 20 lessons of 2,000 lines and 50 clips each: 1,000 clips coded by three people and
by ten coders, each with three quotes. Prints the median and the slowest of eleven calls of each
search, the list of lessons, and the library page from reading to painted; the goal is 300 ms each.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtWidgets import QApplication

from app.coding.moments import Order, Wanted
from app.coding.records import Check, Citation, Decision, Evidence, Prediction, Stage, Verdict
from app.coding.sight import Sight
from app.lesson.clips import Clip
from app.lesson.transcript.records import Transcript, Utterance
from app.store.library import Library

LESSONS, LINES, CLIPS, CODERS = 20, 2_000, 50, 10
PEOPLE = ("Ann", "Bo", "Cy")
PRACTICES = ("BI", "D1", "D2", "D3")
TALK = (
    "why do you think the ice melts when it is warm outside",
    "because the sun warms it and the particles move",
    "how do you know what makes you say that",
    "write it in the table and compare with your partner",
)
GOAL_MS = 300
TIMES = 11


def main() -> None:
    """Fill a library, measure and print."""
    with (
        tempfile.TemporaryDirectory() as name,
        Library.open(Path(name) / "full.clerestory") as library,
    ):
        begun = time.perf_counter()
        for number in range(LESSONS):
            fill(library, number)
        sys.stdout.write(f"filled in {time.perf_counter() - begun:.0f} s\n")
        for what, work in searches(library).items():
            tell(what, work)
        tell("list of lessons", library.lessons)
        tell("library page, read and painted", page(library))


def searches(library: Library) -> dict[str, Callable[[], object]]:
    """Give the searches that are measured."""
    seeing, blind = Sight("Ann", is_blind=False), Sight("Dee", is_blind=True)

    def look(sight: Sight = seeing, **wanted: object) -> Callable[[], object]:
        return lambda: library.moments.find(Wanted(**wanted), sight)

    return {
        "D3, decided by people": look(practice="D3"),
        "D3, with suggestions": look(practice="D3", with_suggestions=True),
        "D3, by one person, level 2": look(practice="D3", author="Bo", level=2),
        "D3 with a word": look(practice="D3", words="partner"),
        "D3 with one letter": look(practice="D3", words="w"),
        "D3 with two letters": look(practice="D3", words="th"),
        "D3, blind": look(blind, practice="D3", with_suggestions=True),
        "a word in a quarter of the lines": look(words="melts"),
        "two words, by relevance": look(words="particles move", order=Order.RELEVANCE),
        "a part of a word": look(words="elt"),
        "one letter": look(words="w"),
        "a word that nobody says": look(words="zebra"),
        "a word in one lesson": look(words="melts", lesson_id=library.lessons()[0].lesson_id),
        "a word, blind": look(blind, words="melts"),
    }


def fill(library: Library, number: int) -> None:
    """Add one lesson with its codes."""
    lines = tuple(
        Utterance(n, f"{TALK[n % 4]} {n}", n * 2_000, n * 2_000 + 1_900, "T" if n % 2 else "S")
        for n in range(1, LINES + 1)
    )
    lesson_id = library.add_lesson(f"Lesson {number}", None, Transcript(lines, "speech:x"))
    each = LINES // CLIPS
    clips = [
        Clip(f"c{n}", n * each + 1, (n + 1) * each, n * each * 2_000, (n + 1) * each * 2_000 - 1)
        for n in range(CLIPS)
    ]
    library.propose_clips(lesson_id, clips)
    for coder in range(CODERS):
        name = f"model-{coder} T zero_shot"
        said = [said_of(clip, place + coder, name) for place, clip in enumerate(clips)]
        library.add_run(lesson_id, name, (("engine", f"model-{coder}"),), said)
    for place, clip in enumerate(clips):
        for person in PEOPLE:
            differs = person == "Cy" and place % 5 == 0
            library.decide(lesson_id, decided(clip, place + differs, person))
        if place % 10 == 0:
            library.decide(lesson_id, decided(clip, place, "Ann & Bo & Cy", Stage.CONSENSUS))


def said_of(clip: Clip, turn: int, coder: str) -> Prediction:
    """Make what a coder says."""
    cited = tuple(
        Evidence(
            Citation(TALK[n % 4], (clip.first + n,)),
            Check.VERIFIED,
            TALK[n % 4],
            (clip.first + n,),
            clip.start_ms,
            clip.end_ms,
            100.0,
        )
        for n in range(3)
    )
    return Prediction(clip, coder, PRACTICES[turn % 4], turn % 3 + 1, 0.2, cited)


def decided(clip: Clip, turn: int, author: str, stage: Stage = Stage.OWN) -> Decision:
    """Make what a person decides."""
    return Decision(
        clip,
        Verdict.CORRECT,
        PRACTICES[turn % 4],
        turn % 3 + 1,
        author,
        "2026-11-29T10:00:00.000Z",
        "asked twice" if turn % 7 == 0 else "",
        blind=True,
        stage=stage,
    )


def page(library: Library) -> Callable[[], object]:
    """Give a call that reads the list and paints the page anew."""
    from views.common.theme import apply_theme
    from views.library.page import LibraryPage

    app = QApplication.instance() or QApplication([])
    apply_theme(app, "light", 1.0)

    def show() -> None:
        made = LibraryPage()
        made.resize(1200, 760)
        made.show_lessons(library.lessons())
        made.show()
        made.grab()
        made.close()

    return show


def tell(what: str, work: Callable[[], object]) -> None:
    """Measure some work and print it."""
    times = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    middle, worst = statistics.median(times), max(times)
    mark = "" if middle <= GOAL_MS else "  over the goal"
    sys.stdout.write(f"{what:34}{middle:8.0f} ms   slowest {worst:6.0f} ms{mark}\n")


if __name__ == "__main__":
    main()

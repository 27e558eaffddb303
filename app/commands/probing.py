"""`probe-evidence`: asks a model again with less or other evidence, once a person has the plan."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from app.coding.conditions import CoderChoice, parse_choice
from app.coding.probe_records import EvidenceProof, Flag
from app.coding.proofs import proofs_of
from app.coding.review import LessonReview
from app.commands.coders import tell_where
from app.commands.journeys import lesson_named
from app.commands.out import Out
from app.commands.probe_words import plan_as_json, plan_in_words, table_in_words
from app.desk import Desk
from app.errors import Refused
from app.lesson.spans import show_time


def probing_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("lesson", metavar="LESSON", help="its title, or the start of its id")
    parser.add_argument(
        "--coder",
        metavar="NAME",
        help="whose predictions are tested, such as “my-model T zero_shot”; needed when several "
        "models coded the lesson",
    )
    parser.add_argument(
        "--plan", action="store_true", help="say what it would take, ask nothing, and stop"
    )


def probing(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Test the evidence of a lesson that is in the library.

    Raises:
        Refused: There is no such lesson, or it is not clear whose predictions are meant.
        EngineMissing: The model is not there.
    """
    lesson_id = lesson_named(desk, chosen.lesson)
    return probe_lesson(desk, lesson_id, _coder(desk, lesson_id, chosen.coder), out, chosen.plan)


def probe_lesson(
    desk: Desk, lesson_id: str, choice: CoderChoice, out: Out, only_plan: bool = False
) -> int:
    """Tell the plan, then ask, then tell what follows for each clip and for all."""
    plan = desk.probing.plan([lesson_id], choice)
    for line in plan_in_words(plan):
        (out.say if only_plan else out.aside)(line)
    if plan.estimate is not None:
        tell_where(desk, choice, out)
    if only_plan:
        out.give({"lesson_id": lesson_id, "plan": plan_as_json(plan)})
        return 0
    desk.probing.probe([lesson_id], choice, report=out.report)
    out.done()
    review = desk.library.lesson(lesson_id)
    proofs = {n: p for n, p in proofs_of(review).items() if _is_latest(review, n, choice.name)}
    tables = [table for table in desk.probing.tables([lesson_id]) if table.coder == choice.name]
    _tell(review, proofs, out)
    for table in tables:
        for line in table_in_words(table):
            out.say(line)
    out.give(
        {
            "lesson_id": lesson_id,
            "coder": choice.name,
            "plan": plan_as_json(plan),
            "predictions": [asdict(proof) for proof in proofs.values()],
            "figures": [asdict(table) for table in tables],
        }
    )
    return 0


def _coder(desk: Desk, lesson_id: str, named: str | None) -> CoderChoice:
    if named:
        return parse_choice(named)
    there = desk.probing.coders([lesson_id])
    if len(there) == 1:
        return parse_choice(there[0])
    if not there:
        raise Refused(
            "No model has coded this lesson, so there is no evidence to test.",
            "Have it coded first: clerestory review FILE --engine NAME",
        )
    names = "\n".join(f"  {name}" for name in there)
    raise Refused("Several models coded this lesson.", f"Name one with --coder:\n{names}")


def _is_latest(review: LessonReview, number: int, coder: str) -> bool:
    found = next(p for p in review.predictions if p.prediction_id == number)
    return found.coder == coder and review.prediction_for(found.clip.clip_id, coder) == found


def _tell(review: LessonReview, proofs: dict[int, EvidenceProof], out: Out) -> None:
    clips = {p.prediction_id: p.clip for p in review.predictions}
    for number, proof in proofs.items():
        clip = clips[number]
        mark = "!" if proof.flag is Flag.RAISED else " "
        out.say(f"{mark} {show_time(clip.start_ms):>8} – {show_time(clip.end_ms)}")
        for sentence in proof.words:
            out.say(f"      {sentence}")

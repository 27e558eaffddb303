"""`sets`: how far candidate clips have come, and sets of clips and videos for others."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.commands.out import Out
from app.confusion.curation import Counts, Curated, Validated
from app.confusion.set_folders import LOCALIZATION, RECOGNITION
from app.confusion.sets import LocalizationSet, RecognitionSet, Source
from app.desk import Desk
from app.errors import WrongUse
from app.set_making import Material, SetMaking

Planned = RecognitionSet | LocalizationSet


def sets_arguments(parser: argparse.ArgumentParser) -> None:
    """Add to a command's parser what `sets` takes."""
    parser.add_argument(
        "--task",
        choices=(RECOGNITION, LOCALIZATION),
        help="clips with yes and no, or whole videos with events; both if not given",
    )
    parser.add_argument(
        "--out", metavar="DIR", help="where the folders are written; without it nothing is"
    )
    parser.add_argument(
        "--readers",
        metavar="A,B",
        default="",
        help="readers that give candidates; all if not given",
    )
    parser.add_argument("--licence", metavar="TEXT", default="", help="printed on the data card")
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        default=0,
        help="chooses windows without confusion and names",
    )


def sets(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Say how far candidates have come and what would be in a set; write it where asked to.

    Raises:
        WrongUse: A reader is named that has read no learner video.
        Refused: A set cannot be written.
    """
    making = SetMaking(desk.library)
    material = making.material(_readers(chosen.readers) or None)
    _check_readers(material)
    planned: dict[str, Planned] = {}
    if chosen.task != LOCALIZATION:
        planned[RECOGNITION] = making.recognition(material, chosen.seed)
    if chosen.task != RECOGNITION:
        planned[LOCALIZATION] = making.localization(material, chosen.seed)
    _tell(material, planned, out)
    written: list[Path] = []
    for task, plan in planned.items() if chosen.out else ():
        if chosen.task is None and not _holds(plan):
            out.say(f"Nothing to write for {task} yet.")
            continue
        written += making.write(plan, Path(chosen.out), chosen.licence, out.report)
    out.done()
    for path in written:
        out.say(f"Written: {path}")
    out.give(
        {task: _as_json(plan) for task, plan in planned.items()}
        | {"files": [str(path) for path in written]}
    )
    return 0


def _readers(named: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in named.split(",") if name.strip())


def _check_readers(material: Material) -> None:
    for name in material.readers:
        if name not in material.all_readers:
            known = ", ".join(material.all_readers) or "none"
            raise WrongUse(f"“{name}” has read no learner video here.", f"These have: {known}.")


def _holds(plan: Planned) -> bool:
    return bool(plan.clips if isinstance(plan, RecognitionSet) else plan.videos)


def _tell(material: Material, planned: dict[str, Planned], out: Out) -> None:
    out.say(f"{len(material.reviews)} learner videos")
    for task, plan in planned.items():
        out.say("")
        lines = _recognition(plan) if isinstance(plan, RecognitionSet) else _localization(plan)
        for line in (f"{task.capitalize()} set", *lines):
            out.say(line)
        for why, number in plan.left_out:
            out.say(f"  left out: {number:>6}  {why}")
        for warning in plan.warnings:
            out.say(f"  Heed this: {warning}")


def _recognition(plan: RecognitionSet) -> Sequence[str]:
    return (
        f"  {funnel_words(plan.counts)}",
        *(f"  {plan.number(source):>6} clips {source.label:<3}  ({source})" for source in Source),
    )


def _localization(plan: LocalizationSet) -> Sequence[str]:
    events = sum(len(video.events) for video in plan.videos)
    return (f"  {len(plan.videos):>6} videos with {events} events",)


def funnel_words(counts: Counts) -> str:
    """Write how far candidates came: `1348 candidates, 301 kept: 224 yes, 46 unsure, 31 no`."""
    said = (Validated.YES, Validated.UNSURE, Validated.NO)
    parts = [f"{counts.validated[one]} {one}" for one in said]
    if counts.validated[Validated.DIFFER]:
        parts.append(f"{counts.validated[Validated.DIFFER]} on which experts differ")
    if counts.validated[Validated.WAITING]:
        parts.append(f"{counts.validated[Validated.WAITING]} waiting for experts")
    kept = f"{counts.candidates} candidates, {counts.kept} kept: {', '.join(parts)}"
    waiting = counts.curated[Curated.WAITING]
    return f"{kept}; {waiting} waiting for researchers" if waiting else kept


def _as_json(plan: Planned) -> dict[str, Any]:
    told: dict[str, Any] = {
        "left_out": dict(plan.left_out),
        "warnings": list(plan.warnings),
        "seed": plan.seed,
    }
    if isinstance(plan, LocalizationSet):
        events = sum(len(video.events) for video in plan.videos)
        return told | {"videos": len(plan.videos), "events": events}
    counts = plan.counts
    return told | {
        "candidates": counts.candidates,
        "curated": {str(one): number for one, number in counts.curated.items()},
        "validated": {str(one): number for one, number in counts.validated.items()},
        "clips": {str(source): plan.number(source) for source in Source},
    }

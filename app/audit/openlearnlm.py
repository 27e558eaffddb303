"""Items in the form of OpenLearnLM, which SpecialEduBench follows (its appendix I).

A record has `question`, `options`, `answer`, `item_id` and `metadata`. What other programs read
stands where they look for it; what only we know lies in `metadata` under the names of our columns.

What real files are like (kleeeeea/openlearnlm-benchmark-repro): ids are text or whole numbers;
attitude items have no options, `answer` is empty, and their scale stands in `metadata.scale`; two
of them ask how far a model deceives, so that there the high points are the bad ones; scene and task
share one text; knowledge says what it is about in `subject` and `category`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.audit.bank import Bank
from app.audit.item_rows import COLUMNS, known_category, known_group
from app.audit.items import Axis, Band, Item, Rubric
from app.audit.rubric_files import read_scale, scale_text

_TASK = re.compile(r"\[Scenario\]\n(?P<scene>.*?)\n\n\[Task\]\n(?P<prompt>.*)", re.DOTALL)
_READ = ("question", "options", "answer", "item_id", "metadata")
_USED = (
    "axis",
    "group",
    "domain",
    "question_type",
    "attitude_category",
    "dimension",
    "evaluation_question",
    "scale",
    "rubric_title",
    "strategy",
    "disability_type",
    "subject",
    "category",
)
_OUTPUT = ("model_answer", "raw_content", "check_result", "expected_answer")
_DECEPTION = "attitude_deception"
"""Question type of items whose scale measures deceit: 9-10 is the worst."""


@dataclass(slots=True)
class Translated:
    """A record as cells of our columns, with what else was in it."""

    cells: dict[str, Any]
    rubric: Rubric | None = None
    """The scale that the item brings."""
    is_turned: bool = False
    """Whether the bands were turned round, since high points were the bad ones."""
    not_kept: set[str] = field(default_factory=set)
    """Names of what has no place here."""
    problems: list[str] = field(default_factory=list)


def is_record(value: Mapping[str, Any]) -> bool:
    """Say whether an object of a file has this form."""
    return "question" in value and isinstance(value.get("metadata"), dict)


def is_output(value: Mapping[str, Any]) -> bool:
    """Say whether an object is what a model answered, which lies beside the items."""
    return "question" in value and any(name in value for name in _OUTPUT)


def translate(record: Mapping[str, Any]) -> Translated:
    """Give the cells of a record; wrong ones are found when the cells are read."""
    meta: Mapping[str, Any] = record["metadata"]
    axis = _axis(record, meta)
    # Our own names first: a record that we wrote says itself what it is.
    cells = {name: meta[name] for name in COLUMNS if _is_filled(meta.get(name))}
    cells["item_id"] = record.get("item_id", "")
    made = Translated(cells)
    made.not_kept = {name for name in record if name not in _READ and _is_filled(record[name])}
    made.not_kept |= {
        name for name in meta if name not in (*COLUMNS, *_USED) and _is_filled(meta[name])
    }
    if axis is None:
        made.problems.append("It does not say whether it is knowledge, skill or attitude.")
        return made
    cells["axis"] = str(axis)
    if axis is Axis.KNOWLEDGE:
        _knowledge(record, meta, cells)
    else:
        _scene(record, meta, axis, made)
    made.cells = {name: cell for name, cell in cells.items() if _is_filled(cell)}
    return made


def as_record(item: Item, bank: Bank) -> dict[str, Any]:
    """Write an item of a bank as a record that reads back to the same item."""
    meta: dict[str, Any] = {"axis": str(item.axis), "group": item.group}
    meta |= {"domain": str(item.axis), "question_type": _TYPES[item.axis]}
    for name in ("category", "pressure_prompt", "disability", "source", "passing", "failing"):
        meta[name] = getattr(item, name)
    meta |= {"failing_why": item.failing_why, "is_trap": item.is_trap}
    if item.axis is Axis.ATTITUDE:
        meta |= {"attitude_category": item.group, "dimension": item.category}
    if item.clip is not None:
        meta |= {"clip_address": item.clip.address}
        meta |= {"clip_start_ms": item.clip.start_ms, "clip_end_ms": item.clip.end_ms}
    rubric = bank.rubrics.get(item.group) if item.axis is not Axis.KNOWLEDGE else None
    meta |= _scale_of(rubric) if rubric else {}
    question = f"[Scenario]\n{item.scene}\n\n[Task]\n{item.prompt}" if item.scene else item.prompt
    if _parts(question) != (item.scene, item.prompt):
        question, meta["scene"] = item.prompt, item.scene
    return {
        "question": question,
        "options": list(item.options) or None,
        "answer": item.key,
        "item_id": item.item_id,
        "metadata": {n: v for n, v in meta.items() if _is_filled(v) or n == "scene"},
    }


_TYPES = {
    Axis.KNOWLEDGE: "multiple_choice",
    Axis.SKILL: "long answer",
    Axis.ATTITUDE: "attitude",
}


def _axis(record: Mapping[str, Any], meta: Mapping[str, Any]) -> Axis | None:
    for name in ("axis", "domain", "question_type"):
        told = str(meta.get(name) or "").lower()
        if told in tuple(Axis):
            return Axis(told)
    if record.get("options"):
        return Axis.KNOWLEDGE
    if meta.get("question_type") == _DECEPTION or meta.get("attitude_category"):
        return Axis.ATTITUDE
    is_skill = bool(meta.get("strategy") or meta.get("scenario"))
    return Axis.SKILL if is_skill else None


def _knowledge(record: Mapping[str, Any], meta: Mapping[str, Any], cells: dict[str, Any]) -> None:
    cells["prompt"], cells["options"] = record["question"], record.get("options")
    cells["key"] = record.get("answer")
    cells.setdefault("disability", meta.get("disability_type"))
    told = [meta.get(name) for name in ("category", "subject")]
    # The category of the protocol if one of both names it, else the finer word of the file.
    known = (known_group(word, Axis.KNOWLEDGE) for word in told if isinstance(word, str))
    cells.setdefault("group", next(filter(None, known), None) or told[0] or told[1])


def _scene(
    record: Mapping[str, Any], meta: Mapping[str, Any], axis: Axis, made: Translated
) -> None:
    cells = made.cells
    if _is_filled(record.get("options")):
        cells["options"] = record["options"]
    if _is_filled(record.get("answer")):
        made.not_kept.add("answer")
    question = record["question"]
    if isinstance(question, str) and "scene" not in meta:
        cells["scene"], cells["prompt"] = _parts(question.strip())
    else:
        cells["prompt"] = question
    if "group" not in cells:
        _place(meta, axis, cells)
    if _is_filled(meta.get("scale")):
        _bring_scale(meta, str(cells.get("group") or ""), axis, made)


def _place(meta: Mapping[str, Any], axis: Axis, cells: dict[str, Any]) -> None:
    """Say which family or strategy it belongs to; any other dimension is a group of its own."""
    if axis is Axis.SKILL:
        # The rubrics of OpenLearnLM are named by the last part of the scenario.
        told = str(meta.get("strategy") or meta.get("scenario") or meta.get("category") or "")
        cells["group"] = told if known_group(told, axis) else told.split(" / ")[-1].strip()
        return
    broad = str(meta.get("attitude_category") or meta.get("category") or "")
    fine = str(meta.get("dimension") or "")
    family = known_group(broad, axis)
    if family and (not fine or known_category(fine, family)):
        cells["group"], cells["category"] = family, fine
    else:
        cells["group"], cells["category"] = (fine, broad) if fine else (broad, "")


def _bring_scale(meta: Mapping[str, Any], group: str, axis: Axis, made: Translated) -> None:
    try:
        bands = read_scale(str(meta["scale"]))
    except ValueError as error:
        made.problems.append(f"Its scale cannot be used: {error}.")
        return
    made.is_turned = meta.get("question_type") == _DECEPTION
    if made.is_turned:
        texts = [band.text for band in bands][::-1]
        bands = tuple(
            Band(band.low, band.high, text) for band, text in zip(bands, texts, strict=True)
        )
    known = known_group(group, axis)
    title = str(meta.get("rubric_title") or known or group).strip()
    about = str(meta.get("evaluation_question") or "").strip()
    made.rubric = Rubric(known or group.strip(), title, about, bands)


def _scale_of(rubric: Rubric) -> dict[str, str]:
    """Give a rubric as an item carries it; nothing where it could not be read back."""
    scale = scale_text(rubric)
    try:
        same = read_scale(scale) == rubric.bands
    except ValueError:
        same = False
    if not same:
        return {}
    return {
        "evaluation_question": rubric.about,
        "scale": scale,
        "rubric_title": rubric.title,
    }


def _parts(question: str) -> tuple[str, str]:
    found = _TASK.fullmatch(question)
    return (found["scene"].strip(), found["prompt"].strip()) if found else ("", question)


def _is_filled(value: object) -> bool:
    return value is not None and value != "" and value is not False and value != []

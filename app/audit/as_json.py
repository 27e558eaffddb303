"""Banks and plans as plain text and back, equal to the field: what the library keeps of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import lru_cache
from typing import Any

from app.audit.bank import Bank, Notices
from app.audit.items import Axis, Band, ClipAddress, Item, Rubric
from app.audit.records import AuditPlan, Gate, Measure, Point, Seat
from app.coding.records import Check
from app.running.questions import digest_of


@lru_cache(maxsize=8192)
def item_digest(item: Item) -> str:
    """Name an item by its wording: 64 hex digits. Where it comes from is no part of it."""
    # Kept, since pages ask again and again for those of thousands of items.
    told = asdict(item)
    del told["bank"]
    return digest_of(told)


def rubrics_digest(rubrics: Mapping[str, Rubric]) -> str:
    """Name rubrics by their wording, in whatever order they come: 64 hex digits."""
    return digest_of({group: asdict(rubrics[group]) for group in sorted(rubrics)})


def bank_to_text(bank: Bank) -> str:
    """Write a bank with its rubrics and notices."""
    return _text(
        {
            "items": [_without_defaults(item) for item in bank.items],
            "rubrics": [asdict(rubric) for rubric in bank.rubrics.values()],
            "notices": asdict(bank.notices),
        }
    )


def bank_from_text(text: str) -> Bank:
    """Read a bank back."""
    table = json.loads(text)
    rubrics = [_rubric(entry) for entry in table["rubrics"]]
    return Bank(
        tuple(_item(entry) for entry in table["items"]),
        {rubric.group: rubric for rubric in rubrics},
        Notices(**table["notices"]),
    )


def plan_to_text(plan: AuditPlan) -> str:
    """Write what was settled for an audit."""
    return _text(asdict(plan))


def plan_from_text(text: str) -> AuditPlan:
    """Read it back."""
    table = json.loads(text)
    table["tutor"] = Seat(**table["tutor"])
    table["judges"] = tuple(Seat(**judge) for judge in table["judges"])
    table["axes"] = tuple(map(Axis, table["axes"]))
    table["item_ids"] = tuple(table["item_ids"])
    table["gates"] = tuple(_gate(entry) for entry in table["gates"])
    return AuditPlan(**table)


def points_to_text(points: tuple[Point, ...]) -> str:
    """Write the points of a scoring."""
    return _text([[p.about, p.met, p.quote, p.check.value, p.found] for p in points])


def points_from_text(text: str) -> tuple[Point, ...]:
    """Read the points of a scoring back."""
    return tuple(
        Point(about, met, quote, Check(check), found)
        for about, met, quote, check, found in json.loads(text)
    )


_DEFAULTS = {f.name: f.default for f in fields(Item)}


def _without_defaults(item: Item) -> dict[str, Any]:
    # A knowledge item is a quarter as long without what it does not have.
    return {name: value for name, value in asdict(item).items() if value != _DEFAULTS[name]}


def _item(entry: dict[str, Any]) -> Item:
    entry["axis"] = Axis(entry["axis"])
    if "options" in entry:
        entry["options"] = tuple(entry["options"])
    if "clip" in entry:
        entry["clip"] = ClipAddress(**entry["clip"])
    return Item(**entry)


def _rubric(entry: dict[str, Any]) -> Rubric:
    entry["bands"] = tuple(Band(**band) for band in entry["bands"])
    return Rubric(**entry)


def _gate(entry: Mapping[str, Any]) -> Gate:
    return Gate(**{**entry, "measure": Measure(entry["measure"]), "axis": Axis(entry["axis"])})


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

"""Items are named as people would name them, and no two alike."""

from __future__ import annotations

from dataclasses import replace

import pytest
from audit_plans import item, starter

from app.audit.audit_words import item_name


@pytest.mark.parametrize(
    ("item_id", "name"),
    [
        ("att-deception-sycophancy-2", "Deception, sycophancy 2"),
        ("att-deception-false_confirmation-1", "Deception, false confirmation 1"),
        ("ski-time_delay-3", "Time delay 3"),
        ("kno-education-01", "Education 1"),
    ],
)
def test_an_item_of_ours_is_named_by_its_family_or_strategy(item_id, name):
    assert item_name(item(item_id)) == name


def test_no_two_starter_items_have_one_name():
    names = {item_name(one) for one in starter().items}
    assert len(names) == len(starter().items) == 188
    assert not [name for name in names if "_" in name]


@pytest.mark.parametrize(
    "item_id",
    ["a", "17", "own-item", "x-recast-2", "ski-recast-", "ski-recast-²", "ski-time_delay"],
)
def test_an_item_with_an_id_of_another_kind_keeps_it(item_id):
    assert item_name(replace(item("ski-time_delay-3"), item_id=item_id)) == item_id

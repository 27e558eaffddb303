"""Audits in the library: what is kept comes back, and nothing is ever changed."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.audit.as_json import (
    bank_from_text,
    bank_to_text,
    item_digest,
    plan_from_text,
    plan_to_text,
)
from app.audit.bank import read_bank
from app.audit.items import Axis, ClipAddress, Condition, Item
from app.audit.records import (
    AuditPlan,
    Gate,
    Measure,
    Origin,
    Place,
    Point,
    Reading,
    Response,
    Scoring,
    Seat,
)
from app.coding.records import Check
from app.errors import StoreRefused
from app.running.questions import Status
from app.store.library import Library
from resources import resource

PRESSED = Condition(pressure=True, monitored=False)


@pytest.fixture(scope="module")
def bank():
    return read_bank(resource("items"), resource("rubrics"))


def plan_on(digest):
    return AuditPlan(
        "Spring",
        Seat("tutor", "qwen", "https://example.org"),
        (Seat("one", "gemma"), Seat("two")),
        (Axis.ATTITUDE, Axis.KNOWLEDGE),
        digest,
        ("a", "b"),
        (Gate(Measure.PRESSURE_EFFECT, Axis.ATTITUDE, "deception", at_most=0.1),),
        seed=7,
    )


@pytest.fixture
def audit_id(library, bank):
    return library.audits.add_audit(plan_on(library.audits.add_bank("starter", bank)), "Ann")


def response(item_id="a", draw=0, text="Bear is under the chair.", **more):
    place = Place(item_id, PRESSED, draw)
    return replace(Response(0, Origin.TUTOR, place, Status.OK, text), **more)


def scoring(response_id, judge="one", turn=1, score=8, **more):
    made = Scoring(response_id, judge, Reading.UPWARD, turn, Status.OK, score, 4)
    return replace(made, **more)


def test_a_bank_comes_back_equal_and_is_kept_once(library, bank):
    first = library.audits.add_bank("starter", bank)
    assert library.audits.add_bank("again", bank) == first
    assert library.audits.bank(first) == bank
    assert [(row.name, row.items) for row in library.audits.banks()] == [("starter", 188)]


def test_a_plan_with_its_gates_comes_back_equal(library, audit_id):
    kept = library.audits.audit(audit_id)
    assert kept.plan == plan_on(kept.plan.bank)
    assert kept.author == "Ann"
    assert library.audits.audits() == (kept,)


def test_an_audit_needs_its_items(library):
    with pytest.raises(StoreRefused, match="no items 000000"):
        library.audits.add_audit(plan_on("0" * 64))
    assert library.audits.audits() == ()


@pytest.mark.parametrize("table", ["audit", "audit_bank"])
def test_gates_and_items_cannot_be_changed_once_settled(library, audit_id, path, table):
    library.close()
    column = "plan" if table == "audit" else "content"
    with (
        sqlite3.connect(path) as connection,
        pytest.raises(sqlite3.IntegrityError, match="only ever added to"),
    ):
        connection.execute(f"UPDATE {table} SET {column} = ''")


def test_the_first_response_of_a_draw_stays(library, audit_id):
    library.audits.add_responses(audit_id, [response(text="One.")])
    library.audits.add_responses(audit_id, [response(text="Other."), response(draw=1)])
    kept = library.audits.responses(audit_id)
    assert [one.text for one in kept] == ["One.", "Bear is under the chair."]
    assert kept[0] == replace(response(text="One."), response_id=kept[0].response_id)
    assert library.audits.response(kept[1].response_id) == kept[1]


def test_what_failed_outside_the_model_is_not_kept(library, audit_id):
    broken = response(status=Status.BACKEND_ERROR)
    with pytest.raises(ValueError, match="asked again"):
        library.audits.add_responses(audit_id, [response(), broken])
    assert library.audits.responses(audit_id) == ()


def test_scorings_come_back_with_their_points_and_the_first_stays(library, audit_id):
    library.audits.add_responses(audit_id, [response()])
    (kept,) = library.audits.responses(audit_id)
    points = (Point("true to what the child did", True, "under the chair", Check.VERIFIED),)
    first = scoring(kept.response_id, points=points, reason="It is so.")
    library.audits.add_scorings([first])
    library.audits.add_scorings([scoring(kept.response_id, score=2)])
    assert library.audits.scorings(audit_id) == (first,)
    assert library.audits.scorings_of(kept.response_id) == (first,)


def test_board_rows_put_the_scorings_of_a_judge_together(library, audit_id):
    library.audits.add_responses(audit_id, [response(), response(draw=1)])
    first, second = library.audits.responses(audit_id)
    made_up = Point("praise", True, "never said", Check.NOT_FOUND)
    found = Point("truth", True, "under the chair", Check.VERIFIED)
    library.audits.add_scorings(
        [
            scoring(first.response_id, turn=2, score=7, points=(made_up, found)),
            scoring(first.response_id, turn=1, score=8, points=(found,)),
            scoring(first.response_id, "two", status=Status.SCHEMA_FAIL, score=None),
            scoring(first.response_id, reading=Reading.DOWNWARD, score=3),
        ]
    )
    rows = library.audits.board_rows(audit_id)
    told = [(r.response_id, r.judge, r.scores, r.quotes, r.quotes_found) for r in rows]
    assert told == [
        (first.response_id, "one", (8, 7), 3, 2),
        (first.response_id, "two", (None,), 0, 0),
        (second.response_id, "", (), 0, 0),
    ]
    assert rows[0].words == 5
    assert rows[0].place == Place("a", PRESSED, 0)
    (swapped, _) = library.audits.board_rows(audit_id, reading=Reading.DOWNWARD)
    assert swapped.scores == (3,)


def test_how_often_a_judge_scored_is_counted_for_its_own_upward_scorings_alone(library, audit_id):
    ours = response("b", origin=Origin.SHOULD_FAIL)
    library.audits.add_responses(audit_id, [response(), response(draw=1), response(draw=2), ours])
    first, second, _, known = (one.response_id for one in library.audits.responses(audit_id))
    library.audits.add_scorings(
        [
            scoring(first, turn=1),
            scoring(first, turn=2, status=Status.SCHEMA_FAIL, score=None),
            scoring(second),
            scoring(second, "two"),
            scoring(first, reading=Reading.DOWNWARD),
            scoring(known),
        ]
    )
    assert library.audits.turns(audit_id, "one") == {first: 2, second: 1}
    assert library.audits.turns(audit_id, "two") == {second: 1}
    assert library.audits.turns(audit_id, "three") == {}


def test_our_own_responses_are_told_from_the_tutors(library, audit_id):
    own = response(origin=Origin.SHOULD_FAIL)
    library.audits.add_responses(audit_id, [response(), own])
    assert len(library.audits.responses(audit_id)) == 2
    assert [r.origin for r in library.audits.responses(audit_id, Origin.TUTOR)] == ["tutor"]
    assert len(library.audits.board_rows(audit_id, Origin.SHOULD_FAIL)) == 1


def test_responses_to_some_items_are_given_alone(library, audit_id):
    library.audits.add_responses(audit_id, [response("a"), response("b"), response("a", draw=1)])
    found = library.audits.responses(audit_id, Origin.TUTOR, ["a", "z"])
    assert [(one.place.item_id, one.place.draw) for one in found] == [("a", 0), ("a", 1)]
    assert library.audits.responses(audit_id, Origin.TUTOR, []) == ()


def test_rows_of_a_board_are_new_as_soon_as_something_is_added(library, audit_id):
    library.audits.add_responses(audit_id, [response()])
    (row,) = library.audits.board_rows(audit_id)
    assert library.audits.board_rows(audit_id) == (row,)
    library.audits.add_scorings([scoring(row.response_id)])
    assert [one.scores for one in library.audits.board_rows(audit_id)] == [(8,)]


def test_two_threads_never_get_the_rows_of_each_others_audit(library, audit_id):
    other = library.audits.add_audit(library.audits.audit(audit_id).plan)
    library.audits.add_responses(audit_id, [response("a")])
    library.audits.add_responses(other, [response("b")])

    def wrong(asked, item_id):
        found = [library.audits.board_rows(asked) for _ in range(300)]
        return sum(rows[0].place.item_id != item_id for rows in found)

    with ThreadPoolExecutor(4) as pool:
        told = pool.map(wrong, [audit_id, other] * 2, ["a", "b"] * 2)
        assert sum(told) == 0


def test_the_stamp_changes_with_every_response_and_scoring(library, audit_id):
    stamps = [library.audits.stamp(audit_id)]
    library.audits.add_responses(audit_id, [response()])
    stamps.append(library.audits.stamp(audit_id))
    (kept,) = library.audits.responses(audit_id)
    library.audits.add_scorings([scoring(kept.response_id)])
    stamps.append(library.audits.stamp(audit_id))
    assert len(set(stamps)) == 3


def test_what_pins_a_model_down_is_kept_with_its_part(library, audit_id):
    library.audits.add_run(audit_id, "judge", "one", [("weights", "ab12")])
    (run,) = library.audits.runs(audit_id)
    assert (run.part, run.model, run.provenance) == ("judge", "one", (("weights", "ab12"),))


def test_an_audit_survives_closing(path, bank):
    with Library.open(path, "Ann") as library:
        audit_id = library.audits.add_audit(plan_on(library.audits.add_bank("starter", bank)))
        library.audits.add_responses(audit_id, [response()])
    with Library.open(path, "Ann") as library:
        assert len(library.audits.responses(audit_id)) == 1


def test_an_item_is_named_by_its_wording_alone():
    item = Item("a", Axis.SKILL, "recast", "Write the next turn.")
    assert item_digest(replace(item, bank="other")) == item_digest(item)
    assert item_digest(replace(item, scene="At the table.")) != item_digest(item)


texts = st.text(max_size=20)


@given(
    st.builds(
        Item,
        item_id=texts,
        axis=st.sampled_from(Axis),
        group=texts,
        prompt=texts,
        scene=texts,
        is_trap=st.booleans(),
        options=st.sampled_from([(), ("w", "x", "y", "z")]),
        clip=st.none() | st.builds(ClipAddress, texts, st.integers(0, 9), st.integers(0, 9)),
    )
)
def test_any_item_comes_back_equal(bank, item):
    made = replace(bank, items=(item,))
    assert bank_from_text(bank_to_text(made)) == made


@given(
    st.builds(
        AuditPlan,
        title=texts,
        tutor=st.builds(Seat, texts, texts, texts),
        judges=st.tuples(st.builds(Seat, texts)),
        axes=st.tuples(st.sampled_from(Axis)),
        bank=texts,
        item_ids=st.tuples(texts),
        draws=st.none() | st.integers(1, 20),
    )
)
def test_any_plan_comes_back_equal(plan):
    assert plan_from_text(plan_to_text(plan)) == plan

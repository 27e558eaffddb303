"""How far judges can be believed, in tables: what exposes them stands with its figure."""

from __future__ import annotations

import pytest
from audit_plans import starter
from built_audits import by_words, fill

from app.audit.audit_judge_tables import (
    experts_table,
    exposed_words,
    guards_table,
    quotes_table,
)
from app.audit.audit_words import reviewed_words
from app.audit.figure_rows import figure_row_json, figure_rows
from app.audit.items import Axis
from app.audit.records import Origin, Seat, Verdict
from app.audit.reviewing_items import word_on
from app.audit_results import AuditResults
from app.store.library import Library

ITEMS = {item.item_id: item for item in starter().items}
HONEST = by_words(ITEMS)


def reads_length(judge, response, turn):
    return (
        9 if judge == "two" and len(response.text.split()) > 110 else HONEST(judge, response, turn)
    )


def always_eight(judge, response, turn):
    return 8 if judge == "two" else HONEST(judge, response, turn)


def is_milder_with_the_tutor(judge, response, turn):
    mild = judge == "two" and response.origin is Origin.TUTOR
    return min(10, HONEST(judge, response, turn) + (5 if mild else 0))


def is_told_what_to_score(judge, response, turn):
    told = judge == "two" and response.origin is Origin.INJECTED
    return 10 if told else HONEST(judge, response, turn)


@pytest.fixture
def board_of(tmp_path):
    """Give a function that audits with two judges, the second as a test wants it."""

    def audit(score, **more):
        with Library.open(tmp_path / "a.clerestory") as library:
            seats = (Seat("one", "gemma"), Seat("two", "qwen"))
            more = {"axes": (Axis.SKILL,), "scorings": 1, "judges": seats, **more}
            audit_id = fill(
                library, score=score, tutor=Seat("small", "qwen"),
                says=lambda item, *_: item.item_id[-1] in "135", **more,
            )  # fmt: skip
            return AuditResults(library).board(audit_id)

    return audit


@pytest.mark.parametrize(
    ("score", "told"),
    [
        (reads_length, "Moved by four sentences that say nothing"),
        (always_eight, "Does not pass responses that we wrote to fail"),
        (is_milder_with_the_tutor, "Milder with this tutor than the other judge"),
        (is_told_what_to_score, "Moved by words that tell it what to score"),
    ],
)
def test_a_judge_that_cannot_be_trusted_is_exposed_on_the_board_and_the_other_is_not(
    board_of, score, told
):
    board = board_of(score)
    one, two = board.judges
    assert exposed_words(one) == []
    assert told in [line.split(":")[0] for line in exposed_words(two)]
    rows = {(row[0], row[1]): row[-1] for row in guards_table(board).rows}
    assert rows["two", told] == "exposed"
    assert "exposed" not in {state for (judge, _), state in rows.items() if judge == "one"}


def test_a_judge_of_the_tutors_own_family_is_named(board_of):
    notes = guards_table(board_of(HONEST)).notes
    assert notes[-1] == "two is of the tutor’s own family, qwen."


def test_quotes_are_counted_with_those_that_are_not_there(board_of):
    board = board_of(HONEST)
    assert quotes_table(board).rows[0] == ("one", "40", "0", "100.0 [91.2, 100.0]")


def test_without_experts_the_table_of_experts_is_empty_and_recall_is_null(board_of):
    board = board_of(HONEST)
    assert experts_table(board).rows == ()
    rows = [figure_row_json(row) for row in figure_rows(board)]
    recall = next(row for row in rows if row["measure"] == "experts_recall_below_pass")
    assert (recall["value"], recall["judge"], recall["axis"]) == (None, "one", "skill")
    assert recall["reason"]


def test_bands_turned_round_are_scored_apart_from_the_rest(board_of):
    board = board_of(HONEST)
    order = next(g for g in board.judges[0].guards if g.guard.value == "order")
    assert (order.figure.value, order.figure.n) == (0.0, 80)


def test_items_that_somebody_kept_are_reviewed(tmp_path):
    with Library.open(tmp_path / "a.clerestory") as library:
        audit_id = fill(library, axes=(Axis.KNOWLEDGE,), judges=())
        for item in starter().of_axis(Axis.KNOWLEDGE)[:79]:
            library.item_reviews.add(word_on(item, Verdict.KEEP, "Ann", ""))
        results = AuditResults(library)
        assert reviewed_words(results.board(audit_id)) == (
            "1 of 80 items: starter items, not expert-reviewed"
        )
        last = starter().of_axis(Axis.KNOWLEDGE)[79]
        library.item_reviews.add(word_on(last, Verdict.KEEP, "Ann", ""))
        assert reviewed_words(results.board(audit_id)) == ""

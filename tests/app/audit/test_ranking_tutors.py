"""Several tutors in one library: do the axes put them in the same order?"""

from __future__ import annotations

import json

import pytest
from built_audits import fill

from app.__main__ import main
from app.audit.items import Axis
from app.audit.ranking import ranked
from app.audit.records import Seat
from app.audit_results import AuditResults
from app.store.library import Library

AXES = (Axis.KNOWLEDGE, Axis.SKILL)


def good_in(strategies):
    return lambda item, *_: item.group in strategies


@pytest.fixture
def path(tmp_path):
    """Three tutors, each better in skill than the one before and worse in knowledge."""
    path = tmp_path / "a.clerestory"
    strategies = ("recast", "mapping", "expansion")
    with Library.open(path) as library:
        for place in range(3):
            fill(
                library, axes=AXES, scorings=1, title=f"Audit {place}",
                tutor=Seat(f"tutor {place}"), says=good_in(strategies[: place + 1]),
                choice=_wrong_in(place * 20),
            )  # fmt: skip
    return path


def _wrong_in(items):
    """Answer so many of the questions wrong."""
    seen = {}

    def choice(item, _draw):
        place = seen.setdefault(item.item_id, len(seen))
        return ("B" if item.key != "B" else "C") if place < items else item.key

    return choice


def test_orders_that_are_turned_round_correlate_at_minus_one(path, capsys):
    assert main(["audit", "score", "--ranks", "--library", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["tutors"] == ["tutor 0", "tutor 1", "tutor 2"]
    found = {(p["one"], p["other"]): p["found"] for p in told["pairs"]}
    assert found["knowledge", "skill, by one"]["rho"] == pytest.approx(-1)
    # Of six orders two are as far from nothing as this one.
    assert found["knowledge", "skill, by one"]["p"] == pytest.approx(1 / 3)
    assert found["skill, by one", "skill, by two"]["rho"] == pytest.approx(1)


def test_self_checks_are_no_tutors_and_the_latest_audit_of_a_tutor_counts(path):
    with Library.open(path) as library:
        fill(library, axes=AXES, scorings=1, tutor=Seat("planted: flatters"), is_self_check=True)
        newest = fill(library, axes=AXES, scorings=1, tutor=Seat("tutor 0"), says=good_in(()))
        # Begun and not finished: the one before it counts.
        library.audits.add_audit(library.audits.audit(2).plan)
        boards = AuditResults(library).latest_boards()
        assert [board.audit.audit_id for board in boards] == [2, 3, newest]
        assert {pair.found.n for pair in ranked(boards)} == {3}


def test_fewer_than_three_tutors_are_refused(tmp_path, capsys):
    path = tmp_path / "b.clerestory"
    with Library.open(path) as library:
        fill(library, axes=(Axis.SKILL,), scorings=1)
    assert main(["audit", "score", "--ranks", "--library", str(path)]) == 1
    assert "Ranks need 3 tutors" in capsys.readouterr().err


def test_a_score_of_nothing_named_is_wrong_use(tmp_path, capsys):
    assert main(["audit", "score", "--library", str(tmp_path / "c.clerestory")]) == 2
    assert "No audit is named." in capsys.readouterr().err


def test_keys_that_every_tutor_contradicts_are_listed_with_where_they_meet(path, capsys):
    with Library.open(path) as library:
        # The second tutor's first twenty answers are wrong, the third's first forty: twenty in
        # common; the first tutor's are all right, so that none is contradicted by all three.
        assert AuditResults(library).stale_keys(1).suspects == ()
        fill(
            library, axes=AXES, scorings=1, title="Again", tutor=Seat("tutor 0"),
            choice=_wrong_in(5),
        )  # fmt: skip
        found = AuditResults(library).stale_keys(1)
        assert (found.tutors, found.looked_at, len(found.suspects)) == (3, 80, 5)
        first = found.suspects[0]
        assert first.converges_on == ("B" if first.key != "B" else "C")
        whole = AuditResults(library).whole(1)
        assert whole.stale == found
    assert main(["audit", "score", "Again", "--library", str(path)]) == 0
    assert "Keys that may be out of date" in capsys.readouterr().out

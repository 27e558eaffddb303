"""Two versions of a tutor: what got worse stands first, over the items that both were asked."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pytest
from audit_plans import plan_of, starter
from built_audits import calibrated, fill

from app.__main__ import main
from app.audit.bank import Bank
from app.audit.comparison_tables import changed_firmly, comparison_tables
from app.audit.items import Axis
from app.audit_results import AuditResults
from app.store.library import Library

AXES = (Axis.ATTITUDE, Axis.KNOWLEDGE)


def later_says(item, condition, _draw):
    """Give way in integrity under pressure, and everywhere in one item of respect."""
    if item.group == "integrity":
        return not condition.pressure
    return item.item_id != "att-respect-autonomy-1"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A library with an audit of each of two versions."""
    with Library.open(tmp_path_factory.mktemp("library") / "a.clerestory") as library:
        small = {"axes": AXES, "draws": 2, "scorings": 1}
        fill(library, title="Spring", **small)
        fill(library, title="Autumn", says=later_says, **small)
        yield library


@pytest.fixture(scope="module")
def found(library):
    return AuditResults(library, calibrated).compare(1, 2)


def changes(found, judge=0):
    axis = found.judges[judge].axes[0]
    return {(c.group, c.pressure, c.monitored): c for c in axis.found.changes}


def test_a_change_is_later_less_earlier_over_the_items_that_both_have(found):
    change = changes(found)["integrity", True, None]
    assert (change.earlier.value, change.later.value, change.share.value) == (1.0, 0.0, -1.0)
    assert (change.share.n, change.score.value) == (16, -7.0)
    assert changes(found)["integrity", False, None].share.value == 0.0
    assert changes(found)["respect", None, None].share.value == -1 / 8


def test_what_got_worse_comes_first_and_names_where_most(found):
    table = comparison_tables(found)[0]
    assert table.title == "What got worse in attitude, by one"
    assert table.rows[0][:4] == (
        "att-respect-autonomy-1",
        "Respect for the child as a person, autonomy",
        "without pressure",
        "-100.0",
    )
    assert {row[1].split(",")[0] for row in table.rows[1:]} == {"Integrity and honesty"}
    assert {row[3] for row in table.rows[1:]} == {"-50.0"}
    assert table.notes[0].startswith("17 of 68 items got worse, 0 got better.")


def test_only_what_is_beyond_chance_is_said_to_have_got_worse(found):
    told = {(judge, c.group, c.pressure) for judge, c in changed_firmly(found, "worse")}
    assert told == {
        (judge, "integrity", pressure) for judge in ("one", "two") for pressure in (None, True)
    }
    assert list(changed_firmly(found, "better")) == []


def test_knowledge_is_compared_without_a_judge(found):
    assert found.knowledge is not None
    assert found.knowledge.whole is not None
    assert found.knowledge.whole.value == 0.0


def test_the_other_way_round_what_was_worse_is_better(library):
    turned = AuditResults(library, calibrated).compare(2, 1)
    assert changes(turned)["integrity", True, None].share.value == 1.0
    assert turned.judges[0].axes[0].found.worse == ()


def test_withheld_pass_shares_are_not_compared_but_mean_scores_are(library):
    found = AuditResults(library, partial(calibrated, but=("one",))).compare(1, 2)
    axis = found.judges[0].axes[0]
    assert axis.withheld.startswith("no expert has scored")
    change = changes(found)["integrity", True, None]
    assert (change.earlier.value, change.later.value, change.share.value) == (None, None, None)
    assert change.score.value == -7.0
    assert {item.share for item in axis.found.items} == {0.0}
    assert axis.found.worse[0].score == -7.0
    worse = comparison_tables(found)[0]
    assert {row[3] for row in worse.rows} == {"–"}
    assert "By mean score alone" in worse.notes[1]
    assert changes(found, judge=1)["integrity", True, None].share.value == -1.0


def test_items_in_other_words_and_judges_of_one_audit_alone_are_left_out_and_said(library):
    bank = starter()
    first, *others = bank.items
    changed = Bank((replace(first, scene="Another scene."), *others), bank.rubrics, bank.notices)
    digest = library.audits.add_bank("changed", changed)
    plan = replace(plan_of(axes=(Axis.KNOWLEDGE, Axis.ATTITUDE)), bank=digest, judges=())
    audit_id = library.audits.add_audit(plan)
    found = AuditResults(library, calibrated).compare(1, audit_id)
    assert len(found.items) == 148 - (first.axis in AXES)
    assert found.judges == ()
    told = " ".join(found.notes)
    assert "Compared over the" in told or first.axis not in AXES
    assert "No judge scored both" in told


def test_other_rubrics_notices_and_settings_are_said_before_anybody_blames_the_tutor(library):
    bank = starter()
    worded = replace(bank.rubrics["integrity"], about="Other words.")
    notices = replace(bank.notices, unmonitored="Nobody is here.")
    changed = Bank(bank.items, {**bank.rubrics, "integrity": worded}, notices)
    plan = library.audits.audit(1).plan
    later = replace(
        plan, bank=library.audits.add_bank("other terms", changed), temperature=0.5, draws=3
    )
    found = AuditResults(library, calibrated).compare(1, library.audits.add_audit(later))
    told = " ".join(found.notes)
    assert "Rubrics were worded otherwise" in told
    assert "who reads along was worded otherwise" in told
    assert "asked with different settings" in told
    assert "a different number of times" in told
    assert AuditResults(library, calibrated).compare(1, 1).notes == ()


def test_a_judge_that_changed_between_the_two_is_named(library):
    library.audits.add_run(1, "judge", "two", (("sha256", "a"),))
    library.audits.add_run(2, "judge", "two", (("sha256", "b"),))
    found = AuditResults(library, calibrated).compare(1, 2)
    assert [note for note in found.notes if note.startswith("two was not the same in both")]


def test_the_command_prints_and_gives_json(tmp_path, capsys):
    path = tmp_path / "a.clerestory"
    with Library.open(path) as library:
        skill = {"axes": (Axis.SKILL,), "scorings": 1}
        fill(library, title="Spring", **skill)
        fill(library, title="Autumn", says=lambda item, *_: item.group != "recast", **skill)
    assert main(["audit", "compare", "Spring", "2", "--library", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["earlier"]["title"], told["later"]["title"]) == ("Spring", "Autumn")
    side = told["sides"][0]
    assert (side["judge"], side["axis"], side["whole"]["value"]) == ("one", "skill", -7 / 8)
    assert {item["group"] for item in side["worse"]} == {"recast"}
    assert main(["audit", "compare", "1", "2", "--library", str(path)]) == 0
    assert "What got worse in skill, by one" in capsys.readouterr().out

"""From an edit to a model, and from a model to what it says of a tutor, in one library."""

from __future__ import annotations

from dataclasses import replace

import pytest
from reward_planted import Planted, audited, pairs_told_apart

from app.audit.reward_model import train
from app.audit.reward_records import Flaw, PairOrigin
from app.errors import Refused
from app.item_banks import ItemBanks
from app.reward_desk import OURS, RewardDesk
from app.running.questions import Status
from app.settings import Settings
from app.store.library import Library


class Vectors:
    """Stands in for the files: gives the planted sentence model."""

    def __init__(self, embedder=None):
        self._embedder = embedder or Planted()

    def embedder(self):
        return self._embedder


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "t.clerestory") as opened:
        yield opened


def at(library, author="AK", embedder=None):
    return RewardDesk(library, Vectors(embedder), ItemBanks(library), Settings(author=author))


def test_all_starter_items_of_skill_can_be_edited(library):
    desk = at(library)
    items = desk.items()
    assert len(items) == 40
    assert [one.source for one in desk.flawed(items[0])] == [OURS]
    assert desk.titles()[items[0].group]
    assert len(desk.starter()) == 40


def test_what_a_tutor_said_can_be_edited_too(library):
    desk = at(library)
    item = desk.items()[0]
    audited(library, {item.item_id: (Status.OK, "I ask her what it is.")})
    assert [(one.text, one.source) for one in desk.flawed(item)][1] == (
        "I ask her what it is.",
        "tutor, audit “first”",
    )


def test_the_newest_audit_comes_first_and_what_failed_is_left_out(library):
    desk = at(library)
    item, other = desk.items()[:2]
    audited(library, {item.item_id: (Status.OK, "I ask.")})
    audited(library, {item.item_id: (Status.OK, "I wait."), other.item_id: (Status.REFUSAL, "")})
    assert [one.text for one in desk.flawed(item)] == [item.failing, "I wait.", "I ask."]
    assert [one.source for one in desk.flawed(other)] == [OURS]


def test_an_edit_is_kept_with_its_flaw_and_who_made_it(library):
    desk = at(library)
    item = desk.items()[0]
    desk.keep(item, item.failing, f"{item.failing} Then I wait.", Flaw.WAIT_INTERVAL_VIOLATED)
    (pair,) = desk.pairs()
    assert (pair.item_id, pair.strategy, pair.author) == (item.item_id, item.group, "AK")
    assert (pair.rejected, pair.flaw) == (item.failing, Flaw.WAIT_INTERVAL_VIOLATED)
    assert pair.prompt.startswith(item.scene)


def test_an_unchanged_text_and_the_same_edit_again_are_refused(library):
    desk = at(library)
    item = desk.items()[0]
    with pytest.raises(Refused, match="both responses are the same"):
        desk.keep(item, item.failing, f" {item.failing} ", Flaw.CHILD_TURN_TAKEN)
    desk.keep(item, item.failing, "I wait.", Flaw.CHILD_TURN_TAKEN)
    with pytest.raises(Refused, match="kept already"):
        desk.keep(item, item.failing, "I wait.", Flaw.CHILD_TURN_TAKEN)


def test_nobody_edits_without_a_name(library):
    desk = at(library, author="")
    item = desk.items()[0]
    with pytest.raises(Refused, match="who sits here"):
        desk.keep(item, item.failing, "I wait.", Flaw.CHILD_TURN_TAKEN)


def test_too_few_pairs_teach_no_model(library):
    with pytest.raises(Refused, match="there are 0"):
        at(library).train(with_starter=False)
    assert at(library).model() is None


def test_a_model_is_taught_and_kept(library):
    desk = at(library)
    library.rewards.add_pairs(pairs_told_apart(20), "BM")
    kept = desk.train(with_starter=False)
    assert desk.model() == kept
    assert dict(kept.model.provenance)["pairs edited"] == "20"
    both = desk.train(with_starter=True)
    assert dict(both.model.provenance)["pairs starter"] == "40"


def test_pairs_go_out_and_come_into_another_library(library, tmp_path):
    desk = at(library)
    library.rewards.add_pairs(pairs_told_apart(3), "BM")
    assert desk.write_out(tmp_path / "p.jsonl", with_starter=True) == 43
    with Library.open(tmp_path / "other.clerestory") as other:
        assert at(other).bring_in(tmp_path / "p.jsonl") == 43
        assert at(other).bring_in(tmp_path / "p.jsonl") == 0
        origins = [pair.origin for pair in other.rewards.pairs()]
    assert origins == [PairOrigin.BROUGHT_IN] * 3 + [PairOrigin.STARTER] * 40


def test_a_tutor_is_held_against_edits_where_there_are_and_else_against_ours(library):
    desk = at(library)
    one, two, three, four = desk.items()[:4]
    audit_id = audited(
        library,
        {
            one.item_id: (Status.OK, "I wait. I wait."),
            two.item_id: (Status.OK, "I ask."),
            three.item_id: (Status.REFUSAL, ""),
            four.item_id: (Status.OK, four.passing),
        },
    )
    library.rewards.add_model(train(pairs_told_apart(), Planted()))
    desk.keep(one, one.failing, "I ask and I ask.", Flaw.TURNED_INTO_QUIZ)
    found = desk.hold(audit_id)
    # The first wins over the edit, the second loses, the fourth is the very same: no win.
    assert (found.rates.overall.value, found.rates.overall.n) == (pytest.approx(1 / 3), 3)
    assert (found.against_edits, found.beside) == (1, 1)


def test_without_a_model_that_may_rank_nothing_is_held(library):
    desk = at(library)
    audit_id = audited(library, {})
    with pytest.raises(Refused, match="No reward model"):
        desk.hold(audit_id)
    model = train(pairs_told_apart(), Planted(beside=1.0))
    library.rewards.add_model(replace(model))
    with pytest.raises(Refused, match="changes with the texts that are read beside it"):
        desk.hold(audit_id)


def test_a_model_says_nothing_of_vectors_it_was_not_taught_on(library):
    class Other(Planted):
        def facts(self):
            return replace(super().facts(), version="2")

    library.rewards.add_model(train(pairs_told_apart(), Planted()))
    with pytest.raises(Refused, match="another sentence model"):
        at(library, embedder=Other()).hold(audited(library, {}))

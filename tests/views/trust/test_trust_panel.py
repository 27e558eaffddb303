from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from app.coding.calibration import DecidedClip, trust_in
from app.coding.conditions import CoderChoice, Condition
from app.coding.records import Decision, Prediction, Said, Verdict
from app.lesson.clips import Clip
from app.scoring.scored import Code
from views.common.theme import THEMES, apply_theme
from views.trust.panel import TrustPanel
from views.trust.words import (
    error_words,
    percent,
    plot_words,
    rests_words,
    set_words,
    share_words,
)


def trust(count, right, draws=5, *, blind=True, engine="small"):
    """Give a coder that is 80% sure of D1 each time, and right in so many of the clips."""
    name = CoderChoice(engine, Condition(), draws).name
    pairs = (("engine", engine), ("input", "T"), ("prompting", "zero_shot"))
    said = tuple(Said(Code("D1" if n else "D3", 1)) for n in range(draws))
    decided = []
    for number in range(1, count + 1):
        clip = Clip(f"c{number}", number, number, None, None)
        practice = "D1" if number <= right else "D3"
        word = Decision(clip, Verdict.CORRECT, practice, 1, "AK", "", blind=blind, coder=name)
        claim = Prediction(clip, name, "D1", 1, None, (), pairs, said=said)
        decided.append(DecidedClip("l", clip.clip_id, word, word if blind else None, (claim,)))
    return trust_in(decided, name)


@pytest.fixture
def panel(qtbot):
    made = TrustPanel()
    qtbot.addWidget(made)
    made.resize(460, 720)
    made.show()
    return made


def test_the_words_say_what_it_rests_on():
    found = trust(60, 45)
    assert rests_words(found) == "Rests on 60 decisions, all made before a label was shown."
    assert share_words(found.right) == "75% of 60, 95%: 63% to 84%"
    assert error_words(found).startswith("5 points off on average, 95%: ")
    assert error_words(found).endswith("Brier score 0.19")
    assert set_words(found) == (
        "90% of sets hold an accepted practice; 2.0 practices on average (by size: 2 in 60 clips, "
        "each left out in turn)"
    )
    assert "80% sure: accepted in 45 of 60 (75%, 95%: 63% to 84%)" in plot_words(found)


def test_too_few_decisions_say_how_many_there_are():
    found = trust(23, 20)
    assert error_words(found) == set_words(found) == "–: 23 of 50 decisions"
    assert plot_words(found).startswith("No drawing: ")
    assert share_words(found.right).startswith("87% of 23")


def test_decisions_that_followed_a_label_are_told():
    assert "none of them made before a label was shown" in rests_words(trust(60, 50, blind=False))


@pytest.mark.parametrize(
    ("share", "told"), [(0.999, "over 99%"), (1.0, "100%"), (0.001, "under 1%"), (0.0, "0%")]
)
def test_nearly_all_is_not_called_all(share, told):
    assert percent(share) == told


def test_nothing_decided_says_what_to_do_next(panel):
    assert panel.told == ""
    assert not panel.plot.isVisible()


def test_the_drawing_is_told_to_those_who_do_not_see_it(panel):
    found = trust(60, 45)
    panel.show_trusts([found])
    assert panel.plot.isVisible()
    assert panel.plot.accessibleDescription() == plot_words(found)
    assert panel.plot.focusPolicy() == Qt.FocusPolicy.TabFocus
    assert "80% sure: accepted in 45 of 60" in panel.told


def test_without_a_confidence_there_is_no_drawing_but_the_share_that_was_right(panel):
    panel.show_trusts([trust(60, 45, draws=1)])
    assert not panel.plot.isVisible()
    assert "75% of 60" in panel.told
    assert "Nothing tells how sure this coder is" in panel.told


def test_the_coder_in_view_stays_when_figures_are_renewed(panel, qtbot):
    one, two = trust(60, 45), trust(60, 60, engine="large")
    panel.show_trusts([one, two])
    with qtbot.waitSignal(panel.chosen) as chosen:
        panel.show_coder(two.coder)
    assert chosen.args == [two.coder]
    panel.show_trusts([replace(one), replace(two)])
    assert "100% of 60" in panel.told


def test_a_point_lies_where_its_figures_say(panel):
    panel.show_trusts([trust(60, 45)])
    low, high = panel.plot.place_of(0.0, 0.0), panel.plot.place_of(1.0, 1.0)
    at = panel.plot.place_of(0.8, 0.75)
    assert at.x() == pytest.approx(low.x() + 0.8 * (high.x() - low.x()))
    assert at.y() == pytest.approx(low.y() + 0.75 * (high.y() - low.y()))


@pytest.mark.parametrize("look", list(THEMES))
def test_it_is_painted_in_every_look(panel, qapp, look):
    panel.show_trusts([trust(60, 45)])
    blank = panel.plot.grab().toImage()
    apply_theme(qapp, look, 1.5)
    try:
        panel.plot.setFocus()
        assert panel.plot.grab().toImage() != blank
    finally:
        apply_theme(qapp, "light")

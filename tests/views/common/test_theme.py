import itertools

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from views.common.colours import contrast
from views.common.theme import THEMES, apply_theme, current_theme


@pytest.fixture(autouse=True)
def light_again(qapp):
    yield
    apply_theme(qapp, "light")


class Counted(QLabel):
    """Counts how often it is styled anew."""

    restyled = 0

    def changeEvent(self, event):  # noqa: N802 - Qt's own name
        self.restyled += event.type() is QEvent.Type.StyleChange
        super().changeEvent(event)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_text_colour_reads_on_every_background(theme):
    inks = {n: getattr(theme, n) for n in ("text", "muted", "good", "doubt", "bad", "accent")}
    backs = {n: getattr(theme, n) for n in ("window", "base", "raised")}
    low = {
        (ink, back): round(contrast(inks[ink], backs[back]), 2)
        for ink, back in itertools.product(inks, backs)
        if contrast(inks[ink], backs[back]) < 4.5
    }
    assert not low
    assert contrast(theme.on_accent, theme.accent) >= 4.5


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_focus_edges_and_marks_stand_out_from_what_they_lie_on(theme):
    for back in (theme.window, theme.base, theme.raised):
        assert contrast(theme.focus, back) >= 3
        assert contrast(theme.playhead, back) >= 3
    for practice in ("BI", "D1", "D2", "D3", ""):
        colours = theme.practice_colours(practice)
        assert theme.practice(practice) == colours.fill
        assert contrast(colours.fill, theme.base) >= 3
        assert contrast(colours.ink, colours.fill) >= 4.5
    assert contrast(theme.edge, theme.window) >= 3
    assert contrast(theme.waveform, theme.base) >= 3


def test_the_high_contrast_theme_reads_at_seven_to_one():
    theme = THEMES["high-contrast"]
    for ink in (theme.text, theme.muted, theme.good, theme.doubt, theme.bad, theme.accent):
        assert contrast(ink, theme.window) >= 7


def test_applying_a_theme_changes_the_palette_and_is_remembered(qapp):
    apply_theme(qapp, "dark")
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == THEMES["dark"].window
    assert current_theme() is THEMES["dark"]


def test_text_scales_from_the_usual_size_and_not_from_the_last(qapp):
    apply_theme(qapp, "light", 1.0)
    usual = qapp.font().pointSizeF()
    apply_theme(qapp, "light", 1.5)
    apply_theme(qapp, "light", 1.5)
    assert qapp.font().pointSizeF() == pytest.approx(usual * 1.5)


def test_text_is_never_scaled_out_of_reading(qapp):
    apply_theme(qapp, "light", 1.0)
    usual = qapp.font().pointSizeF()
    apply_theme(qapp, "light", 0.01)
    assert qapp.font().pointSizeF() == pytest.approx(usual * 0.8)


def test_the_look_that_is_worn_already_costs_nothing(qapp, qtbot):
    apply_theme(qapp, "light", 1.0)
    label = Counted()
    qtbot.addWidget(label)
    label.show()
    apply_theme(qapp, "dark", 1.0)
    dressed = label.restyled
    assert dressed > 0
    apply_theme(qapp, "dark", 1.0)
    assert label.restyled == dressed


def test_an_unknown_theme_is_refused_and_changes_nothing(qapp):
    apply_theme(qapp, "dark")
    with pytest.raises(KeyError):
        apply_theme(qapp, "sepia")
    assert current_theme() is THEMES["dark"]


def test_a_focused_button_looks_different(qtbot):
    apply_theme(QApplication.instance(), "light")
    button = QPushButton("Accept")
    other = QPushButton("Reject")
    qtbot.addWidget(button)
    qtbot.addWidget(other)
    button.show()
    qtbot.waitExposed(button)
    button.clearFocus()
    plain = button.grab().toImage()
    button.setFocus()
    button.activateWindow()
    qtbot.waitUntil(button.hasFocus)
    ringed = button.grab().toImage()
    assert plain != ringed
    assert current_theme().focus in {
        ringed.pixelColor(x, ringed.height() // 2).name() for x in range(4)
    }

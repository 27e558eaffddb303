"""Choosing who codes: what cannot run says why, and nothing is asked before a yes."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.answering import EngineChoice
from app.coding.conditions import CoderChoice, Condition, Input, Prompting
from app.coding_lessons import LeftOut
from app.errors import Refused
from app.running.plan import Estimate
from views.background import Background
from views.coders import doing
from views.coders.dialog import CoderDialog
from views.coders.doing import LAST_CODER, Coding

SEES = EngineChoice("small-4b", "Small 4B", 24, "")
READS = EngineChoice("text-1b", "Text 1B", 0, "")
AWAY = EngineChoice("lab", "Server of the lab", 8, "https://api.example.org/v1")
GONE = EngineChoice("gone-7b", "Gone 7B", 4, "", "Its file is gone. Fetch it again.")
ESTIMATE = Estimate(4, 1, 3000, 400, None, None, "", False)


@pytest.fixture
def dialog(qtbot):
    def make(engines=(SEES, READS, AWAY, GONE), *, has_picture=True, last=""):
        made = CoderDialog("Water", engines, has_picture=has_picture, last=last)
        qtbot.addWidget(made)
        made.show()
        return made

    return make


def pick(box, data):
    box.setCurrentIndex(box.findData(data))


def test_the_finder_is_offered_first_and_asks_no_model(dialog):
    shown = dialog(engines=())
    assert shown.choice == CoderChoice("evidence-finder/1")
    assert not shown.input.isEnabled()
    assert "Models page" in shown.accessibleDescription()
    assert shown.go_on.isEnabled()


def test_a_choice_is_all_that_the_fields_say(dialog):
    shown = dialog()
    pick(shown.coder, "small-4b")
    pick(shown.input, "TV")
    pick(shown.prompting, "cot")
    shown.draws.setValue(5)
    assert shown.choice == CoderChoice("small-4b", Condition(Input.TV, Prompting.COT), 5)
    assert shown.go_on.isEnabled()


@pytest.mark.parametrize(
    ("engine", "given", "has_picture", "why"),
    [
        ("text-1b", "TV", True, "sees no pictures"),
        ("small-4b", "TV", False, "no picture"),
        ("gone-7b", "T", True, "Its file is gone."),
    ],
)
def test_what_cannot_run_says_why_and_cannot_be_started(dialog, engine, given, has_picture, why):
    shown = dialog(has_picture=has_picture)
    pick(shown.coder, engine)
    pick(shown.input, given)
    assert why in shown.accessibleDescription()
    assert not shown.go_on.isEnabled()


def test_where_words_go_is_said_before_anything_is_planned(dialog):
    shown = dialog()
    pick(shown.coder, "lab")
    assert "https://api.example.org/v1" in shown.accessibleDescription()
    pick(shown.coder, "small-4b")
    assert "Nothing leaves" in shown.accessibleDescription()


def test_the_last_choice_is_there_again_unless_its_model_is_gone(dialog):
    again = dialog(last="small-4b TV few_shot x3")
    assert again.choice.name == "small-4b TV few_shot x3"
    assert dialog(last="other-9b T zero_shot").choice.condition is None
    assert dialog(last="nonsense").choice.condition is None


# From the choice to the start


class Notices(QObject):
    told = Signal(object)

    def __init__(self):
        super().__init__()
        self.troubles = []

    def trouble(self, error):
        self.troubles.append(str(error))


class Shelf:
    def __init__(self):
        self.kept = {}

    def setting(self, name, default=""):
        return self.kept.get(name, default)

    def set_setting(self, name, value):
        self.kept[name] = value


@pytest.fixture
def coding(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    desk = SimpleNamespace(
        library=Shelf(),
        engines=lambda: (SEES, AWAY),
        coding=SimpleNamespace(left_out=lambda _ids, _choice: ()),
        plan_coding=lambda _ids, _choice: ESTIMATE,
    )
    background, notices, started = Background(), Notices(), []
    made = Coding(desk, background, notices, lambda *what: started.append(what), window)
    yield SimpleNamespace(
        made=made, desk=desk, notices=notices, started=started, background=background
    )
    assert background.close(5)


@pytest.fixture
def asked(monkeypatch):
    """What was shown before the start, and the person's answer."""
    shown = SimpleNamespace(plans=[], says_yes=True)

    def ask(title, parts, where, *, leaves, parent=None):
        shown.plans.append((title, [part.expected for part in parts], where, leaves))
        return shown.says_yes

    monkeypatch.setattr(doing, "ask_to_start", ask)
    return shown


MODEL = CoderChoice("small-4b", Condition())


def test_the_finder_starts_at_once(coding, asked):
    choice = CoderChoice("evidence-finder/1")
    coding.made.take("a", "Water", choice)
    assert coding.started == [("a", "Water", choice)]
    assert asked.plans == []


def test_a_model_starts_only_after_its_plan_was_agreed_to(coding, asked, qtbot):
    coding.made.take("a", "Water", MODEL)
    qtbot.waitUntil(lambda: bool(coding.started))
    title, parts, where, leaves = asked.plans[0]
    assert "small-4b T zero_shot" in title
    assert parts == [ESTIMATE]
    assert (where, leaves) == (["Nothing leaves this computer."], False)
    assert coding.desk.library.kept[LAST_CODER] == MODEL.name


def test_a_no_starts_nothing(coding, asked, qtbot):
    asked.says_yes = False
    coding.made.take("a", "Water", CoderChoice("lab", Condition()))
    qtbot.waitUntil(lambda: bool(asked.plans))
    assert coding.started == []
    _title, _parts, where, leaves = asked.plans[0]
    assert leaves
    assert "https://api.example.org/v1" in where[0]


def test_a_lesson_that_cannot_be_coded_says_why_and_starts_nothing(coding, asked, qtbot):
    why = Refused("“Water” has no pictures.", "Choose words alone.")
    coding.desk.coding.left_out = lambda _ids, _choice: (LeftOut("a", "Water", why),)
    coding.made.take("a", "Water", MODEL)
    qtbot.waitUntil(lambda: bool(coding.notices.troubles))
    assert "has no pictures" in coding.notices.troubles[0]
    assert coding.started == asked.plans == []


def test_the_dialog_code_of_a_yes_is_qts_own(dialog):
    shown = dialog()
    shown.go_on.click()
    assert shown.result() == QDialog.DialogCode.Accepted


@pytest.mark.parametrize(
    ("given", "what"), [(Input.T, "Words of this"), (Input.TV, "Words and frames of this")]
)
def test_no_more_is_said_to_leave_than_does(coding, asked, qtbot, given, what):
    coding.made.take("a", "Water", CoderChoice("lab", Condition(given)))
    qtbot.waitUntil(lambda: bool(asked.plans))
    assert asked.plans[0][2][0].startswith(what)

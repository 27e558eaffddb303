"""The order of tutors in the window, worked out in the background."""

from __future__ import annotations

import pytest

from app.audit.records import Seat
from views.audit.doing import AuditWork
from views.audit.ranks import RanksDialog
from views.background import Background
from views.notices import Notices
from views.work import LessonWork


@pytest.fixture
def work(desk, qtbot):
    background = Background()
    notices = Notices()
    yield AuditWork(desk, background, notices, LessonWork(desk, background, notices), None)
    background.close(5)


def shown(dialog, qtbot, until):
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(until, timeout=10_000)


def test_three_tutors_are_put_in_order_on_every_two_axes(work, kept, qtbot):
    for name in ("one", "two", "three"):
        kept(title=name, tutor=Seat(name))
    dialog = RanksDialog(work.rank)
    grid = dialog.table.table
    shown(dialog, qtbot, lambda: grid.rowCount() > 0)
    heads = [grid.horizontalHeaderItem(n).text() for n in range(grid.columnCount())]
    assert heads == ["One", "Other", "Rank correlation", "p", "Tutors", "Why not"]
    # All three said the same: nothing puts them in order, and that is told.
    assert grid.item(0, 2).text() == "–"
    assert "puts nothing in order" in grid.item(0, 5).text()


def test_fewer_than_three_tutors_are_told_what_is_missing(work, kept, qtbot):
    kept()
    dialog = RanksDialog(work.rank)
    empty = dialog.table._empty._title
    shown(dialog, qtbot, lambda: "3 tutors" in empty.text())
    assert dialog.isVisible()
    dialog._close.click()
    assert not dialog.isVisible()


def test_a_fault_closes_the_dialog_and_is_handed_on(qtbot):
    fault = RuntimeError("broken")
    told = []
    dialog = RanksDialog(lambda _then, failed: told.append(failed))
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.trouble) as raised:
        told[0](fault)
    assert raised.args == [fault]

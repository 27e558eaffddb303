"""What tests of the Tutor audit page do with it."""

from PySide6.QtCore import Qt

ONE, TWO = "judge one", "judge two"


def refreshed(page, qtbot):
    with qtbot.waitSignal(page.gathering.board_came, timeout=10_000):
        page.refresh()


def table_row(page, *begins):
    """Find the row that begins with these words."""
    rows = page.results.cell().table.rows
    return next(n for n, row in enumerate(rows) if row[: len(begins)] == begins)


def look_at(page, key):
    views = page.results.views
    for row in range(views.count()):
        if views.item(row).data(Qt.ItemDataRole.UserRole) == key:
            views.setCurrentRow(row)
            return
    raise AssertionError(f"no table {key}")


def look_at_results(page, qtbot, key):
    """Read the audit and bring one of its tables into view."""
    refreshed(page, qtbot)
    page.show_results()
    look_at(page, key)

"""Sheets to read."""

from views.audit.sheet import Sheet, head, quote, text

HOSTILE = '<img src="http://example.org/x.png"><b>bold</b>\n&amp; the second line'


def test_nothing_that_a_model_writes_passes_for_markup(qtbot):
    sheet = Sheet("Case")
    qtbot.addWidget(sheet)
    sheet.show_lines([head("Response"), quote(HOSTILE)])
    assert sheet.toPlainText() == f"Response\n{HOSTILE}"
    assert "<img" not in sheet.toHtml()


def test_a_sheet_is_read_from_the_top_each_time(qtbot):
    sheet = Sheet("Case")
    qtbot.addWidget(sheet)
    sheet.show_lines([text("first")] * 200)
    sheet.show_lines([text("other")])
    assert sheet.toPlainText() == "other"
    assert sheet.textCursor().position() == 0

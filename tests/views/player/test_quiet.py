from PySide6.QtCore import QtMsgType, qInstallMessageHandler, qWarning

from views.player.quiet import EXPECTED, expected_lines_dropped


def test_only_the_expected_lines_are_dropped():
    heard = []

    def hear(kind: QtMsgType, context: object, text: str) -> None:
        heard.append(text)

    before = qInstallMessageHandler(hear)
    try:
        with expected_lines_dropped():
            qWarning(EXPECTED[0])
            qWarning("something else")
        qWarning(EXPECTED[0])
    finally:
        qInstallMessageHandler(before)
    assert heard == ["something else", EXPECTED[0]]

"""What came of testing the evidence of a label: sentences, the flag, and the way to the test."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.coding.probe_records import NOT_ASKED, EvidenceProof, Flag
from views.common.controls import page_button, text_label
from views.common.signs import Sign, SignMark
from views.common.words import WRONG_REASON

FLAG = f"{WRONG_REASON[0].upper()}{WRONG_REASON[1:]}"
ASK = "Does the evidence carry the label?"
ASK_TIP = "Have the model asked again with less evidence; you see first what that takes"


class ProofBox(QWidget):
    """Stands under a suggestion, since its sentences name practices.

    Signals:
        test_wanted: The evidence is to be tested.
        details_wanted: All that is known of the answers is to be shown.
    """

    test_wanted = Signal()
    details_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sign = SignMark(Sign.WARNING, FLAG)
        self._flag = text_label(FLAG, bold=True)
        self._told, self._why_not = text_label(), text_label()
        self.ask = page_button(ASK, ASK_TIP, "T")
        self.details = page_button(
            "Details…", "Show what was asked and every answer as it came", "D"
        )
        self.ask.clicked.connect(self.test_wanted)
        self.details.clicked.connect(self.details_wanted)
        flag = QHBoxLayout()
        flag.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        flag.addWidget(self._flag, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(flag)
        column.addWidget(self._told)
        column.addWidget(self._why_not)
        # The question fits a small window at larger text with less room around it.
        self.ask.setStyleSheet("padding-left: 4px; padding-right: 4px;")
        # One above the other: side by side they are wider than the side of a small window.
        for made in (self.ask, self.details):
            made.setMinimumWidth(1)
            column.addWidget(made, 0, Qt.AlignmentFlag.AlignLeft)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Show neither results nor ways to them, as where a label is hidden."""
        self.hide()

    def show_proof(self, proof: EvidenceProof | None, why_not: str) -> None:
        """Show what is known.

        Args:
            proof: What follows from the tests; `None` where nothing was tested.
            why_not: Why this prediction cannot be tested; empty when it can.
        """
        is_flagged = proof is not None and proof.flag is Flag.RAISED
        self._sign.setVisible(is_flagged)
        self._flag.setVisible(is_flagged)
        # The mark above says the first words of the flag's sentence already.
        words = [word.removeprefix(f"{FLAG} ") for word in proof.words] if proof else []
        self._told.setText("\n".join(words))
        self._told.setVisible(bool(words))
        self._why_not.setText(f"Its evidence cannot be tested: {why_not}")
        self._why_not.setVisible(bool(why_not) and not words)
        # Asked again, a test that has its answer would only give the same one.
        self.ask.setVisible(not why_not and (proof is None or _is_open(proof)))
        self.show()


def _is_open(proof: EvidenceProof) -> bool:
    """Say whether a test is missing, or failed and may be asked once more."""
    if proof.sufficiency is None or proof.necessity is None:
        return True
    return any(not one.is_known and one.status != NOT_ASKED for one in proof.answers)

"""What came of audits: boards, cases, and the papers that are printed of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import NamedTuple

from app.audit.addressing import addressing
from app.audit.bank import Bank
from app.audit.board import AuditBoard, AuditRecords
from app.audit.calibration import Calibration, calibrations_of
from app.audit.cases import Case, CaseBook
from app.audit.comparing import AuditComparison, compare_audits
from app.audit.counting import board_of
from app.audit.expert_records import ExpertWords, words_by_response
from app.audit.items import Axis
from app.audit.kept_boards import from_bytes, is_finished, state_of, to_bytes
from app.audit.ranking import FEWEST_TUTORS, latest_of_each
from app.audit.records import Audit, ItemReview, Origin, Reading
from app.audit.reviewing_items import standings_of
from app.audit.scored import is_of_real_tutor, knowledge_answers, planned_places
from app.audit.telling import MOST, Seen, pick_telling
from app.audit.whole import WholeAudit
from app.errors import Refused, StoreRefused
from app.scoring.audit_knowledge import StaleKeys, stale_keys
from app.store.library import Library

log = logging.getLogger(__name__)

Calibrate = Callable[[Library, int], tuple[Calibration, ...]]
"""Holds the judges of an audit against experts."""

CHECKS = (
    (Origin.SHOULD_PASS, Reading.UPWARD),
    (Origin.SHOULD_FAIL, Reading.UPWARD),
    (Origin.PADDED, Reading.UPWARD),
    (Origin.INJECTED, Reading.UPWARD),
    (Origin.SHOULD_PASS, Reading.DOWNWARD),
    (Origin.SHOULD_FAIL, Reading.DOWNWARD),
)
"""What judges are checked with, in the orders in which they read the bands."""


class _Known(NamedTuple):
    """A board that this session has counted or read."""

    stamp: tuple[int, ...]
    board: AuditBoard
    is_kept: bool
    """Whether the library holds it under this stamp."""


class AuditResults:
    """Gives what came of audits in one library.

    Args:
        library: Where audits are kept.
        calibrate: Holds judges against experts.
    """

    def __init__(self, library: Library, calibrate: Calibrate = calibrations_of) -> None:
        self._library, self._calibrate = library, calibrate
        self._boards: dict[int, _Known] = {}

    def board(self, audit_id: int) -> AuditBoard:
        """Give the boards of an audit as it stands; counted anew only when something came.

        Raises:
            StoreRefused: There is no such audit.
        """
        return self._known(audit_id).board

    def keep_board(self, audit_id: int) -> None:
        """Keep the board of a finished audit in the library, so that it opens at once.

        Nothing is lost where it cannot be kept, so that nobody is told but the log.
        """
        known = self._known(audit_id)
        state = self._state(known.stamp)
        if known.is_kept or not state or not is_finished(known.board):
            return
        try:
            self._library.audits.keep_board(audit_id, state, to_bytes(known.board))
        except StoreRefused as error:
            log.warning("The board of audit %d was not kept: %s", audit_id, error)
        else:
            self._boards[audit_id] = known._replace(is_kept=True)

    def _known(self, audit_id: int) -> _Known:
        stamp = self._library.audits.stamp(audit_id)
        known = self._boards.get(audit_id)
        if known is None or known.stamp != stamp:
            kept = self._kept(audit_id, stamp)
            board = kept if kept is not None else board_of(self.records(audit_id))
            self._boards[audit_id] = known = _Known(stamp, board, kept is not None)
        return known

    def _kept(self, audit_id: int, stamp: tuple[int, ...]) -> AuditBoard | None:
        state = self._state(stamp)
        content = self._library.audits.kept_board(audit_id, state) if state else None
        return from_bytes(content) if content is not None else None

    def _state(self, stamp: tuple[int, ...]) -> str:
        # A board that was held against experts in another way is another board.
        return state_of(stamp) if self._calibrate is calibrations_of else ""

    def records(self, audit_id: int) -> AuditRecords:
        """Read what boards are counted from."""
        audits = self._library.audits
        audit = audits.audit(audit_id)
        source = next(row for row in audits.banks() if row.digest == audit.plan.bank)
        bank = audits.bank(audit.plan.bank)
        asked = [item.item_id for item in bank.of_axis(Axis.KNOWLEDGE)]
        return AuditRecords(
            audit,
            bank,
            source,
            rows=audits.board_rows(audit_id),
            answers=audits.responses(audit_id, Origin.TUTOR, asked),
            checks={
                (origin, reading): audits.board_rows(audit_id, origin, reading)
                for origin, reading in CHECKS
            },
            calibrations=self._calibrate(self._library, audit_id),
            unreviewed=_unreviewed(audit, bank, self._library.item_reviews.all()),
        )

    def telling(
        self, audit_id: int, most: int = MOST, hidden: frozenset[int] = frozenset()
    ) -> tuple[Case, ...]:
        """Give the most telling cases of an audit, whole.

        Args:
            audit_id: The audit.
            most: How many at most.
            hidden: Responses that the reader still scores blind; they are none.
        """
        audits = self._library.audits
        plan = audits.audit(audit_id).plan
        bank = audits.bank(plan.bank)
        experts = self._experts(audit_id)
        seen = Seen(
            {item.item_id: item for item in bank.items},
            tuple(seat.name for seat in plan.judges),
            plan.scorings,
            tuple(r for r in audits.board_rows(audit_id) if r.response_id not in hidden),
            audits.board_rows(audit_id, Origin.INJECTED),
            {each: words.score for each, words in experts.items()},
            {
                response.response_id: words
                for response, words in addressing(audits.responses(audit_id, Origin.TUTOR))
            },
        )
        book = self.book(audit_id)
        return tuple(book.open(pick.response_id, pick) for pick in pick_telling(seen, most))

    def whole(self, audit_id: int, hidden: frozenset[int] = frozenset()) -> WholeAudit:
        """Give all of an audit that its papers are written from.

        Args:
            audit_id: The audit.
            hidden: Responses that whoever asks still scores blind: what judges and experts gave
                them is left out.
        """
        audits = self._library.audits
        # Counted anew: what is printed does not rest on what was kept.
        board = board_of(self.records(audit_id))
        plan = board.audit.plan
        bank = audits.bank(plan.bank)
        asked = set(plan.item_ids)
        return WholeAudit(
            board,
            self.telling(audit_id, hidden=hidden),
            tuple(item for item in bank.items if item.item_id in asked),
            sum(item.axis in plan.axes for item in bank.items),
            audits.responses(audit_id),
            tuple(one for one in audits.scorings(audit_id) if one.response_id not in hidden),
            {each: said for each, said in self._experts(audit_id).items() if each not in hidden},
            audits.runs(audit_id),
            self.stale_keys(audit_id) if Axis.KNOWLEDGE in plan.axes else None,
            len(hidden),
        )

    def stale_keys(self, audit_id: int) -> StaleKeys:
        """List keys of knowledge that every tutor asked from the same bank contradicts.

        Of each tutor its latest audit counts; self-checks and samples do not.
        """
        audits = self._library.audits
        asked = audits.audit(audit_id).plan.bank
        latest = {
            audit.plan.tutor.name: audit
            for audit in audits.audits()
            if audit.plan.bank == asked and is_of_real_tutor(audit.plan)
        }
        planned = {
            name: planned_places(audit.plan, audits.bank(asked), Axis.KNOWLEDGE)
            for name, audit in latest.items()
        }
        return stale_keys(
            {
                name: knowledge_answers(
                    audits.responses(latest[name].audit_id, Origin.TUTOR), places
                )
                for name, places in planned.items()
                if places
            }
        )

    def compare(self, earlier_id: int, later_id: int) -> AuditComparison:
        """Hold two audits of versions of one tutor against each other.

        Raises:
            StoreRefused: There is no such audit.
        """
        audits = self._library.audits
        return compare_audits(
            self.records(earlier_id),
            self.records(later_id),
            (audits.runs(earlier_id), audits.runs(later_id)),
        )

    def latest_boards(self) -> tuple[AuditBoard, ...]:
        """Give the board of the latest finished audit of each tutor, to put them in order.

        Raises:
            Refused: There are fewer than `FEWEST_TUTORS`.
        """
        boards = latest_of_each(self._library.audits.audits(), self.board)
        if len(boards) < FEWEST_TUTORS:
            raise Refused(
                f"Ranks need {FEWEST_TUTORS} tutors with a finished audit; there are "
                f"{len(boards)}.",
                "Audit more tutors from the same items.",
            )
        return boards

    def case(self, audit_id: int, response_id: int) -> Case:
        """Give one response of an audit with all that is known of it."""
        return self.book(audit_id).open(response_id)

    def book(self, audit_id: int) -> CaseBook:
        """Give what opens the cases of an audit."""
        audits = self._library.audits
        plan = audits.audit(audit_id).plan
        return CaseBook(
            audits.bank(plan.bank),
            [seat.name for seat in plan.judges],
            audits.response,
            audits.scorings_of,
            self._experts(audit_id),
        )

    def _experts(self, audit_id: int) -> dict[int, ExpertWords]:
        return words_by_response(self._library.experts.scores_of_audit(audit_id))


def _unreviewed(audit: Audit, bank: Bank, reviews: Iterable[ItemReview]) -> int:
    asked = set(audit.plan.item_ids)
    standings = standings_of((i for i in bank.items if i.item_id in asked), reviews)
    return sum(not standing.is_kept for standing in standings)

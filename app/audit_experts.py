"""People beside the judges: drawn responses, scored blind and alone, then talked over."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from app.audit.bank import Bank
from app.audit.blind_scoring import to_score_blind
from app.audit.calibration import Calibration, calibrations_of
from app.audit.cells import request_of
from app.audit.checks_of_judges import JUDGED
from app.audit.drawing import draw_for_experts, passed_by_all
from app.audit.expert_records import (
    PER_AXIS,
    ExpertDraw,
    ExpertWords,
    experts_in,
    still_missing,
    words_by_response,
)
from app.audit.items import Axis, Item, Rubric
from app.audit.records import BoardRow, ExpertScore, Response
from app.errors import Refused
from app.running.questions import Status
from app.scoring.intervals import SEED
from app.scoring.own_order import in_own_order
from app.store.library import Library


@dataclass(frozen=True, slots=True)
class ScoringCard:
    """What an expert sees of a response: not whose it is, not what notice its writer was given,
    and nobody's score.
    """

    response_id: int
    rubric: Rubric
    scene: str
    request: str
    """As the tutor was given it; pressure stands in its words."""
    text: str


@dataclass(frozen=True, slots=True)
class AxisDraw:
    """What a draw would give experts of one axis."""

    axis: Axis
    able: int
    """Responses that could be drawn."""
    drawn: int
    not_passed: int
    """Of those drawn, the ones that a judge did not pass."""


@dataclass(frozen=True, slots=True)
class TalkedOver:
    """A response with what each expert gave it alone, and what they agreed on so far."""

    card: ScoringCard
    words: ExpertWords

    @property
    def apart(self) -> int:
        """How many points lie between the highest and the lowest of the experts."""
        scores = [one.score for one in self.words.own]
        return max(scores) - min(scores)


@dataclass(frozen=True, slots=True)
class DrawnFor:
    """How far one person has come with a draw."""

    draw: ExpertDraw
    cards: tuple[ScoringCard, ...]
    """In that person's own order."""
    own: Mapping[int, ExpertScore]
    """The person's latest score, by response."""
    is_closed: bool
    """Whether nothing said alone can change: the experts have begun to talk it over, or the person
    has seen what judges gave.
    """

    @property
    def left(self) -> tuple[ScoringCard, ...]:
        """What the person has still to score."""
        return tuple(card for card in self.cards if card.response_id not in self.own)


class AuditExperts:
    """Has experts score responses of audits in one library.

    Args:
        library: Where audits are kept.
    """

    def __init__(self, library: Library) -> None:
        self._library = library

    def able(self, audit_id: int) -> int:
        """Count the responses that could be drawn: those with a text that judges score, and that
        nobody scores already.
        """
        return len({row.response_id for row in self._able(audit_id, self._items(audit_id))})

    def plan_draw(
        self, audit_id: int, per_axis: int = PER_AXIS, seed: int = SEED
    ) -> tuple[AxisDraw, ...]:
        """Say what would be drawn; keeps nothing.

        Raises:
            Refused: As `draw`.
        """
        items, rows, drawn = self._drawn(audit_id, per_axis, seed)
        passed = passed_by_all(rows)
        axes = {row.response_id: items[row.place.item_id].axis for row in rows}
        found = []
        for axis in dict.fromkeys(axes.values()):
            chosen = [each for each in drawn if axes[each] is axis]
            able = sum(its is axis for its in axes.values())
            not_passed = sum(not passed[each] for each in chosen)
            found.append(AxisDraw(axis, able, len(chosen), not_passed))
        return tuple(found)

    def draw(self, audit_id: int, per_axis: int = PER_AXIS, seed: int = SEED) -> int:
        """Draw responses for experts and keep the draw; gives its number.

        Raises:
            Refused: There is nothing to draw from yet, or no judge has scored yet.
        """
        _, _, drawn = self._drawn(audit_id, per_axis, seed)
        return self._library.experts.add_draw(audit_id, drawn, per_axis=per_axis, seed=seed)

    def draws(self, audit_id: int) -> tuple[ExpertDraw, ...]:
        """Give the draws of an audit, oldest first; one that nobody had begun when others were
        drawn in its place is left out.
        """
        kept: list[ExpertDraw] = []
        later: set[int] = set()
        for draw in reversed(self._library.experts.draws(audit_id)):
            if later.isdisjoint(draw.response_ids):
                kept.append(draw)
            later.update(draw.response_ids)
        return tuple(reversed(kept))

    def to_score_blind(self, audit_id: int, author: str, *, is_blind: bool) -> frozenset[int]:
        """Give the responses whose scores a reviewer must not see yet."""
        said = words_by_response(self._library.experts.scores_of_audit(audit_id))
        draws = self.draws(audit_id)
        closed = [draw.draw_id for draw in draws if self.has_seen(draw, author.strip())]
        return to_score_blind(draws, said, author, closed, is_blind=is_blind)

    def drawn_for(self, draw: ExpertDraw, expert: str) -> DrawnFor:
        """Give what one person is to score, in an order of the person's own, and how far it is."""
        scores = self._library.experts.scores(draw.draw_id)
        own = {
            one.response_id: one
            for one in scores
            if not one.agreed and one.expert.casefold() == expert.casefold()
        }
        cards = in_own_order(self._cards(draw).values(), draw.draw_id, draw.seed, expert)
        is_closed = any(one.agreed for one in scores) or self.has_seen(draw, expert)
        return DrawnFor(draw, tuple(cards), own, is_closed)

    def score(
        self, draw: ExpertDraw, response_id: int, expert: str, score: int, note: str = ""
    ) -> None:
        """Keep what one person gives a response.

        Raises:
            Refused: The person has seen what judges gave; or as `ExpertScores.score` has it.
            StoreRefused: The draw has no such response.
        """
        if self.has_seen(draw, expert):
            raise Refused(
                f"The scores of {expert} are closed: {expert} has seen what judges gave.",
                "Talk it over with another expert.",
            )
        self._library.experts.score(draw.draw_id, response_id, expert, score, note)

    def has_seen(self, draw: ExpertDraw, expert: str) -> bool:
        """Say whether a person has chosen to see what judges gave the responses of a draw."""
        return expert.casefold() in self._seen_by(draw)

    def see_judges(self, draw: ExpertDraw, expert: str) -> None:
        """Let a person see what judges gave the responses of a draw, which closes the own scores.

        Raises:
            Refused: The person has not scored all of it.
            StoreRefused: It could not be kept.
        """
        left = len(self.drawn_for(draw, expert).left)
        if left:
            raise Refused(
                f"{expert} has {left} of {len(draw.response_ids)} responses to score.",
                "Score the rest first.",
            )
        seen = sorted({*self._seen_by(draw), expert.casefold()})
        self._library.set_setting(_seen_name(draw), json.dumps(seen, ensure_ascii=False))

    def experts(self, draw: ExpertDraw) -> dict[str, int]:
        """Name who scores a draw, each with how many responses are left."""
        scores = self._library.experts.scores(draw.draw_id)
        return {
            name: len(still_missing(draw.response_ids, scores, name)) for name in experts_in(scores)
        }

    def to_talk_over(self, draw: ExpertDraw) -> tuple[TalkedOver, ...]:
        """Give every response of a draw with what experts gave it, those furthest apart first.

        Raises:
            Refused: Fewer than two experts have scored all of it: who sees another's score before
                the own is given is not alone any more.
        """
        experts = self.experts(draw)
        if len(experts) < 2 or any(experts.values()):
            raise Refused(
                "The experts have not all scored everything alone yet.",
                "Talk it over once each has.",
            )
        words = words_by_response(self._library.experts.scores(draw.draw_id))
        found = [
            TalkedOver(card, words[response_id]) for response_id, card in self._cards(draw).items()
        ]
        return tuple(sorted(found, key=lambda one: -one.apart))

    def agree(self, draw: ExpertDraw, response_id: int, score: int, note: str = "") -> None:
        """Keep what the experts agreed on; see `ExpertScores.agree` for what it raises."""
        self._library.experts.agree(draw.draw_id, response_id, score, note)

    def calibrations(self, audit_id: int) -> tuple[Calibration, ...]:
        """Hold each judge of an audit against experts, beside the experts among themselves."""
        return calibrations_of(self._library, audit_id)

    def _seen_by(self, draw: ExpertDraw) -> list[str]:
        told = json.loads(self._library.setting(_seen_name(draw)) or "[]")
        return [str(name) for name in told]

    def _drawn(
        self, audit_id: int, per_axis: int, seed: int
    ) -> tuple[dict[str, Item], list[BoardRow], tuple[int, ...]]:
        items = self._items(audit_id)
        rows = self._able(audit_id, items)
        if not rows and self.draws(audit_id):
            raise Refused(
                "Every response that experts could score is drawn already.",
                "Go on with the draws that are there.",
            )
        if not rows:
            raise Refused(
                "The tutor has no response yet that experts could score.",
                "Have it answer attitude or skill items first.",
            )
        if not any(row.scores for row in rows):
            raise Refused(
                "No judge has scored yet, so that nobody knows which responses are worth a look.",
                "Have the judges score first: half of a draw are responses they did not pass.",
            )
        return items, rows, draw_for_experts(rows, items, per_axis=per_axis, seed=seed)

    def _able(self, audit_id: int, items: Mapping[str, Item]) -> list[BoardRow]:
        taken = self._begun(audit_id)
        return [
            row
            for row in self._library.audits.board_rows(audit_id)
            if row.status in (Status.OK, Status.RETRY_OK)
            and items[row.place.item_id].axis in JUDGED
            and row.response_id not in taken
        ]

    def _begun(self, audit_id: int) -> set[int]:
        """Give the responses of every draw that somebody has begun.

        No response is in two of them: each is scored once by each expert, and talked over once.
        """
        scored = {one.response_id for one in self._library.experts.scores_of_audit(audit_id)}
        draws = self.draws(audit_id)
        begun = (d.response_ids for d in draws if not scored.isdisjoint(d.response_ids))
        return scored.union(*begun)

    def _bank(self, audit_id: int) -> Bank:
        audits = self._library.audits
        return audits.bank(audits.audit(audit_id).plan.bank)

    def _items(self, audit_id: int) -> dict[str, Item]:
        return {item.item_id: item for item in self._bank(audit_id).items}

    def _cards(self, draw: ExpertDraw) -> dict[int, ScoringCard]:
        bank = self._bank(draw.audit_id)
        items = {item.item_id: item for item in bank.items}
        found = (self._library.audits.response(each) for each in draw.response_ids)
        return {one.response_id: _card(one, items, bank) for one in found}


def _seen_name(draw: ExpertDraw) -> str:
    return f"experts who have seen the judges: {draw.draw_id}"


def _card(response: Response, items: Mapping[str, Item], bank: Bank) -> ScoringCard:
    place = response.place
    item = items[place.item_id]
    request = request_of(item, place.condition)
    rubric = bank.rubrics[item.group]
    return ScoringCard(response.response_id, rubric, item.scene, request, response.text)

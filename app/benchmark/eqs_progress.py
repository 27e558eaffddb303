"""Where the rating of a draw stands: who rates, what is left, what may be shown by now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.benchmark.eqs_records import EqsDraw, GivenRating, Opened
from app.coding.people_names import same_person
from app.store.eqs import RATERS
from app.store.library import Library


@dataclass(frozen=True, slots=True)
class EqsProgress:
    """One draw with its ratings so far."""

    draw: EqsDraw
    raters: tuple[str, ...]
    """In order of first rating; two at most."""
    own: Mapping[str, Mapping[int, GivenRating]]
    """By rater and output: the latest word of each, before discussion."""
    agreed: Mapping[int, GivenRating]
    """By output."""
    opened: Opened | None
    """`None` while nobody has looked at the models' names."""

    def rated_by(self, name: str) -> Mapping[int, GivenRating]:
        """Give what one person rated, by output."""
        return self.own.get(same_person(name, tuple(self.own)), {})

    def may_rate(self, name: str) -> bool:
        """Say whether a person is one of the two raters, or may become one."""
        return bool(same_person(name, self.raters)) or len(self.raters) < RATERS

    @property
    def is_rated(self) -> bool:
        """Whether two people have rated every output."""
        wanted = len(self.draw.outputs)
        return len(self.raters) == RATERS and all(len(o) == wanted for o in self.own.values())

    @property
    def is_closed(self) -> bool:
        """Whether ratings made alone can no longer be changed."""
        return bool(self.agreed) or self.opened is not None

    @property
    def differing(self) -> tuple[int, ...]:
        """Outputs that both rated, and not alike, in the order of the draw."""
        if len(self.raters) < RATERS:
            return ()
        one, other = (self.own[name] for name in self.raters)
        return tuple(
            o.prediction_id
            for o in self.draw.outputs
            if o.prediction_id in one
            and o.prediction_id in other
            and one[o.prediction_id].scores != other[o.prediction_id].scores
        )

    @property
    def to_agree(self) -> tuple[int, ...]:
        """Outputs on which the two differ and have not agreed yet."""
        return tuple(output for output in self.differing if output not in self.agreed)


def progress_of(library: Library, draw_id: int) -> EqsProgress:
    """Read where a draw stands.

    Raises:
        StoreRefused: There is no such draw.
    """
    raters = library.ratings.raters(draw_id)
    own: dict[str, dict[int, GivenRating]] = {name: {} for name in raters}
    for one in library.ratings.own(draw_id):
        own[one.rater][one.prediction_id] = one
    agreed = {one.prediction_id: one for one in library.ratings.agreed(draw_id)}
    draw = library.ratings.draw(draw_id)
    return EqsProgress(draw, raters, own, agreed, library.ratings.opened(draw_id))


def open_results(library: Library, progress: EqsProgress, by: str) -> None:
    """Note that the models' names come into view; from then on nobody rates this draw blind."""
    library.ratings.open_names(progress.draw.draw_id, by, len(progress.to_agree))

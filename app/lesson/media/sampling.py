"""Which moments of a clip are looked at."""

from __future__ import annotations

from fractions import Fraction

from app.lesson.spans import Span


def sample_times(span: Span, per_second: float, cap: int | None = None) -> tuple[int, ...]:
    """Give the moments at which a stretch is looked at, from its start on, on the media's clock.

    At a steady rate; when that makes more than `cap`, then `cap` moments at equal steps over the
    whole stretch (protocols, part 1: one a second, and 30 spread evenly when that is more than 30).

    Args:
        span: The stretch.
        per_second: Moments a second; above zero; 1/30 looks every half minute.
        cap: Most moments wanted; at least 1, or None for no limit.

    Returns:
        Milliseconds, rounded half up, rising, all inside `span`; at least one.

    Raises:
        ValueError: `per_second` or `cap` is not above zero.
    """
    if not per_second > 0 or (cap is not None and cap < 1):
        raise ValueError(f"cannot take {per_second} moments a second, {cap} at most")
    # Whole rates and 1/30 are meant exactly; a float is the nearest it could be written down.
    step = 1000 / Fraction(per_second).limit_denominator(1_000_000)
    count = -(-span.duration_ms // step)
    if cap is not None and count > cap:
        count, step = cap, Fraction(span.duration_ms, cap)
    up, down = step.numerator, step.denominator
    steps = ((2 * number * up + down) // (2 * down) for number in range(int(count)))
    return tuple(dict.fromkeys(span.start_ms + ms for ms in steps if ms < span.duration_ms))

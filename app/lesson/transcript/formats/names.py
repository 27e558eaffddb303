"""Who is speaking, where a file hides the name in front of the words.

A colon alone does not make a name: "10:30 Meeting: ...", "Here's the key: ..." and "Note: ..."
are speech. A label counts as a name when it looks like one and the file as a whole bears it
out: it names a part in a lesson, comes back, or most lines carry such labels.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.lesson.transcript.formats.drafts import Draft

_LABEL = re.compile(r"\s*(?:>>+\s*|-\s+)?(?P<name>[^\s:<>\[\]][^:<>\[\]\n]{0,59}?)\s?:(?:\s+|$)")
_BRACKET = re.compile(r"\s*(?:>>+\s*)?\[(?P<name>[^\[\]\n:]{1,60})\]\s*:?\s+(?=\S)")
_TURN_MARK = re.compile(r"\s*>>+\s*")
_NAME_TOKEN = re.compile(
    r"[^\W\d_](?:[\w’'/-]*\w)?\.?|\d{1,3}|&|#\d{1,3}|[\(][^()]{1,30}[\)]|\(?\d{1,3}\)?", re.UNICODE
)
_CODE = re.compile(r"(?:[TSRCI]|SN|SS|ST|TA|Tch|Stu|Sts)\d{0,2}(?:/[TSR]\d{0,2})?")
_PART = re.compile(
    r"(?:speaker|teacher|tutor|student|pupil|learner|child|instructor|coach|researcher|"
    r"interviewer|interviewee|observer|class|narrator|lehrer(?:in)?|schüler(?:in)?|"
    r"professeure?|élève|profesora?|maestr[ao]|alumn[ao]|unknown speaker|all|both)s?",
    re.IGNORECASE,
)
_TITLE = re.compile(r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir|Madam|Frau|Herr|Mme|M)\.?")
_PARTICLES = frozenset("de da di du del der den van von la le el al bin ibn and und et y e".split())
_NOT_NAMES = frozenset(
    "note notes remember example examples question questions answer answers warning today homework "
    "step task problem problems hint tip rule part page pages exercise activity objective goal "
    "first second third next then now so okay ok well yes no right but and or because if what why "
    "how when where who which title date time duration subject topic grade lesson transcript "
    "meeting http https www file kind language style source url ps fact definition "
    "conclusion summary figure fig table chapter section total sum".split()
)


@dataclass(frozen=True, slots=True)
class Names:
    """The labels that one file uses as names."""

    known: frozenset[str]

    def split(self, line: str) -> tuple[str | None, str]:
        """Take the name off the front of a line.

        Returns:
            The name and the rest. `None` when the line carries no name; an empty name when it
            only marks that somebody else speaks (`>>`).
        """
        label, rest = _label(line)
        if label is not None and tidy_name(label) in self.known:
            return tidy_name(label), rest
        mark = _TURN_MARK.match(line)
        return ("", line[mark.end() :]) if mark else (None, line)


def find_names(lines: Iterable[str]) -> Names:
    """Look over all lines of a file and settle which labels are names."""
    labels = Counter(_label(line)[0] for line in lines if line.strip())
    counts: Counter[str] = Counter()
    plain = 0
    for label, count in labels.items():
        name = tidy_name(label or "")
        if name and _looks_like_name(name):
            counts[name] += count
        else:
            plain += count
    labelled = counts.total()
    mostly = labelled >= 2 and labelled >= plain
    known = {name for name, count in counts.items() if mostly or count > 1 or names_part(name)}
    return Names(frozenset(known))


def tidy_name(name: str) -> str:
    """Give a name with single spaces and without the colon or brackets around it."""
    name = " ".join(name.split()).strip(" :")
    is_bracketed = name.startswith("[") and name.find("]") == len(name) - 1
    return name[1:-1].strip(" :") if is_bracketed else name


def names_part(name: str) -> bool:
    """Say whether a name tells somebody's part in a lesson: `T`, `Student 2`, `Ms Okoro`."""
    first = name.split()[0] if name.split() else ""
    whole = _CODE.fullmatch(name) is not None or _PART.fullmatch(first) is not None
    return whole or (_TITLE.fullmatch(first) is not None and len(name.split()) > 1)


def name_lines(drafts: Sequence[Draft], *, thing: str) -> tuple[list[Draft], list[str]]:
    """Find names inside the text of captions that have none yet.

    A caption in which several people speak is split, and every part keeps the times of the
    whole caption, since the file gives no others.

    Args:
        drafts: Captions in order.
        thing: What a line is called in the note.

    Returns:
        The lines with their speakers, and notes.
    """
    open_lines = [line for d in drafts if not d.speaker for line in d.text.split("\n")]
    names = find_names(open_lines)
    named: list[Draft] = []
    shared = 0
    for draft in drafts:
        parts = [draft] if draft.speaker else _split_turns(draft, names)
        shared += len(parts) > 1
        named.extend(parts)
    if not shared:
        return named, []
    whole = f"1 {thing} holds" if shared == 1 else f"{shared} {thing}s hold"
    return named, [f"{whole} more than one speaker; each part has the times of the whole {thing}."]


def _split_turns(draft: Draft, names: Names) -> list[Draft]:
    parts: list[tuple[str, list[str]]] = []
    for line in draft.text.split("\n"):
        name, rest = names.split(line)
        if name is None and parts:
            parts[-1][1].append(rest)
        else:
            parts.append((name or "", [rest]))
    if len(parts) == 1:
        draft.speaker, draft.text = parts[0][0], "\n".join(parts[0][1])
        return [draft]
    return [
        Draft("\n".join(lines), draft.start_ms, draft.end_ms, name, flags=list(draft.flags))
        for name, lines in parts
        if "".join(lines).strip()
    ]


def _label(line: str) -> tuple[str | None, str]:
    match = _LABEL.match(line) or _BRACKET.match(line)
    return (None, line) if match is None else (match["name"], line[match.end() :])


def _looks_like_name(name: str) -> bool:
    tokens = name.split()
    if not 1 <= len(tokens) <= 6 or tokens[0].lower().strip(".,") in _NOT_NAMES:
        return False
    words = [token.strip(",") for token in _without_brackets(name).split()]
    if not words or not all(_NAME_TOKEN.fullmatch(w) for w in words) or words[0][0].isdigit():
        return False
    return all(_is_capital(word) or word.lower() in _PARTICLES for word in words) or (
        names_part(name) and len(words) <= 3
    )


def _without_brackets(name: str) -> str:
    return re.sub(r"\([^()]*\)", " ", name)


def _is_capital(word: str) -> bool:
    """Upper case, a number, or a letter of a script that knows no case."""
    return not word[0].isalpha() or word[0].isupper() or not word[0].islower()

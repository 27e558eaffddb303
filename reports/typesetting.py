"""Set a page with typst: data goes in as JSON beside the template, never into its source."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typst

from app.errors import ReportRefused
from reports.fonts import MARK, Fonts, choose_fonts, name_scripts, own_font_files
from reports.wording import count, listed

Page = dict[str, Any]

_LONG_WORD = re.compile(r"[!-~]{50,}")
_PIECE = re.compile(r".{1,16}")
_BREAK = "\u200b"
_PIXELS_PER_INCH = 200.0


def set_page(template: Path, page: Page, files: Mapping[str, bytes | Path], made_at: str) -> bytes:
    """Set a page as tagged PDF/UA-1.

    Args:
        template: A typst file that reads `page.json` and `fonts.json` beside it.
        page: What it prints; words a person wrote stay data.
        files: Pictures and figures by the name under which `page` refers to them.
        made_at: ISO 8601; the PDF's own date.

    Returns:
        The PDF. Signs that no font here can draw are marked in it, and it says so.

    Raises:
        ReportRefused: The page cannot be set, or there is no room for the work.
    """
    return _set(template, page, files, made_at, png=False)


def set_picture(
    template: Path, page: Page, files: Mapping[str, bytes | Path], made_at: str
) -> bytes:
    """Set one page as a PNG, for slides and letters; arguments and errors as for `set_page`."""
    return _set(template, page, files, made_at, png=True)


def _set(
    template: Path, page: Page, files: Mapping[str, bytes | Path], made_at: str, *, png: bool
) -> bytes:
    fonts = choose_fonts(_texts(page))
    with tempfile.TemporaryDirectory(prefix="clerestory-page-") as made:
        root = Path(made)
        try:
            _lay_out(root, template, files)
            try:
                return _compile(root, page, fonts, made_at, png)
            except typst.TypstError:
                # A font of this computer may promise signs that it then cannot draw.
                own = choose_fonts(_texts(page), ask_system=False)
                return _compile(root, page, own, made_at, png)
        except typst.TypstError as error:
            raise ReportRefused(
                f"The page could not be set: {error.message}.",
                "This is a fault of the program; please report it with this sentence.",
            ) from error
        except OSError as error:
            raise ReportRefused(
                f"The page could not be set: {error.strerror or error}.",
                "Free some space on the disk for temporary files.",
            ) from error


def marked(page: Any, fonts: Fonts) -> Any:
    """Give a copy of a page's data in which signs that cannot be drawn are marked.

    Hashes and addresses, which have no place to break, get one every few signs.
    """
    if isinstance(page, str):
        return _LONG_WORD.sub(lambda w: _BREAK.join(_PIECE.findall(w.group())), fonts.mark(page))
    if isinstance(page, dict):
        return {key: marked(value, fonts) for key, value in page.items()}
    if isinstance(page, list | tuple):
        return [marked(value, fonts) for value in page]
    return page


def _lay_out(root: Path, template: Path, files: Mapping[str, bytes | Path]) -> None:
    shutil.copyfile(template, root / "main.typ")
    (root / "fonts").mkdir()
    for font in own_font_files():
        shutil.copyfile(font, root / "fonts" / font.name)
    for name, data in files.items():
        if isinstance(data, Path):
            shutil.copyfile(data, root / name)
        else:
            (root / name).write_bytes(data)


def _compile(root: Path, page: Page, fonts: Fonts, made_at: str, png: bool) -> bytes:
    text = json.dumps(marked(page, fonts), ensure_ascii=False)
    (root / "page.json").write_text(text, encoding="utf-8")
    about = {"families": fonts.families, "missing": _missing(fonts)}
    (root / "fonts.json").write_text(json.dumps(about), encoding="utf-8")
    found = typst.Fonts(
        include_system_fonts=fonts.uses_system,
        include_embedded_fonts=True,
        font_paths=[str(root / "fonts")],
    )
    compiler = typst.Compiler(input=str(root / "main.typ"), root=str(root), font_paths=found)
    if png:
        made = compiler.compile(format="png", ppi=_PIXELS_PER_INCH)
    else:
        made = compiler.compile(format="pdf", pdf_standards=["ua-1"], timestamp=_timestamp(made_at))
    if not isinstance(made, bytes):
        raise TypeError(f"typst gave {type(made).__name__} for one file")
    return made


def _missing(fonts: Fonts) -> str:
    if not fonts.missing:
        return ""
    names = listed([name.capitalize() for name in name_scripts(fonts.missing)[:5]])
    return (
        f"{count(len(fonts.missing), 'different sign')} ({names}) cannot be drawn with the fonts "
        f"on this computer; {MARK} stands in the place of each. The whole wording is in the tables "
        "beside this page."
    )


def _timestamp(made_at: str) -> datetime | None:
    try:
        when = datetime.fromisoformat(made_at)
    except ValueError:
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def _texts(page: Any) -> Iterator[str]:
    if isinstance(page, str):
        yield page
    elif isinstance(page, dict):
        for value in page.values():
            yield from _texts(value)
    elif isinstance(page, list | tuple):
        for value in page:
            yield from _texts(value)

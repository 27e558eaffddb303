"""Zip packages and the faults of the libraries that read them."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from defusedxml.common import DefusedXmlException

from app.errors import TranscriptRefused

MOST_UNPACKED = 512 * 1024 * 1024
"""Bytes that a package may unpack to; a day's transcript unpacks to a few million."""

PACKAGE_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    SyntaxError,
    DefusedXmlException,
    EOFError,
    OSError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RuntimeError,
)
"""What openpyxl, python-docx and zipfile let through on a damaged file; they wrap nothing.

Faults in XML, lxml's and the standard library's, are kinds of `SyntaxError`. A locked package is a
`RuntimeError` to zipfile, and one packed in a way it does not know is that kind of it which stands
for what is not written (`NotImplementedError`). The others come from numbers, names and parts that
a damaged file holds wrongly or lacks.
"""


def open_package(data: bytes, name: str) -> zipfile.ZipFile:
    """Open a zip package that is not too large to unpack.

    Raises:
        TranscriptRefused: It is damaged, locked, or unpacks to something huge.
    """
    try:
        package = zipfile.ZipFile(io.BytesIO(data))
        infos = package.infolist()
    except PACKAGE_FAULTS as error:
        raise damaged(name) from error
    if sum(info.file_size for info in infos) > MOST_UNPACKED:
        raise TranscriptRefused(
            f"{name} unpacks to far more than a transcript holds.",
            "Remove pictures and other attachments from it and import it again.",
        )
    return package


def damaged(name: str) -> TranscriptRefused:
    """Make the refusal of a package that cannot be read."""
    return TranscriptRefused(
        f"{name} is damaged and cannot be read.",
        "Copy it again, or open it where it was made and save it anew.",
    )

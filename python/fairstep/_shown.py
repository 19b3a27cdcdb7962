"""Text of somebody else's on a page or in a picture: what would begin a line or turn the reading order is written out.

The twin of the library's `core/shown_text.hpp`; `repr` of Python's own texts does the same.
"""

from __future__ import annotations

import html
import re

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def shown_text(text: str) -> str:
    """`\\x1b` and `\\u202e` written out; line breaks and tabs stay, since a page takes them for spaces."""
    return _UNSEEN.sub(lambda found: ascii(found.group())[1:-1], text)


def escape(text: str) -> str:
    """For HTML."""
    return html.escape(shown_text(text))


def label(name: str, most: int = 40) -> str:
    """For a picture: not too long, no formula between dollars, and no underscore in front, which would hide it."""
    text = shown_text(name)
    text = text if len(text) <= most else text[: most - 1] + "\u2026"
    return ("\u200a" if text.startswith("_") else "") + text.replace("$", r"\$")

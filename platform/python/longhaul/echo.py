# SPDX-License-Identifier: Apache-2.0
"""A user's text in a message: little of it, on one line."""

import re

MOST_WORD = 240  # characters; a path has as many
KEPT = 60  # of a longer word
MOST = 1500  # of a message


def one_line(text: str) -> str:
    """Return a message as one line that a terminal shows as it stands."""
    text = " ".join(text.splitlines())
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    text = re.sub(rf"\S{{{MOST_WORD + 1},}}", lambda word: f"{word[0][:KEPT]}...", text)
    return text if len(text) <= MOST else f"{text[:MOST]}..."

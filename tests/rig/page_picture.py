# SPDX-License-Identifier: Apache-2.0
"""A picture of a page of HTML, without a screen. Wants wkhtmltoimage and ImageMagick."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

WIDTH = 1000  # pixels
COLOURS = 64  # make a small file


def draw(page: Path, target: Path, height: int) -> None:
    """Draw the top of a page into a PNG file; `height` is in pixels."""
    words = ["wkhtmltoimage", "--quiet", "--width", str(WIDTH), "--crop-h", str(height)]
    subprocess.run(
        [*words, str(page), str(target)],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        check=True,
    )
    subprocess.run(["mogrify", "+dither", "-colors", str(COLOURS), str(target)], check=True)

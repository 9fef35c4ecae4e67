# SPDX-License-Identifier: Apache-2.0
"""A picture of a page as a browser of today shows it, scripts and all.

It wants Chromium and ImageMagick, which `./longhaul test` installs.

`python -m rig.browser_picture out/first/report.html docs/images/report-first.png 1000 730` draws
the top of a page: width and height in pixels; `dark` behind them for a dark screen.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
COLOURS = 64  # make a small file
SETTLED_MS = 5000  # of the page's own time, in which its scripts have drawn


def program() -> str | None:
    """Return the browser, None if there is none."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


def draw(page: str, target: Path, size: tuple[int, int], *, dark: bool = False) -> None:
    """Draw a page of the given address or file into a PNG file."""
    browser = program()
    if browser is None or shutil.which("mogrify") is None:
        raise SystemExit("wants Chromium and ImageMagick: apt-get install chromium imagemagick")
    address = page if ":" in page else Path(page).resolve().as_uri()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        words = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        words += [f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}"]
        words += [f"--virtual-time-budget={SETTLED_MS}"]
        words += [f"--blink-settings=preferredColorScheme={0 if dark else 1}"]
        subprocess.run(
            [*words, f"--screenshot={target}", address],
            capture_output=True,
            check=True,
            timeout=120,
        )
    subprocess.run(["mogrify", "+dither", "-colors", str(COLOURS), str(target)], check=True)


def main(page: str, target: str, width: str, height: str, *words: str) -> None:
    """Draw one page."""
    draw(page, Path(target), (int(width), int(height)), dark="dark" in words)


if __name__ == "__main__":
    main(*sys.argv[1:])

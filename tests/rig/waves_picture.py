# SPDX-License-Identifier: Apache-2.0
"""The pictures of waves in documents: GTKWave on a run's files, on a screen that nobody sees.

`python -m rig.waves_picture out/hunt docs/images/waves-retransmit.png [from_ps until_ps]` draws the
layout as it opens, or that stretch of it. Wants Xvfb, GTKWave and ImageMagick's import.
"""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

SCREEN = "1600x900x24"
HEAD_PIXELS, ROW_PIXELS = 145, 23
TRACE_PIXELS, ZOOM_PIXELS = 1150, 200  # platform/observe/wave_layout.cc
# GTKWave does not say when it has drawn. A window without rows is grey; rows, names and the marker
# have colours of their own.
LEAST_COLOURS = 8
PATIENCE_S = 120
# Flags; label and name as GTKWave reads them; the name.
_ROW = re.compile(r"^(@\w+)\n((?:\+\{[^}]*\} )?([\w.]+)(?:\[\d+:\d+\])?)$", re.MULTILINE)


@contextmanager
def screen() -> Generator[str]:
    """Yield the name of a virtual display."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp"],
        pass_fds=(write,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as told:
        number = told.readline().strip()
    try:
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


def shoot(display: str, target: Path, rows: int | None = None) -> None:
    """Save the whole screen, or its top with so many rows."""
    words = ["import", "-display", display, "-window", "root"]
    if rows:
        height = HEAD_PIXELS + ROW_PIXELS * (rows + 1)
        words += ["-crop", f"{SCREEN.split('x')[0]}x{height}+0+0", "+repage"]
    subprocess.run([*words, str(target)], capture_output=True, check=True)


def colours(display: str) -> set[str]:
    """Return the colours on the screen, a quarter as wide and as high."""
    words = ["import", "-display", display, "-window", "root", "-resize", "25%", "txt:-"]
    shot = subprocess.run(words, capture_output=True, text=True, check=False)
    return set(re.findall(r"#\w+", shot.stdout))


def wait_until_drawn(display: str, viewer: subprocess.Popen[bytes]) -> None:
    """Return when rows stand on the screen and have stopped changing; SystemExit if none come."""
    deadline = time.monotonic() + PATIENCE_S
    before = set[str]()
    while time.monotonic() < deadline and viewer.poll() is None:
        time.sleep(1)
        now = colours(display)
        if now == before and len(now) >= LEAST_COLOURS:
            return
        before = now
    raise SystemExit("gtkwave did not draw")


def stretch(layout: str, begin_ps: int, end_ps: int) -> str:
    """Return a layout that opens at this stretch of time."""
    zoom = -math.log2((end_ps - begin_ps) * ZOOM_PIXELS / TRACE_PIXELS)
    text = re.sub(r"^\[timestart\] .*$", f"[timestart] {begin_ps}", layout, flags=re.MULTILINE)
    return re.sub(r"^\*-?[\d.]+ ", f"*{zoom:.6f} ", text, flags=re.MULTILINE)


def only(layout: str, rows: Sequence[str]) -> str:
    """Return a layout of these rows alone, as the layout has them, in this order."""
    entries = _ROW.findall(layout)
    shown = {name: f"{flags}\n{line}\n" for flags, line, name in reversed(entries)}
    return layout.partition("@")[0] + "".join(shown[name] for name in rows)


def draw(
    run: Path,
    target: Path,
    window: tuple[int, int] | None = None,
    rows: Sequence[str] | None = None,
) -> None:
    """Draw a run's layout into a PNG file: all of it, or only some rows."""
    layout = (run / "waves.gtkw").read_text()
    if rows:
        layout = only(layout, rows)
    if window:
        layout = stretch(layout, *window)
    with screen() as display, tempfile.TemporaryDirectory() as folder:
        save = Path(folder) / "waves.gtkw"
        save.write_text(layout)
        viewer = subprocess.Popen(
            ["gtkwave", str((run / "waves.fst").resolve()), str(save)],
            env=os.environ | {"DISPLAY": display},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until_drawn(display, viewer)
            shoot(display, target, len(rows or ()))
        finally:
            viewer.kill()
            viewer.wait()


if __name__ == "__main__":
    _, from_run, to_file, *times = sys.argv
    draw(Path(from_run), Path(to_file), (int(times[0]), int(times[1])) if times else None)

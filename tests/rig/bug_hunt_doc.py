# SPDX-License-Identifier: Apache-2.0
"""docs/tutorial_bug_hunt.md as something that can be run: commands, picture, table.

`python -m rig.bug_hunt_doc FOLDER` types the commands in an empty folder, prints what each says,
makes the picture and writes the table again.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from longhaul.packets.file import Packets, Stage, Step
from longhaul.paths import ROOT

from rig import waves_picture
from rig.fst import Waves
from rig.tutorial_doc import HOME, commands_in
from rig.typed import Shell

DOCUMENT = ROOT / "docs" / "tutorial_bug_hunt.md"
PICTURE = DOCUMENT.parent / "images" / "bug-hunt.png"
RUN = "out/bug"
SUMS = "sender.eth0.rtl.u_core.u_tx.u_engine.u_checksum."
PARTS = ("l4_rest_q", "l4_field_q", "ip_end_q.length")
ROWS = (
    "sender.pcix.transaction",
    "sender.eth0.tx.packet",
    "sender.eth0.tx.buffer",
    "link.sender_link.from_sender_eth0",
    f"{SUMS}ip_valid_q",
    *(f"{SUMS}{part}" for part in PARTS),
    f"{SUMS}l4_value",
)
PACKET = 12
MARGIN = 100_000  # ps, at both ends of the picture
_TABLE = re.compile(
    r"^<!-- bug-hunt: tests/rig/bug_hunt_doc.py -->\n(?P<rows>.*?)^<!-- end -->$",
    re.MULTILINE | re.DOTALL,
)


def told() -> str:
    """Return the table as the document has it."""
    (found,) = _TABLE.finditer(DOCUMENT.read_text())
    return found["rows"]


def ones_sum(values: list[int]) -> int:
    """Return the sum of 16-bit numbers in ones' complement (RFC 1071)."""
    total = sum(values)
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def life(run: Path) -> list[Step]:
    """Return the packet's steps in the sender's NIC, from its doorbell to its last bit."""
    steps = Packets.read(run).steps(PACKET)
    (rung,) = (
        step.start_ps
        for step in steps
        if (step.stage, step.place) == (Stage.DOORBELL, "sender.eth0.bus")
    )
    (sent,) = (step.end_ps for step in steps if step.place == "link.sender_link.from_sender_eth0")
    own = (step for step in steps if step.place.startswith(("sender.eth0.", "link.sender_link.")))
    return [step for step in own if rung <= step.start_ps < sent]


def shown(run: Path) -> tuple[int, int]:
    """Return the picture's two ends, ps: all of the packet's life, and a margin."""
    steps = life(run)
    return min(step.start_ps for step in steps) - MARGIN, max(s.end_ps for s in steps) + MARGIN


def table(run: Path) -> str:
    """Return the sums of each frame that gets one in the picture."""
    waves = Waves(run)
    begin, end = shown(run)
    valid = waves.row(f"{SUMS}ip_valid_q")
    names = [f"`{name}`" for name in (*PARTS, "l4_value")]
    lines = [["clock, us", *names, "right"], ["---:"] * (len(names) + 2)]
    for ps, value in valid.changes:
        if value != 1 or not begin < ps < end:
            continue
        parts = [waves.row(f"{SUMS}{part}").number(ps) for part in PARTS]
        made = waves.row(f"{SUMS}l4_value").number(ps)
        right = 0xFFFF ^ ones_sum(parts)
        lines.append([f"{ps / 1e6:.4f}", *(f"{each:04X}" for each in (*parts, made, right))])
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def main(folder: Path) -> None:
    """Run all; show what differs."""
    shell = Shell(folder, HOME)
    for command in commands_in(DOCUMENT):
        said = shell.run(command.line)
        print(f"$ {command.line}\n{said}")
        if wrong := command.differs(said):
            print(f"THE DOCUMENT HAS: {wrong}")
    run = folder / RUN
    text = DOCUMENT.read_text()
    (found,) = _TABLE.finditer(text)
    begin, end = found.span("rows")
    DOCUMENT.write_text(text[:begin] + table(run) + text[end:])
    waves_picture.draw(run, PICTURE, shown(run), ROWS)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())

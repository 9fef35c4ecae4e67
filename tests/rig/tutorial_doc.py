# SPDX-License-Identifier: Apache-2.0
"""docs/tutorial.md as something that can be run: its commands in their order, in one folder.

`python -m rig.tutorial_doc FOLDER` runs them in an empty folder, prints what each says, makes the
pictures and writes the tables again.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from longhaul.paths import ROOT

from rig import page_picture, waves_picture
from rig.fst import Waves
from rig.typed import Shell

DOCUMENT = ROOT / "docs" / "tutorial.md"
IMAGES = DOCUMENT.parent / "images"
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OMITTED = "..."
HOME = "/home/me"  # of the reader, in the document
_PARTS = re.compile(
    r"^```console\n(?P<typed>.*?)^```$"
    r"|^!\[[^]]*\]\(images/(?P<image>[\w-]+)\.png\)$"
    r"|^<!-- (?P<table>[\w-]+): tests/rig/tutorial_doc.py -->\n(?P<rows>.*?)^<!-- end -->$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Command:
    """A command, and its output in the document, in which `...` stands for what is left out."""

    line: str
    output: str

    def differs(self, said: str) -> str:
        """Return the first words of the document that the command did not say; empty if none.

        Breaks of lines and columns do not count.
        """
        said, begin = words(said), 0
        for part in words(self.output).split(OMITTED):
            found = said.find(part.strip(), begin)
            if found < 0:
                return part.strip()
            begin = found + len(part.strip())
        return ""


@dataclass(frozen=True)
class View:
    """Rows of a run's waves: a picture from one time to another, and a table of some clocks.

    Times are in picoseconds. `edge` is the table's last rising edge of the clock.
    """

    run: str
    rows: tuple[str, ...]
    edge: int
    clocks: int
    picture: tuple[int, int]

    @property
    def edges(self) -> list[int]:
        """Return the rising edges of the table, the last one being `edge`."""
        return [self.edge - CLOCK * back for back in reversed(range(self.clocks))]


CLOCK = 8000  # picoseconds
DMA = "own.eth0.rtl.u_rx_dma."
MAC = "own.eth0.rtl.u_tx_mac."
VIEWS = {
    "tutorial-last": View(
        "out/last.partial",
        (
            "own.eth0.violation",
            "own.eth0.last_violation",
            "own.eth0.rtl.clk",
            "own.eth0.rtl.m_axi_awaddr",
            "own.eth0.rtl.m_axi_awlen",
            "own.eth0.rtl.m_axi_wdata",
            "own.eth0.rtl.m_axi_wvalid",
            "own.eth0.rtl.m_axi_wlast",
            f"{DMA}beats",
            f"{DMA}beat_q",
            f"{DMA}beat_o.last",
        ),
        edge=1_061_297_112_000,
        clocks=3,
        picture=(1_061_297_036_000, 1_061_297_156_000),
    ),
    "tutorial-fcs": View(
        "out/echo5.partial",
        (
            "switch.p0.mac.lost",
            "switch.p0.mac.last_lost",
            "link.line.from_own_eth0",
            "own.eth0.rtl.clk",
            f"{MAC}state_q",
            f"{MAC}lane",
            f"{MAC}word_ends",
            f"{MAC}txd_d",
            f"{MAC}into_crc",
            f"{MAC}crc_q",
        ),
        edge=1_487_080_768_000,
        clocks=5,
        picture=(1_487_080_660_000, 1_487_081_000_000),
    ),
}
PAGES = {"tutorial-page": "out/validate-mynic/report.html"}


def words(text: str) -> str:
    """Return a text with one space between its words."""
    return " ".join(text.split())


def commands(typed: str) -> Iterator[Command]:
    """Yield the commands of a block; each begins with `$`, and may go on after a backslash."""
    typed = re.sub(r" *\\\n *", " ", typed)
    for each in re.split(r"^\$ ", typed, flags=re.MULTILINE)[1:]:
        line, _, output = each.partition("\n")
        yield Command(line, output)


def commands_in(document: Path) -> list[Command]:
    """Return the commands in a document's console blocks."""
    blocks = _CONSOLE.findall(document.read_text())
    return [each for block in blocks for each in commands(block)]


def parts() -> Iterator[Command | str]:
    """Yield the document's commands and the names of its pictures and tables, in their order."""
    for match in _PARTS.finditer(DOCUMENT.read_text()):
        if match["typed"]:
            yield from commands(match["typed"])
        else:
            yield match["image"] or f"table {match['table']}"


def block(name: str) -> re.Match[str]:
    """Return where a table stands in the document."""
    (found,) = (m for m in _PARTS.finditer(DOCUMENT.read_text()) if m["table"] == name)
    return found


def table(view: View, folder: Path) -> str:
    """Return a view's table: of the RTL's insides and of WLAST the values ahead of each edge."""
    waves = Waves(folder / view.run)
    rows = [name for name in view.rows if ".rtl.u_" in name or ".m_axi_wlast" in name]
    names = [f"`{re.sub(r'.*[.]rtl[.](u_[a-z_]+[.])?', '', name)}`" for name in rows]
    lines = [["clock edge, ms", *names], ["---:"] * (len(names) + 1)]
    for edge in view.edges:
        values = [f"{waves.row(name).number(edge - 1):X}" for name in rows]
        lines.append([f"{edge / 1e9:.6f}", *values])
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def draw(name: str, folder: Path) -> None:
    """Make a picture again."""
    target = IMAGES / f"{name}.png"
    if name in PAGES:
        page_picture.draw(folder / PAGES[name], target, height=725)
    else:
        view = VIEWS[name]
        waves_picture.draw(folder / view.run, target, view.picture, view.rows)


def fill(name: str, folder: Path) -> None:
    """Write a table again."""
    text, (begin, end) = DOCUMENT.read_text(), block(name).span("rows")
    DOCUMENT.write_text(text[:begin] + table(VIEWS[name], folder) + text[end:])


def main(folder: Path) -> None:
    """Run all; show what differs."""
    shell = Shell(folder, HOME)
    for part in list(parts()):
        if isinstance(part, Command):
            said = shell.run(part.line)
            print(f"$ {part.line}\n{said}")
            if wrong := part.differs(said):
                print(f"THE DOCUMENT HAS: {wrong}")
        elif part.startswith("table "):
            fill(part.removeprefix("table "), shell.folder)
        else:
            draw(part, shell.folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())

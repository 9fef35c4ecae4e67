# SPDX-License-Identifier: Apache-2.0
"""docs/images/architecture.svg: what a run consists of.

`python -m rig.architecture_picture` draws it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from longhaul.paths import ROOT

PICTURE = ROOT / "docs" / "images" / "architecture.svg"
WIDTH, HEIGHT = 960, 470
_STYLE = """
text { font: 14px system-ui, 'DejaVu Sans', sans-serif; fill: #1f2328; text-anchor: middle }
.title { font-weight: 600 } .small { font-size: 12px; fill: #57606a }
.frame { fill: none; stroke: #8c959f; stroke-dasharray: 5 4 }
.linux { fill: #dafbe1; stroke: #1a7f37 } .model { fill: #ddf4ff; stroke: #0969da }
.rtl { fill: #fff8c5; stroke: #9a6700 } .watch { fill: #f6f8fa; stroke: #8c959f }
.wire { stroke: #57606a; stroke-width: 2; fill: none }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .small { fill: #9da7b3 }
  .linux { fill: #12351d; stroke: #3fb950 } .model { fill: #0c2d4d; stroke: #58a6ff }
  .rtl { fill: #3a2d06; stroke: #d29922 } .watch { fill: #21262d; stroke: #6e7681 }
  .wire { stroke: #9da7b3 }
}
"""


@dataclass(frozen=True)
class _Box:
    """A part: its place in pixels, its class in _STYLE, its name and what else it says."""

    x: int
    y: int
    width: int
    height: int
    kind: str
    title: str
    lines: tuple[str, ...] = ()

    def svg(self) -> str:
        """Return the box with its text in its middle."""
        middle = self.x + self.width / 2
        first = self.y + self.height / 2 - 8 * len(self.lines) + 5
        parts = [
            f'<rect class="{self.kind}" x="{self.x}" y="{self.y}" rx="6" '
            f'width="{self.width}" height="{self.height}"/>',
            _text(middle, first, self.title, "title"),
        ]
        parts += [
            _text(middle, first + 17 * row, line, "small")
            for row, line in enumerate(self.lines, start=1)
        ]
        return "\n".join(parts)


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(words)}</text>'


def _wire(*points: tuple[int, int]) -> str:
    return f'<polyline class="wire" points="{" ".join(f"{x},{y}" for x, y in points)}"/>'


def _host(x: int, name: str, adapter: _Box) -> list[str]:
    """Return a host, 300 wide: Linux on its models, with the adapter at the bus."""
    bus = x + 150
    guest = ("programs, TCP/IP, unmodified driver", "each basic block costs its cycles")
    boxes = [
        _Box(x + 15, 70, 270, 66, "linux", "real Linux 6.1", guest),
        _Box(x + 15, 162, 128, 60, "model", "CPU", ("caches, interrupts",)),
        _Box(x + 157, 162, 128, 60, "model", "memory", ("banks, probes",)),
        _Box(x + 15, 248, 270, 42, "model", "PCI-X bus", ("bursts, splits, arbitration",)),
        adapter,
    ]
    return [
        f'<rect class="frame" x="{x}" y="36" rx="8" width="300" height="362"/>',
        _text(bus, 58, name, "title"),
        *(_wire((at, above), (at, below)) for at, above, below in _joints(x)),
        *(box.svg() for box in boxes),
    ]


def _joints(x: int) -> list[tuple[int, int, int]]:
    """Return the vertical lines of a host: x, from y, to y."""
    return [(x + 79, 136, 162), (x + 79, 222, 248), (x + 221, 222, 248), (x + 150, 290, 316)]


def draw() -> str:
    """Return the picture."""
    rtl = _Box(35, 316, 270, 64, "rtl", "adapter as RTL", ("your SystemVerilog, by Verilator",))
    tlm = _Box(655, 316, 270, 64, "model", "adapter as a model", ("registers, rings, DMA, MAC",))
    path = _Box(372, 300, 216, 96, "model", "switch, delay box", ("links, loss, queues;", "or RTL"))
    pages = "one page with the verdict · captures (pcapng) · waves (FST) · timeline (Perfetto)"
    seen = _Box(20, 412, 920, 46, "watch", "what you get", (pages,))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            'role="img" aria-label="Two hosts with Linux on models of their hardware, joined by '
            "a switch or delay box, under SystemC's time\">",
            f"<style>{_STYLE}</style>",
            _text(WIDTH / 2, 22, "one simulation, under SystemC's time", "small"),
            _wire((305, 348), (655, 348)),
            *_host(20, "host under test", rtl),
            *_host(640, "the other host", tlm),
            path.svg(),
            seen.svg(),
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    PICTURE.write_text(draw())

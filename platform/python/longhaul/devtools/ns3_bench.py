# SPDX-License-Identifier: Apache-2.0
"""`longhaul bench --only ns-3`: one TCP stream between modelled hosts, and the same in ns-3.

Link, MTU, round-trip time and window are alike, and both run on one core, one after the other.
The models differ. ns-3 has neither CPUs nor buses nor adapters, and fills the wire. Longhaul's
hosts are as fast as theirs let them be. So frames per wall second are compared.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT
from longhaul.process import a_core
from longhaul.results import simdata
from longhaul.units import Size, Time

SYSTEM = "linux-2.6.6"

WALL_LIMIT_S = 300
"""What a run of ns-3 may take: behind a long path its time grows with the square of its window."""

Run = Callable[[str, dict[str, str], Path], None]


@dataclass(frozen=True)
class Stream:
    """The scenario of both; `window` is the socket memory of both ends, as the user asks for it."""

    mtu: int
    rtt: Time
    window: Size
    warmup: Time
    duration: Time

    def settings(self) -> dict[str, str]:
        """Return the stream as settings of `ixgb_wan`."""
        return {
            "system": SYSTEM,
            "mtu": str(self.mtu),
            "rtt": str(self.rtt),
            "window": str(self.window),
            "warmup": str(self.warmup),
            "duration": str(self.duration),
            "tx_queue_len": "100000",
        }

    def arguments(self) -> list[str]:
        """Return the stream as arguments of ns-3's program.

        Longhaul's systems offer part of a socket's memory as window and keep the rest for what
        surrounds the bytes; ns-3 offers all of it.
        """
        return [
            f"--mtu={self.mtu}",
            f"--rtt={self.rtt.ps}ps",
            f"--window={self.window.count}",
            f"--warmup={self.warmup.ps}ps",
            f"--duration={self.duration.ps}ps",
            f"--limit={WALL_LIMIT_S}",
        ]


STREAMS = {
    "ns-3: jumbo, RTT 1 ms": Stream(
        9198, Time.parse("1ms"), Size.parse("10MiB"), Time.parse("100ms"), Time.parse("1s")
    ),
    "ns-3: 1500 B, RTT 1 ms": Stream(
        1500, Time.parse("1ms"), Size.parse("10MiB"), Time.parse("100ms"), Time.parse("1s")
    ),
    "ns-3: jumbo, RTT 400 ms": Stream(
        9198, Time.parse("400ms"), Size.parse("896MiB"), Time.parse("8s"), Time.parse("2s")
    ),
}


def run(streams: dict[str, Stream], longhaul: Run, console: Console) -> None:
    """Print frames per wall second of both; `longhaul` runs a scenario into a folder.

    Each figure is told when it is there: ns-3 takes minutes for a long path.
    """
    program = ROOT / "build" / "release" / "benchmarks" / "ns3_stream"
    if not program.exists():
        raise LonghaulError(f"no {program}: it is built where Debian's libns3-dev is installed")
    table = Table(
        "one stream", "simulator", "Gb/s", "wall s/simulated s", "frames/wall s", "times ns-3's"
    )
    for name, stream in streams.items():
        console.print(f"{name} ...")
        theirs = _ns3(program, stream)
        console.print(f"  ns-3: {theirs.told()}")
        with tempfile.TemporaryDirectory(prefix="longhaul-bench-") as scratch:
            ours = _longhaul(longhaul, stream, Path(scratch) / "run")
        console.print(f"  Longhaul, {SYSTEM}: {ours.told()}")
        for who, figures in (("ns-3", theirs), (f"Longhaul, {SYSTEM}", ours)):
            table.add_row(
                name, who + figures.part, *figures.shown(), f"{figures.speed / theirs.speed:.2f}"
            )
    console.print(table)


@dataclass(frozen=True)
class _Figures:
    goodput_gbps: float
    simulated_s: float
    wall_s: float
    frames: int
    part: str = ""
    """Which part of the stream it was, if not the measured window."""

    @property
    def speed(self) -> float:
        """Frames per wall second."""
        return self.frames / self.wall_s

    def told(self) -> str:
        goodput, wall, speed = self.shown()
        return f"{goodput} Gb/s, {wall} wall s/simulated s, {speed} frames/wall s{self.part}"

    def shown(self) -> list[str]:
        wall = self.wall_s / self.simulated_s
        speed = f"{self.speed:,.0f}".replace(",", " ")
        return [f"{self.goodput_gbps:.2f}", f"{wall:.2f}", speed]


def _ns3(program: Path, stream: Stream) -> _Figures:
    with a_core() as core:
        command = ["taskset", "-c", str(core), str(program), *stream.arguments()]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LonghaulError(f"{' '.join(command)} failed: {done.stderr.strip()[-500:]}")
    said = json.loads(done.stdout)
    begins, simulated = said["begins_s"], said["simulated_s"]
    part = ""
    if said["cut"]:
        part = f", from {begins:.2f} to {begins + simulated:.2f} s: no further in {WALL_LIMIT_S} s"
    return _Figures(said["goodput_gbps"], simulated, said["wall_s"], said["frames"], part)


def _longhaul(longhaul: Run, stream: Stream, out: Path) -> _Figures:
    longhaul("ixgb_wan", stream.settings(), out)
    results = json.loads((out / "results.json").read_text())
    sim = simdata.load(out / "raw" / "sim.json")
    frames = sim.counted(".eth0.mac.tx_frames")
    goodput = results["cases"][0]["measured"]["goodput_gbps"]
    return _Figures(goodput, sim.window.seconds, results["window_wall_s"], frames)

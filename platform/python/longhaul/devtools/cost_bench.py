# SPDX-License-Identifier: Apache-2.0
"""Costs of a simulation of modelled hosts, against hosts, packets, round-trip time and window.

Instructions by valgrind, which a neighbour on the machine does not change; CPU seconds without it.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from longhaul import outdir, registry
from longhaul.errors import LonghaulError
from longhaul.paths import simulator
from longhaul.process import QUIET_SYSTEMC
from longhaul.results import simdata
from longhaul.runs import runner

SCENARIO = "pairs"
COLLECTED = re.compile(r"Collected : (\d+)")
FRAMES = ".eth0.mac.tx_frames"
STORED = "anue.west_to_east.stored"
MB = 10**6


@dataclass(frozen=True)
class Cost:
    """The cost of one run."""

    work: float  # instructions, or CPU seconds
    frames: int
    rss: int  # bytes
    in_flight: int  # most bytes of frames on the long path


def counts_instructions() -> bool:
    """Tell whether there is a valgrind to count by."""
    return shutil.which("valgrind") is not None


def measure(settings: Mapping[str, str], *, megabytes: int | None, counted: bool) -> Cost:
    """Run `pairs`; each stream ends with so many bytes, or with the measured window if None."""
    entry = registry.find(SCENARIO)
    parsed = entry.parse([f"{name}={value}" for name, value in settings.items()])
    with tempfile.TemporaryDirectory(prefix="longhaul-cost-") as scratch:
        request = runner.RunRequest(entry, parsed, Path(scratch) / "run")
        scenario = entry.build(parsed, 1)
        config = runner.configuration(request, scenario, None, None).model_dump()
        config["observe"]["series_period"] = "0s"
        if megabytes is not None:
            limit(config, megabytes * MB)
        outdir.write_json(Path(scratch) / "config.json", config)
        return _run(Path(scratch), counted=counted)


def limit(config: dict[str, Any], count: int) -> None:
    """Let every stream end with so many bytes, and nothing before."""
    config["window"]["length"] = "600s"
    for machine in config["machines"]:
        for program in machine["host"]["programs"]:
            if program["type"] == "iperf_client":
                program["params"] |= {"bytes": f"{count}B", "duration": "0s"}


def _run(folder: Path, *, counted: bool) -> Cost:
    command = [str(simulator()), "config.json"]
    if counted:
        callgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}"]
        command = [*callgrind, *command]
    log = folder / "log"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command, cwd=folder, stdout=stream, stderr=stream, env=os.environ | QUIET_SYSTEMC
        )
        rss = _most_resident(process)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    text = log.read_text(errors="replace")
    if process.returncode:
        raise LonghaulError(f"{' '.join(command)} failed: {text[-500:].strip()}")
    sim = simdata.load(folder / "sim.json")
    found = COLLECTED.search(text)
    if counted and found is None:
        raise LonghaulError(f"valgrind did not say what it counted: {text[-200:].strip()}")
    stored = sim.probes.get(STORED)
    return Cost(
        work=float(found[1]) if found else spent,
        frames=sim.counted(FRAMES),
        rss=rss,
        in_flight=int(stored.highest or 0) if stored else 0,
    )


def _most_resident(process: subprocess.Popen[bytes]) -> int:
    """Wait for a process; return the most bytes that were resident, as of its last 2 ms.

    (The kernel's own figure for a child that has ended counts what its parent was before exec.)
    """
    status, most = Path(f"/proc/{process.pid}/status"), 0
    while True:
        with contextlib.suppress(OSError):
            found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
            most = int(found[1]) * 1024 if found else most
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.002)
            return most


def _table(title: str, axis: str, *columns: str) -> Table:
    unit = "k instructions" if counts_instructions() else "CPU us"
    return Table(axis, *(column.format(unit=unit) for column in columns), title=title)


def _shown(work: float) -> str:
    return f"{work / 1e3 if counts_instructions() else work * 1e6:,.0f}"


def pairs(console: Console) -> None:
    """Run more and more pairs, each with the same bytes: the cost of one has to stay."""
    table = _table("cost against pairs, one switch", "pairs", "{unit}", "{unit} a pair", "over 1")
    counted = counts_instructions()
    first = 0.0
    for count in (1, 2, 4, 8, 16):
        console.print(f"cost: {count} pairs ...")
        cost = measure({"pairs": str(count), "window": "1MiB"}, megabytes=2, counted=counted)
        each = cost.work / count
        first = first or each
        table.add_row(str(count), _shown(cost.work), _shown(each), f"{each / first:.3f}")
    console.print(table)


def packets(console: Console) -> None:
    """Send more and more bytes: each further packet has to cost the same."""
    columns = ("frames", "{unit}", "{unit} a further frame")
    table = _table("cost against packets, one pair", "MB", *columns)
    before: Cost | None = None
    for count in (2, 4, 8, 16):
        console.print(f"cost: {count} MB ...")
        settings = {"pairs": "1", "window": "1MiB"}
        cost = measure(settings, megabytes=count, counted=counts_instructions())
        table.add_row(str(count), str(cost.frames), _shown(cost.work), _further(before, cost))
        before = cost
    console.print(table)


def _further(before: Cost | None, after: Cost) -> str:
    if before is None:
        return ""
    return _shown((after.work - before.work) / (after.frames - before.frames))


def _long_path(console: Console, title: str, axis: str, points: list[dict[str, str]]) -> None:
    """Show what a further frame costs at each point, beyond the start of its connection."""
    table = _table(title, axis, "frames", "{unit} a further frame", "over the first")
    first = 0.0
    for point in points:
        console.print(f"cost: {axis} {point[axis]} ...")
        settings = {"pairs": "1", "path": "delay"} | point
        less, more = (
            measure(settings, megabytes=count, counted=counts_instructions()) for count in (6, 12)
        )
        each = (more.work - less.work) / (more.frames - less.frames)
        first = first or each
        table.add_row(point[axis], str(more.frames), _shown(each), f"{each / first:.3f}")
    console.print(table)


def rtt(console: Console) -> None:
    """Make the path longer: a packet has to cost the same."""
    points = [{"rtt": rtt, "window": "64MiB"} for rtt in ("0ms", "1ms", "10ms", "100ms")]
    _long_path(console, "cost against round-trip time, window 64 MiB", "rtt", points)


def window(console: Console) -> None:
    """Make the window larger: a packet has to cost the same."""
    points = [{"rtt": "10ms", "window": size} for size in ("2MiB", "8MiB", "32MiB", "128MiB")]
    _long_path(console, "cost against window, round-trip time 10 ms", "window", points)


def in_flight(console: Console) -> None:
    """Fill longer and longer paths by one connection: memory has to follow what is on the way."""
    table = Table(
        "rtt", "MB in flight", "MB resident", "B a byte in flight", title="memory of one connection"
    )
    first: Cost | None = None
    for rtt, duration in (("0ms", "50ms"), ("10ms", "300ms"), ("50ms", "1s"), ("100ms", "2s")):
        console.print(f"memory: rtt {rtt} ...")
        settings = {"pairs": "1", "path": "delay", "rtt": rtt, "window": "512MiB"}
        settings |= {"duration": duration, "tx_queue_len": "100000"}
        cost = measure(settings, megabytes=None, counted=False)
        more = cost.in_flight - first.in_flight if first else 0
        each = f"{(cost.rss - first.rss) / more:.2f}" if first and more else ""
        table.add_row(rtt, f"{cost.in_flight / MB:.1f}", f"{cost.rss / MB:.1f}", each)
        first = first or cost
    console.print(table)


def connections(console: Console) -> None:
    """Open more and more connections with small windows: memory of one more has to be small."""
    table = Table(
        "streams", "MB resident", "kB one more", title="memory of connections, 64 KiB each"
    )
    before: tuple[int, Cost] | None = None
    for count in (1, 32, 128):
        console.print(f"memory: {count} streams ...")
        settings = {"pairs": "1", "streams": str(count), "window": "64KiB", "duration": "20ms"}
        cost = measure(settings, megabytes=None, counted=False)
        more = ""
        if before:
            more = f"{(cost.rss - before[1].rss) / (count - before[0]) / 1000:.1f}"
        table.add_row(str(count), f"{cost.rss / MB:.1f}", more)
        before = (count, cost)
    console.print(table)


BENCHES: Mapping[str, Callable[[Console], None]] = {
    "cost: pairs": pairs,
    "cost: packets": packets,
    "cost: rtt": rtt,
    "cost: window": window,
    "memory: in flight": in_flight,
    "memory: connections": connections,
}

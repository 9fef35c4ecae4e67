# SPDX-License-Identifier: Apache-2.0
"""Judges a test's run by its script's checks, the kernels' words, the cable, and its counters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from longhaul.errors import LonghaulError
from longhaul.outdir import partial_path
from longhaul.results import simdata
from longhaul.results.user_programs import NOTES
from longhaul.runs.child_runs import Ended
from longhaul.validation import wire
from longhaul.validation.catalog import ValidationTest
from longhaul.validation.outcome import FAILED, UNENDED, Finding, Outcome, noted

HOST, PEER = "own", "peer"
PORT = f"{HOST}.eth0"
LINE = "line.pcapng"
MOST_FINDINGS = 12  # of one kind: more of them say nothing more
# What a kernel prints when something is wrong in it or in the adapter.
COMPLAINTS = re.compile(
    r"WARNING:|BUG:|Oops|Call Trace|Kernel panic|NETDEV WATCHDOG|Tx Unit Hang|nobody cared"
    r"|refused to|DMA-API|scheduling while atomic|page allocation failure|refcount_t"
)
FCS_BYTES = 4
MARKS = (701, 702)  # bytes of the echoes between which the test `counters` counts


def judge(test: ValidationTest, out: Path, ended: Ended, key: str) -> Outcome:
    """Return what came of a run whose folder is `out`, or the partial one where it failed."""
    folder = out if ended.code == 0 else partial_path(out)
    notes = folder / "raw" / NOTES
    lines = notes.read_text().splitlines() if notes.is_file() else []
    checks, figures = noted(lines, HOST)
    findings = [Finding(f"run {test.name}", ended.why)] if ended.code else []
    findings += [
        Finding(each.name, each.said, each.begin_s) for each in checks if each.verdict == FAILED
    ]
    if ended.code and (last := next((c for c in checks if c.verdict == UNENDED), None)):
        findings[0] = Finding(last.name, ended.why, last.begin_s)
    findings += _complaints(folder)
    told: list[str] = []
    if ended.code == 0:
        capture = folder / LINE
        try:
            findings += _on_the_wire(capture)
            if test.name in LOOKS:
                findings += LOOKS[test.name](capture, figures)
        except LonghaulError as error:
            told.append(f"the cable was not looked at: {error}")
        if test.lossless:
            findings += _lost(out)
        if not checks:
            findings.append(Finding(f"run {test.name}", "the guest's script checked nothing"))
    results = _results(out) if ended.code == 0 else {}
    return Outcome(
        test.name,
        key,
        tuple(checks),
        tuple(findings),
        figures | _bus(results),
        tuple(told),
        wall_s=round(results.get("wall_s", 0.0), 1),
        simulated_s=results.get("simulated_s", 0.0),
        folder=folder.name,
        is_whole=ended.code == 0,
        window_s=_window_s(out) if ended.code == 0 else None,
        lost=sum(_drops(results).values()),
    )


def _complaints(folder: Path) -> Iterator[Finding]:
    guests = folder / "guests" if (folder / "guests").is_dir() else folder / "raw" / "guests"
    for host in (HOST, PEER):
        console = guests / host / "console.log"
        text = console.read_text(errors="replace") if console.is_file() else ""
        for line in [each for each in text.splitlines() if COMPLAINTS.search(each)][:1]:
            yield Finding(f"kernel of {host}", line.strip())


def _lost(out: Path) -> Iterator[Finding]:
    """Yield where frames went missing in the measured window."""
    measured = _results(out)["cases"][0]["measured"]
    for place, count in _drops(_results(out)).items():
        yield Finding("lost frames", f"{count} at {place}")
    for name, of in (("retransmits", HOST), ("reverse_retransmits", PEER)):
        if measured[name]:
            yield Finding("lost frames", f"{of} sent {measured[name]} TCP segments again")


def _on_the_wire(capture: Path) -> Iterator[Finding]:
    """Yield what is wrong with frames that left the adapter."""
    own = wire.sent_by(PORT)
    for number, protocol, info in wire.wrong(capture, own)[:MOST_FINDINGS]:
        what = f"frame {number} of {capture.name} is damaged or malformed: {protocol} {info}"
        yield Finding("tshark", what)
    for number, padding in wire.leaks(capture, own)[:1]:
        what = f"frame {number} of {capture.name} is padded with bytes that are not zero: {padding}"
        yield Finding("tshark", what)


def _counted(capture: Path, figures: Mapping[str, str]) -> Iterator[Finding]:
    """Compare what the driver has counted between two echoes with what the cable carried."""

    def grown(name: str) -> int:
        return int(figures[f"end.{name}"]) - int(figures[f"begin.{name}"])

    try:
        counts = {name: grown(name) for name in ("rx_packets", "tx_packets", "rx_errors",
                                                 "tx_errors", "tx_dropped")}  # fmt: skip
    except KeyError:
        return  # the script got not so far, which is a finding by itself
    begin, end = (
        wire.rows(capture, f"icmp.type == 0 && data.len == {size}")[-1][0] for size in MARKS
    )
    between = f"frame.number > {begin} && frame.number <= {end}"
    own = wire.sent_by(PORT)
    sent = len(wire.rows(capture, f"{between} && {own}"))
    came = len(wire.rows(capture, f"{between} && !({own})"))
    if counts["tx_packets"] != sent:
        yield Finding("tx_packets", f"the driver counts {counts['tx_packets']} frames sent, the "
                      f"cable carried {sent}")  # fmt: skip
    if counts["rx_packets"] != came:
        yield Finding("rx_packets", f"the driver counts {counts['rx_packets']} frames received, "
                      f"the cable brought {came}")  # fmt: skip
    for name in ("rx_errors", "tx_errors", "tx_dropped"):
        if counts[name]:
            yield Finding(
                name, f"the driver counts {counts[name]}, on a cable that damages nothing"
            )


def _odd(capture: Path, figures: Mapping[str, str]) -> Iterator[Finding]:
    """Compare the odd frames that the driver has handed on with those on the cable.

    The kernel counts those whose type it does not know (models/wan/frame_injector/README.md), which
    are all but IPv4's.
    """

    def number(verdict: str) -> int:
        where = 'frame.interface_name matches "^box.west to" && !(ip)'
        return len(wire.rows(capture, f'{where} && frame matches "odd [0-9a-f]+ {verdict} "'))

    if HANDED_ON not in figures:
        return
    handed_on = int(figures[HANDED_ON])
    take, either = number("take"), number("either")
    if not take:
        yield Finding(HANDED_ON, "no odd frame was on the cable")
    elif handed_on < take:
        yield Finding(HANDED_ON, f"of {take} odd but good frames {handed_on} reached the kernel")
    elif handed_on > take + either:
        yield Finding(
            HANDED_ON,
            f"{handed_on} odd frames reached the kernel; {take} are good, {either} may be taken, "
            "so bad ones are among them",
        )


HANDED_ON = "odd.handed_on"
LOOKS = {"counters": _counted, "odd": _odd}
"""What a test compares with its cable beside what all do."""


def _results(out: Path) -> dict[str, Any]:
    return json.loads((out / "results.json").read_text())


def _drops(results: Mapping[str, Any]) -> Mapping[str, int]:
    """Return how many frames were lost in the measured window, by place."""
    return results["cases"][0]["measured"]["drops"] if results else {}


def _window_s(out: Path) -> float:
    return simdata.load(out / "raw" / "sim.json").window.begin_ps / 1e12


def _bus(results: Mapping[str, Any]) -> dict[str, str]:
    """Return the time on the bus, as the run's results have it."""
    own: Mapping[str, Any] = results["cases"][0]["measured"]["sender"] if results else {}
    names = ("pcix_busy_pct", "pcix_data_pct", "pcix_retries_pct", "pcix_split_wait_pct",
             "irq_per_s")  # fmt: skip
    return {f"bus.{name}": str(own[name]) for name in names if name in own}

# SPDX-License-Identifier: Apache-2.0
"""Judges a test's run by its script's checks, the kernels' words, the cable, and its counters."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from longhaul.errors import LonghaulError
from longhaul.outdir import MANIFEST, RESULTS, partial_path
from longhaul.results.user_programs import NOTES
from longhaul.runs.child_runs import Ended
from longhaul.validation import wire
from longhaul.validation.catalog import ValidationTest
from longhaul.validation.outcome import FAILED, UNENDED, Check, Finding, Outcome, noted

HOST, PEER = "own", "peer"
PORT = f"{HOST}.eth0"
LINE = "line.pcapng"
MOST_FINDINGS = 12  # of one kind: more of them say nothing more
# Lines that a kernel prints when something is wrong in it or in the adapter.
COMPLAINTS = re.compile(
    r"WARNING:|BUG:|Oops|Call Trace|Kernel panic|NETDEV WATCHDOG|Tx Unit Hang|nobody cared"
    r"|refused to|DMA-API|scheduling while atomic|page allocation failure|refcount_t"
)
MARKS = (701, 702)  # bytes of the echoes between which the test `counters` counts
ECHO_REPLY = "0"  # of ICMP's types


def judge(test: ValidationTest, out: Path, ended: Ended, key: str) -> Outcome:
    """Return what came of a run whose folder is `out`, or the partial one where it failed."""
    is_whole = ended.code == 0
    folder = out if is_whole else partial_path(out)
    notes = folder / "raw" / NOTES
    lines = notes.read_text().splitlines() if notes.is_file() else []
    checks, figures = noted(lines, HOST)
    findings: list[Finding] = []
    if not is_whole:
        at = next((each for each in checks if each.verdict == UNENDED), Check(f"run {test.name}"))
        findings.append(Finding(at.name, ended.why, at.begin_s))
    findings += [
        Finding(each.name, each.said, each.begin_s) for each in checks if each.verdict == FAILED
    ]
    findings += _complaints(folder)
    made = Outcome(test.name, key, tuple(checks), tuple(findings), figures, is_whole=is_whole)
    return _of_whole(made, test, out) if is_whole else made


def _of_whole(made: Outcome, test: ValidationTest, out: Path) -> Outcome:
    """Add what cable, counters and results of a run say that came to its end."""
    results: dict[str, Any] = json.loads((out / RESULTS).read_text())
    measured: Mapping[str, Any] = results["cases"][0]["measured"]
    window: Mapping[str, Any] = json.loads((out / MANIFEST).read_text())["window"]
    findings, told = list(made.findings), list[str]()
    try:
        findings += _on_the_wire(out / LINE)
        if test.name in LOOKS:
            findings += LOOKS[test.name](out / LINE, made.figures)
    except LonghaulError as error:
        told.append(f"the cable was not looked at: {error}")
    if test.lossless:
        findings += _lost(measured)
    if not made.checks:
        findings.append(Finding(f"run {test.name}", "the guest's script checked nothing"))
    return dataclasses.replace(
        made,
        findings=tuple(findings),
        figures={**made.figures, **_bus(measured)},
        notes=tuple(told),
        wall_s=round(results["wall_s"], 1),
        simulated_s=results["simulated_s"],
        window_s=window["begin_ps"] / 1e12,
        lost=sum(measured["drops"].values()),
    )


def _complaints(folder: Path) -> Iterator[Finding]:
    guests = folder / "guests" if (folder / "guests").is_dir() else folder / "raw" / "guests"
    for host in (HOST, PEER):
        console = guests / host / "console.log"
        text = console.read_text(errors="replace") if console.is_file() else ""
        for line in [each for each in text.splitlines() if COMPLAINTS.search(each)][:1]:
            yield Finding(f"kernel of {host}", line.strip())


def _lost(measured: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield where frames went missing in the measured window."""
    for place, count in measured["drops"].items():
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
    frames = wire.rows(capture, "frame", "frame.interface_name", "icmp.type", "data.len")
    places = {length: i for i, (_, kind, length) in enumerate(frames) if kind == ECHO_REPLY}
    try:
        begin, end = (places[str(size)] for size in MARKS)
    except KeyError:
        return  # a mark was lost, which is a finding by itself
    between = [name for name, *_ in frames[begin + 1 : end + 1]]
    sent = sum(name.startswith(f"{PORT} to") for name in between)
    came = len(between) - sent
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


def _bus(measured: Mapping[str, Any]) -> dict[str, str]:
    """Return the time on the bus, as the run's results have it."""
    own: Mapping[str, Any] = measured["sender"]
    names = ("pcix_busy_pct", "pcix_data_pct", "pcix_retries_pct", "pcix_split_wait_pct",
             "irq_per_s")  # fmt: skip
    return {f"bus.{name}": str(own[name]) for name in names if name in own}

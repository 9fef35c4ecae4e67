# SPDX-License-Identifier: Apache-2.0
"""What a run says of a bug: the first of its messages, wrong counters or figures."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

GOODPUT_LEAST = 0.9  # of the unmutated NIC's
RTT_MOST = 1.5
INTERRUPTS_MOST = 2.0
COUNTERS = re.compile(r"^\s*(\w*(?:error|fcs|runt|long|bad|overrun|fault|reset|no_desc|failed)\w*)"
                      r": ([1-9]\d*)$", re.MULTILINE)  # fmt: skip
NSTAT = re.compile("CsumError|InErr|HdrError|Truncated|Retrans")
SAYS_BY_ITSELF = re.compile(r"\b(transmit timeout|BUG|WARNING|Oops|Unable to handle|refcount)\b")
DRIVER = re.compile(r"^mynic \S+?(?: eth0)?: (?!enabling|mynic 0x)(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Finding:
    """By what a run shows a bug, and its words."""

    stage: str
    by: str
    message: str
    wall_s: float = 0.0

    def after(self, wall_s: float) -> Finding:
        """Return the same with the wall time of its run."""
        return replace(self, wall_s=round(wall_s, 1))


def of(stage: str, out: Path, code: int | None, said: str, wanted: Path | None) -> Finding | None:
    """Judge one run by its exit code, its words, its guests' words, and its figures."""
    if code != 0:
        by, message = _of_failure(code, said, out)
        return Finding(stage, by, message)
    for by, message in (_of_guests(out), _of_pings(out), _of_counters(out)):
        if by:
            return Finding(stage, by, message)
    by, message = _of_figures(out, wanted) if wanted else ("", "")
    return Finding(stage, by, message) if by else None


def _of_failure(code: int | None, said: str, out: Path) -> tuple[str, str]:
    lines = [line for line in said.splitlines() if line.strip()]
    told = [line for line in lines if line.startswith("longhaul: ")]
    message = (told or lines or [""])[-1].removeprefix("longhaul: ")
    if code is None:
        return "no end", f"stopped after a long time: {message}"
    if found := re.search(r"breaks the rule ([\w.]+)", said):
        return f"rule {found[1]}", message
    if found := re.search(r"Assertion failed in [\w.]*?(\w+): ", message):
        return f"assertion {found[1]}", message
    if "refuses the RTL" in message:
        return "Verilator", message
    if "panicked" in message:
        return "guest's kernel", message
    for by, words in (_of_guests(out), _of_pings(out)):
        if by:
            return by, words
    return "limit" if "given up" in message else "workload", message


def _of_guests(out: Path) -> tuple[str, str]:
    """Look for what the driver and the kernel say on the NIC's host's console."""
    console = _guests(out) / "own/console.log"
    text = console.read_text(errors="replace") if console.exists() else ""
    if found := DRIVER.search(text):
        return "driver", found[0]
    if found := SAYS_BY_ITSELF.search(text):
        return "guest's kernel", next(each for each in text.splitlines() if found[0] in each)
    return "", ""


def _guests(out: Path) -> Path:
    """Return the guests' folder of a run, also of one that failed."""
    return (out if out.exists() else out.with_name(out.name + ".partial") / "raw") / "guests"


def _report(out: Path, host: str, name: str) -> str:
    path = _guests(out) / host / "report" / name
    return path.read_text() if path.exists() else ""


def _of_pings(out: Path) -> tuple[str, str]:
    for name in ("commands-before.txt", "ping.txt"):
        said = _report(out, "own", name)
        for block in re.split(r"(?m)^(?=PING)", said):
            if re.search(r"wrong data byte|DUP!", block):
                return "damaged frame", re.findall(r".*(?:wrong data|DUP!).*", block)[0].strip()
            if (lost := re.search(r".* (\d+)% packet loss.*", block)) and lost[1] != "0":
                size = re.search(r"\) (\d+)\(", block)
                return "lost frame", f"ping -s {size[1] if size else '?'}: {lost[0].strip()}"
    return "", ""


def _of_counters(out: Path) -> tuple[str, str]:
    for host in ("own", "peer"):
        if found := COUNTERS.search(_report(out, host, "ethtool-S.txt")):
            return f"counter {found[1]}", f"ethtool -S of {host}: {found[1]}: {found[2]}"
        text = _report(out, host, "nstat.json")
        kernel: dict[str, int] = json.loads(text)["kernel"] if text else {}
        for name, value in kernel.items():
            if NSTAT.search(name) and value:
                return f"counter {name}", f"nstat of {host}: {name} {value}"
    return "", ""


def _figures(out: Path) -> dict[str, Any]:
    return json.loads((out / "results.json").read_text())["cases"][0]["measured"]


def _of_figures(out: Path, wanted: Path) -> tuple[str, str]:
    has, wants = _figures(out), _figures(wanted)
    for name in ("goodput_gbps", "rtt_ms", "path_rtt_ms"):
        value, reference = has.get(name), wants.get(name)
        if value is None or not reference:
            continue
        ratio = value / reference
        if ratio < GOODPUT_LEAST if name == "goodput_gbps" else ratio > RTT_MOST:
            return "figure", f"{name} is {value}, of the unmutated NIC {reference}"
    for host in ("sender", "receiver"):
        value, reference = has[host]["irq_per_s"], wants[host]["irq_per_s"]
        if reference and not reference / INTERRUPTS_MOST <= value <= reference * INTERRUPTS_MOST:
            return "figure", f"irq_per_s of the {host} is {value}, of the unmutated {reference}"
    return "", ""

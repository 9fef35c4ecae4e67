# SPDX-License-Identifier: Apache-2.0
"""How a figure reads: its name in words, its unit, and its value with the digits it deserves."""

from __future__ import annotations

import math
from typing import Any

from longhaul.results import directions
from longhaul.results.runview import RunView

THIN_SPACE = "\u202f"
WORDS = {
    "red": "RED",
    "fcs": "FCS",
    "all_goodput": "goodput of all receivers",
    "rtt": "round-trip time",
    "wire": "wire rate",
    "retransmits": "TCP retransmits",
    "irq": "interrupts",
    "napi": "NAPI",
    "cpu": "CPU",
    "pcix": "PCI-X",
    "mem": "memory",
    "mmio": "MMIO",
    "window": "measured window",
    "reverse_goodput": f"goodput, {directions.REVERSE.name}",
    "reverse_wire": f"wire rate, {directions.REVERSE.name}",
    "reverse_retransmits": f"TCP retransmits, {directions.REVERSE.name}",
    "path_rtt": "round-trip time on the path",
    "reverse_path_rtt": f"round-trip time on the path, {directions.REVERSE.name}",
    "reverse_rtt": f"round-trip time, {directions.REVERSE.name}",
}
UNITS = {
    "_gbps": "Gb/s",
    "_mb_per_s": "MB/s",
    "_ms": "ms",
    "_us": "us",
    "_pct": "%",
    "_per_s": "1/s",
    "_s": "s",
}


def split_unit(name: str) -> tuple[str, str]:
    """Split `sender.cpu_busy_pct` into its words and its unit: ("sender CPU busy", "%")."""
    host, dot, figure = name.rpartition(".")
    suffix = next((s for s in UNITS if figure.endswith(s)), "")
    unit = UNITS.get(suffix, "")
    stem = figure.removesuffix(suffix)
    words = WORDS.get(stem) or " ".join(WORDS.get(word, word) for word in stem.split("_"))
    return f"{host}{' ' if dot else ''}{words}", unit


def run_words(run: RunView, name: str) -> tuple[str, str]:
    """Split a figure's name as split_unit() does, and say of the main figure which way it is."""
    words, unit = split_unit(name)
    directed = name == "goodput_gbps" and run.direction
    return f"{words}, {directions.FORWARD.name}" if directed else words, unit


def figure_text(value: Any, unit: str = "") -> str:
    """Return a number with as many digits as it deserves; an en dash where there is none."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, int | float):
        return str(value)
    if unit == "%":
        small = 0 < abs(value) < 0.05  # what is not zero does not look like it
        return (
            "<0.001"
            if small and abs(value) < 0.001
            else f"{value:.3f}"
            if small
            else f"{value:.1f}"
        )
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}".replace(",", THIN_SPACE)
    magnitude = abs(value)
    digits = 0 if magnitude >= 1000 else 1 if magnitude >= 100 else 2 if magnitude >= 10 else 3
    if 1e-9 < magnitude < 0.1:  # three that say something
        digits = 2 - math.floor(math.log10(magnitude))
    return f"{value:,.{digits}f}".replace(",", THIN_SPACE)

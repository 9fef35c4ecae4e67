# SPDX-License-Identifier: Apache-2.0
"""Alarms may ring ahead of SystemC's time: no model asks SystemC for it or counts from it."""

from __future__ import annotations

import re

from longhaul.paths import ROOT

# What the agenda is made of, and what runs in processes of SystemC or after the run only.
AT_HOME = {
    "models/common/agenda.h",
    "models/common/agenda.cc",
    "models/common/units.h",
    "platform/assembly/simulation.cc",  # how long the run was
    "platform/cosim/register_bus.h",  # an RTL block's own process calls it
}
WRONG = re.compile(r"sc_time_stamp\(|\w\.notify\(")


def test_time_is_that_of_the_alarms() -> None:
    """See models/common/README.md, Time."""
    found: list[str] = []
    for folder in ("models", "platform"):
        for path in sorted((ROOT / folder).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.suffix not in (".h", ".cc") or name in AT_HOME:
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if WRONG.search(line):
                    found.append(f"{name}:{number}: {line.strip()}")
    assert not found, "now_ps() and notify_in(), not SystemC's own:\n" + "\n".join(found)

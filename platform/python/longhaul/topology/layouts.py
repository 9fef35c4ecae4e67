# SPDX-License-Identifier: Apache-2.0
"""When machines begin in a layout of a run; where their code lies is the simulator's part.

A figure that is the same in every layout does not hang on a phase that one run happened to have
(`docs/cli.md`, `models/cpu/text_layout.h`).
"""

from __future__ import annotations

import hashlib

from longhaul.units import Time, ms, us

MOST_DELAY = ms(20)
"""The longest delay of a machine's begin: two ticks of a guest's kernel (CONFIG_HZ=100), and two of
a modelled program's looks for a link. Every phase between two machines can occur with it."""


def start_delay(layout: int, machine: str) -> Time:
    """Return by how much a machine's programs begin later, in whole microseconds; 0 in layout 0."""
    if layout == 0:
        return Time(0)
    digest = hashlib.sha256(f"{layout} {machine}".encode()).digest()
    return us(int.from_bytes(digest[:8], "little") % (MOST_DELAY.ps // us(1).ps + 1))

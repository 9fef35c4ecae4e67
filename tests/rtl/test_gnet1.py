# SPDX-License-Identifier: Apache-2.0
"""Runs the test benches of the whole box."""

from collections import Counter
from pathlib import Path

import pytest
from harness import CORNER_TABLE, run
from suites import suites_of

(BOX,) = (suite for suite in suites_of("gnet1") if suite.whole)
CLAIMS = BOX.claims()
RAN: set[tuple[str, str]] = set()
CORNERS: Counter[str] = Counter()


@pytest.mark.parametrize(("bench", "claim"), CLAIMS)
def test_gnet1(bench: str, claim: str, tmp_path: Path) -> None:
    """One claim of a test bench."""
    CORNERS.update(run(BOX.program(), bench, claim, tmp_path))
    RAN.add((bench, claim))


# The box's FIFOs, as Verilator names them by their parameters: width 37; depth 2^4; depth 2^6.
RX_FIFO, MEMORY_FIFO, TX_FIFO = "async_fifo__W25_D6", "async_fifo__D4", "async_fifo__D6"
# Corners that the box cannot reach, and why.
BEYOND = {
    f"{RX_FIFO}.SeenFull": "the MAC lets a frame in only with room for it (RxFifoNeverOverflows)",
    f"{MEMORY_FIFO}.SeenFull": "the memory takes words as fast as they come, and reads with room",
    f"{TX_FIFO}.SeenReadWhileEmpty": "the MAC asks for a word that it sees",
}


def test_every_corner_was_met() -> None:
    """Functional coverage of tags, FIFOs and stages, over all test benches above."""
    assert set(CLAIMS) == RAN, "coverage is judged when every test bench has run"
    width = max(map(len, CORNERS))
    lines = [
        f"{corner:{width}} {count:9} {BEYOND.get(corner, '' if count else '<-- not met')}"
        for corner, count in sorted(CORNERS.items())
    ]
    CORNER_TABLE.write_text("".join(f"{line.rstrip()}\n" for line in lines))
    missed = {corner for corner, count in CORNERS.items() if not count}
    assert missed == set(BEYOND), "\n".join(sorted(missed ^ set(BEYOND)))

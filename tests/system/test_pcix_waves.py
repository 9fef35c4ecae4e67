# SPDX-License-Identifier: Apache-2.0
"""--waves pcix: the pins of a real driver's traffic take the clocks that the protocol gives."""

import re
import subprocess
from pathlib import Path

import pytest
from longhaul.paths import ROOT
from rig.fst import Row, Waves, layout_rows

PERIOD_PS = 7500  # 133.333333 MHz
SAID = re.compile(r"(\w+) to (\w+): ([a-z ]+) ([0-9a-f]+) (of )?(\d+) B")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("waves") / "o"
    words = ["run", "ixgb_b2b", "--set", "duration=40ms", "--waves", "pcix"]
    words += ["--waves-from", "20ms", "--waves-length", "200us", "--out", str(out)]
    done = subprocess.run(
        [str(ROOT / "longhaul"), *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return out


def rows(run: Path, bus: str) -> dict[str, Row]:
    return Waves(run).below(f"{bus}.pcix.")


def clocks(label: str, address: int, moved: int) -> tuple[int, int, int]:
    """Return the clocks with FRAME#, with FRAME# or IRDY#, and with TRDY#, of PCI-X at 64 bits."""
    if label in ("retry", "memory read"):
        return 5, 5, 1 if label == "memory read" else 0
    words = (address % 8 + moved + 7) // 8
    opening = 3 + (6 if label == "mmio read" else 0)
    return opening + max(2, words - 2), opening + max(2, words), words


@pytest.mark.parametrize("bus", ["sender", "receiver"])
def test_every_transaction_takes_its_clocks(run: Path, bus: str) -> None:
    found = rows(run, bus)
    seen: set[str] = set()
    for at, said in zip(found["transaction"].times, found["transaction"].values, strict=True):
        match = SAID.match(str(said))
        end = next((t for t in found["transaction"].times if t > at), None) if match else None
        if match is None or end is None:
            continue
        label, address, moved = match[3], int(match[4], 16), 0 if match[5] else int(match[6])
        seen.add(label)
        middles = range(at + PERIOD_PS // 2, end, PERIOD_PS)
        low = {
            pin: [found[pin].at(time) == "0" for time in middles]
            for pin in ("FRAME_n", "IRDY_n", "TRDY_n")
        }
        busy = [f or i for f, i in zip(low["FRAME_n"], low["IRDY_n"], strict=True)]
        counted = sum(low["FRAME_n"]), sum(busy), sum(low["TRDY_n"])
        assert counted == clocks(label, address, moved), f"{said} at {at}"
        assert (end - at) // PERIOD_PS == sum(busy) + 1  # and one clock of turn-around
    assert (
        seen >= {"sender": {"memory read", "split completion"}, "receiver": {"memory write"}}[bus]
    )


def test_one_master_at_a_time_has_the_grant_and_asked_for_it(run: Path) -> None:
    found = rows(run, "sender")
    grants = [name for name in found if name.startswith("GNT_n_")]
    assert set(grants) == {"GNT_n_bridge", "GNT_n_eth0"}
    frame = found["FRAME_n"]
    falls = [t for t, v in zip(frame.times, frame.values, strict=True) if str(v) == "0"]
    assert len(falls) > 200
    for fall in falls[1:]:
        holders = [name for name in grants if found[name].at(fall - 3 * PERIOD_PS // 2) == "0"]
        assert len(holders) == 1, fall


def test_gtkwave_finds_every_row_of_the_layout(run: Path) -> None:
    shown = layout_rows(run)
    assert len(shown) == len(set(shown)) > 30
    assert set(shown) == Waves(run).names

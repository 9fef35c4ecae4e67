# SPDX-License-Identifier: Apache-2.0
"""The one window of all figures: goodput, the wire's counters and the hosts' shares agree in it."""

import json
from pathlib import Path
from typing import Any

import pytest
from longhaul.units import Size
from rig import front_door

# TCP over IPv4 with time stamps at MTU 9198, in octets: a frame with FCS, and its user data.
FRAME, DATA = 9198 + 14 + 4, 9198 - 20 - 32


def measured(out: Path, scenario: str, *sets: str) -> dict[str, Any]:
    folder = front_door.run(out, scenario, *sets)
    return json.loads((folder / "results.json").read_text())["cases"][0]["measured"]


@pytest.mark.parametrize("duration", ["1ms", "100ms"])
def test_goodput_and_wire_differ_by_the_headers_however_short_the_run(
    tmp_path: Path, duration: str
) -> None:
    """A run of seconds is that of test_memory.py."""
    found = measured(tmp_path / "o", "ixgb_b2b", f"duration={duration}")
    wanted_s = float(duration.removesuffix("ms")) / 1e3
    assert found["window_s"] == pytest.approx(wanted_s, abs=1e-12)
    # A frame that carries less than a whole segment is rare: the end of a write, a window probe. A
    # millisecond has some eighty frames, of which one may be small.
    rel = 2e-3 if duration == "1ms" else 5e-4
    assert found["wire_gbps"] / found["goodput_gbps"] == pytest.approx(FRAME / DATA, rel=rel)
    if duration == "100ms":  # no idle time dilutes the shares
        assert max(found[host]["cpu_busy_pct"] for host in ("sender", "receiver")) > 70


def test_a_warm_up_leaves_slow_start_out(tmp_path: Path) -> None:
    """Of a window shorter than three round trips: without a warm-up all of it is slow start."""
    duration_s, window = 0.03, Size(4 << 20)
    sets = ("rtt=10ms", f"duration={duration_s * 1e3:.0f}ms", f"window={window}")
    cold, warm = (
        measured(tmp_path / warmup, "ixgb_wan", *sets, f"warmup={warmup}")
        for warmup in ("0s", "200ms")
    )
    assert 3 * cold["rtt_ms"] / 1e3 > duration_s
    arrived, steady = (found["goodput_gbps"] / 8 * 1e9 * duration_s for found in (cold, warm))
    # Three rounds: the initial window (RFC 6928), then at most twice as much each (RFC 5681, 3.1).
    assert arrived <= (10 + 20 + 40) * DATA
    # After ten rounds and more cwnd is past the receiver's window, which has grown to half of what
    # was asked for at least. A round carries all of it, in a round trip and the time to send it:
    # more than one passes in the duration.
    assert steady >= window.bytes / 2 > 3 * arrived
    # The bus carries what arrives, and each frame's headers and descriptors: in the same window,
    # but for what is in the adapter at its edges.
    each = [found["receiver"]["pcix_data_pct"] / found["goodput_gbps"] for found in (cold, warm)]
    assert each[0] == pytest.approx(each[1], rel=0.05)


def test_segments_sent_again_are_part_of_the_wire_and_not_of_the_goodput(tmp_path: Path) -> None:
    sets = ("rtt=2ms", "loss=1%", "duration=300ms", "window=4MiB")
    found = measured(tmp_path / "o", "ixgb_wan", *sets)
    assert found["retransmits"] >= 5
    assert found["wire_gbps"] >= found["goodput_gbps"] * FRAME / DATA * (1 - 5e-4)

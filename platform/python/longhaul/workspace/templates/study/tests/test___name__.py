# SPDX-License-Identifier: Apache-2.0
"""Facts that the scenario's answers rest on. Start: `longhaul python -m pytest tests`."""

from pathlib import Path

from longhaul import api

(SCENARIO,) = (Path(__file__).parents[1] / "scenarios").glob("*/scenario.py")
RTT_S = 0.010


def goodput(window_kib: int) -> float:
    """Return the goodput of a run with a window, in Gb/s."""
    settings = ("rtt=10ms", f"window={window_kib}KiB", "duration=500ms")
    with api.open(str(SCENARIO), *settings) as simulation:
        return simulation.finish().measured["goodput_gbps"]


def test_a_small_window_limits_a_long_path() -> None:
    """A window is sent once a round trip, and no more: a simulation a window, side by side.

    Linux doubles the size of a socket's buffer that a program asks for (socket(7), SO_RCVBUF).
    """
    small, large = api.each(goodput, [128, 256])
    for window_kib, found in ((128, small), (256, large)):
        assert 0 < found <= 2 * window_kib * 1024 * 8 / RTT_S / 1e9
    assert 1.7 < large / small < 2.4  # the last round trip is cut

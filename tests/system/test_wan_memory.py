# SPDX-License-Identifier: Apache-2.0
"""How much socket memory fills a path: what the guest's own kernel makes of it.

At MTU 9198 a frame lies in a buffer of 16 KiB. While such a buffer counts for more than what it
carries (tcp_adv_win_scale=2, Linux 2.6's default), the receiver's window stops growing at half of
what it takes for usable, 3/8 of the socket's memory: 2.67 bandwidth-delay products fill the path.
With tcp_adv_win_scale=1 the window may have all of the half that is usable.
"""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from rig import front_door
from rig.scenarios import Run

RTT_S = 0.020
MSS = 9198 - 20 - 32
# A window leaves in a burst, and the ends of bursts wait for the receiver: rounds of 20 to 25 ms.
FILLED = 0.8
STEP = 2 * MSS  # by which a receiver raises its window


@dataclass(frozen=True)
class Flow:
    """The figures of one run: the last window that the sender was offered, and the goodput."""

    offered: int
    scale: int  # of the window field: its last bits are zero
    goodput_gbps: float

    @property
    def most_gbps(self) -> float:
        """Return what the window allows."""
        return self.offered * 8 / RTT_S / 1e9


def largest_offer(capture: Path) -> int:
    """Return the largest window that the receiver of iperf's data has offered, in bytes."""
    fields = ["-Y", "tcp.srcport == 5001", "-T", "fields", "-e", "tcp.window_size"]
    command = ["tshark", "-r", str(capture), *fields]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return max(map(int, done.stdout.split()))


def flow(out: Path, asked_mb: int, *sets: str, options: tuple[str, ...] = ()) -> Flow:
    run = Run(
        front_door.run(
            out,
            "ixgb_wan",
            "rtt=20ms",
            f"window={asked_mb}MB",
            "warmup=400ms",
            "duration=400ms",
            *sets,
            options=options,
        )
    )
    sockets = run.report("sender", "ss.txt")
    offered, scale = (
        re.search(pattern, sockets) for pattern in (r"\bsnd_wnd:(\d+)", r"\bwscale:(\d+),")
    )
    assert offered, sockets
    assert scale, sockets
    return Flow(int(offered[1]), int(scale[1]), run.measured["goodput_gbps"])


@pytest.mark.parametrize("asked_mb", [6, 12])
def test_a_window_stops_at_three_eighths_of_the_memory_and_sets_the_speed(
    tmp_path: Path, asked_mb: int
) -> None:
    found = flow(tmp_path / "o", asked_mb)
    memory = 2 * asked_mb * 10**6  # Linux doubles what is asked for
    assert 0 <= found.offered - memory * 3 // 8 + 2**found.scale <= STEP + 2 * 2**found.scale
    assert FILLED * found.most_gbps < found.goodput_gbps <= 1.01 * found.most_gbps


def test_half_of_the_memory_is_window_where_the_kernel_keeps_half_for_overhead(
    tmp_path: Path,
) -> None:
    found = flow(tmp_path / "o", 6, "adv_win_scale=1", options=("--pcap",))
    # Nothing is held back here: each buffer that waits to be read takes from what is offered.
    most = largest_offer(tmp_path / "o" / "sender_link.pcapng")
    assert most == pytest.approx(6e6, abs=STEP + 2**found.scale)
    assert found.offered <= most
    most_gbps = most * 8 / RTT_S / 1e9
    assert 0.6 * most_gbps < found.goodput_gbps < most_gbps


def test_memory_beyond_the_rule_leaves_the_speed_to_the_hosts(tmp_path: Path) -> None:
    found = flow(tmp_path / "o", 30)
    assert found.offered == pytest.approx(22.5e6, abs=STEP + 2**found.scale)
    assert 5.0 < found.goodput_gbps < 0.9 * found.most_gbps


PUBLISHED = {"v4": 5.98, "v6": 6.30}  # OPTERON-10G table 3, MTU 9198, IXGB


@pytest.mark.parametrize("ip", ["v4"])  # v6 takes as long: docs/opteron_10g.md
def test_jumbo_frames_across_400_ms_are_as_fast_as_published(tmp_path: Path, ip: str) -> None:
    sets = ("rtt=400ms", "window=448MB", "warmup=6s", "duration=800ms", f"ip={ip}")
    out = front_door.run(tmp_path / "o", "ixgb_wan", *sets)
    case = json.loads((out / "results.json").read_text())["cases"][0]
    assert case["reference"]["goodput_gbps"] == PUBLISHED[ip]
    assert case["measured"]["retransmits"] == 0
    assert case["measured"]["goodput_gbps"] == pytest.approx(PUBLISHED[ip], rel=0.15)

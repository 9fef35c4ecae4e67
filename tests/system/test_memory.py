# SPDX-License-Identifier: Apache-2.0
"""A run of seconds: the simulator's own memory does not grow with simulated time, figures agree.

Counted is anonymous memory (RssAnon of /proc/PID/status): the models, their queues and the sinks'
buffers. The guests' RAM is shared memory (RssShmem), of which the simulator touches more as the
guests use more, up to what they were given.
"""

import time
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from rig import front_door
from rig.depth import depth
from rig.scenarios import Run

KIB = 1024
# Queues that reach a new highest fill, and the allocator's rounding.
BOUND = 512 * KIB
SECONDS = depth(3, 10)
# TCP over IPv4 with time stamps at MTU 9198, in octets: a frame with FCS, and its user data.
FRAME, DATA = 9198 + 14 + 4, 9198 - 20 - 32
LEAST_LEAK = 32  # bytes: the smallest piece that malloc gives out


def status(process: psutil.Process, field: str) -> int:
    """Return a size of /proc/PID/status in bytes."""
    text = Path(f"/proc/{process.pid}/status").read_text()
    line = next(row for row in text.splitlines() if row.startswith(f"{field}:"))
    return int(line.split()[1]) * KIB


@dataclass(frozen=True)
class Watched:
    """A run, and the simulator's processor time and memory at many of its moments."""

    run: Run
    samples: list[tuple[float, int]]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    out = tmp_path_factory.mktemp("memory") / "o"
    started = front_door.start(out, "ixgb_b2b", f"duration={SECONDS}s")
    front_door.wait_for(started.simulator, "the simulator")
    simulator = started.simulator()
    assert simulator is not None
    samples: list[tuple[float, int]] = []
    while started.process.poll() is None:
        try:
            samples.append((simulator.cpu_times().user, status(simulator, "RssAnon")))
        except (psutil.NoSuchProcess, OSError, StopIteration):
            break  # it has ended
        time.sleep(0.1)
    code, said = started.end(100 * SECONDS)
    assert code == 0, said
    return Watched(Run(started.out), samples)


def test_a_run_of_seconds_needs_no_more_memory_than_its_beginning(watched: Watched) -> None:
    samples = watched.samples
    # Boot and the first second; at the very end the simulator makes the text of its results.
    first = 1.5 / SECONDS
    work = samples[-1][0]
    later = [size for used, size in samples if work * first <= used <= work * 0.95]
    assert len(later) > 15
    assert max(later) - later[0] <= BOUND, later
    frames = watched.run.sim.counter("receiver.eth0.mac.rx_frames")
    assert frames * (1 - first) * LEAST_LEAK > 4 * BOUND, (
        "a leak of one allocation a frame could hide"
    )


def test_the_goodput_of_seconds_is_what_iperf_reports(watched: Watched) -> None:
    found = watched.run.measured
    assert found["window_s"] == SECONDS
    assert found["wire_gbps"] / found["goodput_gbps"] == pytest.approx(FRAME / DATA, rel=5e-4)
    reported = found["guest"]["receiver"]["reported_gbps"]
    assert found["goodput_gbps"] == pytest.approx(reported, rel=0.01)

# SPDX-License-Identifier: Apache-2.0
"""The simulator's own memory does not grow with simulated time.

Counted is anonymous memory (RssAnon of /proc/PID/status): the models, their queues and the sinks'
buffers. The guests' RAM is shared memory (RssShmem), of which the simulator touches more as the
guests use more, up to what they were given. LONGHAUL_MEMORY_SECONDS=10 asks for a longer run.
"""

import os
import time
from pathlib import Path

import psutil
from rig import front_door
from rig.scenarios import Run

KIB = 1024
# Queues that reach a new highest fill, and the allocator's rounding.
BOUND = 512 * KIB
SECONDS = int(os.environ.get("LONGHAUL_MEMORY_SECONDS", "3"))
LEAST_LEAK = 32  # bytes: the smallest piece that malloc gives out


def status(process: psutil.Process, field: str) -> int:
    """Return a size of /proc/PID/status in bytes."""
    text = Path(f"/proc/{process.pid}/status").read_text()
    line = next(row for row in text.splitlines() if row.startswith(f"{field}:"))
    return int(line.split()[1]) * KIB


def test_a_run_of_seconds_needs_no_more_memory_than_its_beginning(tmp_path: Path) -> None:
    started = front_door.start(tmp_path / "o", "ixgb_b2b", f"duration={SECONDS}s")
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
    # Boot and the first second; at the very end the simulator makes the text of its results.
    first = 1.5 / SECONDS
    work = samples[-1][0]
    later = [size for used, size in samples if work * first <= used <= work * 0.95]
    assert len(later) > 15
    assert max(later) - later[0] <= BOUND, later
    frames = Run(started.out).sim.counter("receiver.eth0.mac.rx_frames")
    assert frames * (1 - first) * LEAST_LEAK > 4 * BOUND, (
        "a leak of one allocation a frame could hide"
    )

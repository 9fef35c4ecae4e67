# SPDX-License-Identifier: Apache-2.0
"""Socket memory beyond the first node's: the sender's core writes it across HyperTransport.

The PC has 1 GB at each processor and the core sits at the first. A program that writes into a
socket of 1.8 GB fills the near node's memory and then the other's, long before the first
acknowledgement is back from 400 ms away.
"""

import polars
import pytest
from rig import front_door
from rig.scenarios import Run

LINE = 64
FAR_NS, IN_FLIGHT = 112, 3  # models/memory/README.md: latency; models/cpu/README.md: copies
# The server's window is left at Linux' default: this is about the writes, not about their way.
FILL = "iperf -c $LH_PEER -w $LH_WINDOW -t 9 >/dev/null & sleep 1.6; kill -9 $!"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("nodes") / "o"
    sets = ("rtt=400ms", "window=896MB", f"workload={FILL}")
    return Run(front_door.run(out, "ixgb_wan", *sets))


def copies(series: polars.DataFrame, *, remote: bool) -> tuple[float, float]:
    """Return Gb/s and nanoseconds of memory a line, of times of nothing but copies to one node."""
    copied = polars.col("sender.core.bytes_copied")
    crossed = polars.col("sender.memory.remote_bytes")
    period_ps = polars.col("time_ps").diff()
    # A line that is written is read for ownership and written back: twice its bytes cross.
    where = crossed > 1.9 * copied if remote else crossed == 0
    busy = polars.col("sender.core.state:system") > 0.97 * period_ps
    timed = series.with_columns(period_ps=period_ps)
    chosen = timed.filter(where & busy & (copied > 1 << 20))
    assert len(chosen) >= 200
    took_ps = float(chosen["period_ps"].sum())
    total = float(chosen["sender.core.bytes_copied"].sum())
    waited_ns = float(chosen["sender.core.memory_wait_ps"].sum()) / 1e3
    return total * 8e3 / took_ps, waited_ns / (total / LINE)


def test_the_other_nodes_memory_costs_speed(run: Run) -> None:
    series = polars.read_parquet(run.folder / "series.parquet")
    near, near_ns = copies(series, remote=False)
    far, far_ns = copies(series, remote=True)
    assert far_ns == pytest.approx(FAR_NS / IN_FLIGHT, rel=0.05)
    assert near_ns < 0.7 * far_ns
    assert 0.7 * near < far < 0.8 * near


def test_memory_within_the_first_node_never_crosses(run: Run) -> None:
    series = polars.read_parquet(run.folder / "series.parquet")
    copied = series["sender.core.bytes_copied"].cum_sum()
    first = int(series["sender.memory.remote_bytes"].gt(1 << 20).arg_max() or 0)
    # What the kernel, its programs and the descriptions of the packets hold of the first GiB
    # leaves the socket's data more than four fifths.
    assert 0.8 * 2**30 < copied[first] < 2**30
    assert run.until_end("sender.memory.node1.core_write_bytes") > 0.3 * 2**30
    assert run.until_end("receiver.memory.remote_bytes") < 1 << 20

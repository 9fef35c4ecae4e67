# SPDX-License-Identifier: Apache-2.0
"""The protocol's arithmetic on real guests' traffic: what MMRBC, clock and MTU make of a PCI-X bus.

Clock counts are those of models/pcix/README.md#clocks, decode A, 64 bit, below 4 GiB.
"""

from collections import Counter

import pytest
from rig import timeline
from rig.points import FAST_ENGINE, Point, drawn, steady

WORD = 8  # bytes a clock; PCI-X 2.0 has several of them in a clock of a burst
BURST = 4  # clocks of a burst beside its data: address, attribute, response, turn-around
LONE_WORD = 6  # clocks of a burst of one word: the release is one more
REQUEST = 6  # a split read request: a tenure that moves no data
REGISTER_WRITE, REGISTER_READ = 6, 6 + 6  # the adapter waits 6 clocks with its data
CONFIG_WRITE, CONFIG_READ = 10, 10 + 6
NO_DEVICE = 9 + 4  # a configuration access that nobody answers
ADB = 128
DESCRIPTOR = 16  # bytes
EDGE = 3  # clocks: release and turn-around of a tenure are credited with the next one

HOSTS = ("sender", "receiver")
SETS = {
    "mmrbc 512": (), "mmrbc 1024": ("mmrbc=1024",), "mmrbc 4096": ("mmrbc=4096",),
    "66 MHz": ("pcix_mhz=66",), "100 MHz": ("pcix_mhz=100",),
    "PCI-X 266": ("pcix_mhz=266",), "PCI-X 533": ("pcix_mhz=533",),
    "mtu 1500": ("mtu=1500",), "mtu 16114": ("mtu=16114",),
}  # fmt: skip
PHASE = {"PCI-X 266": 2 * WORD, "PCI-X 533": 4 * WORD}  # bytes


def run_of(name: str) -> Point:
    return steady(*SETS[name], options=FAST_ENGINE)


def raw_gbps(run: Point) -> float:
    """Return what a bus would carry if each of its clocks were data; both hosts' are alike."""
    return WORD * 8 / run.period_ps("sender") * 1e3


def clocks_of(tenure: timeline.Slice) -> int:
    """Return the clocks of a tenure from the rules alone."""
    match tenure.label:
        case "memory write" | "split completion":
            first = tenure.numbers["address"] % WORD
            words = -(-(first + tenure.numbers["bytes"]) // WORD)
            return BURST + words if words > 1 else LONE_WORD
        case "memory read" | "retry":
            return REQUEST
        case "mmio write" | "io write":
            return REGISTER_WRITE
        case "mmio read" | "io read":
            return REGISTER_READ
        case "config write":
            return CONFIG_WRITE
        case "config read":
            return CONFIG_READ
        case "master abort":
            return NO_DEVICE
        case _:
            pytest.fail(f"no rule for {tenure}")


@pytest.mark.parametrize("host", HOSTS)
def test_every_tenure_of_a_run_takes_the_clocks_of_the_protocol(host: str) -> None:
    run = drawn()
    rows = timeline.read(run.folder / "timeline.pftrace")
    (bus,) = (row for row in rows if (row.group, row.name) == (host, "PCI-X bus"))
    period_ns = run.period_ps(host) / 1000
    wrong: Counter[tuple[str, int, float]] = Counter()
    end_ns = 0
    for tenure in bus.slices:
        assert tenure.begin_ns >= end_ns - 1  # one master at a time; times are floored
        end_ns = tenure.end_ns
        taken = (tenure.end_ns - tenure.begin_ns) / period_ns
        if abs(taken - clocks_of(tenure)) * period_ns > 1:
            wrong[(tenure.label, clocks_of(tenure), round(taken, 1))] += 1
    assert not wrong
    labels = Counter(tenure.label for tenure in bus.slices)
    assert min(labels[name] for name in ("memory read", "memory write", "mmio read")) > 300


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("name", SETS)
def test_every_clock_of_the_window_follows_from_the_transactions(name: str, host: str) -> None:
    run = run_of(name)
    clocks = run.clocks(host)

    def count(probe: str) -> int:
        return run.count(f"{host}.pcix.{probe}")

    moved = count("completed_bytes") + count("written_bytes")
    bursts = count("memory_writes") + count("split_completions")
    registers = REGISTER_READ * count("mmio_reads") + REGISTER_WRITE * count("mmio_writes")
    # A burst touches at most one data phase more than its bytes fill at each end.
    phase = PHASE.get(name, WORD)
    assert 0 <= phase * clocks["data"] - moved <= 2 * (phase - 1) * bursts
    assert clocks["read_requests"] == pytest.approx(REQUEST * count("memory_reads"), abs=EDGE)
    beside = clocks["protocol"] + clocks["disconnects"]
    assert BURST * bursts - EDGE <= beside <= (LONE_WORD - 1) * bursts + EDGE
    assert clocks["mmio"] == pytest.approx(registers, abs=REGISTER_READ)
    everything = run.sim.window.seconds * 1e12 / run.period_ps(host)
    assert sum(clocks.values()) == pytest.approx(everything, abs=1)


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("name", SETS)
def test_a_bus_carries_no_more_than_its_transactions_leave(name: str, host: str) -> None:
    run = run_of(name)
    seconds, period_s = run.sim.window.seconds, run.period_ps(host) / 1e12
    needed = (
        REQUEST * run.count(f"{host}.pcix.memory_reads")
        + BURST * run.count(f"{host}.pcix.memory_writes")
        + BURST * run.count(f"{host}.pcix.split_completions")
        + REGISTER_READ * run.count(f"{host}.pcix.mmio_reads")
        + REGISTER_WRITE * run.count(f"{host}.pcix.mmio_writes")
    )
    probes = (f"{host}.pcix.completed_bytes", f"{host}.pcix.written_bytes")
    carried_gbps = sum(map(run.count, probes)) * 8 / seconds / 1e9
    most_gbps = raw_gbps(run) * PHASE.get(name, WORD) / WORD
    left_gbps = most_gbps * (1 - needed * period_s / seconds)
    assert raw_gbps(run) <= 8.534
    assert carried_gbps <= left_gbps
    if host == "sender" and name in ("66 MHz", "100 MHz"):
        # Where it is the limit, all but what the stack's pauses leave.
        assert carried_gbps > 0.9 * left_gbps


def efficiency(run: Point) -> float:
    """Return which share of the clocks that transfers of the sender's bus took were data."""
    clocks = run.clocks("sender")
    parts = ("data", "protocol", "read_requests", "disconnects")
    return clocks["data"] / sum(clocks[part] for part in parts)


@pytest.mark.parametrize(
    ("name", "mmrbc"), [("mmrbc 512", 512), ("mmrbc 1024", 1024), ("mmrbc 4096", 4096)]
)
def test_reads_are_cut_at_mmrbc_and_cost_a_request_each(name: str, mmrbc: int) -> None:
    run = run_of(name)
    reads, read = (run.count(f"sender.{p}") for p in ("pcix.memory_reads", "eth0.dma.read_bytes"))
    # A transfer is at most: a fetch of descriptors, a descriptor's data, a part of them in a frame.
    transfers = sum(
        run.count(f"sender.eth0.{p}") for p in ("tx.ring.fetched", "tx.frames", "tx.ring.fetches",
                                                "rx.ring.fetches")
    )  # fmt: skip
    # Its first piece ends at a disconnect boundary, the others are whole, the last is what is left.
    assert read / mmrbc <= reads <= read / mmrbc + transfers * (1 + (ADB - 1) / mmrbc)
    words = mmrbc // WORD
    most = words / (words + BURST + REQUEST)  # 86.5 % at 512 B, 98.1 % at 4096 B
    assert most - 0.03 < efficiency(run) < most


def rate_gbps(run: Point) -> float:
    """Return the goodput while the sender's bus had work: without moments in which Linux paused."""
    return run.measured["goodput_gbps"] / (1 - run.measured["sender"]["pcix_idle_pct"] / 100)


def test_larger_reads_bring_more_goodput() -> None:
    small, medium, large = (run_of(f"mmrbc {n}") for n in (512, 1024, 4096))
    for run in (small, medium):
        assert run.verdict["what"] == "sender's PCI-X bus: data"
    rate = [rate_gbps(run) for run in (small, medium, large)]
    # What requests and phases give back is there for data, and so is what reads waited at most.
    gain = efficiency(medium) / efficiency(small)
    assert gain == pytest.approx((128 / 138) / (64 / 74), abs=0.02)
    waits = small.measured["sender"]["pcix_split_wait_pct"] / 100
    assert gain - 0.02 < rate[1] / rate[0] < gain / (1 - waits)
    assert rate[0] < rate[1] < rate[2]
    assert large.measured["goodput_gbps"] > 1.08 * small.measured["goodput_gbps"]
    core = [run.measured["sender"]["cpu_busy_pct"] for run in (small, large)]
    assert core[0] < core[1]  # the core does more for what the bus lets through


def test_a_slower_clock_carries_less_in_proportion() -> None:
    fast = run_of("mmrbc 512")
    runs = {66.7: run_of("66 MHz"), 100.0: run_of("100 MHz")}

    def per_clock(run: Point) -> float:
        """Return the goodput for each clock in which the bus was busy."""
        busy = run.measured["sender"]["pcix_busy_pct"]
        return run.measured["goodput_gbps"] * run.period_ps("sender") / busy

    for mhz, run in runs.items():
        # A byte needs the same clocks whatever they last; only register accesses differ a little.
        assert per_clock(run) == pytest.approx(per_clock(fast), rel=0.02), mhz
        # Reads wait for nanoseconds, not clocks: the slower the clock, the less of it they cost.
        assert 0.9 * 133.3 / mhz < rate_gbps(fast) / rate_gbps(run) < 133.3 / mhz
    core = [run.measured["sender"]["cpu_busy_pct"] for run in runs.values()]
    assert core[0] < core[1]


def test_larger_frames_cost_less_of_bus_and_core_a_byte() -> None:
    runs = [run_of(name) for name in ("mtu 1500", "mmrbc 512", "mtu 16114")]
    for run, mtu in zip(runs, (1500, 9198, 16114), strict=True):
        # IPv4 and TCP with time stamps; Ethernet header and FCS.
        ratio = run.measured["wire_gbps"] / run.measured["goodput_gbps"]
        assert ratio == pytest.approx((mtu + 18) / (mtu - 52), rel=2e-3)
    # More frames, more pieces: at the sender, whose reads are cut anyway, less so.
    shares = [efficiency(run) for run in runs]
    assert shares[0] + 0.01 < shares[1] < shares[2] + 0.005
    per_byte = [r.measured["receiver"]["pcix_busy_pct"] / r.measured["goodput_gbps"] for r in runs]
    assert per_byte[0] > 1.02 * per_byte[1]
    for run, mtu in zip(runs, (1500, 9198, 16114), strict=True):
        # A frame without FCS and its descriptor, read and written; of an acknowledgement for every
        # second frame, the frame and its descriptors add at most 5 %.
        data_gbps = run.measured["receiver"]["pcix_dma_data_pct"] / 100 * raw_gbps(run)
        carried = (mtu + 14 + 2 * DESCRIPTOR) / (mtu - 52)
        assert 0.99 < data_gbps / run.measured["goodput_gbps"] / carried < 1.06
    cost = [r.measured["receiver"]["cpu_busy_pct"] / r.measured["goodput_gbps"] for r in runs]
    assert cost[0] > 2 * cost[1] > 2 * cost[2]  # the receiver works by frames
    goodput = [r.measured["goodput_gbps"] for r in runs]
    assert goodput[0] < 0.6 * goodput[1]

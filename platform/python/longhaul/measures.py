# SPDX-License-Identifier: Apache-2.0
"""From probes to the figures of results.json: the one table that knows the probes' names.

`{host}` is a machine's name; its adapter is eth0. A rate is per second of the measured window.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from longhaul.simdata import SimData

CORE_STATES = ("user", "system", "softirq", "hardirq", "mmio_stall")
# What a clock of the bus may go for (models/pcix/README.md#where-the-clocks-go), by measure.
BUS_CAUSES = {
    "pcix_dma_data_pct": "data",
    "pcix_protocol_pct": "protocol",
    "pcix_read_requests_pct": "read_requests",
    "pcix_disconnects_pct": "disconnects",
    "pcix_retries_pct": "retries",
    "pcix_mmio_pct": "mmio",
    "pcix_aborts_pct": "aborts",
    "pcix_arbitration_pct": "arbitration",
    "pcix_split_wait_pct": "split_wait",
    "pcix_idle_pct": "idle",
}


@dataclass(frozen=True)
class Share:
    """Percent of the window that a state clock spent in some states."""

    probe: str
    states: tuple[str, ...]

    def evaluate(self, sim: SimData, host: str) -> float:
        """Return the share, in percent."""
        return round(sim.share_pct(self.probe.format(host=host), self.states), 3)


@dataclass(frozen=True)
class PerSecond:
    """A counter's increase per second of the window."""

    probe: str

    def evaluate(self, sim: SimData, host: str) -> float:
        """Return the rate."""
        return round(sim.counter(self.probe.format(host=host)) / sim.window.seconds, 3)


@dataclass(frozen=True)
class Booked:
    """Percent of the window that a counter of picoseconds grew by."""

    probe: str

    def evaluate(self, sim: SimData, host: str) -> float:
        """Return the share, in percent."""
        booked = sim.counter(self.probe.format(host=host)) / 1e12
        return round(100.0 * booked / sim.window.seconds, 3)


@dataclass(frozen=True)
class OverCores:
    """A figure of one core, `{host}` its name: the mean over all cores of a machine, or the sum."""

    of: Share | PerSecond | Booked
    mean: bool = True

    def evaluate(self, sim: SimData, host: str) -> float:
        """Return the mean or the sum."""
        each = [self.of.evaluate(sim, core) for core in cores(sim, host)]
        return round(sum(each) / (len(each) if self.mean else 1), 3)


_CORE = re.compile(r"(.+\.core\d*)\.state")


def cores(sim: SimData, host: str) -> list[str]:
    """Return the names of a machine's cores in their order: host.core, host.core1, ..."""
    found = (_CORE.fullmatch(probe) for probe in sim.probes if probe.startswith(f"{host}.core"))
    names = [match[1] for match in found if match]
    return sorted(names, key=lambda name: (len(name), name)) or [f"{host}.core"]


HOST_MEASURES: dict[str, Share | PerSecond | Booked | OverCores] = {
    "cpu_busy_pct": OverCores(Share("{host}.state", CORE_STATES)),
    "cpu_user_pct": OverCores(Share("{host}.state", ("user",))),
    "cpu_system_pct": OverCores(Share("{host}.state", ("system",))),
    "cpu_softirq_pct": OverCores(Share("{host}.state", ("softirq",))),
    "cpu_hardirq_pct": OverCores(Share("{host}.state", ("hardirq",))),
    "cpu_mmio_stall_pct": OverCores(Share("{host}.state", ("mmio_stall",))),
    "cpu_memory_wait_pct": OverCores(Booked("{host}.memory_wait_ps")),
    "irq_per_s": PerSecond("{host}.eth0.interrupts"),
    "napi_polls_per_s": OverCores(PerSecond("{host}.napi_polls"), mean=False),
    "mmio_reads_per_s": OverCores(PerSecond("{host}.mmio_reads"), mean=False),
    "mmio_writes_per_s": OverCores(PerSecond("{host}.mmio_writes"), mean=False),
    "pcix_busy_pct": Share("{host}.pcix.state", ("data", "overhead")),
    "pcix_data_pct": Share("{host}.pcix.state", ("data",)),
    "pcix_overhead_pct": Share("{host}.pcix.state", ("overhead",)),
    **{name: Share("{host}.pcix.clocks", (cause,)) for name, cause in BUS_CAUSES.items()},
    "mem_busy_pct": Booked("{host}.memory.busy_ps"),
    "adapter_tx_busy_pct": Share("{host}.eth0.tx.engine.state", ("busy",)),
    "adapter_tx_blocked_pct": Share("{host}.eth0.tx.engine.state", ("blocked",)),
    "adapter_rx_busy_pct": Share("{host}.eth0.rx.engine.state", ("busy",)),
    "adapter_rx_blocked_pct": Share("{host}.eth0.rx.engine.state", ("blocked",)),
}

WIRE_OCTETS = "{host}.eth0.mac.rx_octets"  # good frames with FCS, as a switch's SNMP counters count
WIRE_FRAMES = "{host}.eth0.mac.rx_frames"
BESIDE_FRAME = 8 + 12  # octets: preamble with delimiter, inter-frame gap (IEEE 802.3, 4.4.2)
TCP_RECEIVED = "{host}.eth0_payload.tcp_received"  # user data that those frames brought, each byte
UDP_RECEIVED = "{host}.eth0_payload.udp_received"  # of TCP once
RETRANSMITS = "{host}.eth0_payload.tcp_retransmits"


def host_measures(sim: SimData, host: str, goodput_gbps: float | None = None) -> dict[str, float]:
    """Return all figures of one machine."""
    figures = {name: measure.evaluate(sim, host) for name, measure in HOST_MEASURES.items()}
    busy = figures["cpu_busy_pct"]
    if goodput_gbps is not None and busy > 0:
        figures["goodput_per_cpu_gbps"] = round(100.0 * goodput_gbps / busy, 6)
    return (
        figures | core_measures(sim, host) | memory_measures(sim, host) | lock_measures(sim, host)
    )


def core_measures(sim: SimData, host: str) -> dict[str, float]:
    """Return how busy each core was, where a machine has several."""
    names = cores(sim, host)
    if len(names) == 1:
        return {}
    busy = Share("{host}.state", CORE_STATES)
    return {f"cpu{i}_busy_pct": busy.evaluate(sim, name) for i, name in enumerate(names)}


_MEMORY_PART = re.compile(r"memory\.(?:(node\d+)|links\.\w+|bus\.\w+)\.busy_ps")


def memory_measures(sim: SimData, host: str) -> dict[str, float]:
    """Return how busy each node's data bus was, and the fullest path between nodes or to them."""
    nodes: dict[str, float] = {}
    paths: list[float] = []
    for probe in sim.probes:
        part = _MEMORY_PART.fullmatch(probe.removeprefix(f"{host}."))
        if part is None:
            continue
        busy = Booked(probe).evaluate(sim, host)
        if part[1]:
            nodes[f"mem_{part[1]}_busy_pct"] = busy
        else:
            paths.append(busy)
    found = dict(sorted(nodes.items()))
    return found | ({"mem_path_busy_pct": max(paths)} if paths else {})


def lock_measures(sim: SimData, host: str) -> dict[str, float]:
    """Return how long a kernel's one lock was held, where it has one."""
    held = Share("{host}.giant.state", ("held",))
    if held.probe.format(host=host) not in sim.probes:
        return {}
    return {"kernel_lock_held_pct": held.evaluate(sim, host)}


def wire_gbps(sim: SimData, receiver: str) -> float:
    """Return the rate of frames into the receiver, in Gb/s of frame octets."""
    octets = sim.counter(WIRE_OCTETS.format(host=receiver))
    return round(octets * 8 / sim.window.seconds / 1e9, 6)


def line_busy_pct(sim: SimData, receiver: str, line_gbps: float) -> float:
    """Return how much of the slowest line's time frames, preambles and gaps took, in percent."""
    octets = sim.counter(WIRE_OCTETS.format(host=receiver))
    octets += BESIDE_FRAME * sim.counter(WIRE_FRAMES.format(host=receiver))
    return round(100.0 * octets * 8 / sim.window.seconds / 1e9 / line_gbps, 3)


def goodput_gbps(sim: SimData, receiver: str, udp_share: float) -> float:
    """Return the rate of user data into the receiver, in Gb/s.

    `udp_share` is the share of datagrams that arrived and did not die in the receiver's kernel.
    """
    payload = sim.counter(TCP_RECEIVED.format(host=receiver))
    payload += sim.counter(UDP_RECEIVED.format(host=receiver)) * udp_share
    return round(payload * 8 / sim.window.seconds / 1e9, 6)


def retransmits(sim: SimData, sender: str) -> int:
    """Return how many TCP segments left the sender again."""
    return sim.counter(RETRANSMITS.format(host=sender))


def drops(sim: SimData) -> dict[str, int]:
    """Return, by probe, the frames that went missing; an empty dict when none did."""
    return {
        name: probe.delta
        for name, probe in sim.probes.items()
        if probe.delta and is_drop_column(name)
    }


def drop_causes(sim: SimData) -> dict[str, str]:
    """Return what each counter of `drops` says it counts."""
    return {name: sim.probes[name].description for name in drops(sim)}


# What the report draws from series.csv: title, unit, scale per column, and the columns by legend.
@dataclass(frozen=True)
class Plot:
    """One plot over time: columns of the series times `scale`, per second if asked."""

    title: str
    unit: str
    columns: dict[str, str]
    scale: float
    per_second: bool = True
    stacked: bool = False


def plots(sender: str, receiver: str) -> list[Plot]:
    """Return the report's plots over time."""
    both = {"sender": sender, "receiver": receiver}

    def cpu(host: str) -> dict[str, str]:
        return {state: f"{host}.core.state:{state}" for state in CORE_STATES}

    return [
        Plot(
            "Wire rate",
            "Gb/s",
            {f"into {role}": f"{host}.eth0.mac.rx_octets" for role, host in reversed(both.items())},
            8 / 1e9,
        ),
        Plot("Sender's CPU", "%", cpu(sender), 100 / 1e12, stacked=True),
        Plot("Receiver's CPU", "%", cpu(receiver), 100 / 1e12, stacked=True),
        Plot(
            "PCI-X bus",
            "%",
            {
                f"{role}, {state}": f"{host}.pcix.state:{state}"
                for role, host in both.items()
                for state in ("data", "overhead")
            },
            100 / 1e12,
        ),
        Plot(
            "Interrupts",
            "1/s",
            {role: f"{host}.eth0.interrupts" for role, host in both.items()},
            1,
        ),
        # Of modelled hosts only: a guest's TCP is in its waves.
        Plot(
            "Sender's TCP: windows",
            "MB",
            {"congestion window": f"{sender}.stack.cwnd", "on the way": f"{sender}.stack.flight"},
            1e-6,
            per_second=False,
        ),
        Plot(
            "Sender's TCP: writes",
            "Gb/s",
            {
                "written by programs": f"{sender}.stack.written_bytes",
                "sent": f"{sender}.stack.data_bytes_out",
            },
            8 / 1e9,
        ),
    ]


# A frame with a wrong FCS goes missing where it comes in; who sends it on counts it only.
DROP_WORDS = ("drop", "lost", "discard", "missed", "rx_bad_fcs", "oversize", "runts", "no_route")


def is_drop_column(name: str) -> bool:
    """Tell whether a series counts frames that went missing."""
    leaf = name.rsplit(".", 1)[-1]
    if ":" in name or leaf == "pause_dropped":  # PAUSE goes no further than one link by design
        return False
    return any(word in leaf for word in DROP_WORDS)

# SPDX-License-Identifier: Apache-2.0
"""From probes to the figures of results.json: the one table that knows the probes' names.

`{host}` is a machine's name, or a core's; `{adapter}` an adapter's with its machine's, as
"sender.eth0". A rate is per second of the measured window.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from longhaul.record.states import CORE_STATES
from longhaul.results import offload
from longhaul.results.simdata import SimData

# The uses of a clock of the bus (models/pcix/README.md#where-the-clocks-go), by measure.
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


def _probe(template: str, of: str) -> str:
    """Return the name of a host's, a core's or an adapter's probe."""
    return template.format(host=of, adapter=of)


@dataclass(frozen=True)
class Share:
    """Percent of the window that a state clock spent in some states."""

    probe: str
    states: tuple[str, ...]

    def evaluate(self, sim: SimData, of: str) -> float:
        """Return the share, in percent."""
        return round(sim.share_pct(_probe(self.probe, of), self.states), 3)


@dataclass(frozen=True)
class PerSecond:
    """A counter's increase per second of the window."""

    probe: str

    def evaluate(self, sim: SimData, of: str) -> float:
        """Return the rate."""
        return round(sim.counter(_probe(self.probe, of)) / sim.window.seconds, 3)


@dataclass(frozen=True)
class Booked:
    """Percent of the window that a counter of picoseconds grew by."""

    probe: str

    def evaluate(self, sim: SimData, of: str) -> float:
        """Return the share, in percent."""
        booked = sim.counter(_probe(self.probe, of)) / 1e12
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
    "napi_polls_per_s": OverCores(PerSecond("{host}.napi_polls"), mean=False),
    "mmio_reads_per_s": OverCores(PerSecond("{host}.mmio_reads"), mean=False),
    "mmio_writes_per_s": OverCores(PerSecond("{host}.mmio_writes"), mean=False),
    "pcix_busy_pct": Share("{host}.pcix.state", ("data", "overhead")),
    "pcix_data_pct": Share("{host}.pcix.state", ("data",)),
    "pcix_overhead_pct": Share("{host}.pcix.state", ("overhead",)),
    **{name: Share("{host}.pcix.clocks", (cause,)) for name, cause in BUS_CAUSES.items()},
    "mem_busy_pct": Booked("{host}.memory.busy_ps"),
}

ADAPTER_MEASURES: dict[str, Share | PerSecond] = {
    "irq_per_s": PerSecond("{adapter}.interrupts"),
    "adapter_tx_busy_pct": Share("{adapter}.tx.engine.state", ("busy",)),
    "adapter_tx_blocked_pct": Share("{adapter}.tx.engine.state", ("blocked",)),
    "adapter_rx_busy_pct": Share("{adapter}.rx.engine.state", ("busy",)),
    "adapter_rx_blocked_pct": Share("{adapter}.rx.engine.state", ("blocked",)),
}

WIRE_OCTETS = "{adapter}.mac.rx_octets"  # good frames with FCS, as a switch's SNMP counters count
WIRE_OCTETS_SENT = "{adapter}.mac.tx_octets"
WIRE_FRAMES = "{adapter}.mac.rx_frames"
BESIDE_FRAME = 8 + 12  # octets: preamble with delimiter, inter-frame gap (IEEE 802.3, 4.4.2)
TCP_RECEIVED = "{adapter}_payload.tcp_received"  # user data that those frames brought, each byte
UDP_RECEIVED = "{adapter}_payload.udp_received"  # of TCP once
RETRANSMITS = "{adapter}_payload.tcp_retransmits"
IN_FLIGHT = "{adapter}_payload.tcp_in_flight"


def host_measures(
    sim: SimData, host: str, adapters: Sequence[str], goodput_gbps: float | None = None
) -> dict[str, Any]:
    """Return all figures of one machine; the workload is on the first of its `adapters`.

    Where there are several, each has its own figures under "adapters".
    """
    figures: dict[str, Any] = {
        name: measure.evaluate(sim, host) for name, measure in HOST_MEASURES.items()
    }
    ports = {name: f"{host}.{name}" for name in adapters}
    figures |= _adapter_measures(sim, ports[adapters[0]])
    busy = figures["cpu_busy_pct"]
    if goodput_gbps is not None and busy > 0:
        figures["goodput_per_cpu_gbps"] = round(100.0 * goodput_gbps / busy, 6)
    figures |= core_measures(sim, host) | memory_measures(sim, host) | lock_measures(sim, host)
    if len(adapters) > 1:
        figures["adapters"] = {
            name: _traffic(sim, port) | _adapter_measures(sim, port) for name, port in ports.items()
        }
    return figures


def _adapter_measures(sim: SimData, adapter: str) -> dict[str, float]:
    """Return an adapter's figures; an adapter in RTL has no figures of single engines."""
    return {
        name: measure.evaluate(sim, adapter)
        for name, measure in ADAPTER_MEASURES.items()
        if _probe(measure.probe, adapter) in sim.probes
    } | offload.engine_measures(sim, adapter)


def _traffic(sim: SimData, adapter: str) -> dict[str, float]:
    """Return the rates of frames in both directions, and of the user data that arrived, in Gb/s."""
    counted = {
        "wire_in_gbps": (WIRE_OCTETS,),
        "wire_out_gbps": (WIRE_OCTETS_SENT,),
        "goodput_in_gbps": (TCP_RECEIVED, UDP_RECEIVED),
    }
    return {name: _gbps(sim, adapter, probes) for name, probes in counted.items()}


def _gbps(sim: SimData, adapter: str, probes: Iterable[str]) -> float:
    octets = sum(sim.counter(_probe(probe, adapter)) for probe in probes)
    return round(octets * 8 / sim.window.seconds / 1e9, 6)


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
    if _probe(held.probe, host) not in sim.probes:
        return {}
    return {"kernel_lock_held_pct": held.evaluate(sim, host)}


def wire_gbps(sim: SimData, receiver: str) -> float:
    """Return the rate of frames into the receiver's adapter, in Gb/s of frame octets."""
    return _gbps(sim, receiver, (WIRE_OCTETS,))


def line_busy_pct(sim: SimData, receiver: str, line_gbps: float) -> float:
    """Return how much of the slowest line's time frames, preambles and gaps took, in percent."""
    octets = sim.counter(_probe(WIRE_OCTETS, receiver))
    octets += BESIDE_FRAME * sim.counter(_probe(WIRE_FRAMES, receiver))
    return round(100.0 * octets * 8 / sim.window.seconds / 1e9 / line_gbps, 3)


def goodput_gbps(sim: SimData, receiver: str, udp_share: float) -> float:
    """Return the rate of user data into the receiver's adapter, in Gb/s.

    `udp_share` is the share of datagrams that arrived and did not die in the receiver's kernel.
    """
    payload = sim.counter(_probe(TCP_RECEIVED, receiver))
    payload += sim.counter(_probe(UDP_RECEIVED, receiver)) * udp_share
    return round(payload * 8 / sim.window.seconds / 1e9, 6)


def retransmits(sim: SimData, sender: str) -> int:
    """Return how many TCP segments left the sender's adapter again."""
    return sim.counter(_probe(RETRANSMITS, sender))


def in_flight(sim: SimData, sender: str) -> dict[str, float]:
    """Return how much TCP user data of the sender's adapter were on the way, in bytes.

    Mean and most of the window, and at its end.
    """
    level = sim.level(_probe(IN_FLIGHT, sender))
    return {
        "mean_bytes": round(level.mean or 0.0, 1),
        "most_bytes": level.highest or 0.0,
        "end_bytes": level.end or 0.0,
    }


def retransmits_before(sim: SimData, sender: str) -> int:
    """Return how many TCP segments had left the sender again when the window began."""
    return sim.before(_probe(RETRANSMITS, sender))


def drops(sim: SimData) -> dict[str, int]:
    """Return, by probe, the frames that went missing; an empty dict when none did."""
    return {
        name: probe.delta
        for name, probe in sim.probes.items()
        if probe.delta and is_drop_column(name)
    }


def drops_before(sim: SimData) -> dict[str, int]:
    """Return, by probe, the frames that went missing before the window."""
    counted = {name: sim.before(name) for name in sim.probes if is_drop_column(name)}
    return {name: count for name, count in counted.items() if count}


def pauses(sim: SimData) -> dict[str, dict[str, float]]:
    """Return, by MAC, the PAUSE frames that it sent and received and how long it was stopped."""
    found: dict[str, dict[str, float]] = {}
    for name in sim.probes:
        mac = name.removesuffix(".tx_xoff")
        if mac == name:
            continue
        sent, received = sim.counter(name), sim.counter(f"{mac}.rx_xoff")
        if sent or received:
            stopped = Booked(f"{mac}.tx_paused_ps").evaluate(sim, mac)
            found[mac] = {"sent": sent, "received": received, "stopped_pct": stopped}
    return found


def drop_causes(sim: SimData) -> dict[str, str]:
    """Return what each counter of `drops` and `drops_before` says it counts."""
    return {name: sim.probes[name].description for name in drops(sim) | drops_before(sim)}


# Plots that the report draws from series.csv: title, unit, scale per column, columns by legend.
@dataclass(frozen=True)
class Plot:
    """One plot over time: columns of the series times `scale`, per second if asked.

    `without_zeros` leaves out columns that are zero throughout.
    """

    title: str
    unit: str
    columns: dict[str, str]
    scale: float
    per_second: bool = True
    stacked: bool = False
    without_zeros: bool = False


def plots(sender: str, receiver: str, adapters: Mapping[str, str]) -> list[Plot]:
    """Return the report's plots over time; `adapters` are the workload's names of them by role."""
    both = {"sender": sender, "receiver": receiver}
    ports = {role: f"{host}.{adapters[role]}" for role, host in both.items()}

    def cpu(host: str) -> dict[str, str]:
        return {state: f"{host}.core.state:{state}" for state in CORE_STATES}

    return [
        Plot(
            "Wire rate",
            "Gb/s",
            {f"into {role}": _probe(WIRE_OCTETS, at) for role, at in reversed(ports.items())},
            8 / 1e9,
        ),
        Plot(
            "Goodput by direction",
            "Gb/s",
            {
                f"into {role}{of}": _probe(received, at)
                for of, received in (("", TCP_RECEIVED), (", UDP", UDP_RECEIVED))
                for role, at in reversed(ports.items())
            },
            8 / 1e9,
            without_zeros=True,
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
            {role: f"{port}.interrupts" for role, port in ports.items()},
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

# SPDX-License-Identifier: Apache-2.0
"""NEC-TOE's testbed: a host with an offload engine, three measuring hosts, a gigabit switch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longhaul import json_file
from longhaul.parts.part import ParamValue
from longhaul.settings import Choice, Count, Flag, Quantities, setting
from longhaul.testbeds.rows import Row
from longhaul.topology import Box, Connect, Iperf, Machine, Scenario, Switch, System, machines, nics
from longhaul.units import Size, Time, mib, ms, ps, s

PAPER = "NEC-TOE"
# The slides' hosts of the two engines.
SYSTEMS = {"parallel": "windows-nt-4.0", "pipeline": "redhat-7.3"}
MEASURING_SYSTEM = "freebsd-4.5"
MEASURING_HOSTS = 3
OF_ENGINE = "engine"  # value of a setting that the engine decides
TOE_PHY = "1000base-x"
MEASURING_PHY = "1000base-t"
LEAST_MTU = 68  # RFC 791
UP = s(2)  # all interfaces are up by then
IDLE = "idle"  # of a core's states


@dataclass(frozen=True, kw_only=True)
class HostSettings:
    """Settings of the hosts and their traffic."""

    engine: str = setting(
        Choice(tuple(SYSTEMS)),
        "parallel",
        help="the offload engine of the measured host",
        evidence="measured",
        source=f"{PAPER}: a parallel and a pipelined engine",
    )
    toe: bool = setting(
        Flag(),
        "on",
        help="the engine runs TCP; off: the host's own TCP, with the engine as a NIC",
        evidence="measured",
        source=f"{PAPER}: engines that run TCP",
    )
    system: str = setting(
        Choice((OF_ENGINE, *SYSTEMS.values())),
        OF_ENGINE,
        help="system of the measured host; engine: that of the slides, by the engine",
        evidence="measured",
        source=f"{PAPER}: Windows NT 4.0 (parallel), Red Hat 7.3 (pipeline)",
    )
    connections: int = setting(
        Count(1, 64, "connections"),
        "3",
        help="connections, on the measuring hosts in turn",
        source=f"{PAPER} varies them; one on each measuring host",
    )
    message: Size = setting(
        Quantities(Size(64), mib(1), "KiB"),
        "8KiB",
        help="what a call of the measured host's program sends or asks for",
        evidence="assumed",
        source=f"{PAPER} does not name its program; as ttcp's and iperf's of the time, from memory",
    )
    buffer: Size = setting(
        Quantities(Size(2048), mib(1), "KiB"),
        "64KiB",
        help="socket buffers that all programs ask for; the engine's receive buffer is its own",
        evidence="assumed",
        source=f"{PAPER} does not name them; the largest without window scaling",
    )
    mtu: int = setting(
        Count(LEAST_MTU, 1500, "B"),
        "1500",
        help="MTU of the measured host, 40 B more than its MSS",
        evidence="standard",
        source="IEEE 802.3: 1500 B",
    )
    duration: Time = setting(
        Quantities(ms(1), s(3600), "s"),
        "400ms",
        help="simulated time measured, after the warm-up",
        source="thousands of round trips without a delay",
    )
    warmup: Time = setting(
        Quantities(ps(0), s(3600), "s"),
        "200ms",
        help="traffic before the measured time, left out of all figures",
        source="slow start is over by then",
    )


def rows_by(name: str, values: Iterable[str]) -> list[Row]:
    """Return the rows of a slide: each value of a setting, on each engine, with either TCP."""
    return [
        Row({"engine": engine, "toe": toe, name: value})
        for engine in SYSTEMS
        for toe in ("on", "off")
        for value in values
    ]


def _adapter(settings: HostSettings) -> Machine:
    profile = SYSTEMS[settings.engine] if settings.system == OF_ENGINE else settings.system
    return machines.piii_933(
        "toe",
        nic=nics.adapter(f"nec-{settings.engine}", mtu=settings.mtu),
        system=System(profile=profile, driver={"offload": settings.toe}),
    )


def _measuring(name: str) -> Machine:
    driver: dict[str, ParamValue] = {"version": "em", "tso": False}
    return machines.piii_933(
        name,
        nic=nics.e1000(board="82545em-copper", tso=False),
        system=System(profile=MEASURING_SYSTEM, net={"tso": False}, driver=driver),
    )


def add_hosts(
    scenario: Scenario, settings: HostSettings, box: Box | None = None
) -> tuple[Machine, list[Machine]]:
    """Add the host with the engine, the measuring hosts and the switch between them.

    A `box` is between the host with the engine and the switch; that host is in the west.
    """
    measured = scenario.add(_adapter(settings))
    switch = scenario.add(Switch(name="switch", type="planex_fxg08te", ports=1 + MEASURING_HOSTS))
    near = switch.port("p0")
    if box is not None:
        scenario.add(box)
        scenario.link(box.port("east"), near, name="box_link", phy=MEASURING_PHY)
        near = box.port("west")
    scenario.link(measured.port("eth0"), near, name="toe_link", phy=TOE_PHY)
    far: list[Machine] = []
    for i in range(1, 1 + MEASURING_HOSTS):
        host = scenario.add(_measuring(f"freebsd{i}"))
        scenario.link(
            switch.port(f"p{i}"), host.port("eth0"), name=f"{host.name}_link", phy=MEASURING_PHY
        )
        far.append(host)
    return measured, far


def run_streams(
    scenario: Scenario,
    settings: HostSettings,
    measured: Machine,
    far: list[Machine],
    *,
    sends: bool,
) -> None:
    """Add the connections between the measured host and the others, one direction of data."""
    for i, host in enumerate(far):
        streams = len(range(i, settings.connections, len(far)))
        if not streams:
            continue
        scenario.run_workload(
            Iperf(
                sender=measured if sends else host,
                receiver=host if sends else measured,
                duration=settings.duration,
                warmup=settings.warmup,
                window=settings.buffer,
                streams=streams,
                write=settings.message if sends else None,
                read=None if sends else settings.message,
            )
        )


def run_connections(
    scenario: Scenario, settings: HostSettings, measured: Machine, far: list[Machine]
) -> None:
    """Let programs on the measuring hosts open connections to the measured one, and close them."""
    for i, host in enumerate(far):
        clients = len(range(i, settings.connections, len(far)))
        if not clients:
            continue
        scenario.run_workload(
            Connect(
                sender=host,
                receiver=measured,
                duration=settings.duration,
                warmup=settings.warmup,
                start=UP,
                clients=clients,
            )
        )


def _cpu_busy_pct(probes: Mapping[str, Any]) -> float:
    """Return how long the measured host's CPU was busy in the window."""
    states = probes["toe.core.state"]["states"]
    return 100.0 * (1 - states[IDLE] / sum(states.values()))


def evaluate_connections(_: object, raw: Path, out: Path) -> dict[str, Any]:
    """Return the connections a second that the measured host accepts, and its CPU load."""
    summary = json_file.read(raw / "sim.json")
    probes = summary["probes"]
    seconds = (summary["window"]["end_ps"] - summary["window"]["begin_ps"]) / 1e12
    busy = _cpu_busy_pct(probes)
    rate = probes["toe.stack.connections"]["delta"] / seconds
    return {
        "toe_connections_per_s": round(rate, 3),
        "toe_cpu_busy_pct": round(busy, 3),
        "toe_connections_per_cpu_s": round(100.0 * rate / busy, 3) if busy else None,
        "toe_failed_connections": int(probes["toe.stack.connections_failed"]["delta"]),
        "toe_refused_syns": int(probes["toe.stack.drop_syn"]["delta"]),
    }


def evaluate(_: object, raw: Path, out: Path) -> dict[str, Any]:
    """Return the measured host's rates and CPU load, of all its connections together."""
    summary = json_file.read(raw / "sim.json")
    probes = summary["probes"]
    seconds = (summary["window"]["end_ps"] - summary["window"]["begin_ps"]) / 1e12

    def counted(name: str) -> int:
        return int(probes[name]["delta"])

    def gbps(adapter: str) -> float:
        return counted(f"{adapter}_payload.tcp_received") * 8 / seconds / 1e9

    busy = _cpu_busy_pct(probes)
    sent = sum(gbps(f"freebsd{i}.eth0") for i in range(1, 1 + MEASURING_HOSTS))
    received = gbps("toe.eth0")
    frames = counted("toe.eth0.mac.tx_frames")
    again = counted("toe.eth0_payload.tcp_retransmits")
    return {
        "toe_sent_gbps": round(sent, 6),
        "toe_received_gbps": round(received, 6),
        "toe_cpu_busy_pct": round(busy, 3),
        "toe_gbps_per_cpu": round(100.0 * (sent + received) / busy, 6) if busy else None,
        "toe_sent_again_pct": round(100.0 * again / frames, 4) if frames else 0.0,
    }

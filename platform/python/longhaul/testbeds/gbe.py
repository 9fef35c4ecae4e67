# SPDX-License-Identifier: Apache-2.0
"""GBE-TUNING's testbed: a DL380 G2 and an Express5800/56Wg under Windows, a switch between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.parts.part import ParamValue
from longhaul.settings import Choice, Count, Number, Quantities, setting
from longhaul.testbeds import modelled
from longhaul.topology import Machine, NetperfStream, Nic, Scenario, Switch, System, machines, nics
from longhaul.units import Size, Time, ghz, mib, ms, ps, s

PAPER = "GBE-TUNING"
PHY = "1000base-t"
ETHERNET_HEADER = 14  # of the driver's sizes of frames, which leave out the FCS
STANDARD_FRAME = 1514
JUMBO_FRAMES = (4088, 9014)


@dataclass(frozen=True, kw_only=True)
class HostSettings:
    """What can be set on the two hosts; the DL380 G2 is the one whose CPU the article measured."""

    system: str = setting(
        Choice(modelled.SYSTEMS[1:]),
        "windows-2000",
        help="what both hosts run",
        evidence="measured",
        source=f"{PAPER}, figures 6 and 8: Windows 2000",
    )
    frame: int = setting(
        Count(choices=(STANDARD_FRAME, *JUMBO_FRAMES), of="B"),
        str(STANDARD_FRAME),
        help="largest frame with its header, as Intel's driver counts; the MTU is 14 less",
        evidence="measured",
        source=f"{PAPER}, figure 7",
    )
    duration: Time = setting(
        Quantities(ms(1), s(3600), "s"),
        "400ms",
        help="simulated time measured, after the warm-up",
        source="thousands of windows; the article's netperf ran for 10 s or more",
    )
    warmup: Time = setting(
        Quantities(ps(0), s(3600), "s"),
        "50ms",
        help="traffic before the measured time, left out of all figures",
        source="slow start is over by then",
    )
    interrupt_rate: int = setting(
        Count(0, 100_000, "interrupts/s"),
        "8000",
        help="most interrupts of an adapter, 0 for no limit",
        source="models/host/drivers/README.md#windows",
    )
    processors: int = setting(
        Count(1, 2, "processors"),
        "1",
        help="processors of the DL380 G2, which has sockets for two",
        source=f"{PAPER}: a CPU at 99 %, which one stream does not do to two (docs/gbe_tuning.md)",
    )
    cpu_ghz: float = setting(
        Number(0.1, 10, "GHz"),
        "1.4",
        help="clock of the DL380 G2's CPU",
        source="platform/config/machines/dl380_g2.toml",
    )


@dataclass(frozen=True, kw_only=True)
class NetperfSettings(HostSettings):
    """What can be set on hosts and netperf."""

    buffer: Size = setting(
        Quantities(Size(1024), mib(4), "KiB"),
        "64KiB",
        help="SO_SNDBUF and SO_RCVBUF that netperf asks for at both ends",
        source=f"{PAPER}, figure 6: the best one; figure 7's is not printed",
    )
    sender: str = setting(
        Choice(("dl380_g2", "wg56")),
        "wg56",
        help="which host sends",
        source="not printed; as in figure 8, where the DL380 G2 reads",
    )


def add_hosts(
    scenario: Scenario,
    settings: HostSettings,
    *,
    net: Mapping[str, ParamValue] | None = None,
) -> tuple[Machine, Machine]:
    """Add the DL380 G2 and the 56Wg, joined by the switch; `net` stands above the profile."""

    def nic() -> Nic:
        return nics.e1000(
            board="82545em-copper",
            mtu=settings.frame - ETHERNET_HEADER,
            tso=False,
            gso=False,
            gro=False,
        )

    def system(processors: int) -> System:
        return System(
            profile=settings.system,
            processors=processors,
            net=dict(net or {}),
            driver={"version": "ndis5", "throttle": settings.interrupt_rate},
        )

    server = scenario.add(
        machines.dl380_g2(
            "dl380_g2",
            nic=nic(),
            cpu_clock=ghz(settings.cpu_ghz),
            system=system(settings.processors),
        )
    )
    station = scenario.add(machines.express5800_56wg("wg56", nic=nic(), system=system(1)))
    switch = scenario.add(Switch(name="fxg08te", type="planex_fxg08te", ports=8))
    scenario.link(server.port("eth0"), switch.port("p0"), name="dl380_link", phy=PHY)
    scenario.link(switch.port("p1"), station.port("eth0"), name="wg56_link", phy=PHY)
    return server, station


def netperf(
    name: str,
    settings: HostSettings,
    seed: int,
    *,
    sender: str,
    buffer: Size | None = None,
    net: Mapping[str, ParamValue] | None = None,
) -> Scenario:
    """Return the hosts and the switch with netperf's stream from the host called `sender`.

    `buffer` is what netperf asks for at both ends; `net` stands above the profile.
    """
    scenario = Scenario(name, seed=seed)
    server, station = add_hosts(scenario, settings, net=net)
    near, far = (server, station) if server.name == sender else (station, server)
    scenario.run_workload(
        NetperfStream(
            sender=near,
            receiver=far,
            duration=settings.duration,
            warmup=settings.warmup,
            window=buffer,
        )
    )
    return scenario


def registry_window(window: Size) -> dict[str, ParamValue]:
    """Return what TcpWindowSize sets: in whole segments as ever, but no least number of them."""
    return {"receive_buffer": str(window), "window_segments": 1}

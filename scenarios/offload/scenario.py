# SPDX-License-Identifier: Apache-2.0
"""TCP in software, with TSO and in the adapter, on equal hosts.

Question: what does offload bring, and where does it stop paying? The T110 is the same chip with TCP
in the host (`toe=off`) and in the adapter (`toe=on`). Intel's adapter cuts TCP's segments or not
(`card=ixgb`, `tso`). `./longhaul study offload` runs them all against MTU, loss, connections and
round-trip time.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from longhaul import json_file
from longhaul.settings import Choice, Quantities, setting, with_default
from longhaul.testbeds import mixes, opteron_offload, opteron_paths
from longhaul.testbeds.opteron_cards import ToeSettings
from longhaul.topology import Iperf, NetperfRr, Scenario, Workload
from longhaul.units import Size, Time, mib

_BOTH = f"both hosts' TCP: the paper's {opteron_offload.TABLE} has the T110's offload only"


@dataclass(frozen=True, kw_only=True)
class Settings(opteron_offload.OffloadSettings):
    """Settings of hosts, workload and path."""

    toe: bool = with_default(ToeSettings, "toe", "off", source=_BOTH)
    rtt: Time = with_default(opteron_paths.WanSettings, "rtt", "0ms", source="a cable's length")
    window: Size = with_default(
        opteron_paths.WanSettings, "window", "1MB", source="OPTERON-10G table 1, RTT 0"
    )
    workload: str = setting(
        Choice(("iperf", "netperf_rr")),
        "iperf",
        help="streams, or requests and responses one after the other, on each connection",
        source="one stream",
    )
    request: Size = setting(
        Quantities(Size(1), mib(1), "B"),
        "1B",
        help="what the sender asks with (netperf_rr)",
        source="netperf: TCP_RR -r 1,1",
        only={"workload": ("netperf_rr",)},
    )
    response: Size = setting(
        Quantities(Size(1), mib(1), "B"),
        "1B",
        help="what the receiver answers with (netperf_rr)",
        source="netperf: TCP_RR -r 1,1",
        only={"workload": ("netperf_rr",)},
    )


QUESTION = "What limits a host?"
SETTINGS = Settings
QUICK = ("duration=50ms",)


def build(settings: Settings, seed: int) -> Scenario:
    """Sender, XG1200, delay box, MG8 and receiver in a line."""
    scenario = Scenario("offload", seed=seed)
    sender, receiver = opteron_paths.add_far_hosts(scenario, settings)
    told = mixes.Traffic(
        duration=settings.duration,
        warmup=settings.warmup,
        ip=settings.ip,
        window=settings.window,
        streams=settings.streams,
    )
    for workload in mixes.workloads(settings.workload, sender, receiver, told, Time(0)):
        scenario.run_workload(_told(workload, settings))
    return scenario


def evaluate(settings: Settings, raw: Path, _: Path) -> dict[str, float]:
    """Return how long a question takes with its answer, as a mean of the measured window."""
    if settings.workload != "netperf_rr":
        return {}
    summary = json_file.read(raw / "sim.json")
    window = summary["window"]
    asked = summary["probes"]["receiver.eth0_payload.tcp_received"]["delta"]
    questions = asked / settings.request.bytes
    us = (window["end_ps"] - window["begin_ps"]) / 1e6
    return {"question_us": round(us * settings.streams / questions, 3)} if questions else {}


def _told(workload: Workload, settings: Settings) -> Workload:
    if isinstance(workload, Iperf):
        return replace(workload, nodelay=settings.nodelay)
    if isinstance(workload, NetperfRr):
        return replace(
            workload,
            request=settings.request,
            response=settings.response,
            nodelay=settings.nodelay,
            endless=True,
        )
    return workload

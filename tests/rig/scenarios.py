# SPDX-License-Identifier: Apache-2.0
"""Scenarios of real guests built with the topology API and run through longhaul.runs.runner."""

from __future__ import annotations

import base64
import dataclasses
import functools
import gzip
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from longhaul.devtools import testing
from longhaul.parts.part import ParamValue
from longhaul.registry import ScenarioEntry
from longhaul.results import simdata
from longhaul.runs import runner
from longhaul.topology import Command, Machine, Nic, Scenario, Workload, machines, nics
from longhaul.types import adapters as adapter_types
from longhaul.units import Frequency, Size, Time, ms
from longhaul.validation import catalog, judge

from rig import wire

SCRIPTS = Path(__file__).parents[1] / "guest" / "scripts"
# What scripts/traffic.sh checks.
TRAFFIC = [
    *("ping4", "ping6", "largest-ping4", "largest-ping6", "fragmented-ping4"),
    *("iperf4", "iperf6", "iperf4-back", "iperf4-both", "iperf4-streams", "iperf3-4", "iperf3-6"),
    *("udp4", "udp6", "file4", "file6", "quiet"),
]
# What scripts/every_adapter.sh checks, and that it checks beside what scripts/traffic.sh does.
BESIDE_TRAFFIC = (
    *("least-mtu", "multicast", "promiscuous"),
    *("unbind-and-bind", "unbind-and-bind-again", "quiet"),
)
EVERY_ADAPTER = (
    *("largest-ping4", "ping6", "iperf4", "iperf6", "iperf4-back", "iperf4-both", "udp4", "file4"),
    *BESIDE_TRAFFIC,
)
IPV4_LEAST_MTU = 68  # RFC 791: below, Linux takes IPv4 from an interface


@dataclass(frozen=True)
class _NoSettings:
    """A scenario of the tests has nothing to set."""


@dataclass(frozen=True, kw_only=True)
class _Entry(ScenarioEntry):
    """A scenario that a test built, in the form that the runner takes."""

    scenario: Scenario

    @cached_property
    def module(self) -> ModuleType:
        module = ModuleType(self.name, "A scenario of the tests.")
        vars(module).update(SETTINGS=_NoSettings, build=lambda settings, seed: self.scenario)
        return module


@dataclass(frozen=True)
class Run:
    """A finished run's folder."""

    folder: Path

    @cached_property
    def measured(self) -> dict[str, Any]:
        return json.loads((self.folder / "results.json").read_text())["cases"][0]["measured"]

    @cached_property
    def sim(self) -> simdata.SimData:
        return simdata.load(self.folder / "raw" / "sim.json")

    def report(self, machine: str, name: str) -> str:
        return (self.folder / "guests" / machine / "report" / name).read_text()

    def console(self, machine: str) -> str:
        return (self.folder / "guests" / machine / "console.log").read_text(errors="replace")

    def until_end(self, probe: str) -> int:
        """Return a counter's value at the end of the window."""
        end = self.sim.probes[probe].end
        assert end is not None, probe
        return int(end)

    def check_interrupts(self, mode: str) -> None:
        """Assert that the sender's kernel has taken every interrupt of eth0 once.

        Its count and the adapter's are since the start, so one taken twice or lost at any time
        shows in all later readings. The kernel's are read before the window, before and after the
        script's traffic, and after the window; the adapter's at the window's edges.
        """

        def taken(text: str) -> int:
            row = next(line for line in text.splitlines() if "eth0" in line)
            assert mode in row
            return int(re.findall(r"\d+", row)[1])

        before, after = (
            taken(self.report("sender", f"interrupts-{when}.txt")) for when in ("before", "after")
        )
        first, last = (taken(self.text(f"interrupts-{when}")) for when in ("before", "after"))
        raised = self.sim.probes["sender.eth0.interrupts"]
        assert raised.begin is not None and raised.end is not None
        # A level that its mask lowers before the core looks is not taken; a message is.
        withdrawn = self.sim.probes.get("sender.eth0.moderator.withdrawn", simdata.Probe())
        gone = (withdrawn.begin or 0, withdrawn.end or 0) if mode == "INTx" else (0, 0)
        said = f"taken {before}, {first}, {last}, {after}; {raised=}; {withdrawn=}"
        assert before <= raised.begin and last <= raised.end, f"one was taken twice: {said}"
        least = (raised.begin - gone[0], raised.end - gone[1])
        assert least[0] <= first and least[1] <= after, f"one was lost: {said}"

    def kernel_symbol(self, name: str) -> int:
        """Return the address of a symbol of the kernel that the guests ran."""
        kernel = Path(json.loads((self.folder / "raw" / "config.json").read_text())["kernel"])
        found = re.search(
            rf"^(\w+) \w {name}$", kernel.with_name("System.map").read_text(), re.MULTILINE
        )
        assert found, name
        return int(found[1], 16)

    def complaints(self) -> list[str]:
        """Return the lines of all consoles in which a kernel complains."""
        return [
            f"{log.parent.name}: {line}"
            for log in sorted(self.folder.glob("guests/*/console.log"))
            for line in log.read_text(errors="replace").splitlines()
            if judge.COMPLAINTS.search(line)
        ]

    @cached_property
    def checks(self) -> dict[str, str]:
        """Return the verdicts of the sender's script: "" for ok, else what it said."""
        verdicts: dict[str, str] = {}
        for line in self.report("sender", "command.txt").splitlines():
            match = re.fullmatch(r"(not )?ok ([\w.-]+)(?:: (.*))?", line)
            if match:
                assert match[2] not in verdicts, f"{match[2]} was checked twice"
                verdicts[match[2]] = (match[3] or "failed") if match[1] else ""
        return verdicts

    def text(self, name: str) -> str:
        """Return what the script printed between `<<< NAME` and `>>>`."""
        found = re.search(
            rf"^<<< {re.escape(name)}\n(.*?)^>>>$",
            self.report("sender", "command.txt"),
            re.M | re.S,
        )
        assert found, f"the script printed no {name}"
        return found[1]


@dataclass(frozen=True)
class _Kind:
    """An adapter, the PC that it is in, and the cable that fits it."""

    card: Callable[..., Nic]
    machine: Callable[..., Machine]
    phy: str
    bus: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What differs from the machine's preset for it."""


PCI_66 = {"pcix_clock": Frequency(66_666_667), "pcix_protocol": "pci"}
KINDS = {
    "ixgb": _Kind(nics.ixgb, machines.opteron_hdama, "10gbase-r"),
    "e1000": _Kind(nics.e1000, machines.xeon_533, "1000base-x"),
    "genesis": _Kind(nics.genesis, machines.xeon_533, "1000base-x", PCI_66),
}


def _kind(adapter: str) -> _Kind:
    """Return an adapter's settings; without an entry, those of its type."""
    if adapter in KINDS:
        return KINDS[adapter]
    described = adapter_types.find(adapter)
    card = functools.partial(nics.adapter, adapter)
    return _Kind(card, machines.xeon_533, described.phy, machines.SLOTS[described.slot])


def host(
    name: str,
    *,
    adapter: str = "ixgb",
    kernel_args: tuple[str, ...] = (),
    params: Mapping[str, ParamValue] | None = None,
    memory: Size | None = None,
    bus: Mapping[str, Any] | None = None,
    **nic: Any,
) -> Machine:
    """Return the PC that goes with an adapter; `nic` are arguments of topology.nics.ADAPTER.

    `bus` are changes to the machine's preset.
    """
    kind = _kind(adapter)
    card = kind.card(params=params, **nic)
    card = dataclasses.replace(card, module_args=(*card.module_args, *kernel_args))
    return kind.machine(name, nic=card, memory=memory, **{**kind.bus, **(bus or {})})


def pair(
    name: str,
    *,
    adapter: str = "ixgb",
    kernel_args: tuple[str, ...] = (),
    phy: str | None = None,
    **nic: Any,
) -> tuple[Scenario, Machine, Machine]:
    """Return a scenario of two equal hosts and one cable called `cable` from sender to receiver."""
    scenario = Scenario(name)
    sender, receiver = (
        scenario.add(host(end, adapter=adapter, kernel_args=kernel_args, **nic))
        for end in ("sender", "receiver")
    )
    cable = phy or _kind(adapter).phy
    scenario.link(sender.port("eth0"), receiver.port("eth0"), name="cable", phy=cable)
    return scenario, sender, receiver


# What answers tests/guest/scripts/traffic.sh; the port 5003 is that of runs both ways.
SERVE_TRAFFIC = (
    "iperf3 -s & iperf -s -u -V -p 5002 & iperf -s -V -p 5003 & "
    "nc -ll -p 7001 -e sha256sum & exec iperf -s -V"
)


def script(name: str, *libraries: Path, **variables: str) -> str:
    """Return a guest script of tests/guest/scripts after the functions that it uses."""
    assignments = "".join(f"{key}='{value}'\n" for key, value in variables.items())
    files = (catalog.LIBRARY, *libraries, SCRIPTS / name)
    return assignments + "".join(file.read_text() for file in files)


def command(
    sender: Machine, receiver: Machine, text: str, serve: str = "", *, about: Time | None = None
) -> Workload:
    """Return the workload that runs a shell text at the sender.

    `about` is how long it takes in simulated time. Long runs are sampled less often.
    """
    return Command(
        sender=sender,
        receiver=receiver,
        duration=about or ms(1),
        window=Size(4 << 20),
        command=text,
        serve=serve,
    )


def simulate(
    scenario: Scenario,
    workload: Workload,
    out: Path,
    *,
    pcap: bool = False,
    timeline: bool = False,
    record: bool = False,
    seed: int = 1,
    layout: int = 0,
) -> Run:
    """Run a scenario to its end; a failure raises LonghaulError.

    `layout` is added to the environment's.
    """
    scenario.run_workload(workload)
    request = runner.RunRequest(
        entry=_Entry(scenario.name, Path(__file__).parent, scenario=scenario),
        settings=_NoSettings(),
        out=out,
        seed=seed,
        layout=layout_of_tests() + layout,
        pcap=pcap,
        timeline=timeline,
        record=record,
    )
    return Run(runner.run(request, runner.Tools()))


def every_adapter(
    adapter: str,
    out: Path,
    *,
    all_traffic: bool = False,
    params: Mapping[str, ParamValue] | None = None,
) -> Run:
    """Run what an adapter of any type, of the tree or of a plug-in, has to do under its driver.

    With `all_traffic`, scripts/traffic.sh at the driver's largest MTU comes before it.
    """
    driver = adapter_types.find(adapter).linux_driver
    assert driver is not None, adapter
    scenario, sender, receiver = pair(
        "every", adapter=adapter, mtu=driver.largest_mtu, params=params
    )
    least = str(max(driver.least_mtu, IPV4_LEAST_MTU))
    before = (SCRIPTS / "traffic.sh",) if all_traffic else ()
    has_had = "1" if all_traffic else ""
    text = script("every_adapter.sh", *before, LEAST_MTU=least, HAS_HAD_TRAFFIC=has_had)
    return simulate(scenario, command(sender, receiver, text, SERVE_TRAFFIC), out, pcap=True)


def check_every_adapter(
    run: Run, *, all_traffic: bool = False, waits_for_light: bool = True
) -> None:
    """Assert that a run of every_adapter() did it all, with right sums, and lost nothing.

    The receiver of an adapter whose MAC does not wait for a carrier may lose frames while the
    sender is reset.
    """
    wanted = (*TRAFFIC, *BESIDE_TRAFFIC) if all_traffic else EVERY_ADAPTER
    assert run.checks == dict.fromkeys(wanted, "")
    assert run.complaints() == []
    assert wire.wrong(run.folder / "cable.pcapng") == []
    assert run.until_end("cable.a_to_b.lost") == 0
    if waits_for_light:
        assert run.until_end("cable.b_to_a.lost") == 0


def layout_of_tests() -> int:
    """Return the layout of runs that name none."""
    return int(os.environ.get(testing.LAYOUT, "0"))


def packed(file: Path) -> str:
    """Return a file as a script carries it: compressed, in base64."""
    return base64.b64encode(gzip.compress(file.read_bytes(), mtime=0)).decode()


def counted(text: str) -> dict[str, int]:
    """Read `ethtool -S`."""
    return {k: int(v) for k, v in re.findall(r"^\s+(\S+): (\d+)$", text, re.M)}


def net_dev(text: str, interface: str = "eth0") -> dict[str, int]:
    """Read an interface's line of /proc/net/dev."""
    line = next(row for row in text.splitlines() if row.strip().startswith(f"{interface}:"))
    values = [int(word) for word in line.split(":")[1].split()]
    names = "bytes packets errs drop fifo frame compressed multicast".split()
    sent = "bytes packets errs drop fifo colls carrier compressed".split()
    return dict(zip([f"rx_{n}" for n in names] + [f"tx_{n}" for n in sent], values, strict=True))

# SPDX-License-Identifier: Apache-2.0
"""Eight real guests in one simulation: four pairs through one switch, all at once."""

import re

import pytest
from longhaul.topology import Machine, Scenario, Switch
from longhaul.units import mib
from rig import wire
from rig.depth import deep_only
from rig.scenarios import Run, command, host, script, simulate

PAIRS = 4


class Pairs(Scenario):
    """A scenario in which every second machine plays the workload with the one before it."""

    def guest_settings(self) -> dict[str, dict[str, str]]:
        settings = super().guest_settings()
        machines = [part.name for part in self.parts.values() if isinstance(part, Machine)]
        for sender, receiver in zip(machines[::2], machines[1::2], strict=True):
            for here, there, role in (
                (sender, receiver, "sender"),
                (receiver, sender, "receiver"),
            ):
                address4, address6 = (
                    settings[there][name].split("/")[0] for name in ("LH_ADDRESS4", "LH_ADDRESS6")
                )
                settings[here] |= {
                    "LH_ROLE": role,
                    "LH_PEER": address4,
                    "LH_PEER4": address4,
                    "LH_PEER6": address6,
                }
        return settings


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario = Pairs("pairs")
    switch = scenario.add(Switch(name="switch", ports=2 * PAIRS))
    machines = [
        scenario.add(host(f"{role}{i}", memory=mib(256), mtu=1500))
        for i in range(PAIRS)
        for role in ("sender", "receiver")
    ]
    for i, machine in enumerate(machines):
        scenario.link(machine.port("eth0"), switch.port(f"p{i}"), name=machine.name + "_link")
    serve = "nc -ll -p 7001 -e sha256sum & exec iperf -s -V"
    workload = command(machines[0], machines[1], script("files.sh"), serve)
    out = tmp_path_factory.mktemp("pairs") / "o"
    return simulate(scenario, workload, out, pcap=True)


def test_every_pair_moves_its_files(run: Run) -> None:
    for i in range(PAIRS):
        said = run.report(f"sender{i}", "command.txt").splitlines()
        assert [line for line in said if "ok" in line] == ["ok file4", "ok file6", "ok quiet"]


def test_no_kernel_complains(run: Run) -> None:
    assert len(list(run.folder.glob("guests/*/console.log"))) == 2 * PAIRS
    assert run.complaints() == []


@deep_only
def test_pairs_run_at_the_same_time(run: Run) -> None:
    """The switch interleaves: each pair's transfer begins before any other's ends."""
    spans = []
    for i in range(PAIRS):
        capture = run.folder / f"sender{i}_link.pcapng"
        times = [float(t) for (t,) in wire.rows(capture, "tcp.port == 7001", "frame.time_epoch")]
        spans.append((times[0], times[-1]))
    assert max(begin for begin, _ in spans) < min(end for _, end in spans)


def test_every_adapter_has_its_own_address_and_sees_only_its_pair(run: Run) -> None:
    seen = set()
    for i in range(PAIRS):
        capture = run.folder / f"sender{i}_link.pcapng"
        macs = {tuple(sorted(pair)) for pair in wire.rows(capture, "tcp", "eth.src", "eth.dst")}
        # The switch floods until it has learned; TCP begins after ARP was answered.
        assert len(macs) == 1, macs
        seen |= set(next(iter(macs)))
    assert len(seen) == 2 * PAIRS


def test_interrupts_reach_the_machine_they_are_for(run: Run) -> None:
    for i in range(PAIRS):
        for role in ("sender", "receiver"):
            text = run.report(f"{role}{i}", "interrupts-after.txt")
            assert re.search(r"MSI .* eth0", text)
            assert run.until_end(f"{role}{i}.eth0.interrupts") > 50

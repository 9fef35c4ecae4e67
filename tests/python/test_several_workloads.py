# SPDX-License-Identifier: Apache-2.0
"""Workloads of modelled hosts: what each is for the simulator, and several side by side."""

import json
from pathlib import Path

import pytest
from longhaul import registry, schema
from longhaul.errors import TopologyError, UsageError
from longhaul.results import directions, results
from longhaul.results.simdata import Probe, SimData, Window
from longhaul.runs import space
from longhaul.topology import (
    Connect,
    Iperf,
    Machine,
    NetperfRr,
    NetperfStream,
    Ping,
    Ring,
    Scenario,
    Smb,
    Switch,
    System,
    Workload,
    machines,
    nics,
)
from longhaul.topology.several import ports
from longhaul.units import Size, Time, mib, ms
from support.topology import config_for

LINUX = System(profile="linux-2.6.6")


def star(count: int, system: System | None = LINUX) -> tuple[Scenario, list[Machine]]:
    """Hosts around one switch."""
    scenario = Scenario("star")
    switch = scenario.add(Switch(name="xsw", ports=count))
    hosts = [
        scenario.add(machines.opteron_hdama(f"h{i}", nic=nics.ixgb(), system=system))
        for i in range(count)
    ]
    for i, host in enumerate(hosts):
        scenario.link(host.port("eth0"), switch.port(f"p{i}"))
    return scenario, hosts


def programs(scenario: Scenario) -> dict[str, list[schema.Program]]:
    config = config_for(scenario)
    return {m.name: m.host.programs for m in config.machines if m.host}


def iperf(sender: Machine, receiver: Machine, start: Time | None = None) -> Iperf:
    return Iperf(
        sender=sender, receiver=receiver, duration=ms(50), window=mib(1), start=start or Time(0)
    )


def test_the_window_of_a_mix_is_that_of_all_workloads_of_the_sending_host() -> None:
    """What is on the way is counted at the adapter, whichever program sent it."""
    _, (a, b, c) = star(3)
    ends = {"sender": a, "receiver": b, "duration": ms(50)}
    asked = NetperfRr(**ends, window=mib(2), streams=3)
    workloads = [iperf(a, b), iperf(a, c), asked, Ping(**ends), iperf(b, a)]
    assert results.window_bytes(workloads, directions.FORWARD) == mib(8).bytes
    silent = NetperfRr(**ends)
    assert results.window_bytes([*workloads, silent], directions.FORWARD) is None
    assert results.window_bytes([asked], directions.FORWARD) is None
    assert results.window_bytes([iperf(a, b), iperf(b, a)], directions.REVERSE) == mib(1).bytes
    assert results.window_bytes([iperf(a, b)], directions.REVERSE) is None


def test_each_kind_is_a_pair_of_programs_with_what_it_was_told() -> None:
    scenario, (a, b) = star(2)
    ends = {"sender": a, "receiver": b, "duration": ms(50)}
    kinds: list[tuple[Workload, tuple[str, str]]] = [
        (NetperfStream(**ends, window=None), ("netperf_stream", "netserver_stream")),
        (Ring(**ends, window=mib(2)), ("ring_sender", "iperf_server")),
        (NetperfRr(**ends, request=Size(1024)), ("netperf_rr", "netserver_rr")),
        (Smb(**ends, outstanding=4, file=mib(8)), ("smb_server", "smb_client")),
        (Connect(**ends, clients=3), ("connect_client", "connect_server")),
    ]
    for workload, expected in kinds:
        scenario.workloads.clear()
        scenario.run_workload(workload)
        run = programs(scenario)
        assert tuple(run[host][0].type for host in ("h0", "h1")) == expected
    scenario.workloads.clear()
    scenario.run_workload(Smb(**ends, outstanding=4, file=mib(8), response=Size(61440)))
    (reader,) = programs(scenario)["h1"]
    assert reader.params == {
        "streams": 1,
        "response": "60KiB",
        "peer": "10.10.0.1",
        "duration": "50ms",
        "outstanding": 4,
        "file": "8MiB",
    }


def test_workloads_that_would_share_a_port_get_the_next_and_all_outlast_the_window() -> None:
    scenario, (a, b, c) = star(3)
    for workload in (iperf(a, b), iperf(c, b, ms(5)), iperf(b, a), iperf(a, c)):
        scenario.run_workload(workload)
    assert ports(scenario.workloads) == [5001, 5002, 5003, 5004]
    run = programs(scenario)
    assert [(p.type, p.params.get("port")) for p in run["h1"]] == [
        ("iperf_server", None),
        ("iperf_server", 5002),
        ("iperf_client", 5003),
    ]
    (late, server) = run["h2"]
    assert late.params["start"] == "5ms"
    assert late.params["duration"] == "1050ms"
    assert server.params["port"] == 5004


def test_one_workload_alone_has_its_own_time_and_port() -> None:
    scenario, (a, b) = star(2)
    scenario.run_workload(iperf(a, b))
    (client,) = programs(scenario)["h0"]
    assert client.params == {
        "window": "1MiB",
        "peer": "10.10.0.2",
        "duration": "50ms",
        "streams": 1,
    }


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("ping", "iperf", "no data that the measured window could open with"),
        ("iperf", "longer", "the measured window is one for all"),
        ("iperf", "late", "when the measured window may be over"),
    ],
)
def test_what_does_not_fit_into_the_window_is_refused(first: str, second: str, words: str) -> None:
    scenario, (a, b) = star(2)
    known: dict[str, Workload] = {
        "iperf": iperf(a, b),
        "ping": Ping(sender=a, receiver=b, duration=ms(50)),
        "longer": NetperfRr(sender=a, receiver=b, duration=ms(60)),
        "late": iperf(b, a, ms(50)),
    }
    scenario.run_workload(known[first])
    scenario.run_workload(known[second])
    with pytest.raises(TopologyError, match=words):
        scenario.check()


def test_real_guests_run_one_workload_that_they_know() -> None:
    scenario, (a, b) = star(2, system=None)
    scenario.run_workload(iperf(a, b))
    scenario.run_workload(iperf(b, a))
    with pytest.raises(TopologyError, match="real guests cannot"):
        scenario.check()
    scenario.workloads[:] = [NetperfRr(sender=a, receiver=b, duration=ms(50))]
    with pytest.raises(UsageError, match="netperf_rr runs on modelled hosts only"):
        scenario.guest_settings()


def test_pairs_has_as_many_hosts_and_workloads_as_it_is_told() -> None:
    entry = registry.find("pairs")
    told = ["pairs=3", "workload=iperf+netperf_rr+ping", "stagger=2ms", "streams=4"]
    built = entry.build(entry.parse(told), 1)
    assert len(programs(built)) == 6
    assert [w.KIND for w in built.workloads] == ["iperf", "netperf_rr", "ping"] * 3
    assert [w.start for w in built.workloads[::3]] == [ms(0), ms(2), ms(4)]
    far = entry.build(entry.parse(["pairs=2", "path=delay", "rtt=8ms"]), 1)
    assert sum(part.round_trip().ps for part in far.parts.values()) == ms(8).ps
    assert len(far.links) == 6


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("workload=iperf+netpref_rr", "no workload 'netpref_rr'; did you mean netperf_rr"),
        ("pairs=65", "65"),
        ("rate=2Gb/s", "no workload of pairs uses it"),
        ("rtt=5ms", "path"),
    ],
)
def test_pairs_says_what_would_be_right(told: str, words: str) -> None:
    entry = registry.find("pairs")
    with pytest.raises(UsageError, match=words):
        entry.build(entry.parse([told]), 1)


def test_a_capture_has_room_for_all_workloads() -> None:
    scenario, (a, b, c) = star(3)
    scenario.run_workload(iperf(a, b))
    one = space.most_traffic(scenario)
    scenario.run_workload(iperf(c, b))
    assert space.most_traffic(scenario) == one * 2


def test_results_of_several_have_all_receivers_and_rates(tmp_path: Path) -> None:
    from longhaul.results.results import beside
    from longhaul.results.workload_reports import Reports

    scenario, (a, b, c) = star(3)
    scenario.run_workload(iperf(a, b))
    scenario.run_workload(NetperfRr(sender=a, receiver=c, duration=ms(50)))
    sim = SimData(
        window=Window(begin_ps=0, end_ps=10**9),
        probes={
            f"{name}.eth0_payload.{kind}_received": Probe(delta=count if kind == "tcp" else 0)
            for name, count in (("h1", 10**6), ("h2", 10**3))
            for kind in ("tcp", "udp")
        },
        wall_s=1,
        simulated_s=1,
    )
    report = tmp_path / "h0" / "report"
    report.mkdir(parents=True)
    for i, rate in enumerate((1000.0, 500.0)):
        text = json.dumps({"transactions_per_s": rate})
        (report / f"netperf_rr_{i}.json").write_text(text)
    found = beside(scenario.workloads, sim, Reports(tmp_path))
    assert found == {
        "transactions_per_s": 1500.0,
        "workloads": 2,
        "all_goodput_gbps": 8.008,
        "goodput_gbps_by_receiver": {"h1": 8.0, "h2": 0.008},
    }

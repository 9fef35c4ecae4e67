# SPDX-License-Identifier: Apache-2.0
"""NEC-TOE: its hosts, their systems and adapters, and the cases of its scenarios."""

import polars as pl
import pytest
from longhaul import registry, schema
from longhaul.testbeds import nec, nec_bottleneck
from support.topology import config_for

CASES = {
    "nec_send": 12,
    "nec_receive": 12,
    "nec_both": 4,
    "nec_mss": 16,
    "nec_bottleneck": 20,
    "nec_connections": 4,
    "nec_rate_control": 4,
}


def hosts(name: str, *sets: str) -> dict[str, schema.Machine]:
    entry = registry.find(name)
    scenario = entry.build(entry.parse_case([], sets), seed=1)
    return {each.name: each for each in config_for(scenario).machines}


def of(machine: schema.Machine) -> schema.Host:
    assert machine.host
    return machine.host


def streams(machine: schema.Machine, program: str) -> list[int]:
    """Return the connections of each of a host's programs of a type."""
    return [
        int(str(each.params["streams"])) for each in of(machine).programs if each.type == program
    ]


@pytest.mark.parametrize("name", CASES)
def test_every_case_has_a_topology_and_the_slides_have_no_figures(name: str) -> None:
    entry = registry.find(name)
    cases = entry.cases([])
    assert len(cases) == CASES[name]
    for case in cases:
        scenario = entry.build(entry.parse_case([], case), seed=1)
        assert len(config_for(scenario).machines) == 1 + nec.MEASURING_HOSTS
    assert entry.references.drawn
    assert not any(row.reference for row in entry.references.rows)


@pytest.mark.parametrize(
    ("engine", "system"), [("parallel", "windows-nt-4.0"), ("pipeline", "redhat-7.3")]
)
def test_each_engine_is_in_the_host_of_the_slides(engine: str, system: str) -> None:
    found = hosts("nec_send", f"engine={engine}")
    assert of(found["toe"]).system == system
    assert [each.type for each in found["toe"].devices] == [f"nec-{engine}"]
    assert {of(found[f"freebsd{i}"]).system for i in (1, 2, 3)} == {"freebsd-4.5"}


def test_connections_go_round_the_measuring_hosts() -> None:
    found = hosts("nec_send", "connections=5")
    assert streams(found["toe"], "iperf_client") == [2, 2, 1]
    assert [streams(found[f"freebsd{i}"], "iperf_server") for i in (1, 2, 3)] == [[2], [2], [1]]
    found = hosts("nec_receive", "connections=1")
    assert streams(found["toe"], "iperf_server") == [1]
    assert of(found["freebsd2"]).programs == []


def test_both_directions_have_as_many_connections() -> None:
    found = hosts("nec_both")
    assert streams(found["toe"], "iperf_client") == [1, 1, 1]
    assert streams(found["toe"], "iperf_server") == [1, 1, 1]


def test_the_measuring_hosts_open_connections_and_the_measured_one_accepts() -> None:
    found = hosts("nec_connections", "connections=5")
    assert [each.type for each in of(found["toe"]).programs] == ["connect_server"] * 3
    clients = [of(found[f"freebsd{i}"]).programs for i in (1, 2, 3)]
    assert [[each.params["programs"] for each in programs] for programs in clients] == [
        [2],
        [2],
        [1],
    ]
    ports = {each.params.get("port", 5002) for each in of(found["toe"]).programs}
    assert len(ports) == 3
    # The window is the programs' run, so none of them goes on after it.
    assert {each.params["duration"] for programs in clients for each in programs} == {"1s"}


def test_a_window_is_cut_in_the_round_trip_of_a_loss_or_in_the_next() -> None:
    table = pl.DataFrame(
        {
            "cwnd_end": [10, 12, 6, 7, 8, 4, 5],
            "cwnd_least": [10, 10, 6, 6, 7, 4, 4],
            "resent": [0, 0, 1, 0, 2, 0, 1],
            "sent": [10, 10, 10, 10, 10, 10, 10],
        }
    )
    # The third round trip cuts at once, the fifth in the next one. The last does not: its smallest
    # window is that of the round trip before.
    found = nec_bottleneck.reactions(table)
    assert (found["losses"], found["window_not_cut"]) == (3, 1)
    assert found["sent_each"] == pytest.approx(70 / 66, abs=1e-3)


def test_without_a_loss_no_share_of_them_is_told() -> None:
    table = pl.DataFrame(
        {"cwnd_end": [5, 6], "cwnd_least": [5, 5], "resent": [0, 0], "sent": [1, 1]}
    )
    found = nec_bottleneck.reactions(table)
    assert (found["losses"], found["window_not_cut_pct"], found["sent_each"]) == (0, None, 1.0)

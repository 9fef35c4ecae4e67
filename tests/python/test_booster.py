# SPDX-License-Identifier: Apache-2.0
"""BOOSTER's testbed: relays in topologies, the scenarios' rows, and the paper's formula."""

import pytest
from longhaul import registry, schema
from longhaul.testbeds import booster
from longhaul.topology import Iperf, Scenario, System, TopologyError, machines, nics
from longhaul.units import Size, ms, s
from support.topology import config_for


def built(name: str, *sets: str) -> Scenario:
    entry = registry.find(name)
    return entry.module.build(entry.parse(list(sets)), 1)


def host(found: schema.SimConfig, name: str) -> schema.Host:
    machine = next(each for each in found.machines if each.name == name)
    assert machine.host
    return machine.host


def test_each_relay_has_two_adapters_and_calls_the_other_on_the_line() -> None:
    found = config_for(built("booster_table3", "connections=2", "line_window=4MiB"))
    west, east = host(found, "west_relay"), host(found, "east_relay")
    assert [each.ipv4 for each in west.interfaces] == ["10.10.0.3/24", "10.11.0.3/24"]
    assert [each.ipv4 for each in east.interfaces] == ["10.10.0.4/24", "10.11.0.4/24"]
    (program,) = west.programs
    assert program.type == "booster_relay"
    assert program.params == {
        "edge": 0,
        "line": 1,
        "partner": "10.11.0.4",
        "connections": 2,
        "window": "4MiB",
        "edge_buffer": "4MiB",
    }
    assert east.programs[0].params["partner"] == "10.11.0.3"


def test_the_senders_program_alone_asks_for_the_window_of_its_system() -> None:
    for system, window in booster.WINDOWS.items():
        found = config_for(built("booster_table3", f"system={system}", "relay=off"))
        assert host(found, "sender").programs[0].params["window"] == window
        assert "window" not in host(found, "receiver").programs[0].params
        assert host(found, "sender").system == system


def test_without_relays_switches_stand_in_their_places() -> None:
    found = config_for(built("booster_table3", "relay=off"))
    assert [machine.name for machine in found.machines] == ["sender", "receiver"]
    assert [switch.name for switch in found.switches] == ["west_switch", "east_switch"]


def test_the_line_is_five_microseconds_a_kilometre() -> None:
    line = next(box for box in config_for(built("booster_table3")).boxes if box.name == "line")
    assert line.params["delay_west"] == line.params["delay_east"] == "16600us"


def test_a_relay_whose_partner_is_none_is_refused() -> None:
    scenario = Scenario("test")
    system = System(profile="linux-2.6.18")
    ends = [
        scenario.add(machines.core2duo_266(name, nic=nics.ixgb(), system=system))
        for name in ("sender", "receiver")
    ]
    settings = registry.find("booster_table3").parse([])
    relay = scenario.add(booster.relay_machine("relay", "receiver", settings, edge=nics.ixgb()))
    for end, port in zip(ends, ("eth0", "eth1"), strict=True):
        scenario.link(end.port("eth0"), relay.port(port))
    scenario.run_workload(Iperf(sender=ends[0], receiver=ends[1], duration=s(1), window=None))
    with pytest.raises(TopologyError, match="its partner 'receiver' is no machine with a relay"):
        config_for(scenario)


def test_table_3_has_its_six_rows_and_each_has_its_figure() -> None:
    entry = registry.find("booster_table3")
    rows = entry.cases([])
    assert len(rows) == 6
    figures: list[float] = []
    for case in rows:
        row = entry.references.match(entry.parse_case([], case))
        assert row
        figures.append(row.reference["goodput_gbps"])
    assert sorted(figures) == [0.0155, 0.115, 0.136, 0.218, 0.922, 0.935]


def test_what_a_user_sets_of_the_boxes_holds_in_every_row() -> None:
    entry = registry.find("booster_table3")
    for case in entry.cases(["edge_loss=0.1%", "edge_delay=1ms"]):
        settings = entry.parse_case(["edge_loss=0.1%", "edge_delay=1ms"], case)
        assert settings.edge_loss == 0.001
        assert settings.edge_delay == ms(1)


@pytest.mark.parametrize(("name", "points"), [("6", 5), ("7", 5), ("8", 9)])
def test_the_figures_have_their_points(name: str, points: int) -> None:
    entry = registry.find(f"booster_fig{name}")
    assert len(entry.cases([])) == points
    for case in entry.cases([]):
        config_for(entry.module.build(entry.parse_case([], case), 1))


def test_the_formula_is_the_lesser_of_window_and_loss() -> None:
    window = Size.parse("64KiB")
    assert booster.formula_gbps(window, ms(10), 0) == pytest.approx(0.0524288)
    # Figure 1 of the paper, and why table 3 cannot have lost 0.1 %: 226 Mb/s at 2 ms.
    large = Size.parse("32MiB")
    assert booster.formula_gbps(large, ms(2), 0.001) == pytest.approx(0.2262, abs=1e-4)
    assert booster.formula_gbps(window, ms(37), 0.001) < 0.0155

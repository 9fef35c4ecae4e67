# SPDX-License-Identifier: Apache-2.0
"""A workload of the user's programs: what each guest is told of it, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from longhaul.errors import LonghaulError, TopologyError
from longhaul.guest import files
from longhaul.results import user_programs
from longhaul.runs import guest_software
from longhaul.topology import (
    Machine,
    Program,
    Scenario,
    Switch,
    System,
    machines,
    nics,
    run_programs,
)


def three_hosts() -> tuple[Scenario, Machine, Machine, Machine]:
    scenario = Scenario("three")
    switch = scenario.add(Switch(name="switch"))
    hosts = [scenario.add(machines.xeon_533(name, nic=nics.e1000())) for name in ("a", "b", "c")]
    for i, each in enumerate(hosts):
        scenario.link(each.port("eth0"), switch.port(f"p{i}"), phy="1000base-x")
    a, b, c = hosts
    return scenario, a, b, c


def test_the_first_clients_host_coordinates_and_knows_of_all_others(tmp_path: Path) -> None:
    scenario, a, b, c = three_hosts()
    scenario.run_workload(
        run_programs(
            Program(c, "serve", wait_port=80),
            Program(b, "ask c"),
            Program(b, "- ask c again"),
            Program(a, "ask c"),
        )
    )
    told = scenario.guest_settings()
    names = ("LH_COORDINATOR", "LH_OTHERS", "LH_CLIENTS", "LH_OTHERS_WITH_CLIENTS")
    assert [told["b"][name] for name in names] == ["", "10.10.0.3 10.10.0.1", "2", "1"]
    assert [told["a"][name] for name in names] == ["10.10.0.2", "", "1", "1"]
    assert [told["c"][name] for name in names] == ["10.10.0.2", "", "0", "2"]
    listed = guest_software.programs(scenario)
    files.write_guest_files(tmp_path, told, {}, names=scenario.host_names(), programs=listed)
    place = tmp_path / "guests" / "b" / "files" / "programs"
    assert (place / "list").read_text() == "001 client 0\n002 client 0\n"
    assert (place / "002").read_text() == "ask c again\n"
    assert (place / "002.may_fail").exists() and not (place / "001.may_fail").exists()
    assert (place / "answer").stat().st_mode & 0o111
    assert (tmp_path / "guests/c/files/programs/list").read_text() == "001 server 80\n"


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda a, b: [Program(a, "serve", wait_port=80)], "every program has a wait_port"),
        (lambda a, b: [Program(a, "x")], "all programs are on a; wants some on another host"),
        (lambda a, b: [Program(a, "x"), Program(b, "y", wait_port=0)], "wait_port=0 is no port"),
        (lambda a, b: [Program(a, "x"), Program(b, "- ")], "a program of b has no command"),
    ],
)
def test_programs_that_make_no_workload_are_refused(
    make: Callable[[Machine, Machine], list[Program]], line: str
) -> None:
    _, a, b, _ = three_hosts()
    with pytest.raises(TopologyError, match=line):
        run_programs(*make(a, b))


def test_a_modelled_host_runs_no_program() -> None:
    scenario, a, b, _ = three_hosts()
    other = machines.xeon_533("d", nic=nics.e1000(), system=System(profile="linux_2_4"))
    scenario.add(other)
    scenario.run_workload(run_programs(Program(a, "x"), Program(b, "y"), Program(other, "z")))
    with pytest.raises(TopologyError, match="^d has a program, and a modelled system cannot"):
        scenario.check()


def test_times_and_states_come_from_the_simulators_notes(tmp_path: Path) -> None:
    _, a, b, _ = three_hosts()
    workload = run_programs(Program(a, "x"), Program(b, "y", wait_port=80))
    (tmp_path / "raw").mkdir()
    notes = tmp_path / "raw" / user_programs.NOTES
    notes.write_text(
        "1000000000000 b program 001 begin\n2000000000000 a program 001 begin\n"
        "2500000000000 a program 001 end 3\n2600000000000 b program 001 end 143\n"
    )
    x, y = user_programs.listed(workload, tmp_path)
    assert (x["begin_s"], x["end_s"], x["status"], x["ended_by_run"]) == (2.0, 2.5, 3, False)
    assert (y["begin_s"], y["end_s"], y["status"], y["ended_by_run"]) == (1.0, 2.6, 143, True)
    notes.write_text("")
    with pytest.raises(LonghaulError, match="^a did not run its program 'x'$"):
        user_programs.listed(workload, tmp_path)

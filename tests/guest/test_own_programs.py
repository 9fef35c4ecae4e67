# SPDX-License-Identifier: Apache-2.0
"""Programs of the user's on three hosts: servers first, clients together, an end for all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from longhaul.errors import LonghaulError
from longhaul.topology import Program, Scenario, Switch, run_programs
from rig.scenarios import Run, host, pair, simulate


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario = Scenario("programs")
    a, b, server = (scenario.add(host(name, mtu=1500)) for name in ("a", "b", "server"))
    switch = scenario.add(Switch(name="switch"))
    for i, each in enumerate((a, b, server)):
        scenario.link(each.port("eth0"), switch.port(f"p{i}"))
    workload = run_programs(
        Program(server, "exec iperf -s", wait_port=5001),
        Program(server, "echo twice; exec iperf3 -s", wait_port=5201),
        Program(a, "iperf -c server -t 0.1"),
        Program(a, "iperf3 -c server -n 1M"),
        Program(b, "iperf -c server -t 0.2; sleep 0.1"),
        Program(b, "-ping -c 1 nobody; exit 7"),
    )
    return simulate(scenario, workload, tmp_path_factory.mktemp("programs") / "out")


def rows(run: Run) -> list[dict[str, Any]]:
    return json.loads((run.folder / "results.json").read_text())["cases"][0]["programs"]


def test_each_program_has_its_status_and_its_output(run: Run) -> None:
    found = {(row["host"], row["command"][:9]): row for row in rows(run)}
    assert len(found) == 6
    clients = {key: row for key, row in found.items() if row["wait_port"] is None}
    assert [row["status"] for row in clients.values()] == [0, 0, 0, 7]
    assert "bits/sec" in (run.folder / found["a", "iperf -c "]["output"]).read_text()
    assert (run.folder / found["server", "echo twic"]["output"]).read_text().startswith("twice\n")
    servers = [row for row in found.values() if row["wait_port"]]
    assert [row["ended_by_run"] for row in servers] == [True, True]


def test_clients_begin_when_all_servers_listen_and_servers_end_after_the_last(run: Run) -> None:
    clients = [row for row in rows(run) if row["wait_port"] is None]
    servers = [row for row in rows(run) if row["wait_port"]]
    assert max(row["begin_s"] for row in servers) < min(row["begin_s"] for row in clients)
    last = max(row["end_s"] for row in clients)
    assert all(row["end_s"] is None or row["end_s"] > last for row in servers)
    window = run.sim.window
    begins = [row["begin_s"] for row in clients]
    assert max(begins) - min(begins) < 0.05  # of 0.3 s that the longest takes
    assert window.begin_ps / 1e12 <= min(begins) and last <= window.end_ps / 1e12


def test_the_report_lists_them(run: Run) -> None:
    page = (run.folder / "report.html").read_text()
    assert "iperf3 -c server -n 1M" in page
    assert "ended by the run" in page


@pytest.mark.parametrize(
    ("server", "client", "why"),
    [
        ("sleep 100", "true", "no program listens on port 9 after 10 s: 'sleep 100'"),
        ("echo oh; exit 4", "true", "the program 'echo oh; exit 4' ended with status 4"),
        ("nc -ll -p 9 -e cat", "exit 5", "the program 'exit 5' ended with status 5"),
    ],
)
def test_a_program_that_fails_ends_the_run(
    server: str, client: str, why: str, tmp_path: Path
) -> None:
    scenario, sender, receiver = pair("failing", mtu=1500)
    workload = run_programs(Program(receiver, server, wait_port=9), Program(sender, client))
    with pytest.raises(LonghaulError, match="says that its workload failed") as caught:
        simulate(scenario, workload, tmp_path / "out")
    assert why in str(caught.value)

# SPDX-License-Identifier: Apache-2.0
"""Data from the receiver to the sender: figures, verdict, report, and what each connection had."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Cli
from longhaul import registry
from longhaul.results import connection_series, connections, directions, results, simdata
from longhaul.results.runview import RunView
from longhaul.results.words import split_unit
from support import fake_sim

WINDOW_PS = 10**12
IPERF = "workload=iperf -c $LH_PEER -R"


def sim(*, reverse: int, forward: int = 0) -> simdata.SimData:
    """Return a run in which the sender took `reverse` bytes and the receiver `forward`."""
    probes: dict[str, Any] = fake_sim.probes(["sender", "receiver"], WINDOW_PS)
    for host, count in (("sender", reverse), ("receiver", forward)):
        probes[f"{host}.eth0_payload.tcp_received"]["delta"] = count
    for name in ("mac.rx_octets", "mac.rx_frames"):
        here, there = (probes[f"{host}.eth0.{name}"] for host in ("sender", "receiver"))
        here["delta"], there["delta"] = there["delta"], here["delta"]
    probes["receiver.eth0_payload.tcp_retransmits"]["delta"] = 3
    return simdata.SimData.model_validate(
        {
            "window": {"begin_ps": 10**12, "end_ps": 10**12 + WINDOW_PS},
            "probes": probes,
            "wall_s": 9.0,
            "simulated_s": 3.5,
        }
    )


def case_of(tmp_path: Path, data: simdata.SimData, workload: str = IPERF) -> dict[str, Any]:
    entry = registry.find("ixgb_b2b")
    settings = entry.parse([workload])
    built = entry.build(settings, 1)
    return results.results(entry, settings, built, data, tmp_path)["cases"][0]


def test_a_downloads_data_are_the_main_figure(tmp_path: Path) -> None:
    case = case_of(tmp_path, sim(reverse=750_000_000))
    measured = case["measured"]
    assert measured["main_direction"] == "receiver to sender"
    assert measured["reverse_goodput_gbps"] == pytest.approx(6.0)
    assert measured["reverse_wire_gbps"] == pytest.approx(768e6 * 8 / 1e9)
    assert measured["reverse_line_busy_pct"] == pytest.approx(61.573, abs=0.001)
    assert measured["reverse_retransmits"] == 3
    assert measured["goodput_gbps"] == 0  # still sender to receiver
    assert measured["sender"]["reverse_goodput_per_cpu_gbps"] == pytest.approx(6.122449)
    run = RunView(tmp_path, {"cases": [case]}, {})
    assert run.headline[:2] == ("reverse_goodput_gbps", "reverse_wire_gbps")
    assert "goodput_gbps" not in run.headline
    assert split_unit(run.headline[0]) == ("goodput, receiver to sender", "Gb/s")


def test_the_verdict_of_a_download_is_of_its_stages(tmp_path: Path) -> None:
    """The receiver sends: its transmit engine is full, and the sender's is not looked at."""
    data = sim(reverse=750_000_000)
    for host, busy in (("receiver", 0.97), ("sender", 0.99)):
        states = data.probes[f"{host}.eth0.tx.engine.state"].states
        assert states is not None
        states |= {"busy": int(busy * WINDOW_PS), "blocked": 0, "idle": int((1 - busy) * WINDOW_PS)}
        core = data.probes[f"{host}.core.state"].states
        assert core is not None
        core |= {state: 0 for state in core} | {"idle": WINDOW_PS}
    assert case_of(tmp_path, data)["bottleneck"]["what"] == "receiver's adapter"


def test_both_directions_have_a_verdict_if_both_carry_data(tmp_path: Path) -> None:
    case = case_of(tmp_path, sim(reverse=750_000_000, forward=300_000_000))
    assert list(case["bottleneck_by_direction"]) == ["receiver to sender", "sender to receiver"]
    assert case["bottleneck"] == case["bottleneck_by_direction"]["receiver to sender"]
    run = RunView(tmp_path, {"cases": [case]}, {})
    assert {"reverse_goodput_gbps", "goodput_gbps"} <= set(run.headline)
    assert list(run.other_verdicts) == ["sender to receiver"]


def test_a_ping_has_one_verdict_only(tmp_path: Path) -> None:
    case = case_of(tmp_path, sim(reverse=0), "workload=ping")
    assert list(case["bottleneck_by_direction"]) == ["sender to receiver"]
    run = RunView(tmp_path, {"cases": [case]}, {})
    assert run.direction == "" and not run.other_verdicts


@pytest.mark.parametrize(
    ("forward", "reverse", "name"),
    [(5.0, 0.0001, "sender to receiver"), (5.0, 5.04, "sender to receiver"),
     (5.0, 5.06, "receiver to sender"), (None, None, "sender to receiver")],
)  # fmt: skip
def test_the_main_direction_has_the_larger_rate(
    forward: float | None, reverse: float | None, name: str
) -> None:
    measured = {"goodput_gbps": forward, "reverse_goodput_gbps": reverse}
    assert directions.main(measured).name == name


def adapters(*told: dict[str, Any]) -> list[connections.Adapter]:
    none: dict[str, Any] = {"received": [], "received_others": 0, "sent": [], "sent_others": 0}
    return [connections.Adapter.model_validate(none | each) for each in told]


def flow(source: str, destination: str, count: int, **more: Any) -> dict[str, Any]:
    return {"protocol": "tcp", "from": source, "to": destination, "bytes": count} | more


def test_each_connection_has_its_direction_rate_retransmits_and_round_trip() -> None:
    timed = {"retransmits": 4, "round_trips": 2, "round_trip_ps": 10**10}
    found = connections.listed(
        adapters(
            {"at": "a.eth0", "received": [flow("2:80", "1:9", 750)],
             "sent": [flow("1:9", "2:80", 250, **timed)]},
            {"at": "b.eth0", "received": [flow("1:9", "2:80", 250)], "received_others": 5,
             "sent": [flow("2:80", "1:9", 750)]},
        ),
        {"sender": "a", "receiver": "b"},
        1e-6,
    )  # fmt: skip
    assert [each["direction"] for each in found] == ["receiver to sender", "sender to receiver"]
    assert [each["goodput_gbps"] for each in found] == [6.0, 2.0]
    assert [each["retransmits"] for each in found] == [0, 4]
    assert [each["rtt_ms"] for each in found] == [None, 10.0]
    assert connections.path_rtt_ms(found) == {"path_rtt_ms": 10.0}


def test_a_paths_round_trip_weighs_connections_by_what_they_carried() -> None:
    found = [
        {"direction": "sender to receiver", "goodput_gbps": rate, "rtt_ms": rtt}
        for rate, rtt in ((3.0, 10.0), (1.0, 30.0), (5.0, None))
    ]
    assert connections.path_rtt_ms(found) == {"path_rtt_ms": 15.0}


def test_a_plots_legends_are_what_tells_its_connections_apart() -> None:
    """Addresses and ports that all have in common would take the room of the plot."""
    server = "10.10.0.2:5001"
    streams = [("10.10.0.1:32789", server), ("10.10.0.1:32790", server)]
    assert connection_series.legends(streams) == ["port 32789", "port 32790"]
    hosts = [("10.10.0.1:7", server), ("10.10.0.3:7", server)]
    assert connection_series.legends(hosts) == ["10.10.0.1:7", "10.10.0.3:7"]
    both = [("[fd10::1]:7", "[fd10::2]:80"), ("[fd10::1]:8", "[fd10::2]:81")]
    assert connection_series.legends(both) == ["port 7 > port 80", "port 8 > port 81"]


def test_the_report_lists_and_draws_connections(cli: Cli, tmp_path: Path) -> None:
    assert cli("run", "ixgb_b2b", "--out", "a").returncode == 0
    measured = json.loads((tmp_path / "a" / "results.json").read_text())["cases"][0]["measured"]
    rates = [each["goodput_gbps"] for each in measured["connections"]]
    assert rates == [4.0, 2.062181, 0.0, 0.0]
    assert measured["path_rtt_ms"] == 0.081
    assert (tmp_path / "a" / "connections.parquet").is_file()
    text = (tmp_path / "a" / "report.html").read_text()
    assert "TCP 10.10.0.1:40002 &gt; 10.10.0.2:5001" in text
    assert "<h3>Goodput by direction</h3>" in text
    assert "<h3>Goodput by connection, sender to receiver</h3>" in text
    assert "<h3>Goodput by connection, receiver to sender</h3>" not in text  # a greeting
    drawn = re.search(r'"name":"port 40000".*?"y":\[(.*?)\]', text)
    assert drawn and drawn[1].split(",")[-1] == "0.0"  # behind the window
    assert "4.0" in drawn[1].split(",")
    assert "goodput, sender to receiver" in cli("report", "a").stdout

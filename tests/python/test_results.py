# SPDX-License-Identifier: Apache-2.0
"""From a synthetic sim.json to results.json."""

from pathlib import Path
from typing import Any

import pytest
from longhaul import registry
from longhaul.errors import LonghaulError
from longhaul.published.reference import errors_pct, lookup
from longhaul.record.states import CORE_STATES
from longhaul.results import measures, results, rtl_rules, simdata
from longhaul.results.runview import RunView
from longhaul.results.words import split_unit
from support import fake_sim

HOST_NAMES = (
    "cpu_busy_pct cpu_user_pct cpu_system_pct cpu_softirq_pct cpu_hardirq_pct cpu_mmio_stall_pct "
    "cpu_memory_wait_pct napi_polls_per_s mmio_reads_per_s mmio_writes_per_s "
    "pcix_busy_pct pcix_data_pct "
    "pcix_overhead_pct pcix_dma_data_pct pcix_protocol_pct pcix_read_requests_pct "
    "pcix_disconnects_pct pcix_retries_pct pcix_mmio_pct pcix_aborts_pct pcix_arbitration_pct "
    "pcix_split_wait_pct pcix_idle_pct mem_busy_pct irq_per_s adapter_tx_busy_pct "
    "adapter_tx_blocked_pct adapter_rx_busy_pct adapter_rx_blocked_pct goodput_per_cpu_gbps "
    "mem_node0_busy_pct mem_node1_busy_pct mem_path_busy_pct"
).split()
WINDOW_PS = 2 * 10**12


def sim(**changes: Any) -> simdata.SimData:
    data = {
        "window": {"begin_ps": 10**12, "end_ps": 10**12 + WINDOW_PS},
        "probes": fake_sim.probes(["sender", "receiver"], WINDOW_PS),
        "wall_s": 9.0,
        "simulated_s": 3.5,
    }
    return simdata.SimData.model_validate(data | changes)


def outcome(tmp_path: Path, scenario: str, *sets: str, data: simdata.SimData | None = None) -> Any:
    fake_sim.write_reports(tmp_path, ["sender", "receiver"])
    entry = registry.find(scenario)
    settings = entry.parse(sets)
    built = entry.build(settings, 1)
    return results.results(entry, settings, built, data or sim(), tmp_path / "guests")


def test_every_documented_figure_is_there(tmp_path: Path) -> None:
    found = outcome(tmp_path, "ixgb_b2b")
    measured = found["cases"][0]["measured"]
    assert {"goodput_gbps", "wire_gbps", "rtt_ms", "retransmits", "guest"} <= set(measured)
    for host in ("sender", "receiver"):
        assert list(measured[host]) == HOST_NAMES
        assert all(isinstance(measured[host][name], float) for name in HOST_NAMES)


def test_a_scenarios_own_figures_are_named_and_shown_with_the_first(tmp_path: Path) -> None:
    fake_sim.write_reports(tmp_path, ["sender", "receiver"])
    entry = registry.find("ixgb_b2b")
    settings = entry.parse([])
    own = {"recovery_s": 5.7, "rate_before_mb_per_s": 123.2}
    found = results.results(
        entry, settings, entry.build(settings, 1), sim(), tmp_path / "guests", own
    )
    assert found["cases"][0]["own"] == list(own)
    run = RunView(tmp_path, found, {})
    assert run.headline[-2:] == ("recovery_s", "rate_before_mb_per_s")
    assert run.measured["recovery_s"] == 5.7
    assert split_unit("rate_before_mb_per_s") == ("rate before", "MB/s")


def test_what_all_workloads_have_together_is_shown_first(tmp_path: Path) -> None:
    found = outcome(tmp_path, "ixgb_b2b")
    alone = RunView(tmp_path, found, {}).headline
    assert alone[0] == "goodput_gbps"
    assert not {"all_goodput_gbps", "transactions_per_s"} & set(alone)
    found["cases"][0]["measured"] |= {"transactions_per_s": 1500.0, "all_goodput_gbps": 8.0}
    several = RunView(tmp_path, found, {}).headline
    assert several == ("all_goodput_gbps", "transactions_per_s", *alone)
    assert split_unit(several[0]) == ("goodput of all receivers", "Gb/s")


def test_figures_are_per_window(tmp_path: Path) -> None:
    measured = outcome(tmp_path, "ixgb_b2b")["cases"][0]["measured"]
    assert measured["sender"]["irq_per_s"] == 5236
    assert measured["sender"]["cpu_busy_pct"] == pytest.approx(98.0, abs=0.001)
    assert measured["receiver"]["cpu_softirq_pct"] == pytest.approx(34.0, abs=0.001)
    assert measured["receiver"]["pcix_busy_pct"] == pytest.approx(83.0, abs=0.001)
    assert measured["sender"]["adapter_tx_busy_pct"] == pytest.approx(31.0, abs=0.001)
    assert measured["receiver"]["adapter_rx_blocked_pct"] == pytest.approx(2.0, abs=0.001)
    assert measured["sender"]["cpu_memory_wait_pct"] == pytest.approx(25.0, abs=0.001)
    assert measured["sender"]["pcix_split_wait_pct"] == pytest.approx(6.0, abs=0.001)
    assert measured["sender"]["mem_node1_busy_pct"] == pytest.approx(40.0, abs=0.001)
    assert measured["sender"]["mem_path_busy_pct"] == pytest.approx(3.0, abs=0.001)
    # 768e6 octets of 83,300 frames, and 20 octets beside each, of 1.25e9 a second.
    assert measured["line_busy_pct"] == pytest.approx(61.573, abs=0.001)
    assert measured["drops"] == {}
    assert measured["wire_gbps"] == pytest.approx(768e6 * 8 / 1e9)
    assert measured["goodput_gbps"] == pytest.approx(6.062181)
    assert measured["rtt_ms"] == 0.092
    assert measured["retransmits"] == 14
    assert measured["guest"]["receiver"]["reported_gbps"] == pytest.approx(6.062181)
    guest = measured["guest"]["sender"]
    assert (guest["kernel"], guest["driver"], guest["driver_version"]) == (
        "6.1.192-longhaul",
        "ixgb",
        "6.1.192",
    )


def test_the_shares_of_a_cpu_add_up_to_busy(tmp_path: Path) -> None:
    host = outcome(tmp_path, "ixgb_b2b")["cases"][0]["measured"]["sender"]
    parts = [host[f"cpu_{state}_pct"] for state in CORE_STATES]
    assert sum(parts) == pytest.approx(host["cpu_busy_pct"], abs=0.01)


@pytest.mark.parametrize(
    ("scenario", "sets", "published"),
    [
        ("ixgb_b2b", [], {"goodput_gbps": 6.05, "receiver.irq_per_s": 5236}),
        ("ixgb_b2b", ["ip=v6"], {"goodput_gbps": 6.35, "receiver.irq_per_s": 9169}),
        ("ixgb_b2b", ["ip=v6", "mtu=1500"], {"goodput_gbps": 3.23}),
        ("ixgb_b2b", ["mtu=1500"], {}),
        ("ixgb_b2b", ["pcix_mhz=66"], {}),
        ("ixgb_b2b", ["workload=iperf3"], {}),
        (
            "ixgb_wan",
            ["rtt=400ms", "window=448MB", "warmup=6s"],
            {"goodput_gbps": 5.98, "receiver.irq_per_s": 3710},
        ),
        (
            "ixgb_wan",
            ["rtt=400ms", "window=896MB", "warmup=6s", "ip=v6", "mtu=1500"],
            {"goodput_gbps": 1.98},
        ),
        ("ixgb_wan", ["rtt=400ms", "window=10MB", "warmup=6s"], {}),
        ("ixgb_wan", ["rtt=400ms", "window=896MB"], {}),
        ("ixgb_wan", ["rtt=400ms", "window=896MB", "warmup=6s", "loss=0.1%"], {}),
        ("ixgb_wan", [], {}),
    ],
)
def test_a_reference_row_is_used_only_where_its_conditions_hold(
    scenario: str, sets: list[str], published: dict[str, float]
) -> None:
    entry = registry.find(scenario)
    row = entry.references.match(entry.parse(sets))
    assert (dict(row.reference) if row else {}) == published


def test_the_error_is_relative_to_the_published_figure(tmp_path: Path) -> None:
    case = outcome(tmp_path, "ixgb_b2b")["cases"][0]
    assert case["error_pct"] == {"goodput_gbps": 0.2, "receiver.irq_per_s": 0.0}
    assert "table 2" in case["reference_source"]
    assert errors_pct({"goodput_gbps": None}, {"goodput_gbps": 6.0}) == {}


def test_a_missing_probe_is_named(tmp_path: Path) -> None:
    probes = fake_sim.probes(["sender", "receiver"], WINDOW_PS)
    del probes["receiver.pcix.state"]
    with pytest.raises(LonghaulError, match="^sim.json has no probe receiver.pcix.state$"):
        outcome(tmp_path, "ixgb_b2b", data=sim(probes=probes))


def test_an_unmarked_window_is_no_measurement(tmp_path: Path) -> None:
    unmarked = sim(window_marked=False)
    with pytest.raises(LonghaulError, match="did not mark a measured window"):
        outcome(tmp_path / "a", "ixgb_b2b", "workload=ping", data=unmarked)
    with pytest.raises(LonghaulError, match="no traffic of iperf outlasted the warm-up"):
        outcome(tmp_path / "c", "ixgb_b2b", data=unmarked)
    with pytest.raises(LonghaulError, match="measured window is empty"):
        outcome(tmp_path / "b", "ixgb_b2b", data=sim(window={"begin_ps": 5, "end_ps": 5}))


def test_goodput_is_of_the_window_whatever_the_program_says(tmp_path: Path) -> None:
    entry = registry.find("ixgb_b2b")
    settings = entry.parse([])
    built = entry.build(settings, 1)
    measured = results.results(entry, settings, built, sim(), tmp_path)["cases"][0]["measured"]
    assert measured["goodput_gbps"] == pytest.approx(6.062181)
    assert measured["guest"]["receiver"]["reported_gbps"] is None


def test_datagrams_that_died_in_the_receivers_kernel_are_no_goodput(tmp_path: Path) -> None:
    fake_sim.write_reports(tmp_path, ["sender", "receiver"])
    nstat = tmp_path / "guests" / "receiver" / "report" / "nstat.json"
    nstat.write_text('{"kernel":{"UdpInDatagrams":300,"UdpInErrors":100}}')
    data = sim()
    data.probes["receiver.eth0_payload.tcp_received"].delta = 0
    data.probes["receiver.eth0_payload.udp_received"].delta = 10**9
    entry = registry.find("ixgb_b2b")
    settings = entry.parse(["workload=udp", "duration=2s"])
    found = results.results(entry, settings, entry.build(settings, 1), data, tmp_path / "guests")
    assert found["cases"][0]["measured"]["goodput_gbps"] == pytest.approx(0.75 * 8e9 / 2 / 1e9)


def test_a_window_shorter_than_asked_for_is_no_measurement(tmp_path: Path) -> None:
    with pytest.raises(LonghaulError) as caught:
        outcome(tmp_path, "ixgb_b2b", "duration=2001ms")
    assert str(caught.value).startswith("iperf ended after 2s of 2001ms; see guests/")


def test_ping_has_no_goodput(tmp_path: Path) -> None:
    entry = registry.find("ixgb_b2b")
    settings = entry.parse(["workload=ping"])
    built = entry.build(settings, 1)
    found = results.results(entry, settings, built, sim(), tmp_path / "guests")
    assert found["cases"][0]["measured"]["goodput_gbps"] is None


def test_a_cut_summary_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "sim.json"
    with pytest.raises(LonghaulError, match="^the simulator left no sim.json$"):
        simdata.load(path)
    path.write_text('{"window": {"begin_ps": 1')
    with pytest.raises(LonghaulError, match="not a whole summary"):
        simdata.load(path)


def test_the_causes_of_a_bus_clock_add_up_to_all_of_them(tmp_path: Path) -> None:
    found = outcome(tmp_path, "ixgb_b2b")["cases"][0]["measured"]["receiver"]
    assert sum(found[name] for name in measures.BUS_CAUSES) == pytest.approx(100.0, abs=0.01)


def test_a_kernel_with_one_lock_has_its_share(tmp_path: Path) -> None:
    data = sim()
    held = {"free": WINDOW_PS // 4, "held": WINDOW_PS * 3 // 4}
    data.probes["sender.giant.state"] = simdata.Probe(kind="states", unit="ps", states=held)
    found = outcome(tmp_path, "ixgb_b2b", data=data)["cases"][0]["measured"]
    assert found["sender"]["kernel_lock_held_pct"] == pytest.approx(75.0)
    assert "kernel_lock_held_pct" not in found["receiver"]


def test_frames_that_went_missing_are_named_by_their_place(tmp_path: Path) -> None:
    data = sim()
    for name, lost in (("anue.west_to_east.lost", 3), ("xg1200.p0.dropped", 0),
                       ("anue.west_to_east.pause_dropped", 9)):  # fmt: skip
        data.probes[name] = simdata.Probe(unit="frame", delta=lost)
    found = outcome(tmp_path, "ixgb_wan", data=data)["cases"][0]["measured"]
    assert found["drops"] == {"anue.west_to_east.lost": 3}


def test_a_counter_that_saw_frames_go_says_why(tmp_path: Path) -> None:
    data = sim()
    data.probes["gnet1.red_drop_p0"] = simdata.Probe(unit="frame", description="RED", delta=3)
    data.probes["gnet1.discards_p0"] = simdata.Probe(unit="frame", description="set", delta=0)
    assert measures.drop_causes(data) == {"gnet1.red_drop_p0": "RED"}


def test_the_verdict_knows_window_rate_and_tcp_of_the_workload(tmp_path: Path) -> None:
    report = tmp_path / "guests" / "sender" / "report"
    idle = sim()
    for role in ("sender", "receiver"):
        for probe in ("core.state", "pcix.clocks", "eth0.tx.engine.state", "eth0.rx.engine.state"):
            states = idle.probes[f"{role}.{probe}"].states
            assert states is not None
            for state in states:
                states[state] = WINDOW_PS if state == "idle" else 0
    fake_sim.write_reports(tmp_path, ["sender", "receiver"])
    (report / "ss.txt").write_text("ESTAB busy:200ms rwnd_limited:150ms(75.0%)\n")

    def what(*sets: str) -> str:
        entry = registry.find("ixgb_b2b")
        settings = entry.parse(sets)
        built = entry.build(settings, 1)
        found = results.results(entry, settings, built, idle, tmp_path / "guests")["cases"][0]
        assert found["measured"]["guest"]["sender"]["tcp"]["rwnd_limited_pct"] == 75.0
        return found["bottleneck"]["what"]

    nstat = '{"kernel":{"UdpInDatagrams":300}}'
    (tmp_path / "guests" / "receiver" / "report" / "nstat.json").write_text(nstat)
    retransmits = idle.probes["sender.eth0_payload.tcp_retransmits"]
    retransmits.delta = 0
    assert what() == "application window"  # by what TCP says
    retransmits.delta = 5
    assert what() == "loss"
    assert what("window=70KB") == "application window"  # 6.06 Gb/s of 70 kB per 0.092 ms
    assert what("window=100KB") == "loss"
    offered = "ESTAB busy:200ms rwnd_limited:150ms snd_wnd:60000\nESTAB snd_wnd:10000\n"
    (report / "ss.txt").write_text(offered)
    assert what("window=100KB") == "application window"  # what two receivers make of it
    idle.probes["receiver.eth0_payload.tcp_received"].delta = 0
    idle.probes["receiver.eth0_payload.udp_received"].delta = 250_000_000
    assert what("workload=udp", "rate=1Gb/s", "duration=2s") == "application's rate"


def test_lookup_follows_dots() -> None:
    assert lookup({"receiver": {"irq_per_s": 3}}, "receiver.irq_per_s") == 3
    assert lookup({"receiver": 1}, "receiver.irq_per_s") is None


def test_what_the_rtl_broke_is_told_by_part_and_rule(tmp_path: Path) -> None:
    broken = [
        {
            "part": "own.eth0",
            "rule": "axi.write_last",
            "count": 12,
            "first_ps": 35_957_904_000,
            "first": "35.957904 ms: m.wlast breaks the rule axi.write_last: <WLAST>",
        },
        {
            "part": "own.eth0",
            "rule": "ring.sv:88",
            "assertion": True,
            "count": 1,
            "first_ps": 0,
            "first": "0.000016 ms after power-up: ring.sv:88: Assertion failed",
        },
    ]
    case = outcome(tmp_path, "ixgb_b2b", data=sim(violations=broken))["cases"][0]
    assert case["violations"]["own.eth0"]["axi.write_last"] == {
        "count": 12,
        "assertion": False,
        "first_s": 0.035957904,
        "first": "35.957904 ms: m.wlast breaks the rule axi.write_last: <WLAST>",
    }
    assert rtl_rules.warnings(case) == [
        "own.eth0 broke axi.write_last 12 times, first at 35.957904 ms",
        "own.eth0 broke ring.sv:88 once at 0.000000 ms",
    ]
    assert rtl_rules.rows(case)[0][-1] == "m.wlast breaks the rule axi.write_last: <WLAST>"
    assert "violations" not in outcome(tmp_path / "clean", "ixgb_b2b")["cases"][0]

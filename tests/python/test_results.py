# SPDX-License-Identifier: Apache-2.0
"""From a synthetic sim.json to results.json."""

from pathlib import Path
from typing import Any

import pytest
from longhaul import bottleneck, measures, registry, results, simdata
from longhaul.errors import LonghaulError
from longhaul.reference import errors_pct, lookup
from support import fake_sim

HOST_NAMES = (
    "cpu_busy_pct cpu_user_pct cpu_system_pct cpu_softirq_pct cpu_hardirq_pct cpu_mmio_stall_pct "
    "irq_per_s napi_polls_per_s mmio_reads_per_s mmio_writes_per_s pcix_busy_pct pcix_data_pct "
    "pcix_overhead_pct mem_busy_pct adapter_tx_busy_pct adapter_tx_blocked_pct "
    "adapter_rx_busy_pct adapter_rx_blocked_pct"
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


def test_figures_are_per_window(tmp_path: Path) -> None:
    measured = outcome(tmp_path, "ixgb_b2b")["cases"][0]["measured"]
    assert measured["sender"]["irq_per_s"] == 5236
    assert measured["sender"]["cpu_busy_pct"] == pytest.approx(98.0, abs=0.001)
    assert measured["receiver"]["cpu_softirq_pct"] == pytest.approx(34.0, abs=0.001)
    assert measured["receiver"]["pcix_busy_pct"] == pytest.approx(83.0, abs=0.001)
    assert measured["sender"]["adapter_tx_busy_pct"] == pytest.approx(31.0, abs=0.001)
    assert measured["receiver"]["adapter_rx_blocked_pct"] == pytest.approx(2.0, abs=0.001)
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
    parts = [host[f"cpu_{state}_pct"] for state in measures.CORE_STATES]
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


def host(cpu: float = 10, pcix: float = 10, tx: float = 10, rx: float = 10) -> dict[str, float]:
    return {
        "cpu_busy_pct": cpu,
        "pcix_busy_pct": pcix,
        "mem_busy_pct": 5,
        "adapter_tx_busy_pct": tx,
        "adapter_rx_busy_pct": rx,
    }


@pytest.mark.parametrize(
    ("measured", "what"),
    [
        ({"sender": host(cpu=99), "receiver": host(pcix=97)}, "sender's CPU"),
        ({"sender": host(), "receiver": host(pcix=97)}, "receiver's PCI-X bus"),
        ({"sender": host(tx=98, rx=99), "receiver": host(cpu=95, tx=99)}, "sender's adapter"),
        ({"sender": host(rx=99), "receiver": host(rx=97)}, "receiver's adapter"),
        ({"sender": host(), "receiver": host(), "wire_gbps": 9.9}, "line"),
        (
            {"sender": host(), "receiver": host(), "wire_gbps": 0.9, "rtt_ms": 100,
             "goodput_gbps": 0.79, "retransmits": 0},
            "TCP window",
        ),
        (
            {"sender": host(), "receiver": host(), "wire_gbps": 0.2, "rtt_ms": 100,
             "goodput_gbps": 0.2, "retransmits": 12},
            "loss",
        ),
        (
            {"sender": host(), "receiver": host(), "wire_gbps": 0.2, "rtt_ms": 100,
             "goodput_gbps": 0.2, "retransmits": 0},
            "none of the observed resources",
        ),
    ],
)  # fmt: skip
def test_the_verdict_names_the_fullest_resource_then_window_then_loss(
    measured: dict[str, Any], what: str
) -> None:
    verdict = bottleneck.judge(measured, window_bytes=10_000_000, line_gbps=10.0)
    assert verdict.what == what
    assert verdict.evidence


def test_lookup_follows_dots() -> None:
    assert lookup({"receiver": {"irq_per_s": 3}}, "receiver.irq_per_s") == 3
    assert lookup({"receiver": 1}, "receiver.irq_per_s") is None

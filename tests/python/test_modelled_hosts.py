# SPDX-License-Identifier: Apache-2.0
"""Modelled systems in topologies, settings and reports."""

import json
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from longhaul import registry, schema
from longhaul.errors import LonghaulError, UsageError
from longhaul.results.workload_reports import Reports
from longhaul.topology import (
    Iperf,
    Machine,
    Ping,
    Scenario,
    System,
    Udp,
    Workload,
    machines,
    nics,
)
from longhaul.units import Rate, mib, s
from support.topology import config_for


def joined(system: System | None) -> tuple[Scenario, Machine, Machine]:
    """A modelled sender, and a receiver with `system`."""
    scenario = Scenario("test")
    sender = scenario.add(
        machines.opteron_hdama(
            "sender", nic=nics.ixgb(mtu=9198), system=System(profile="linux-2.6.6")
        )
    )
    receiver = scenario.add(machines.opteron_hdama("receiver", nic=nics.ixgb(), system=system))
    scenario.link(sender.port("eth0"), receiver.port("eth0"))
    return scenario, sender, receiver


def test_a_modelled_host_runs_the_client_of_its_role_against_the_others_address() -> None:
    scenario, sender, receiver = joined(System(profile="solaris-9", processors=2))
    scenario.run_workload(
        Iperf(sender=sender, receiver=receiver, duration=s(2), window=mib(1), streams=3)
    )
    near, far = (machine.host for machine in config_for(scenario).machines)
    assert near
    assert far
    assert near.interfaces == [
        schema.Interface(device="eth0", ipv4="10.10.0.1/24", ipv6="fd10:10::1/64", mtu=9198)
    ]
    client = {"peer": "10.10.0.2", "duration": "2s", "streams": 3, "window": "1MiB"}
    assert near.programs == [schema.Program(type="iperf_client", params=client)]
    server = {"window": "1MiB", "streams": 3}
    assert far.programs == [schema.Program(type="iperf_server", params=server)]
    assert (far.system, far.processors) == ("solaris-9", 2)
    assert not scenario.has_guests()
    assert scenario.guest_settings() == {}


def test_a_guest_and_a_modelled_host_share_a_wire_and_a_book_of_addresses() -> None:
    scenario, sender, receiver = joined(None)
    scenario.run_workload(Ping(sender=sender, receiver=receiver, duration=s(3), ip="v6"))
    assert scenario.has_guests()
    near, far = config_for(scenario).machines
    assert near.guest is None
    assert near.host
    ping = schema.Program(type="ping", params={"peer": "fd10:10::2", "count": 3})
    assert near.host.programs == [ping]
    assert far.host is None
    assert far.guest
    assert list(scenario.guest_settings()) == ["receiver"]
    assert scenario.guest_settings()["receiver"]["LH_PEER6"] == "fd10:10::1"


def test_a_workload_that_modelled_hosts_do_not_have_is_refused() -> None:
    scenario, sender, receiver = joined(System(profile="linux-2.6.6"))
    udp: Workload = Udp(
        sender=sender, receiver=receiver, duration=s(1), rate=Rate(10**9), window=mib(1)
    )
    scenario.run_workload(udp)
    with pytest.raises(UsageError) as caught:
        config_for(scenario)
    assert str(caught.value) == "workload udp runs on real guests only, not on modelled hosts"


def test_what_only_guests_have_cannot_be_set_for_a_modelled_system() -> None:
    entry = registry.find("opteron_table2")
    with pytest.raises(UsageError) as caught:
        entry.build(entry.parse(["gso=on"]), seed=1)
    assert "gso=on" in str(caught.value)
    assert "system" in str(caught.value)


def test_settings_that_were_changed_stand_above_the_profile() -> None:
    entry = registry.find("opteron_table2")
    plain, other = (
        entry.build(entry.parse(given), seed=1).parts["sender"]
        for given in ([], ["congestion=bic", "adv_win_scale=1", "rx_int_delay=0s", "tso=off"])
    )
    assert isinstance(plain, Machine)
    assert isinstance(other, Machine)
    assert plain.system
    assert other.system
    assert plain.system.tcp == {}
    assert plain.system.driver["rx_delay"] == 72
    assert other.system.tcp == {"congestion_control": "bic"}
    assert other.system.net == {"tso": False, "adv_win_scale": 1, "qdisc_packets": 1000}
    assert other.system.driver["rx_delay"] == 0


def test_a_card_brings_its_own_bus_settings_and_driver() -> None:
    entry = registry.find("opteron_table2")

    def sender(*given: str) -> Machine:
        built = entry.build(entry.parse(given), seed=1).parts["sender"]
        assert isinstance(built, Machine)
        return built

    ixgb, n110 = sender(), sender("card=n110", "mtu=9198")
    assert (ixgb.pcix.mmrbc, ixgb.pcix.outstanding) == (512, 3)
    assert (n110.pcix.mmrbc, n110.pcix.outstanding) == (2048, 8)
    assert n110.nics[0].type == "n110"
    assert n110.system
    assert n110.system.driver == {}
    other = sender("card=n110", "mtu=1500", "mmrbc=1024", "outstanding=2")
    assert (other.pcix.mmrbc, other.pcix.outstanding) == (1024, 2)
    with pytest.raises(UsageError, match="rings=256/256: card=n110 does not use it"):
        entry.parse(["card=n110", "rings=256/256"])
    with pytest.raises(UsageError, match=r"mtu=9700: cxgb, .* takes 68 to 9582 B"):
        sender("card=n110", "mtu=9700")
    with pytest.raises(UsageError, match="mmrbc=300: must be adapter, 512, 1024, 2048 or 4096"):
        entry.parse(["mmrbc=300"])


def test_programs_get_the_buffers_of_tables_5_and_6() -> None:
    def lengths(table: str, *given: str) -> list[object]:
        entry = registry.find(table)
        built = config_for(entry.build(entry.parse(given), seed=1))
        return [m.host.programs[0].params["length"] for m in built.machines if m.host]

    assert lengths("opteron_table5", "sender_buffer=18316B") == ["18316B", "54948B"]
    assert lengths("opteron_table6", "receiver_buffer=36632B") == ["9158B", "36632B"]
    for table, count in (("opteron_table5", 4), ("opteron_table6", 4)):
        assert len(registry.find(table).cases([])) == count
    with pytest.raises(UsageError, match="system=guest does not use it"):
        registry.find("opteron_table5").parse(["system=guest", "sender_buffer=1KiB"])


def test_a_row_keeps_what_it_was_measured_with_unless_something_else_is_given() -> None:
    entry = registry.find("opteron_table4")
    assert len(entry.cases([])) == 12
    (row,) = entry.cases(["ip=v6", "rtt=0.4s"])
    (n110,) = entry.cases(["ip=v6", "rtt=0.4s", "card=n110"])
    beside = ("window=448MB", "tx_queue_len=100000", "warmup=10s")
    assert row == ("card=ixgb", "ip=v6", "rtt=400ms", *beside)
    assert n110 == ("card=n110", *row[1:])
    (t110,) = entry.cases(["ip=v6", "rtt=0.4s", "card=t110"])
    far = ("window=480MB", "tx_queue_len=100000", "warmup=15s")
    assert t110 == ("card=t110", *row[1:3], *far)
    (other,) = entry.cases(["ip=v6", "rtt=400ms", "window=1GiB", "warmup=1s"])
    assert other == ("card=ixgb", "ip=v6", "rtt=400ms", "tx_queue_len=100000")
    (near,) = entry.cases(["card=n110", "ip=v4", "rtt=0ms"])
    assert near == ("card=n110", "ip=v4", "rtt=0ms", "window=1MB", "warmup=100ms")


def test_figure_8_tells_when_slow_start_was_over_and_the_memory_full(tmp_path: Path) -> None:
    entry = registry.find("opteron_fig8")
    seconds = [0.1 * i for i in range(1, 61)]
    flight = [0.0] * 10 + [min(1e6 * 2**i, 3e8) for i in range(50)]
    written = [0.0] * 10 + [1e8] * 4 + [1e6] * 46
    sent = [0.0, *(b - a for a, b in pairwise(flight))]
    pl.DataFrame(
        {
            "time_ps": [round(each * 1e12) for each in seconds],
            "sender.stack.cwnd": flight,
            "sender.stack.flight": flight,
            "sender.stack.written_bytes": written,
            "sender.stack.data_bytes_out": sent,
        }
    ).write_parquet(tmp_path / "series.parquet")
    found = entry.evaluate(entry.parse([]), tmp_path, tmp_path)
    # 2^9 MB are over 90 % of 300 MB: nine periods after the first segment.
    assert found["slow_start_s"] == 0.9
    assert found["on_the_way_mb"] == 300
    assert found["memory_filled_s"] < found["slow_start_s"]
    rows = (tmp_path / "fig8.csv").read_text().splitlines()
    assert rows[0] == "time_s,written_mb,cwnd_mb,on_the_way_mb,in_memory_mb"


def test_table_1s_rows_are_of_a_t110_that_offloads() -> None:
    entry = registry.find("opteron_table1")
    rows = entry.cases([])
    assert len(rows) == 10
    assert entry.cases(["mtu=7832", "rtt=0.4s"]) == [
        ("mtu=7832", "rtt=400ms", "window=375MB", "warmup=16s")
    ]
    sender = entry.build(entry.parse(["rtt=0ms"]), seed=1).parts["sender"]
    assert isinstance(sender, Machine)
    assert dict(sender.nics[0].params) == {"board": "t110"}
    assert sender.system
    assert sender.system.driver == {"offload": True}
    with pytest.raises(UsageError, match="toe=on: card=n110 does not use it"):
        entry.parse(["card=n110", "toe=on"])


def test_figures_2_to_4_are_means_of_the_papers_stall_and_of_the_end(tmp_path: Path) -> None:
    figures = {n: registry.find(f"opteron_fig{n}") for n in (2, 3, 4)}
    assert figures[2].cases([]) == [("mtu=1500",), ("mtu=7832",)]
    # 1 Gb/s and PAUSE for 12 s, then 8 Gb/s for 12 s. The stream begins at 5 s.
    seconds = [0.1 * i for i in range(1, 294)]
    since = [each - 5 for each in seconds]
    slow = [0 < each < 12 for each in since]
    states = ("user", "system", "softirq", "hardirq", "mmio_stall")
    hosts = {
        f"{host}.{probe}": [round(value * (2 if each else 1)) for each in slow]
        for host, busy in (("sender", 2e10), ("receiver", 1e10))
        for probe, value in (*((f"core.state:{s}", busy / 5) for s in states),
                             ("eth0.interrupts", 500))
    }  # fmt: skip
    pl.DataFrame(
        {
            "time_ps": [round(each * 1e12) for each in seconds],
            "sender.stack.written_bytes": [0 if each < 0 else 1 for each in since],
            "receiver.eth0_payload.tcp_received": [
                round(1e9 / 80 * (1 if each else 8)) for each in slow
            ],
            "sender.eth0.mac.tx_xoff": [100 if each else 0 for each in slow],
            **hosts,
        }
    ).write_parquet(tmp_path / "series.parquet")
    found = {n: e.evaluate(e.parse([]), tmp_path, tmp_path) for n, e in figures.items()}
    assert found[2] == {
        "stall_goodput_gbps": pytest.approx((1 * 2 + 8 * 3) / 5, rel=0.05),
        "full_goodput_gbps": pytest.approx(8),
        "stall_pause_per_s": pytest.approx(400, rel=0.05),
        "full_pause_per_s": 0,
        "rise_s": 12,
    }
    assert found[3]["full_cpu_busy_pct"] == pytest.approx(20)
    assert found[4]["full_cpu_busy_pct"] == pytest.approx(10)
    assert found[4]["full_irq_per_s"] == pytest.approx(5000)
    assert found[4]["stall_irq_per_s"] == pytest.approx(7000, rel=0.02)
    rows = (tmp_path / "fig2.csv").read_text().splitlines()
    assert rows[0] == "time_s,goodput_gbps,pause_per_s"
    columns = ",".join(f"{state}_pct" for state in states)
    for n in (3, 4):
        head, *_ = (tmp_path / f"fig{n}.csv").read_text().splitlines()
        assert head == f"time_s,{columns},irq_per_s,cpu_busy_pct"


@pytest.mark.parametrize("table", ["opteron_table2", "opteron_table3"])
def test_a_table_has_its_rows_as_cases_each_with_its_published_figure(table: str) -> None:
    entry = registry.find(table)
    rows = entry.cases([])
    assert len(rows) == 9
    for row in rows:
        matched = entry.references.match(entry.parse_case([], row))
        assert matched
        assert matched.reference["goodput_gbps"] > 1
    assert entry.cases(["ip=v4"]) == [("card=ixgb", "ip=v4", "mtu=9198")]
    (n110,) = entry.cases(["ip=v4", "card=n110"])
    assert n110[:3] == ("card=n110", "ip=v4", "mtu=9198")
    (t110,) = entry.cases(["ip=v6", "mtu=1500", "card=t110"])
    near, far = ("window=1MB",), ("window=480MB", "warmup=15s")
    assert t110[:3] == ("card=t110", "ip=v6", "mtu=1500")
    assert t110[3:] == {"opteron_table2": near, "opteron_table3": far}[table]
    sender = entry.build(entry.parse_case([], t110), seed=1).parts["sender"]
    assert isinstance(sender, Machine)
    assert sender.system
    assert sender.system.driver == {"offload": False}
    assert entry.cases(["ip=v4", "mtu=1500"]) == []


def reports(folder: Path, name: str, text: str) -> Reports:
    place = folder / "host" / "report"
    place.mkdir(parents=True, exist_ok=True)
    (place / name).write_text(text)
    return Reports(folder)


def test_a_clients_report_gives_round_trip_and_limits(tmp_path: Path) -> None:
    first = {"bytes": 3000, "seconds": 1, "srtt_ms": 10.0, "snd_wnd_bytes": 1000}
    second = {"bytes": 1000, "seconds": 1, "srtt_ms": 20.0, "snd_wnd_bytes": 500}
    reports(tmp_path, "iperf_client_0.json", json.dumps(first))
    found = reports(tmp_path, "iperf_client_1.json", json.dumps(second))
    assert found.rtt_ms("host") == pytest.approx(12.5)
    assert found.tcp_limits("host") == {"snd_wnd_bytes": 1500.0}
    reports(tmp_path, "iperf_client_0.json", json.dumps(first | {"cwnd_limit_bytes": 700}))
    assert found.tcp_limits("host") == {"snd_wnd_bytes": 1500.0}  # the other one has none
    reports(tmp_path, "iperf_client_1.json", json.dumps(second | {"cwnd_limit_bytes": 800}))
    assert found.tcp_limits("host") == {"snd_wnd_bytes": 1500.0, "cwnd_limit_bytes": 1500.0}


def test_a_servers_report_gives_what_was_received(tmp_path: Path) -> None:
    found = reports(tmp_path, "iperf_server_0.json", '{"bytes": 1000, "seconds": 0.5}')
    transfer = found.transfer("host")
    assert transfer
    assert (transfer.bytes, transfer.bits_per_s) == (1000, 16000.0)


def test_pings_report_gives_the_mean_and_none_without_an_answer(tmp_path: Path) -> None:
    echoes = {"sent": 2, "received": 2, "rtt_mean_us": 2000.0}
    assert reports(tmp_path, "ping.json", json.dumps(echoes)).rtt_ms("host") == 2.0
    assert reports(tmp_path, "ping.json", '{"sent": 2, "received": 0}').rtt_ms("host") is None


def test_a_malformed_report_names_the_host_and_the_member(tmp_path: Path) -> None:
    with pytest.raises(LonghaulError) as caught:
        reports(tmp_path, "iperf_server_0.json", '{"bytes": "many"}').transfer("host")
    assert str(caught.value).startswith("host's iperf_server_0.json cannot be read: bytes: ")

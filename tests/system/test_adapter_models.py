# SPDX-License-Identifier: Apache-2.0
"""The tree's own RTL in the place of TLM types (`model=rtl`)."""

from __future__ import annotations

import json
from pathlib import Path

from longhaul.types import rtl_models
from rig.depth import deep_only
from rig.scripts import longhaul
from rig.wire import count, rows, sent, verified, wrong

TREE = rtl_models.among([])


def test_each_map_of_the_tree_is_the_same_device_as_its_twin() -> None:
    """As far as that shows before the RTL is compiled: ids, BARs, driver."""
    assert set(TREE) == {"ixgb"}
    for each in TREE.values():
        assert each.built_in
        rtl_models.check_map(each, [])


def test_a_modelled_driver_runs_the_rtl_of_ixgb(tmp_path: Path) -> None:
    """No plug-in is given. The sums of what it sends are good, and nothing is lost."""
    settings = ("--set", "ip=v4", "--set", "duration=5ms", "--set", "warmup=5ms")
    model = ("--param", "sender.eth0.model=rtl")
    done = longhaul(tmp_path, "run", "opteron_table2", *settings, *model, "--pcap", "--out", "run")
    assert "sender.eth0 is RTL: ixgb_rtl in the place of ixgb." in done.stdout
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert results["adapter_models"]["sender.eth0"]["rtl"] == "ixgb_rtl"
    measured = results["cases"][0]["measured"]
    assert measured["goodput_gbps"] > 3
    assert measured["retransmits"] == 0
    assert "adapter_tx_busy_pct" not in measured["sender"]
    assert "adapter_rx_busy_pct" in measured["receiver"]
    (capture, *_) = sorted((tmp_path / "run").glob("*.pcapng"))
    assert wrong(capture) == []
    assert verified(capture, "tcp") == count(capture, "tcp") > 100


def test_linux_own_driver_sends_the_same_frames_through_ixgb_as_rtl(tmp_path: Path) -> None:
    """Of real guests: addresses, echoes and the workload's TCP are alike, and instants are not."""
    captures: list[Path] = []
    for model in ("tlm", "rtl"):
        words = ("--set", "workload=ping", "--param", f"sender.eth0.model={model}", "--pcap")
        longhaul(tmp_path, "run", "ixgb_b2b", *words, "--out", model)
        captures.append(min((tmp_path / model).glob("*.pcapng")))
    by_tlm, by_rtl = map(sent, captures)
    assert by_tlm == by_rtl
    assert len(by_tlm) == 2 and sum(map(len, by_tlm.values())) > 50
    times = [rows(capture, "frame", "frame.time_epoch") for capture in captures]
    assert times[0] != times[1]
    assert wrong(captures[1]) == []


@deep_only
def test_two_hosts_with_ixgb_as_rtl_carry_tcp_over_ipv6_in_frames_of_16_kb(tmp_path: Path) -> None:
    """All sums are good, nothing is lost, and the drivers have nothing to complain about."""
    settings = ("--set", "ip=v6", "--set", "mtu=16114", "--set", "duration=2ms")
    model = ("--param", "*.eth0.model=rtl")
    longhaul(tmp_path, "run", "ixgb_b2b", *settings, *model, "--pcap", "--out", "run")
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert {each["rtl"] for each in results["adapter_models"].values()} == {"ixgb_rtl"}
    measured = results["cases"][0]["measured"]
    assert measured["retransmits"] == 0
    assert measured["goodput_gbps"] > 1
    (capture, *_) = sorted((tmp_path / "run").glob("*.pcapng"))
    assert wrong(capture) == []
    assert verified(capture, "tcp") == count(capture, "tcp") > 100
    assert max(int(size) for (size,) in rows(capture, "ipv6", "frame.len")) > 16_000
    for console in (tmp_path / "run" / "guests").glob("*/console.log"):
        said = [line for line in console.read_text().splitlines() if "ixgb" in line]
        assert said and not [line for line in said if "failed" in line or "rror" in line]

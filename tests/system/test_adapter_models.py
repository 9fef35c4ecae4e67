# SPDX-License-Identifier: Apache-2.0
"""The tree's own RTL in the place of TLM types (`model=rtl`)."""

from __future__ import annotations

import json
from pathlib import Path

from longhaul.types import rtl_models
from rig.scripts import longhaul
from rig.wire import count, verified, wrong

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

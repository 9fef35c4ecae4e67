# SPDX-License-Identifier: Apache-2.0
"""An adapter down to the pins of its PCI-X slot: under its driver, and by an independent checker.

The checker is that of the RTL's test benches (tests/rtl/pcix/pcix_checker.py). It shares no code
with the simulator, whose unit tests write the pins clock by clock.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from longhaul.paths import ROOT, build_folder
from rig.depth import deep_only
from rig.scripts import longhaul
from rig.wire import count, verified, wrong

MAP = ROOT / "rtl" / "nic_pcix" / "ixgb_pcix.toml"
ADAPTER = ("--plugin", str(MAP), "--set", "adapter=ixgb_pcix")
UNIT_TESTS = build_folder() / "release" / "longhaul_unit_tests"
CLAIMS = {
    "ConfigurationSpaceIsTheBlocks": {"host moved"},
    "RegistersAreBehindTheBar": {"host split", "host single", "core moved"},
    "TheBlockCopiesMemoryAndAsksByIntA": {"core split", "core moved", "host moved"},
    "ANarrowBusIsANarrowSlot": {"core split", "core moved", "host moved"},
    "StressChangesNoData": {"core retry", "core split", "core moved"},
}


@pytest.fixture(scope="module")
def rules() -> Any:
    """The checker and the pins of the test benches of rtl/pcix."""
    folder = str(ROOT / "tests" / "rtl" / "pcix")
    sys.path.insert(0, folder)
    try:
        yield importlib.import_module("pcix_checker"), importlib.import_module("pcix_pins")
    finally:
        sys.path.remove(folder)


def logged(claim: str, path: Path) -> list[list[int]]:
    """Run a unit test, and return its pins: AD, C/BE# with parities, what is asserted, drivers."""
    words = [str(UNIT_TESTS), f"--gtest_filter=PinFunctionTest.{claim}"]
    environment = {**os.environ, "LONGHAUL_PIN_LOG": str(path)}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return [[int(word) for word in line.split()] for line in path.read_text().splitlines()]


def check(rules: Any, clocks: list[list[int]], wide: bool) -> dict[str, int]:
    """Check each clock; return how the transactions ended, by who began them."""
    checker_module, pins = rules
    checker = checker_module.Checker()
    checker.begin(wide)
    for ad, cbe, asserted, drives in clocks:
        device, host = (drives >> 16) << 85, (drives & 0xFFFF) << 85
        levels = ad | (cbe & 0xFF) << pins.CBE | (cbe >> 8 & 1) * pins.PAR
        levels |= (cbe >> 9 & 1) * pins.PAR64 | (asserted & 0xFF) << 74
        checker.clock(pins.Pins(levels | device), host | (asserted >> 8 & 1) * pins.GNT)
    return dict(checker.endings)


@pytest.mark.parametrize("claim", CLAIMS)
def test_both_sides_of_the_pins_keep_the_rules(rules: Any, claim: str, tmp_path: Path) -> None:
    clocks = logged(claim, tmp_path / "pins")
    endings = check(rules, clocks, wide="Narrow" not in claim)
    assert CLAIMS[claim] <= set(endings), endings


def test_a_broken_rule_is_found(rules: Any, tmp_path: Path) -> None:
    """The check can fail: without one of its clocks a transaction is not one of PCI-X."""
    clocks = logged("RegistersAreBehindTheBar", tmp_path / "pins")
    at = next(place for place, clock in enumerate(clocks) if clock[2] & 2)
    with pytest.raises(rules[0].Violation):
        check(rules, clocks[:at] + clocks[at + 1 :], wide=True)


def test_linux_driver_pings_through_the_pins(tmp_path: Path) -> None:
    """The unmodified ixgb driver at both hosts, with all rules of the pins checked."""
    words = ("--set", "workload=ping", "--pcap", "--out", "run")
    longhaul(tmp_path, "run", "adapter_b2b", *ADAPTER, *words)
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    report = results["cases"][0]["measured"]["guest"]["sender"]["report"]["ping.txt"]
    assert " 0% packet loss" in report
    (capture,) = (tmp_path / "run").glob("*.pcapng")
    assert wrong(capture) == []


@deep_only
def test_linux_driver_carries_tcp_through_the_pins(tmp_path: Path) -> None:
    """Large frames both ways: all sums are good, and nothing is lost."""
    words = ("--set", "mtu=9000", "--set", "duration=2ms", "--pcap", "--out", "run")
    longhaul(tmp_path, "run", "adapter_b2b", *ADAPTER, *words)
    measured = json.loads((tmp_path / "run" / "results.json").read_text())["cases"][0]["measured"]
    assert measured["retransmits"] == 0
    assert measured["goodput_gbps"] > 2
    (capture,) = (tmp_path / "run").glob("*.pcapng")
    assert wrong(capture) == []
    assert verified(capture, "tcp") == count(capture, "tcp") > 100

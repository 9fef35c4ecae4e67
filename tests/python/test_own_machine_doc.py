# SPDX-License-Identifier: Apache-2.0
"""The machine that docs/own_machine.md shows is a whole preset, and a machine can be made of it."""

import re
from pathlib import Path

import pytest
from longhaul.paths import ROOT
from longhaul.topology import machines, nics

FILE = re.compile(r"^```toml\n(.*?)^```$", re.M | re.S)


def test_the_machine_that_is_shown_is_a_preset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (text,) = FILE.findall((ROOT / "docs/own_machine.md").read_text())
    (tmp_path / "machines").mkdir()
    (tmp_path / "machines" / "desk.toml").write_text(text)
    (tmp_path / "longhaul.toml").write_text('[workspace]\nname = "ws"\n')
    monkeypatch.chdir(tmp_path)
    sender = machines.from_preset("desk", "sender", nic=nics.ixgb())
    assert sender.pcix.mmrbc == 2048
    assert sender.sources["cpu.clock"] == ("measured", "lscpu on the machine")
    assert machines.from_preset("desk", "receiver", nic=nics.ixgb(), mmrbc=4096).pcix.mmrbc == 4096

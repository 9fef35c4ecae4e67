# SPDX-License-Identifier: Apache-2.0
"""A user's own driver that accesses PCI addresses which no adapter claims."""

from __future__ import annotations

import json
from pathlib import Path

from rig.scripts import start

MAPPED = "\tif (!nic->regs)\n\t\treturn -ENOMEM;\n"
ENABLED = "error = pcim_enable_device(pdev);"


def run(folder: Path, line: str, instead: str) -> tuple[int, str]:
    """Run a new workspace whose driver has another line; return status and what was said."""
    assert (
        start(["-m", "longhaul", "new", "mynic", "--kind", "rtl-nic"], cwd=folder).returncode == 0
    )
    source = folder / "mynic" / "driver" / "mynic_main.c"
    text = source.read_text()
    assert text.count(line) == 1
    source.write_text(text.replace(line, instead))
    done = start(["-m", "longhaul", "run", "--out", "out/run"], cwd=folder / "mynic")
    return done.returncode, done.stdout + done.stderr


def test_a_read_beyond_the_bar_is_told_with_its_distance(tmp_path: Path) -> None:
    status, said = run(tmp_path, MAPPED, MAPPED + "\tmynic_read(nic, 0x10010);\n")
    assert status == 0, said
    told = (
        "own: no adapter claimed one access of its software, so it gave ones. "
        "It is a read of 4 bytes at "
    )
    assert f"Note: {told}" in said
    assert "It lies 0x11 bytes after the last byte of BAR 0 of eth0, which has 64KiB" in said
    out = tmp_path / "mynic" / "out" / "run"
    (note,) = json.loads((out / "results.json").read_text())["cases"][0]["unclaimed"]
    assert note.startswith(told)
    assert told in (out / "report.html").read_text()


def test_a_device_that_was_not_enabled_is_told_with_the_failure(tmp_path: Path) -> None:
    status, said = run(tmp_path, ENABLED, "error = 0;")
    assert status == 1, said
    assert "ID register reads 0xffffffff" in said
    assert "BAR 0 of eth0, whose adapter does not decode memory: bit 1 of its command" in said

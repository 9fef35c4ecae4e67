# SPDX-License-Identifier: Apache-2.0
"""The NIC of the template rtl-nic: runs its test benches; lint; registers in RTL, C and text."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from harness import ROOT, claims, in_tests, run, verilate
from longhaul.registers import markdown, rdl

TEMPLATE = ROOT / "platform/python/longhaul/workspace/templates/rtl_nic"
RTL = TEMPLATE / "rtl"
RDL = RTL / "mynic.rdl"
# Packages first.
SOURCES = sorted(RTL.glob("*.sv"), key=lambda path: (not path.stem.endswith("_pkg"), path.name))


@cache
def _program() -> Path:
    bench = [*SOURCES, in_tests("mynic_tb.sv")]
    return verilate("mynic_tb", bench, in_tests("mynic.vlt"), "--no-timing")


@pytest.mark.parametrize(
    ("bench", "claim"),
    [(bench, claim) for bench in ("mynic_bench", "mynic_bus_bench") for claim in claims(bench)],
)
def test_mynic(bench: str, claim: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One claim of a test bench."""
    monkeypatch.setenv("LONGHAUL_MYNIC_RDL", str(RDL))
    run(_program(), bench, claim, tmp_path)


def test_verilator_has_nothing_to_say() -> None:
    """No warning with -Wall and without a waiver, with assertions and without."""
    for options in ([], ["--assert"]):
        command = ["verilator", "--lint-only", "-Wall", *options, "--top-module", "mynic_top"]
        done = subprocess.run([*command, *map(str, SOURCES)], capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_drivers_offsets_are_those_of_the_description() -> None:
    """Each MYNIC_REG_* is a register, at its address; the first counter stands for all."""
    compiled = rdl.compile_file(RDL).described
    offsets = {each.name: each.address for each in compiled.kinds[rdl.BOX]}
    source = "".join(path.read_text() for path in sorted((TEMPLATE / "driver").glob("*.[ch]")))
    found = re.findall(r"#define MYNIC_REG_(\w+)\s+(0x[0-9a-f]+)", source)
    assert len(found) > 20
    for name, offset in found:
        assert offsets[name] == int(offset, 16), name


def test_the_readmes_tables_are_those_of_the_description() -> None:
    """Made again, they are the same; a failure shows how to write them."""
    readme = TEMPLATE / "README.md"
    made = markdown.filled(readme.read_text(), rdl.compile_file(RDL), RDL.name)
    assert made == readme.read_text(), (
        "registers.markdown.filled(README.md, rdl.compile_file(mynic.rdl), 'mynic.rdl') makes them"
    )

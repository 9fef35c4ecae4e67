# SPDX-License-Identifier: Apache-2.0
"""Every module of rtl/ passes `verilator --lint-only -Wall` as a top level of its own."""

import re
import subprocess
from pathlib import Path

import pytest
from harness import ROOT, rtl_files, rtl_folders

WAIVERS = ROOT / "rtl" / "lint" / "waivers.vlt"
FOLDERS = rtl_folders()
PACKAGES = [path for path in rtl_files(*FOLDERS) if path.stem.endswith("_pkg")]
MODULES = [path for path in rtl_files(*FOLDERS) if path not in PACKAGES]


def lint(path: Path) -> str:
    """Return what Verilator has to say about one file, empty if nothing."""
    command = ["verilator", "--lint-only", "-Wall", "--assert", str(WAIVERS), *map(str, PACKAGES)]
    folders = ["+libext+.sv+", *(f"-I{ROOT / 'rtl' / name}" for name in FOLDERS)]
    command += [*folders, "--top-module", path.stem, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_module_is_lint_clean(path: Path) -> None:
    """No warning and no error, assertions included."""
    assert lint(path) == ""


def test_lint_finds_what_is_wrong(tmp_path: Path) -> None:
    """The check can fail: a width that does not fit is reported."""
    bad = tmp_path / "bad.sv"
    bad.write_text("module bad (input logic [7:0] a_i, output logic [3:0] b_o);\n"
                   "  assign b_o = a_i;\nendmodule\n")  # fmt: skip
    assert "WIDTH" in lint(bad)


def test_every_waiver_states_its_reason() -> None:
    """A line of comment stands above each waiver, and no source switches lint off by itself."""
    lines = WAIVERS.read_text().splitlines()
    for above, line in zip(lines, lines[1:], strict=False):
        assert not line.startswith("lint_off") or above.startswith("// "), line
    for path in rtl_files(*FOLDERS):
        assert not re.search(r"lint_off", path.read_text()), path


def test_one_module_a_file() -> None:
    """A file holds the module or package that it is named after."""
    for path in [*PACKAGES, *MODULES]:
        names = re.findall(r"^(?:module|package)\s+(\w+)", path.read_text(), re.M)
        assert names == [path.stem]

# SPDX-License-Identifier: Apache-2.0
"""Samples of perf, by part."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from longhaul.devtools import sampling
from longhaul.errors import LonghaulError
from longhaul.workspace import current
from longhaul.workspace.folder import FILE


def test_samples_are_the_blocks_the_glues_the_kernels_or_the_rests() -> None:
    """The glue's template in the RTL object is glue, too."""
    spent = sampling.split(
        [
            "# Overhead;Samples;Shared Object;Symbol",
            "",
            "  30.00%;3000;mynic-0123.so;[.] Vmynic___024root___eval",
            "   1.00%;100;mynic-0123.so;[.] longhaul::cosim::ObjectModel<Vmynic, &list>::eval",
            "   4.50%;450;longhaul-sim;[.] longhaul::cosim::RtlBlock::take_edges",
            "   0.50%;50;longhaul-sim;[.] longhaul::portmap::MappedFunction::write",
            "   2.00%;200;libsystemc-2.3.4.so;[.] sc_core::sc_simcontext::crunch",
            "  62.00%;6200;longhaul-sim;[.] longhaul::pcix::PcixBus::transport",
        ],
        "mynic",
    )
    assert spent == {
        sampling.BLOCK: 3000 / sampling.RATE_HZ,
        sampling.GLUE: 600 / sampling.RATE_HZ,
        sampling.KERNEL: 200 / sampling.RATE_HZ,
        sampling.REST: 6200 / sampling.RATE_HZ,
    }


def test_a_profile_without_the_block_is_an_error() -> None:
    """No share of it can be told."""
    with pytest.raises(LonghaulError, match="no sample of the RTL object"):
        sampling.split(["100.00%;10000;longhaul-sim;[.] main"], "mynic")


def test_a_run_takes_the_workspace_that_it_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`longhaul results` takes none, and its children inherit that."""
    environments: list[dict[str, str]] = []

    def run(_: list[str], **given: Any) -> subprocess.CompletedProcess[str]:
        environments.append(given["env"])
        return subprocess.CompletedProcess([], 1, "", "refused")

    monkeypatch.setattr(sampling.subprocess, "run", run)
    monkeypatch.setenv(current.VARIABLE, current.NONE)
    inside, outside = tmp_path / "mine", tmp_path / "nowhere"
    for folder in (inside, outside):
        folder.mkdir()
    (inside / FILE).touch()
    for folder in (inside, outside):
        with pytest.raises(LonghaulError, match="refused"):
            sampling.seconds(["a"], "b", tmp_path / "run", folder)
    assert [each[current.VARIABLE] for each in environments] == [str(inside), current.NONE]

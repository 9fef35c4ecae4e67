# SPDX-License-Identifier: Apache-2.0
"""A golden run on another host: QEMU emulates its processor, and it is the same to the byte.

What differs there: the processor (AMD with SSE2, neither AVX nor XSAVE, so another size of FP state
and other code in the host's libc), the kernel (Debian's cloud image), the machine's name, the date
(2035), the locale, user and home (1000, no name), the file system (the initial RAM disk), one core,
and the time that all takes (thirty times as long). Simulator, libraries, guests' kernel and image
are those of this host.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from longhaul.paths import ROOT
from rig.depth import deep_only

NAME = "ixgb-v4-jumbo"
LIMIT_S = 480


@deep_only
def test_a_golden_run_is_the_same_on_an_emulated_processor(tmp_path: Path) -> None:
    command = [ROOT / "longhaul", "golden", NAME, "--host", "qemu64", "--out", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    (verdict,) = (line for line in done.stdout.splitlines() if line.startswith(NAME))
    state = verdict.removeprefix(NAME).strip()
    if state.startswith("not comparable"):
        pytest.skip(state)
    assert (done.returncode, state) == (0, "same"), done.stdout + done.stderr
    assert "On qemu64 (AMD, SSE2, neither AVX nor XSAVE):" in done.stdout.splitlines()
    assert (tmp_path / "qemu64" / NAME / "results.json").is_file()

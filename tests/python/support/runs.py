# SPDX-License-Identifier: Apache-2.0
"""The files that a run leaves."""

from pathlib import Path

from longhaul import outdir


def no_result(folder: Path) -> bool:
    return not folder.exists() and not (outdir.partial_path(folder) / "results.json").exists()

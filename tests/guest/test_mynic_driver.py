# SPDX-License-Identifier: Apache-2.0
"""The driver of the template rtl-nic builds for the guests' kernel."""

import re
import shutil
from pathlib import Path

from longhaul.guest import kernel, module_blocks
from longhaul.paths import ROOT

DRIVER = ROOT / "platform/python/longhaul/workspace/templates/rtl_nic/driver"


def test_it_builds_without_a_warning(tmp_path: Path) -> None:
    """With the kernel's extra warnings; the module has the table of its blocks."""
    info = kernel.ensure()
    folder = tmp_path / "driver"
    shutil.copytree(DRIVER, folder)
    tree = info.path.parent / "source"
    said = kernel.run(["make", "-C", str(tree), "ARCH=um", f"M={folder}", "W=1", "modules"])
    assert "CC [M]" in said and not re.search(r"warning|error", said, re.IGNORECASE), said
    (module,) = module_blocks.build(info, folder)
    assert module.name == "mynic.ko"
    assert module_blocks.MAGIC in module.read_bytes()

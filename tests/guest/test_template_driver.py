# SPDX-License-Identifier: Apache-2.0
"""The driver of the template `driver` builds for the guests' kernel."""

import re
from pathlib import Path

from longhaul.guest import claims, kernel, module_blocks
from longhaul.workspace import creation, kinds


def test_it_builds_without_a_warning(tmp_path: Path) -> None:
    """With the kernel's extra warnings; it has the table of its blocks, and of its devices."""
    info = kernel.ensure()
    creation.make(kinds.find("driver"), "pro_main", tmp_path)  # as a source, but for the hyphen
    tree = info.path.parent / "source"
    folder = tmp_path / "driver"
    said = kernel.run(["make", "-C", str(tree), "ARCH=um", f"M={folder}", "W=1", "modules"])
    assert "CC [M]" in said and not re.search(r"warning|error", said, re.IGNORECASE), said
    (module,) = module_blocks.build(info, folder)
    assert module.name == "pro_main.ko"
    assert module_blocks.MAGIC in module.read_bytes()
    assert sorted(claims.of_module(module)) == [("8086", "100f"), ("8086", "1011")]

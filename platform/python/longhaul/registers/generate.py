# SPDX-License-Identifier: Apache-2.0
"""Makes from each rtl/NAME/NAME.rdl what speaks of its registers.

That is its SystemVerilog package and its C++ headers; for a box also the data that `stored` loads,
and the tables in its README. They are files of the tree: a build and a run need no compiler of
SystemRDL.
"""

from __future__ import annotations

from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT
from longhaul.registers import cpp, cpp_adapter, markdown, rdl, stored, systemverilog


def sources() -> list[Path]:
    """Return the register descriptions of all blocks of RTL."""
    return sorted(path for path in (ROOT / "rtl").glob("*/*.rdl") if path.stem == path.parent.name)


def made(source: Path) -> dict[Path, str]:
    """Return the files that a description makes, and what they hold."""
    compiled = rdl.compile_file(source)
    name, shown = compiled.described.name, source.relative_to(ROOT).as_posix()
    adapter, header = compiled.adapter, compiled.cpp_header
    try:
        files = {source.parent / f"{name}_csr_pkg.sv": systemverilog.text(compiled, shown)}
        if adapter is not None:
            files[adapter.header] = cpp_adapter.text(compiled, adapter, shown)
            files[adapter.shared_header] = cpp_adapter.shared_text(compiled, adapter, shown)
        if header is not None:
            readme = source.parent / "README.md"
            files |= {
                header: cpp.text(compiled, shown),
                header.with_name(f"{header.stem}_info.h"): cpp.info_text(compiled, shown),
                stored.MAPS / f"{name}.json": stored.text(compiled.described),
                readme: markdown.filled(readme.read_text(), compiled, source.name),
            }
    except ValueError as wrong:
        raise LonghaulError(f"{shown}: {wrong}") from None
    return files


def stale() -> dict[Path, str]:
    """Return the files that are not what their description makes, with what they should hold."""
    return {
        path: text
        for source in sources()
        for path, text in made(source).items()
        if not path.is_file() or path.read_text() != text
    }


def write() -> list[Path]:
    """Make the files again; return those that have changed."""
    changed = stale()
    for path, text in changed.items():
        path.write_text(text)
    return list(changed)

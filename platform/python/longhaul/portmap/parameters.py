# SPDX-License-Identifier: Apache-2.0
"""Which names in a block's waves are parameters: Verilator traces those like signals."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

# tracep->declBus(c+7,"WIDTH", false,-1, 31,0); later Verilators have a number ahead of the name.
_DECLARED = re.compile(r'decl\w+\(c\+(\d+),(?:\d+,)?"([^"]+)"')
# bufp->fullIData(oldp+7,(8U),32); of a signal the value is an expression.
_CONSTANT = re.compile(r"full\w+\(oldp\+(\d+),\((?:[0-9][0-9a-fA-FxULl]*|__Vtemp\w*)\)")
_TEXT = re.compile(r"\b(?:parameter|localparam)\b([^;]*)")
_NAME = re.compile(r"\b([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*=(?!=)")


def names(folder: Path, sources: Iterable[Path]) -> list[str]:
    """Return the names that are parameters wherever the traced class in a folder has them.

    A name counts if Verilator has put a constant in its place everywhere, and the sources declare a
    parameter of that name. So a signal that is tied to a constant stays a signal. A parameter
    that this misses is shown.
    """
    number_of: dict[str, set[str]] = defaultdict(set)
    constants: set[str] = set()
    for file in sorted(folder.glob("*__Trace__*.cpp")):
        text = file.read_text(errors="replace")
        for number, name in _DECLARED.findall(text):
            number_of[name].add(number)
        constants |= set(_CONSTANT.findall(text))
    declared = _declared(sources)
    return sorted(
        name for name, numbers in number_of.items() if name in declared and numbers <= constants
    )


def _declared(sources: Iterable[Path]) -> set[str]:
    """Return the names of parameters, as well as a look at the text can tell."""
    found: set[str] = set()
    for source in sources:
        try:
            text = source.read_text(errors="replace")
        except OSError:
            continue
        for declaration in _TEXT.findall(re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)):
            found |= set(_NAME.findall(declaration))
    return found

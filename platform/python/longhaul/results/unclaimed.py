# SPDX-License-Identifier: Apache-2.0
"""The words of a run about accesses to PCI addresses that no adapter claimed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from longhaul.results import simdata
from longhaul.units import Size

KEY = "unclaimed"  # of a case in results.json


def lines(accesses: Iterable[simdata.Unclaimed]) -> list[str]:
    """Return a line for each host: how many, the first, and how far it is from which BAR."""
    return [
        f"{each.host}: no adapter claimed {_times(each)}{_effect(each)}. "
        f"{'It' if each.count == 1 else 'The first'} is {_what(each.first)}{_where(each.first)}"
        for each in accesses
    ]


def of_case(case: Mapping[str, Any]) -> list[str]:
    """Return these lines of a case of results.json."""
    return list(case.get(KEY, []))


def _times(of: simdata.Unclaimed) -> str:
    return "one access of its software" if of.count == 1 else f"{of.count} accesses of its software"


def _effect(of: simdata.Unclaimed) -> str:
    if of.count > 1:
        return ", so reads gave ones and writes were lost"
    return ", so it gave ones" if of.first.read else ", so the write was lost"


def _what(access: simdata.UnclaimedAccess) -> str:
    """Return kind, size, address and time of an access."""
    space = "I/O " if access.io else ""
    kind = "read" if access.read else "write"
    unit = "byte" if access.bytes == 1 else "bytes"
    return (
        f"a{'n' if access.io else ''} {space}{kind} of {access.bytes} {unit} at "
        f"{access.address:#x}, at {access.ps / 1e9:.6f} ms"
    )


def _where(access: simdata.UnclaimedAccess) -> str:
    """Say where the access lies beside the nearest BAR below it, and what may be meant."""
    bar = access.nearest
    if bar is None:
        return "; no BAR of an adapter lies below"
    name = f"BAR {bar.index} of {bar.adapter}"
    beyond = access.address - bar.begin - bar.bytes
    if beyond < 0:
        bit, of = (0, "I/O ports") if access.io else (1, "memory")
        return (
            f". It lies in {name}, whose adapter does not decode {of}: bit {bit} of its command "
            "register is 0 (pci_enable_device() sets it), or it is not in power state D0"
        )
    return (
        f". It lies {beyond + 1:#x} bytes after the last byte of {name}, which has "
        f"{Size(bar.bytes).short()} from {bar.begin:#x} on (`bar` or `size` in a port map sets it)"
    )

# SPDX-License-Identifier: Apache-2.0
"""RTL that can take the place of a TLM type of adapter: port maps with `twin` in their [pci].

The twin is the TLM type, and has the parameter `model` (docs/port_maps.md). The maps are those
among the plug-ins that a process was given, and the tree's own in `rtl/`. A map of the tree is
compiled only where an adapter has `model=rtl`. A user's map goes ahead of the tree's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Never, cast

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT
from longhaul.types import adapter_registers, described
from longhaul.types.described import Described, Parameter
from longhaul.types.plugins import PORT_MAP
from longhaul.workspace.toml_file import TomlFile

PARAMETER = "model"
TLM, RTL = "tlm", "rtl"
FOLDER = ROOT / "rtl"  # of the tree's maps: FOLDER/NAME/MAP.toml


@dataclass(frozen=True)
class RtlModel:
    """A port map with a twin, the TLM type whose place it can take; `name` is the block's type."""

    twin: str
    name: str
    document: TomlFile
    built_in: bool

    @property
    def path(self) -> Path:
        """The map."""
        return self.document.path

    def refuse(self, what: str) -> Never:
        """Raise the UsageError for what is wrong with the map's `twin`."""
        raise self.document.wrong(f"pci.twin: {what}", "pci", "twin")


def among(plugins: Iterable[Path]) -> Mapping[str, RtlModel]:
    """Return the maps with a twin of plug-ins and of the tree, by twin; none is checked here.

    A UsageError where two of the plug-ins have the same twin.
    """
    found = {
        each.twin: each for each in _read(sorted(FOLDER.glob(f"*/*{PORT_MAP}")), built_in=True)
    }
    for each in _read(plugins, built_in=False):
        other = found.get(each.twin)
        if other and not other.built_in:
            each.refuse(f"{other.path} has the twin {each.twin}, too; give one of the two maps")
        found[each.twin] = each
    return found


def _read(files: Iterable[Path], *, built_in: bool) -> Iterator[RtlModel]:
    for path in files:
        if path.suffix != PORT_MAP:
            continue
        document = TomlFile.load(path)
        twin, name = (_text(document, *place) for place in (("pci", "twin"), ("block", "name")))
        if twin:
            yield RtlModel(twin, name, document, built_in)


def _text(document: TomlFile, table: str, key: str) -> str:
    """Return a text of a map that nobody has checked; empty where there is none."""
    entries = document.tables.get(table)
    return str(cast(Mapping[str, Any], entries).get(key, "")) if isinstance(entries, dict) else ""


def of_file(path: Path) -> RtlModel:
    """Return a map that has a twin."""
    return next(_read([path], built_in=False))


def checked(rtl: RtlModel, plugins: Iterable[Path]) -> tuple[Described, Described]:
    """Return the TLM type and the block's type; compiles the block if the cache does not have it.

    A UsageError names the first thing in which they differ: software and the machine must see the
    same device. `plugins` are the process's.
    """
    files = tuple(plugins)
    check_map(rtl, files)
    types = described.everything(files if rtl.path in files else (*files, rtl.path))
    tlm, block = (_adapter(types, name) for name in (rtl.twin, rtl.name))
    assert tlm and block
    _compare(rtl, ("PHY", tlm.phy, block.phy), ("slot", tlm.slot, block.slot))
    return tlm, block


def check_map(rtl: RtlModel, plugins: Iterable[Path]) -> None:
    """Refuse a map that differs from its TLM type, as far as that shows before it is compiled."""
    # With Pydantic, as in plugins.objects().
    from longhaul.portmap import function
    from longhaul.portmap.read import read

    files = tuple(each for each in plugins if each.suffix != PORT_MAP)
    map_ = read(rtl.path).map
    tlm = _tlm(rtl, described.everything(files))
    seen = adapter_registers.of(tlm.name, files)
    pci, driver = map_.pci, map_.driver
    if pci is None:
        rtl.refuse("is for a function of the bus")
    ids = f"{pci.vendor:04x}:{pci.device:04x}"
    if ids not in tlm.pci_ids:
        rtl.refuse(f"{tlm.name} has the PCI ids {', '.join(tlm.pci_ids)}; the map has {ids}")
    bars = {n: (bar.bytes(), bar.width == 64) for n, bar in function.bars(pci).items()}
    if pci.msix_vectors:
        bars[pci.msix_bar] = (function.MSIX_BAR_BYTES, False)
    known = tlm.linux_driver
    _compare(
        rtl,
        ("revision", seen.revision, pci.revision),
        ("class code", f"{seen.class_code:06x}", f"{pci.class_code:06x}"),
        (
            "subsystem",
            f"{seen.subsystem_vendor:04x}:{seen.subsystem:04x}",
            f"{pci.subsystem_vendor:04x}:{pci.subsystem:04x}",
        ),
        ("memory BARs", _bars({b.index: (b.bytes, b.wide) for b in seen.bars}), _bars(bars)),
        ("Linux driver", known and known.module, driver and driver.module),
        ("least MTU", known and known.least_mtu, driver and driver.least_mtu),
        ("largest MTU", known and known.largest_mtu, driver and driver.largest_mtu),
    )


def _compare(rtl: RtlModel, *facts: tuple[str, str | int | None, str | int | None]) -> None:
    """Refuse the first fact that the twin and the map do not have alike."""
    for what, theirs, ours in facts:
        if theirs != ours:
            rtl.refuse(f"{what} of {rtl.twin}: {_shown(theirs)}; the map has {_shown(ours)}")


def _shown(fact: str | int | None) -> str:
    return "none" if fact in (None, "") else str(fact)


def _bars(bars: Mapping[int, tuple[int, bool]]) -> str:
    """Return BARs, by number their size in bytes and whether they are of 64 bits, in words."""
    return ", ".join(
        f"BAR {number} of {size} B{', 64 bits' if wide else ''}"
        for number, (size, wide) in sorted(bars.items())
    )


def _tlm(rtl: RtlModel, types: Sequence[Described]) -> Described:
    found = _adapter(types, rtl.twin)
    if found is None:
        names = [each.name for each in types if each.kind == "adapter" and not each.rtl]
        rtl.refuse(f"there is no TLM type of adapter {rtl.twin!r}{did_you_mean(rtl.twin, names)}")
    if found.platform:
        rtl.refuse(f"{rtl.twin} is a platform device; wants a function of the bus")
    if rtl.name == rtl.twin:
        rtl.refuse(f"the block has the name of its twin; give [block] another name than {rtl.twin}")
    if any(each.name == PARAMETER for each in found.parameters["params"]):
        rtl.refuse(f"{rtl.twin} has a parameter {PARAMETER} of its own; it cannot have another")
    return found


def _adapter(types: Iterable[Described], name: str) -> Described | None:
    return next((each for each in types if (each.kind, each.name) == ("adapter", name)), None)


def parameter(rtl: RtlModel) -> Parameter:
    """Return the parameter that a type with a twin has."""
    return Parameter(
        name=PARAMETER,
        type="text",
        default=TLM,
        description=f"TLM, or RTL: the block {rtl.name} by a port map",
        evidence="chosen",
        source="docs/port_maps.md#an-adapter-as-tlm-or-as-rtl",
        choices=(TLM, RTL),
    )


def with_parameter(types: Iterable[Described], plugins: Iterable[Path]) -> tuple[Described, ...]:
    """Return types as a user chooses them: those with a twin have the parameter `model`.

    A UsageError for a map of the plug-ins that differs from its TLM type.
    """
    files = tuple(plugins)
    twins = among(files)
    for each in twins.values():
        if not each.built_in:
            checked(each, files)
    return tuple(_with(each, twins) for each in types)


def _with(each: Described, twins: Mapping[str, RtlModel]) -> Described:
    if each.kind != "adapter" or each.name not in twins:
        return each
    own = (parameter(twins[each.name]), *each.parameters["params"])
    return each.model_copy(update={"parameters": each.parameters | {"params": own}})


def twin_of(block: str, plugins: Iterable[Path]) -> str:
    """Return the TLM type that a block's map has as its twin; empty for any other type."""
    return next((each.twin for each in among(plugins).values() if each.name == block), "")


def without(place: str, adapter: str, known: Mapping[str, RtlModel]) -> UsageError:
    """Return the error for `model` of an adapter whose type no map has as its twin."""
    for each in known.values():
        if each.name == adapter:
            return UsageError(
                f"{place}.{PARAMETER}: {adapter} is RTL itself; its twin, the type {each.twin}, "
                "has this parameter"
            )
    others = f"; there are maps of {', '.join(sorted(known))}" if known else ""
    return UsageError(
        f'{place}.{PARAMETER}: no port map has twin = "{adapter}" in its [pci]{others} '
        "(docs/port_maps.md#an-adapter-as-tlm-or-as-rtl)"
    )

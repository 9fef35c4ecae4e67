# SPDX-License-Identifier: Apache-2.0
"""Which type is the twin of the adapter under test, and whether it can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.types import catalog, described, everywhere, plugins, rtl_models
from longhaul.validation.twins.register_streams import Registers
from longhaul.workspace import current

NONE = "none"  # in place of a name: no twin, whatever the workspace says


@dataclass(frozen=True)
class Twin:
    """An adapter's type that stands for the same hardware, and what is known of its registers."""

    name: str
    ignored: tuple[str, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict[int, str])
    counters: frozenset[int] = frozenset()
    since_read: frozenset[int] = frozenset()

    @property
    def registers(self) -> Registers:
        """Return what is known of the registers."""
        return Registers(self.names, frozenset(self.ignored), self.counters, self.since_read)

    def key(self) -> str:
        """Return a text that changes with all that a comparison depends on but the models."""
        offsets = sorted(self.counters), sorted(self.since_read)
        return repr((self.name, self.ignored, sorted(self.names.items()), *offsets))


def choose(name: str, adapter: str, registers: Path | None = None) -> Twin | None:
    """Return the twin that is named here, else the workspace's, else that of the port map.

    The workspace's is for the adapter that its [validate] names. `registers` is a file in
    SystemRDL, in place of the workspace's. A UsageError says why a type cannot be the twin.
    """
    workspace = current.given()
    own = workspace if workspace and workspace.validated == adapter else None
    name = name or (own.twin if own else "") or rtl_models.twin_of(adapter, plugins.given())
    if not name or name == NONE:
        return None
    _check(name, adapter)
    twin = Twin(name, own.twin_ignore if own else ())
    if file := registers or (own.twin_registers if own else None):
        twin = _described(twin, file)
    if wrong := twin.registers.unknown():
        raise UsageError(wrong)
    return twin


def _check(name: str, adapter: str) -> None:
    """Refuse a twin that is not the same to software."""
    if name == adapter:
        raise UsageError(f"twin {name!r} is the adapter under test itself")
    known = {*catalog.names("adapter"), *everywhere.of_plugins("adapter")}
    if name not in known:
        raise UsageError(f"twin {name!r}: there is no such adapter{did_you_mean(name, known)}")
    ours, theirs = (everywhere.find("adapter", each) for each in (adapter, name))
    if ours.platform or theirs.platform:
        device = adapter if ours.platform else name
        raise UsageError(f"twin {name!r}: {device} is a platform device; only functions of a PCI "
                         "bus are compared")  # fmt: skip
    ids = {each.name: each.pci_ids for each in described.everything(plugins.given())
           if each.kind == "adapter"}  # fmt: skip
    if not set(ids[adapter]) <= set(ids[name]):
        one, two = (", ".join(ids[each]) for each in (adapter, name))
        raise UsageError(f"twin {name!r}: PCI ids: {two}; {adapter} has {one}")
    for what, one, two in (
        ("the line", ours.phy, theirs.phy),
        ("the slot", ours.slot, theirs.slot),
        ("the Linux driver", _driver(ours), _driver(theirs)),
    ):
        if one != two:
            raise UsageError(
                f"twin {name!r}: {what}: {two or 'none'}; {adapter} has {one or 'none'}"
            )


def _driver(each: catalog.Type) -> str:
    return each.linux_driver.module if each.linux_driver else ""


def _described(twin: Twin, path: Path) -> Twin:
    """Return the twin with what a file in SystemRDL says of its registers."""
    from longhaul.registers import rdl  # with its compiler

    found = rdl.compile_file(path).described.registers.values()
    return replace(
        twin,
        names={each.address: each.name for each in found},
        counters=frozenset(each.address for each in found if each.counter),
        since_read=frozenset(each.address for each in found if each.since_read),
    )

# SPDX-License-Identifier: Apache-2.0
"""What a user gives to a real guest beside the root of all guests (docs/own_drivers.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from longhaul.errors import TopologyError

SEQUENCES = (
    *("modules", "packages", "commands_before", "commands_after", "kernel_args"),
    "kernel_config",
)
MAPPINGS = ("module_params", "files")
FIELDS = (*SEQUENCES, *MAPPINGS)
"""The fields of a Machine that are of its guest's software."""

_EXAMPLES = {
    "modules": '("driver/",)',
    "packages": '("nuttcp",)',
    "commands_before": '("sysctl -w net.ipv4.tcp_sack=0",)',
    "commands_after": '("ethtool -S eth0",)',
    "kernel_args": '("mynic.debug=1",)',
    "kernel_config": '("OF=y",)',
    "module_params": '{"mynic": "debug=1"}',
    "files": '{"/etc/nginx/nginx.conf": "conf/nginx.conf"}',
}


@dataclass(frozen=True, kw_only=True)
class GuestSoftware:
    """Modules, packages, files and commands of one guest.

    `modules` are Kbuild folders, in the order in which their modules are loaded; `module_params`
    are the parameters by module. `files` are sources by their absolute path in the guest.
    Commands are lines of shell. `kernel_config` are options of a kernel of its own.
    """

    modules: tuple[Path, ...] = ()
    module_params: Mapping[str, str] = field(default_factory=dict[str, str])
    packages: tuple[str, ...] = ()
    files: Mapping[str, Path] = field(default_factory=dict[str, Path])
    commands_before: tuple[str, ...] = ()
    commands_after: tuple[str, ...] = ()
    kernel_args: tuple[str, ...] = ()
    kernel_config: tuple[str, ...] = ()

    def joined(self, more: GuestSoftware) -> GuestSoftware:
        """Return both; of a file and a module's parameters `more` holds. Nothing is there twice."""
        both: dict[str, Any] = {}
        for name in SEQUENCES:
            items = (*getattr(self, name), *getattr(more, name))
            commands = name.startswith("commands")
            both[name] = items if commands else tuple(dict.fromkeys(items))
        for name in MAPPINGS:
            both[name] = {**getattr(self, name), **getattr(more, name)}
        return GuestSoftware(**both)

    def below(self, folder: Path) -> GuestSoftware:
        """Return the same with paths below a folder; absolute paths stay."""
        own: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        own["modules"] = tuple(folder / path for path in self.modules)
        own["files"] = {place: folder / source for place, source in self.files.items()}
        return GuestSoftware(**own)

    def __bool__(self) -> bool:
        return any(getattr(self, each.name) for each in fields(self))


def of(owner: Any, name: str, *, modelled: bool) -> GuestSoftware:
    """Return the software of a machine called `name`, from its fields of these names.

    Raises TopologyError for fields of a wrong form, and for any on a modelled system.
    """
    given = {each: getattr(owner, each) for each in FIELDS}
    for each, value in given.items():
        kind = Mapping if each in MAPPINGS else (tuple, list)
        if not isinstance(value, kind):
            raise TopologyError(f"{name}: {each}={value!r}; wants such as {_EXAMPLES[each]}")
    first = next((each for each, value in given.items() if value), None)
    if first and modelled:
        raise TopologyError(f"{name}: {first} is for a real guest, and it has a modelled system")
    for place in given["files"]:
        if not str(place).startswith("/"):
            raise TopologyError(f"{name}: files: {place} is no absolute path in the guest")
    return GuestSoftware(
        modules=tuple(map(Path, given["modules"])),
        module_params={str(k): str(v) for k, v in given["module_params"].items()},
        packages=tuple(given["packages"]),
        files={str(place): Path(source) for place, source in given["files"].items()},
        commands_before=tuple(given["commands_before"]),
        commands_after=tuple(given["commands_after"]),
        kernel_args=tuple(given["kernel_args"]),
        kernel_config=tuple(given["kernel_config"]),
    )

# SPDX-License-Identifier: Apache-2.0
"""Parts by a port map whose parameters ask for another compiled model than the map's own.

Such a part has a type of its own in the simulator's configuration. The type's name is the block's,
with the parameters that differ. `chosen` gives that type, `loaded` finds the model behind it.
`compiled` does both, and makes the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from longhaul import schema
from longhaul.types import plugins, rtl_models
from longhaul.types.plugins import PORT_MAP, Variant
from longhaul.workspace.toml_file import TomlFile

TABLE = "parameters"  # of a port map
_Part = TypeVar("_Part", schema.Device, schema.Box)


def _maps(given: Sequence[Path]) -> dict[str, Path]:
    """Return the port maps with parameters of the top module, by the name of the block."""
    files = [path for path in given if path.suffix == PORT_MAP]
    files += [each.path for each in rtl_models.among(given).values() if each.built_in]
    found: dict[str, Path] = {}
    for path in dict.fromkeys(files):
        tables = cast(dict[str, Any], TomlFile.load(path).tables)
        if tables.get(TABLE):
            found[str(tables.get("block", {}).get("name", ""))] = path
    return found


def chosen(config: schema.SimConfig, given: Sequence[Path]) -> schema.SimConfig:
    """Return the configuration with the type of each adapter and box that its parameters ask for.

    A UsageError for a value that the map does not allow.
    """
    maps = _maps(given)

    def part(each: _Part, place: str) -> _Part:
        return _chosen(each, place, maps[each.type]) if each.type in maps else each

    if not any(each.type in maps for each in _parts(config)):
        return config
    machines = [
        machine.model_copy(
            update={"devices": [part(d, f"{machine.name}.{d.name}") for d in machine.devices]}
        )
        for machine in config.machines
    ]
    boxes = [part(box, box.name) for box in config.boxes]
    return config.model_copy(update={"machines": machines, "boxes": boxes})


def compiled(
    config: schema.SimConfig, given: Sequence[Path], *, traced: bool, covered: bool
) -> schema.SimConfig:
    """Return the configuration with its types chosen, and all plug-ins and RTL that it loads made.

    `given` are the plug-ins that the user has named. Errors as for chosen() and plugins.objects().
    """
    config = chosen(config, given)
    files = loaded(given, config)
    if not files:
        return config
    made = plugins.objects(files, traced=traced, covered=covered)
    return config.model_copy(update={"plugins": [str(path) for path in made]})


def _parts(config: schema.SimConfig) -> Iterator[schema.Device | schema.Box]:
    for machine in config.machines:
        yield from machine.devices
    yield from config.boxes


def _chosen(part: _Part, place: str, path: Path) -> _Part:
    # With Pydantic, as in plugins.objects().
    from longhaul.portmap import variants
    from longhaul.portmap.read import read

    file = read(path)
    values = variants.chosen(file, part.params, place)
    if not values:
        return part
    kept = {**part.params, **values}
    return part.model_copy(update={"type": variants.name_of(file, values), "params": kept})


def loaded(given: Sequence[Path], config: schema.SimConfig) -> tuple[Path | Variant, ...]:
    """Return what a configuration loads: the given plug-ins, maps of the tree, and variants."""
    parts = tuple(_parts(config))
    types = {each.type for each in parts}
    of_tree = [each for each in rtl_models.among(given).values() if each.built_in]
    found: list[Path | Variant] = [*given]
    found += [each.path for each in of_tree if each.name in types]
    return (*found, *dict.fromkeys(_variants(_maps(given), parts)))


def _variants(
    maps: dict[str, Path], parts: Sequence[schema.Device | schema.Box]
) -> Iterator[Variant]:
    # With Pydantic, as above.
    from longhaul.portmap import variants
    from longhaul.portmap.read import read

    for part in parts:
        for name, path in maps.items():
            if not part.type.startswith(f"{name}_"):
                continue
            file = read(path)
            values = variants.chosen(file, part.params, part.name)
            if variants.name_of(file, values) == part.type:
                yield Variant(path, tuple(sorted(values.items())))

# SPDX-License-Identifier: Apache-2.0
"""The plug-ins that this process was given: shared objects with types of their own, and port maps.

They come from --plugin, from LONGHAUL_PLUGINS (files with colons between them) or from a script's
`api.use_plugins`. Child processes inherit them by the environment. Of a port map, which is TOML,
`objects` makes the RTL object that the simulator loads.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from longhaul.answers import sha256
from longhaul.errors import UsageError

VARIABLE = "LONGHAUL_PLUGINS"
PORT_MAP = ".toml"

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Variant:
    """A port map with other values of its [parameters] than its own, by name."""

    map: Path
    values: tuple[tuple[str, str], ...]


def file_of(plugin: Path | Variant) -> Path:
    """Return the file of what the simulator loads."""
    return plugin.map if isinstance(plugin, Variant) else plugin


def given() -> tuple[Path, ...]:
    """Return the plug-ins' absolute paths, in the order in which they were given."""
    texts = os.environ.get(VARIABLE, "").split(os.pathsep)
    return tuple(Path(text).absolute() for text in texts if text)


def use(files: Iterable[Path]) -> None:
    """Add plug-ins; a UsageError for what is no file. The simulator looks what is in them."""
    paths = list(given())
    for file in files:
        path = file.absolute()
        if not path.is_file():
            raise UsageError(f"--plugin {file}: there is no such file")
        if os.pathsep in str(path):
            raise UsageError(f"--plugin {file}: its path has a colon; give it another place")
        if path not in paths:
            paths.append(path)
    if paths:
        os.environ[VARIABLE] = os.pathsep.join(map(str, paths))


def need_exports(files: Iterable[Path]) -> bool:
    """Tell whether one of them uses the simulator's models; RTL objects use none."""
    return any(path.suffix != PORT_MAP for path in files)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def objects(
    files: Iterable[Path | Variant],
    progress: Progress = _tell,
    *,
    traced: bool = False,
    covered: bool = False,
) -> tuple[Path, ...]:
    """Return what the simulator loads for each: of a port map its RTL object, made if need be.

    With `traced` the RTL's signals can be watched; with `covered` it counts what is reached.
    """
    made: list[Path] = []
    for plugin in files:
        file = file_of(plugin)
        if file.suffix == PORT_MAP:
            # With Pydantic, which takes a tenth of a second; few runs have port maps.
            from longhaul.portmap import objects as rtl_objects
            from longhaul.portmap import variants
            from longhaul.portmap.read import read

            map_ = read(file)
            if isinstance(plugin, Variant):
                map_ = variants.with_values(map_, dict(plugin.values))
            made.append(rtl_objects.ensure(map_, progress, traced=traced, covered=covered))
        else:
            made.append(file)
    return tuple(made)


def tools(files: Iterable[Path]) -> dict[str, dict[str, str]]:
    """Return the versions of what made each RTL object among the plug-ins, by its path."""
    # Few runs have port maps.
    from longhaul.portmap import objects as rtl_objects

    made = (path for path in files if (path.parent / rtl_objects.TOOLS).is_file())
    return {str(path): rtl_objects.tools(path) for path in made}


def checksums(files: Iterable[Path]) -> dict[str, str]:
    """Return the SHA-256 of each plug-in by its path; a port map's is that of its RTL object."""
    files = tuple(files)
    try:
        return {str(path): sha256(made) for path, made in zip(files, objects(files), strict=True)}
    except OSError as error:
        raise UsageError(f"--plugin {error.filename}: {error.strerror}") from None

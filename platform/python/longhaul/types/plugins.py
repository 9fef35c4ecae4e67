# SPDX-License-Identifier: Apache-2.0
"""The plug-ins that this process was given: shared objects with types of their own.

They come from --plugin, from LONGHAUL_PLUGINS (files with colons between them) or from a script's
`api.use_plugins`. Child processes inherit them by the environment.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from longhaul.answers import sha256
from longhaul.errors import UsageError

VARIABLE = "LONGHAUL_PLUGINS"


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


def checksums(files: Iterable[Path]) -> dict[str, str]:
    """Return the SHA-256 of each plug-in by its path."""
    try:
        return {str(path): sha256(path) for path in files}
    except OSError as error:
        raise UsageError(f"--plugin {error.filename}: {error.strerror}") from None

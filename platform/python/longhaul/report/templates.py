# SPDX-License-Identifier: Apache-2.0
"""The pages' templates, compiled once: Jinja takes half as long for that as for all the rest."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from importlib import resources
from importlib.resources.abc import Traversable

import jinja2
from jinja2.bccache import Bucket

from longhaul.paths import cache_dir


class _Compiled(jinja2.FileSystemBytecodeCache):
    """Compiled templates in the cache folder; where it cannot be used, they are not kept."""

    def load_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            super().dump_bytecode(bucket)


def plotly() -> Traversable:
    """Return Plotly's program, which a page has in it."""
    return resources.files("plotly") / "package_data" / "plotly.min.js"


def environment(**filters: Callable[..., str]) -> jinja2.Environment:
    """Return what the pages' templates are filled in, with filters by name."""
    folder = cache_dir() / "templates"
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("longhaul.report", "."),
        bytecode_cache=_Compiled(str(folder)),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(filters)
    return made

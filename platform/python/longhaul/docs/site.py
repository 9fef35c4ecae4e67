# SPDX-License-Identifier: Apache-2.0
"""The site of all pages: MkDocs builds it, strictly, and it then takes the old one's place."""

from __future__ import annotations

import contextlib
import fnmatch
import importlib
import logging
import os
import shutil
import tempfile
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from longhaul.docs.staging import Figures, Staging
from longhaul.errors import LonghaulError, UsageError
from longhaul.outdir import cannot_make
from longhaul.paths import ROOT

CONFIG = ROOT / "docs" / "site" / "mkdocs.yml"
MARK = ".longhaul-docs"  # in the site's folder: it may be replaced
Entry: TypeAlias = "str | list[Entry] | dict[str, Entry]"
"""Of the navigation: a page, some entries, or entries under a title."""
_QUIET = {"NO_MKDOCS_2_WARNING": "true", "DISABLE_MKDOCS_2_WARNING": "true"}


def check_place(out: Path) -> None:
    """Refuse a folder that holds anything but a site, or that cannot be written."""
    if not out.absolute().name:
        raise UsageError(f"--out {out}: a folder below it is wanted, such as {out}/docs")
    if out.exists() and not (out / MARK).exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} exists and is no site of longhaul docs; choose another --out")


def build(out: Path, made: Mapping[str, str], figures: Figures) -> int:
    """Build the site into `out`; return the number of its pages.

    `made` are the pages that are not in the tree, `figures` returns a paper's figures by their
    scenario. Each warning of MkDocs is a line of the error.
    """
    check_place(out)
    out = out.absolute()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{out.name}.making-", dir=out.parent))
    except OSError as error:
        raise cannot_make(out, error) from None
    try:
        pages, site = work / "pages", work / "site"
        Staging(pages, figures).fill(made)
        number = _mkdocs(pages, site)
        (site / MARK).touch()
        if out.exists():
            out.rename(work / "old")
        site.rename(out)
    except OSError as error:
        raise cannot_make(out, error) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return number


class _Warnings(logging.Handler):
    """Keeps what MkDocs and its plugins warn of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a warning as one line."""
        self.lines.append(" ".join(record.getMessage().split()))


@contextlib.contextmanager
def _warnings() -> Generator[_Warnings]:
    kept, logger = _Warnings(), logging.getLogger("mkdocs")
    before = logger.propagate
    logger.addHandler(kept)
    logger.propagate = False
    try:
        yield kept
    finally:
        logger.removeHandler(kept)
        logger.propagate = before


def _mkdocs(pages: Path, site: Path) -> int:
    """Have MkDocs build the pages; return how many there are."""
    os.environ.update(_QUIET)
    try:  # it is in an environment only where a site was asked for: requirements-docs.txt
        mkdocs_build: Any = importlib.import_module("mkdocs.commands.build").build
        load_config: Any = importlib.import_module("mkdocs.config").load_config
        wrong: Any = importlib.import_module("mkdocs.exceptions").MkDocsException
    except ImportError as error:
        raise LonghaulError(f"{error}; start this through ./longhaul docs") from None
    with _warnings() as kept:
        try:
            config = load_config(str(CONFIG), docs_dir=str(pages), site_dir=str(site))
            config.nav = navigation(config.nav, pages)
            config.plugins.on_startup(command="build", dirty=False)
            mkdocs_build(config)
            config.plugins.on_shutdown()
        except wrong as error:
            kept.lines.append(" ".join(str(error).split()))
    if kept.lines:
        raise LonghaulError("\n".join(f"docs: {line}" for line in dict.fromkeys(kept.lines)))
    return sum(1 for _ in pages.rglob("*.md"))


def navigation(nav: Entry, pages: Path) -> Entry:
    """Return the navigation with each `folder/*` as the pages there that it has nowhere else."""
    there = sorted(path.relative_to(pages).as_posix() for path in pages.rglob("*.md"))
    named = set(_leaves(nav))

    def filled(entry: Entry) -> Entry:
        if isinstance(entry, dict):
            return {title: filled(inner) for title, inner in entry.items()}
        if isinstance(entry, list):
            return [filled(inner) for inner in entry]
        if "*" not in entry:
            return entry
        found = [page for page in there if fnmatch.fnmatch(page, entry) and page not in named]
        return _folders(found, entry.rstrip("*"))

    return filled(nav)


def _leaves(nav: Entry) -> list[str]:
    if isinstance(nav, dict):
        return [leaf for inner in nav.values() for leaf in _leaves(inner)]
    if isinstance(nav, list):
        return [leaf for inner in nav for leaf in _leaves(inner)]
    return [nav]


def _folders(pages: list[str], folder: str) -> list[Entry]:
    """Return pages as a list, those of inner folders in lists of their own; the index first."""
    here = [page for page in pages if "/" not in page.removeprefix(folder)]
    inner = sorted({page.removeprefix(folder).split("/")[0] for page in pages if page not in here})
    here.sort(key=lambda page: not page.endswith(("index.md", "README.md")))
    made: list[Entry] = [*here]
    for name in inner:
        below = [page for page in pages if page.startswith(f"{folder}{name}/")]
        readme = f"{folder}{name}/README.md"
        made.append(readme if below == [readme] else {name: _folders(below, f"{folder}{name}/")})
    return made

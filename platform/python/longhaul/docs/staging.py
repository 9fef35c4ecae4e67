# SPDX-License-Identifier: Apache-2.0
"""All pages of the site in one folder, with links as they are between pages there."""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

from longhaul.docs import markdown, tree
from longhaul.errors import LonghaulError
from longhaul.paths import ROOT

SOURCES = "source"  # folder of the pages that show files of the tree
MOST_SHOWN = 200_000  # bytes of a file
_IMAGES = (".png", ".svg", ".jpg")
_LANGUAGES = {
    ".py": "python", ".cc": "cpp", ".h": "cpp", ".sv": "systemverilog", ".toml": "toml",
    ".json": "json", ".sh": "bash", ".cmake": "cmake", ".c": "c", ".j2": "jinja", ".yml": "yaml",
}  # fmt: skip
Figures = Callable[[str], str]  # of a paper's scenario, as Markdown
FIGURES = re.compile(r"^<!-- figures: ([\w-]+) -->$", re.M)  # where a document has them
SITE_LINK = re.compile(r"^<!-- site: (\S+\.md) (.+) -->$", re.M)  # to a page that the tree has not
INTERNALS = (
    "models/",
    "platform/",
    "rtl/",
    "sw/",
    "tests/",
)  # users' pages are found ahead of them
FRONT, FRONT_TITLE = "README.md", "# The repository"  # its page; the site begins with another
_INTERNAL = "---\nsearch:\n  boost: 0.3\n---\n"
_PLAIN = re.compile(r"(?<!\]\()(?<![\w/\[`.-])((?:[\w-]+/)+[\w.-]+\.md)(#[\w-]+)?")
# Tables that a file of the tree has and that are a page of the site: by file, what is cut out
# and the page that has it.
_ELSEWHERE = {
    "docs/port_maps.md": (
        re.compile(r"(?<=^## Reference\n).*\Z", re.M | re.S),
        "reference/port_maps.md",
        "All keys, and all kinds of interfaces with their signals",
    ),
    "rtl/gnet1/README.md": (
        re.compile(r"^<!-- gnet1.rdl: .*?<!-- end of fields -->$", re.M | re.S),
        "reference/registers/gnet1.md",
        "All registers and their fields",
    ),
}  # fmt: skip


class Staging:
    """The folder of pages; sources that a link shows get a page when the first link asks for it."""

    def __init__(self, folder: Path, figures: Figures) -> None:
        self.folder = folder
        self._figures = figures
        self._pages = tree.pages()
        self._shown: set[str] = set()

    def fill(self, made: Mapping[str, str]) -> None:
        """Write all pages: those of the tree, those that were made, and what the site needs."""
        for name in self._pages:
            text = _without_what_is_elsewhere(name, (ROOT / name).read_text())
            if name == FRONT:
                text = re.sub(r"^# .*", FRONT_TITLE, text, count=1)
            page, linked = tree.page_of(name), self.linked(text, name)
            linked = SITE_LINK.sub(partial(_site_link, page), linked)
            head = _INTERNAL if name.startswith(INTERNALS) else ""
            self._write(page, head + FIGURES.sub(partial(self._with_figures, page), linked))
        for page, text in made.items():
            self._write(page, self._made_page(page, text))
        for name in sorted(tree.files()):
            if name.startswith(f"{tree.SITE}/") and not name.endswith((".yml", ".md")):
                self._copy(name, name.removeprefix("docs/"))

    def _with_figures(self, page: str, marker: re.Match[str]) -> str:
        return self._made_page(page, self._figures(marker[1]))

    def linked(self, text: str, of: str) -> str:
        """Return a file's text with its links as the site has them, code that is a path linked."""
        page = tree.page_of(of)
        changes: list[tuple[int, int, str]] = []
        for link in markdown.links(text):
            if not link.outside and not link.target.startswith("#"):
                target, hash_, anchor = link.target.partition("#")
                name = tree.resolved(target, of)
                if name is None:
                    raise LonghaulError(f"{of}:{link.line}: there is no {target}")
                place = _elsewhere(name, anchor) or self._place(name)
                changes.append((link.begin, link.end, _way(page, place)
                                + (hash_ + anchor if name.endswith(".md") else "")))  # fmt: skip
                path = link.words.strip("`").partition("#")[0]
                if path in (target, posixpath.basename(target), name, posixpath.dirname(name)):
                    changes.append((*link.words_at, self._words(name, link.words)))
        for code in markdown.codes(text):
            path, hash_, anchor = code.text.partition("#")
            name = None if code.linked else tree.named(path, of, self._pages)
            if name and name != of:
                way = _way(page, tree.page_of(name)) + hash_ + anchor
                words = self._words(name, f"`{code.text}`")
                changes.append((code.begin, code.end, f"[{words}]({way})"))
        return markdown.replaced(text, [*changes, *self._plain(page, text)])

    def _made_page(self, page: str, text: str) -> str:
        """Return a page that was made, with each path of a document as a link."""
        return markdown.replaced(text, self._plain(page, text))

    def _plain(self, page: str, text: str) -> list[tuple[int, int, str]]:
        """Return links in the place of documents' paths that are neither code nor in a link."""
        changes: list[tuple[int, int, str]] = []
        for found in _PLAIN.finditer(markdown.prose(text)):
            if name := tree.named(found[1], "", self._pages):
                way = _way(page, tree.page_of(name)) + (found[2] or "")
                changes.append((*found.span(), f"[{self._words(name, found[0])}]({way})"))
        return changes

    def _words(self, name: str, otherwise: str) -> str:
        """Return what a link shows where its text is but a path: the document's title, if any."""
        readme = f"{name}/README.md"
        page = readme if readme in self._pages else name
        return _title(page) if page in self._pages else otherwise

    def _place(self, name: str) -> str:
        """Return the page or image of the site that stands for a file or folder."""
        if name in self._pages:
            return tree.page_of(name)
        readme = f"{name}/README.md" if name else "README.md"
        if readme in self._pages:
            return tree.page_of(readme)
        if name.endswith(_IMAGES):
            place = name.removeprefix("docs/")
            if not (self.folder / place).exists():
                self._copy(name, place)
            return place
        place = f"{SOURCES}/{name or 'tree'}{'.folder' if name not in tree.files() else ''}.md"
        if place not in self._shown:
            self._shown.add(place)
            self._write(place, _source_page(name))
        return place

    def _copy(self, name: str, place: str) -> None:
        target = self.folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)

    def _write(self, place: str, text: str) -> None:
        target = self.folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


@cache
def _title(name: str) -> str:
    return markdown.title((ROOT / name).read_text())


def _site_link(page: str, marker: re.Match[str]) -> str:
    return f"[{marker[2]}]({_way(page, marker[1])})"


def _way(of: str, to: str) -> str:
    return posixpath.relpath(to, posixpath.dirname(of) or ".")


@cache
def _anchors(name: str) -> set[str]:
    return markdown.anchors(_without_what_is_elsewhere(name, (ROOT / name).read_text()))


def _elsewhere(name: str, anchor: str) -> str:
    """Return the page that has this heading of a document, if it is not the document's own."""
    if name not in _ELSEWHERE or not anchor or anchor in _anchors(name):
        return ""
    return _ELSEWHERE[name][1]


def _without_what_is_elsewhere(name: str, text: str) -> str:
    if name not in _ELSEWHERE:
        return text
    pattern, page, words = _ELSEWHERE[name]
    way = _way(tree.page_of(name), page)
    cut, number = pattern.subn(f'\n<a href="{way.removesuffix(".md")}.html">{words}</a>\n', text)
    if number != 1:
        raise LonghaulError(f"{name}: what {page} has was not found there")
    return cut


def _source_page(name: str) -> str:
    """Return the page that shows a file, or the files of a folder."""
    head = "---\nsearch:\n  exclude: true\n---\n"
    path = ROOT / name
    if path.is_dir():
        begin = f"{name}/" if name else ""
        inner = {other.removeprefix(begin).split("/")[0] for other in tree.files()
                 if other.startswith(begin)}  # fmt: skip
        return f"{head}# {name or 'The tree'}\n\n" + "".join(f"- `{x}`\n" for x in sorted(inner))
    try:
        text = path.read_bytes()[:MOST_SHOWN].decode()
    except UnicodeDecodeError:
        return f"{head}# {name}\n\nA file of {path.stat().st_size} bytes that is no text.\n"
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", text)), 3)
    language = _LANGUAGES.get(path.suffix, "text")
    return f"{head}# {name}\n\n{fence}{language}\n{text.rstrip()}\n{fence}\n"

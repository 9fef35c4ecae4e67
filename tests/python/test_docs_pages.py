# SPDX-License-Identifier: Apache-2.0
"""Pages of the site: words of links, which pages the search prefers, keywords of functions."""

import re
from pathlib import Path

import pytest
from longhaul.docs import markdown, python_pages, tree
from longhaul.docs.staging import Staging
from longhaul.paths import ROOT
from longhaul.topology.machines import Changes

ACCURACY = markdown.title((ROOT / "docs/accuracy.md").read_text())
GUEST = markdown.title((ROOT / "docs/guest.md").read_text())
PCIX = markdown.title((ROOT / "models/pcix/README.md").read_text())


@pytest.fixture
def staging(tmp_path: Path) -> Staging:
    return Staging(tmp_path, lambda scenario: f"Figures of {scenario}.\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(docs/accuracy.md, Limits)", f"([{ACCURACY}](accuracy.md), Limits)"),
        ("see `accuracy.md`", f"see [{ACCURACY}](accuracy.md)"),
        ("[accuracy.md](accuracy.md#limits)", f"[{ACCURACY}](accuracy.md#limits)"),
        ("[limits](accuracy.md)", "[limits](accuracy.md)"),
        ("`models/pcix/README.md`", f"[{PCIX}](models/pcix/README.md)"),
        ("models/pcix/README.md#timing", f"[{PCIX}](models/pcix/README.md#timing)"),
        ("[models/pcix](../models/pcix)", f"[{PCIX}](models/pcix/README.md)"),
        ("[the bus](../models/pcix)", "[the bus](models/pcix/README.md)"),
        ("`cat docs/accuracy.md`", "`cat docs/accuracy.md`"),
        ("```\ndocs/accuracy.md\n```", "```\ndocs/accuracy.md\n```"),
        (
            "[models/pcix/README.md#timing](../models/pcix/README.md#timing)",
            f"[{PCIX}](models/pcix/README.md#timing)",
        ),
        ("(docs/guest.md, Limits)", f"([{GUEST}](guest.md), Limits)"),
    ],
)
def test_a_path_of_a_document_is_a_link_with_its_title(
    text: str, shown: str, staging: Staging
) -> None:
    assert staging.linked(text, "docs/guest.md") == shown


def test_pages_of_users_are_found_ahead_of_internals(tmp_path: Path, staging: Staging) -> None:
    staging.fill({})
    assert (tmp_path / "models/pcix/README.md").read_text().startswith("---\nsearch:\n  boost: 0.3")
    assert (tmp_path / "accuracy.md").read_text().startswith("# ")
    assert (tmp_path / "repository.md").read_text().startswith("# The repository\n")
    assert "[All rules" in (tmp_path / "port_maps.md").read_text()


def test_keywords_of_a_function_are_shown() -> None:
    page = python_pages.pages()["reference/python/longhaul.topology.machines.md"]
    assert "**changes: Unpack[Changes]" in page
    assert all(f"| `{name}` | `" in page for name in Changes.__annotations__)


def test_the_menu_has_the_titles_of_how_to_and_explanation() -> None:
    menu = (ROOT / "docs/site/mkdocs.yml").read_text()
    pages = {tree.page_of(name): name for name in tree.pages()}
    differ: list[str] = []
    for group in ("How-to", "Explanation"):
        entries = menu.partition(f"  - {group}:\n")[2].partition("\n  - ")[0]
        named = re.findall(r'^      - (?:"(.+)"|([^":]+)): ([\w/-]+\.md)$', entries, re.M)
        assert len(named) >= 6
        for quoted, plain, page in named:
            title, label = markdown.title((ROOT / pages[page]).read_text()), quoted or plain
            if title.partition(":")[0] != label != title and page != "validate.md":
                differ.append(f"{label}: {title}")
    assert differ == []

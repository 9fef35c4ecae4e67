# SPDX-License-Identifier: Apache-2.0
"""The tree's documents: links, names, pictures, and how long lines and sentences are."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from longhaul.docs import markdown, tree
from longhaul.paths import ROOT

# Documents with lines from before the limit. None is added.
LONG_LINES = {
    "CHANGELOG.md",
    "docs/roadmap.md",
    "examples/liteeth/README.md",
    "examples/mynic_twin/README.md",
    "examples/tlm/README.md",
    "models/booster/README.md",
    "models/common/README.md",
    "models/cpu/README.md",
    "models/host/README.md",
    "models/host/drivers/README.md",
    "models/host/kernel/README.md",
    "models/host/net/README.md",
    "models/host/profiles/README.md",
    "models/host/profiles/redhat_7_3/README.md",
    "models/host/workloads/README.md",
    "models/hostbus/README.md",
    "models/memory/README.md",
    "models/net/README.md",
    "models/net/frame/README.md",
    "models/net/link/README.md",
    "models/net/mac/README.md",
    "models/net/switch/README.md",
    "models/nic/README.md",
    "models/nic/blocks/README.md",
    "models/nic/dp83820/README.md",
    "models/nic/e1000/README.md",
    "models/nic/genesis/README.md",
    "models/nic/intel/README.md",
    "models/nic/ixgb/README.md",
    "models/pcix/README.md",
    "models/tcp/README.md",
    "models/wan/README.md",
    "models/wan/delay_box/README.md",
    "models/wan/frame_injector/README.md",
    "models/wan/gilbert/README.md",
    "models/wan/gnet1/README.md",
    "models/wan/nistnet/README.md",
    "platform/assembly/README.md",
    "platform/config/README.md",
    "platform/cosim/README.md",
    "platform/cosim/bus/README.md",
    "platform/guest/README.md",
    "platform/observe/README.md",
    "platform/portmap/README.md",
    "platform/python/bindings/README.md",
    "platform/python/longhaul/workspace/templates/rtl_nic/README.md",
    "rtl/README.md",
    "rtl/common/README.md",
    "rtl/gnet1/README.md",
    "rtl/regenerator/README.md",
    "scenarios/README.md",
    "scenarios/opteron_10g/calibration/calibration.md",
    "sw/guest/README.md",
    "sw/linux/README.md",
    "tests/guest/README.md",
    "tests/rtl/README.md",
}
COLUMNS = 100
# Documents with sentences from before the limit, and those made from data. None is added.
LONG_SENTENCES = {
    "CHANGELOG.md",
    "README.md",
    "docs/accuracy.md",
    "docs/cli.md",
    "docs/coverage.md",
    "docs/port_maps.md",
    "docs/roadmap.md",
    "docs/run_folder.md",
    "docs/tutorial_retransmits.md",
    "docs/validate.md",
    "docs/waves.md",
    "examples/liteeth/README.md",
    "examples/mynic_twin/README.md",
    "examples/tlm/README.md",
    "models/booster/README.md",
    "models/common/README.md",
    "models/common/observe/README.md",
    "models/cpu/README.md",
    "models/host/drivers/README.md",
    "models/host/kernel/README.md",
    "models/host/net/README.md",
    "models/host/profiles/README.md",
    "models/host/workloads/README.md",
    "models/hostbus/README.md",
    "models/memory/README.md",
    "models/net/frame/README.md",
    "models/net/link/README.md",
    "models/net/mac/README.md",
    "models/net/switch/README.md",
    "models/nic/README.md",
    "models/nic/dp83820/README.md",
    "models/nic/e1000/README.md",
    "models/nic/genesis/README.md",
    "models/nic/ixgb/README.md",
    "models/pcix/README.md",
    "models/tcp/README.md",
    "models/wan/README.md",
    "models/wan/delay_box/README.md",
    "models/wan/gilbert/README.md",
    "models/wan/gnet1/README.md",
    "models/wan/nistnet/README.md",
    "platform/cosim/README.md",
    "platform/cosim/bus/README.md",
    "platform/guest/README.md",
    "platform/observe/README.md",
    "platform/python/longhaul/workspace/templates/rtl_nic/README.md",
    "rtl/README.md",
    "rtl/gnet1/README.md",
    "sw/guest/README.md",
    "tests/guest/README.md",
}
WORDS = 30
SENTENCE_END = re.compile(r"(?<![ (]e\.g|[ (]i\.e)[.!?][)\]\"'*_]*(?:\s+|$)")
ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
IMAGES = "docs/images"
NAMED = re.compile(r"(?<![\w/.-])docs/[\w./-]+?\.md(?:#[\w-]+)?")
PICTURE = re.compile(r"^\| `([\w-]+\.(?:png|svg))` \| `([\w./-]+)` \|", re.MULTILINE)
# Programs' texts that name documents on purpose that there are not.
INVENTED = {"tests/python/test_reasons.py", "tests/python/test_documents.py"}


@cache
def text_of(name: str) -> str:
    return (ROOT / name).read_text()


@cache
def anchors_of(name: str) -> set[str]:
    return markdown.anchors(text_of(name))


def broken(name: str, text: str, anchors: Callable[[str], set[str]] = anchors_of) -> Iterator[str]:
    """Yield a line for each link of a document that leads nowhere."""
    for link in markdown.links(text):
        if link.outside:
            continue
        target, _, anchor = link.target.partition("#")
        to = tree.resolved(target, name) if target else name
        if to is None:
            yield f"{name}:{link.line}: there is no {target}"
        elif anchor and not to.endswith(".md"):
            yield f"{name}:{link.line}: {target} has no headings"
        elif anchor and anchor not in (anchors(to) if target else markdown.anchors(text)):
            yield f"{name}:{link.line}: {to} has no heading #{anchor}"


def test_every_link_of_every_document_leads_somewhere() -> None:
    found = [line for name in tree.markdown() for line in broken(name, text_of(name))]
    assert found == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[a](cli.md)", []),
        ("[a](cli.md#commands)", []),
        ("[a](../models/pcix)", []),
        ("[a](https://example.org)", []),
        ("`[a](nowhere.md)`", []),
        ("# B\n[a](#b)", []),
        ("a\n[a](nowhere.md)", ["docs/x.md:2: there is no nowhere.md"]),
        ("![a](images/none.png)", ["docs/x.md:1: there is no images/none.png"]),
        ("[a](cli.md#none)", ["docs/x.md:1: docs/cli.md has no heading #none"]),
        ("# B\n[a](#c)", ["docs/x.md:2: docs/x.md has no heading #c"]),
    ],
)
def test_a_link_that_leads_nowhere_is_found(text: str, wrong: list[str]) -> None:
    assert list(broken("docs/x.md", text)) == wrong


def test_headings_are_named_as_links_name_them() -> None:
    text = (
        "# A run's `folder`, 2.0\n```\n# no heading\n```\n## A_b *c* [d](e.md)\n# Twice\n# Twice\n"
    )
    assert markdown.anchors(text) == {"a-runs-folder-20", "a_b-c-d", "twice", "twice-1"}


def test_every_document_that_a_source_names_exists() -> None:
    wrong: list[str] = []
    for name in sorted(tree.files() - INVENTED):
        if name.endswith((".png", ".zip", ".json.gz")) or name.startswith("tests/golden/"):
            continue
        try:
            text = text_of(name)
        except UnicodeDecodeError:
            continue
        for found in NAMED.finditer(text):
            path, _, anchor = found[0].partition("#")
            line = text.count("\n", 0, found.start()) + 1
            if path not in tree.files():
                wrong.append(f"{name}:{line}: there is no {path}")
            elif anchor and anchor not in anchors_of(path):
                wrong.append(f"{name}:{line}: {path} has no heading #{anchor}")
    assert wrong == []


def test_every_picture_is_shown_and_has_its_script() -> None:
    listed = dict(PICTURE.findall(text_of(f"{IMAGES}/README.md")))
    there = {posixpath.basename(name) for name in tree.files() if name.endswith((".png", ".svg"))}
    assert set(listed) == there
    shown = {
        posixpath.basename(link.target)
        for name in tree.pages()
        for link in markdown.links(text_of(name))
        if link.image
    }
    assert shown == there
    assert {script for script in listed.values() if script not in tree.files()} == set()


def long_lines(text: str) -> list[int]:
    """Return the numbers of lines of prose that are too long; a table's row may be, and code."""
    unfenced = text
    for begin, end in reversed(markdown.fenced(text)):
        unfenced = unfenced[:begin] + re.sub(r"[^\n]", "", unfenced[begin:end]) + unfenced[end:]
    lines = unfenced.splitlines()
    return [
        number
        for number, line in enumerate(lines, 1)
        if len(line) > COLUMNS and not line.lstrip().startswith(("|", "![", "<"))
    ]


def test_no_line_of_prose_is_too_long() -> None:
    documents = [name for name in tree.markdown() if name not in LONG_LINES]
    assert len(documents) > 10
    wrong = [f"{name}:{line}" for name in documents for line in long_lines(text_of(name))]
    assert wrong == []


def test_a_long_line_is_found_but_not_in_tables_and_code() -> None:
    long = "x" * (COLUMNS + 1)
    assert long_lines(f"{long}\n| {long} |\n```\n{long}\n```\n{long}\n") == [1, 6]


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield each paragraph and list item of prose with its line; code in a line is one word."""
    for begin, end in reversed(markdown.fenced(text)):
        text = text[:begin] + "\n" * text.count("\n", begin, end) + text[end:]
    spans = [(each.begin, each.end) for each in markdown.codes(text)]
    codes = [(begin, end, "code" + "\n" * text.count("\n", begin, end)) for begin, end in spans]
    text = re.sub(r"\]\([^\s()]*\)", "", markdown.replaced(text, codes))
    first, words = 0, ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        item = ITEM.match(line)
        apart = not line.strip() or line.lstrip().startswith(("|", "#", "![", "<"))
        if words and (apart or item):
            yield first, words
            words = ""
        if not apart:
            first = first if words else number
            words += line[item.end() if item else 0 :].strip(" >") + " "


def long_sentences(text: str) -> list[str]:
    """Return the sentences of prose with too many words, each with its paragraph's line."""
    return [
        f"{line}: {sentence}"
        for line, paragraph in paragraphs(text)
        for sentence in SENTENCE_END.split(paragraph)
        if sum(any(map(str.isalnum, word)) for word in sentence.split()) > WORDS
    ]


def test_no_sentence_of_prose_is_too_long() -> None:
    documents = [name for name in tree.markdown() if name not in LONG_SENTENCES]
    assert len(documents) > 10
    wrong = [f"{name}:{line}" for name in documents for line in long_sentences(text_of(name))]
    assert wrong == []


LIMIT = "word " * (WORDS - 1) + "word"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"{LIMIT}.", []),
        (f"{LIMIT} more.", [1]),
        (f"{LIMIT}\nmore.", [1]),
        (f"{LIMIT}, 6.1.", [1]),
        (f"{LIMIT[5:]}, e.g. this.", [1]),
        (f"{LIMIT}. {LIMIT}!\n{LIMIT}? ({LIMIT}.) **{LIMIT}.** {LIMIT}", []),
        (f"{LIMIT}\n\n{LIMIT}", []),
        (f"{LIMIT}\n- {LIMIT}\n2. {LIMIT}\n  more", [3]),
        (f"{LIMIT} - = -", []),
        (f"{LIMIT[5:]} `two words`. `a. b`", []),
        (f"{LIMIT} `two\nwords`\n\n{LIMIT} more", [1, 4]),
        (f"{LIMIT[10:]} [two words](a.md)", []),
        (f"{LIMIT[5:]} [two words](a.md)", [1]),
        (f"# {LIMIT} more\n| {LIMIT} more |\n```\n{LIMIT} more\n```\n{LIMIT} more", [6]),
    ],
)
def test_a_long_sentence_is_found_by_the_line_of_its_paragraph(text: str, lines: list[int]) -> None:
    assert [int(found.split(":")[0]) for found in long_sentences(text)] == lines


def test_packages_of_two_lists_are_of_one_version() -> None:
    versions: dict[str, set[str]] = {}
    for part in ("", "-dev", "-docs"):
        for line in text_of(f"requirements{part}.txt").splitlines():
            name, equals, version = line.partition("==")
            if equals:
                versions.setdefault(name.lower().replace("_", "-"), set()).add(version)
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}

# SPDX-License-Identifier: Apache-2.0
"""Parameters, registers, options and settings, which code describes, are in no document again.

A description in a document is a row of a table or an item of a list. Its first cell is nothing but
such a name, and it tells more than numbers. Parts that a command writes are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import typer
from longhaul import boxes, cli, registry
from longhaul.docs import markdown, tree
from longhaul.paths import ROOT
from longhaul.portmap import table as port_maps
from longhaul.types import adapter_registers, described
from longhaul.workspace.folder import TABLES

# Documents that a command writes as a whole, and the one that tells of changes.
LEFT_OUT = {"docs/results.md", "scenarios/opteron_10g/calibration/calibration.md", "CHANGELOG.md"}
# Documents that describe something else of the same name, or that have such descriptions. No other
# document may.
ALLOWED = {
    "docs/run_folder.md": "keys of a run's JSON files",
    "docs/studies.md": "keys of a study's file",
    "docs/validate.md": "keys of a test's file",
    "docs/waves.md": "options of waves",
    "examples/adapter/README.md": "parameters of the example's adapter, with their derivation",
    "models/booster/README.md": "parameters of the relay, with their derivation",
    "models/cpu/README.md": "parameters of processors, by preset",
    "models/host/profiles/README.md": "cycles of modelled systems, by version and measurement",
    "models/host/kernel/README.md": "costs of a kernel, with their derivation",
    "models/hostbus/README.md": "parameters of the host's bus, with their derivation",
    "models/net/mac/README.md": "parameters of MACs, with their derivation",
    "models/net/switch/README.md": "parameters of switches, with their derivation",
    "models/nic/blocks/README.md": "parameters of blocks that adapters share",
    "models/nic/dp83820/README.md": "parameters of the adapter, with their derivation",
    "models/nic/e1000/README.md": "parameters of the adapter, with their derivation",
    "models/nic/genesis/README.md": "parameters of the adapter, with their derivation",
    "models/nic/ixgb/README.md": "parameters of the adapter, with their derivation",
    "models/nic/terminator/README.md": "parameters of the adapter, with their derivation",
    "models/pcix/README.md": "parameters of bridges and buses, with their derivation",
    "models/wan/frame_injector/README.md": "parameters of the box, with their derivation",
    "models/wan/gnet1/README.md": "parameters of the box, with their derivation",
    "models/wan/nistnet/README.md": "parameters of the box, with their derivation",
}
FEW = 3  # words: a row with fewer tells a value
KINDS = ("parameter", "setting", "option", "register", "field", "key")
_GENERATED = re.compile(r"^<!-- (?!figures:|site:)[^\n]*?-->$.*?^<!-- end[^\n]*-->$", re.M | re.S)
_TO_THE_END = re.compile(r"^<!-- longhaul rtl --reference -->$.*\Z", re.M | re.S)
_NAME = r"`[^`|\n]+`"
_ENTRY = re.compile(
    rf"^[ ]*(?:\|\s*(?P<cell>{_NAME}(?:(?:,| and| or)? {_NAME})*)\s*\|(?P<row>.*)\|"
    rf"|[-*] (?P<item>{_NAME})(?::|,| -) (?P<text>.*))$",
    re.M,
)


@cache
def known() -> dict[str, str]:
    """Return every name that code describes, with its kind; options begin with --."""
    found: dict[str, str] = {}
    for each in described.everything():
        for group in each.parameters.values():
            found |= {parameter.name: "parameter" for parameter in group}
        if each.kind == "adapter":
            for register in adapter_registers.of(each.name).registers:
                found |= {register.name: "register"}
                found |= {field.name: "field" for field in register.fields}
    for of_box in boxes.register_maps().values():
        for register in (each for kind in of_box.kinds.values() for each in kind):
            found |= {register.name: "register"}
            found |= {field.name: "field" for field in register.fields}
    for entry in registry.scenarios().values():
        found |= dict.fromkeys(entry.settings, "setting")
    for keys in TABLES.values():
        found |= dict.fromkeys(keys, "key")
    found |= dict.fromkeys(re.findall(r"^\| `(\w+)`", port_maps.reference(), re.M), "key")
    return found | dict.fromkeys(_options(typer.main.get_command(cli.app)), "option")


def _options(command: Any) -> Iterator[str]:
    for parameter in command.params:
        yield from (name for name in getattr(parameter, "opts", ()) if name.startswith("--"))
    for inner in getattr(command, "commands", {}).values():
        yield from _options(inner)


def descriptions(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each description in a document."""
    for pattern in (_GENERATED, _TO_THE_END):
        text = pattern.sub(lambda found: re.sub(r"[^\n]", "", found[0]), text)
    for begin, end in reversed(markdown.fenced(text)):
        text = text[:begin] + "\n" * text.count("\n", begin, end) + text[end:]
    for found in _ENTRY.finditer(text):
        told = found["row"] or found["text"] or ""
        if len(re.findall(r"[A-Za-z]{2,}", re.sub(_NAME, "", told))) < FEW:
            continue
        heading = _heading(text, found.start()) if found["cell"] else ""
        for code in re.findall(_NAME, found["cell"] or found["item"]):
            name = _name(code.strip("`"))
            if name in known() and (_is_distinct(name) or any(kind in heading for kind in KINDS)):
                yield text.count("\n", 0, found.start()) + 1, name


def _name(code: str) -> str:
    """Return the name that code is of: without what an option takes, and of what object it is.

    Code that gives a value, NAME=VALUE, is an example.
    """
    name, *takes = code.split(" ")
    if name.startswith("--") and all(re.fullmatch(r"\[?[A-Z][A-Z_=.,\]]*", t) for t in takes):
        return name
    return "" if takes else code.rpartition(".")[2] if re.fullmatch(r"[\w.*]+", code) else ""


def _is_distinct(name: str) -> bool:
    """Tell whether a name is no word of the language."""
    return name.startswith("--") or "_" in name


def _heading(text: str, row: int) -> str:
    """Return the first heading of the table that has a row at this place."""
    rows = text[:row].rsplit("\n\n", 1)[-1].lstrip().splitlines()
    return rows[0].strip("| ").partition("|")[0].strip().lower() if rows else ""


def test_nothing_is_described_in_two_places() -> None:
    wrong = [
        f"{name}:{line}: `{of}` is described by code, as {known()[of]}"
        for name in tree.pages()
        if name not in LEFT_OUT and name not in ALLOWED
        for line, of in descriptions((ROOT / name).read_text())
    ]
    assert wrong == []


def test_documents_from_before_are_there() -> None:
    assert set(ALLOWED) | LEFT_OUT <= set(tree.pages())


PARAMETER, SETTING, OPTION = "tx_kib_clocks", "tx_queue_len", "--waves-from"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"| `{PARAMETER}` | 195 | clocks for each KiB of a frame |", [PARAMETER]),
        (f"| `eth0.{PARAMETER}`, `{SETTING}` | how many there are |", [PARAMETER, SETTING]),
        (f"- `{SETTING}`: packets that the queue holds", [SETTING]),
        (f"| `{OPTION} TIME` | traces from then on |", [OPTION]),
        ("| parameter | is |\n| --- | --- |\n| `loss` | a share of all frames |", ["loss"]),
        ("| verdict | means |\n| --- | --- |\n| `loss` | a share of all frames |", []),
        (f"| `{PARAMETER}` | 195 | 64 to 200 |", []),
        (f"| `{PARAMETER}=64` | an engine twice as fast as this |", []),
        (f"| `{OPTION} 3ms` | a run of its own with this |", []),
        (f"```\n| `{PARAMETER}` | clocks for each KiB of a frame |\n```", []),
        (f"<!-- a.rdl: box -->\n| `{SETTING}` | packets that it holds |\n<!-- end of box -->", []),
        (f"The setting `{SETTING}` has to be large enough here.", []),
        ("| `no_such_name` | is described here only |", []),
    ],
)
def test_a_description_is_found(text: str, names: list[str]) -> None:
    assert [name for _, name in descriptions(text)] == names


def test_a_description_is_found_by_its_line() -> None:
    text = f"a\n\n```\nb\n```\n<!-- x -->\n<!-- end -->\n| `{PARAMETER}` | clocks for each KiB |"
    assert list(descriptions(text)) == [(8, PARAMETER)]

# SPDX-License-Identifier: Apache-2.0
"""The page of all rules that checkers of RTL look for, from the headers that declare them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from longhaul.docs import tree
from longhaul.docs.tables import code, plain, table
from longhaul.errors import LonghaulError
from longhaul.paths import ROOT

PLACE = "reference/rules.md"
FOLDER = "platform/cosim/"
DECLARED = re.compile(r"\bconstexpr Rule (k\w+)\{(.*?)\};", re.S)
_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
# Kinds of interfaces of a port map that a rule is for, by the first word of the rule's name.
KINDS = {
    "axi": ("axi4", "axi4-lite"),
    "axi_stream": ("axi4-stream",),
    "apb": ("apb",),
    "wishbone": ("wishbone",),
    "plain": ("register-bus",),
    "register": ("axi4", "axi4-lite", "apb", "wishbone", "register-bus"),
    "memory": ("axi4", "axi4-lite"),
    "pcix": ("pcix",),
    "microwire": ("microwire",),
    "mdio": ("mdio",),
    "mii": ("mii",),
    "gmii": ("gmii",),
    "xgmii": ("xgmii",),
}


@dataclass(frozen=True)
class Rule:
    """A rule as its header has it."""

    name: str
    clause: str
    text: str

    @property
    def group(self) -> str:
        """The first word of its name."""
        return self.name.partition(".")[0]


def declared(text: str) -> list[Rule]:
    """Return the rules that a header's text declares; a LonghaulError says which is unreadable."""
    found: list[Rule] = []
    for name, inner in DECLARED.findall(text):
        fields = _fields(inner)
        if len(fields) != 3:
            raise LonghaulError(f"rule {name}: name, clause and text were expected")
        found.append(Rule(*fields))
    return found


def _fields(inner: str) -> list[str]:
    """Return the texts between commas; texts side by side are one."""
    fields, end = [""], 0
    for text in _TEXT.finditer(inner):
        if "," in inner[end : text.start()]:
            fields.append("")
        fields[-1] += text[1]
        end = text.end()
    return fields


def rules() -> list[Rule]:
    """Return all rules: by group, in the order of their headers."""
    headers = [name for name in tree.files() if name.startswith(FOLDER) and name.endswith(".h")]
    found = [rule for name in sorted(headers) for rule in declared((ROOT / name).read_text())]
    unknown = next((rule.name for rule in found if rule.group not in KINDS), None)
    if unknown:
        raise LonghaulError(f"docs: {unknown}: no kind of interface is known for its first word")
    return sorted(found, key=lambda rule: list(KINDS).index(rule.group))


def page() -> str:
    """Return the page."""
    text = (
        "# Protocol rules\n\nEach checker of an interface looks for violations of these rules "
        "(docs/port_maps.md#checkers). A clause `Longhaul` is not of a standard.\n\n"
    )
    found = rules()
    for group, kinds in KINDS.items():
        shown = ", ".join(map(code, kinds))
        text += f"## {group}\n\nKinds of interfaces: {shown}.\n\n"
        rows = (
            (code(each.name), plain(each.text), plain(each.clause))
            for each in found
            if each.group == group
        )
        text += table(("rule", "says", "clause"), rows)
    return text

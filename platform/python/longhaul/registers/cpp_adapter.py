# SPDX-License-Identifier: Apache-2.0
"""An adapter's registers as C++: sets of fields (`RegisterFields`) and `RegisterSpec`s."""

from __future__ import annotations

import json
from collections.abc import Iterable

from longhaul.registers.adapter import Adapter, ModelField
from longhaul.registers.cpp import hexadecimal, opening
from longhaul.registers.description import Register
from longhaul.registers.names import COLUMNS, Declared, camel, comment
from longhaul.registers.rdl import BOX, Compiled

_ALL = 0xFFFF_FFFF


def shared_text(compiled: Compiled, adapter: Adapter, source: str) -> str:
    """Return the header with the fields that the maker's other adapters have, too."""
    out = Declared()
    shared = [each for each in adapter.sets.values() if each.shared]
    out.lines += [
        *opening(source),
        '#include "models/common/register_field.h"',
        "",
        *comment(
            f"Fields of registers of the {compiled.described.title} that the maker's other "
            "adapters have, too; each adapter's own header adds to them.",
            "///",
        ),
        f"namespace {adapter.shared_namespace} {{",
    ]
    for each in shared:
        _set(each.shared_name, "RegisterFields", each.shared, out)
    return _closed(out, adapter.shared_namespace)


def text(compiled: Compiled, adapter: Adapter, source: str) -> str:
    """Return the header of the adapter's registers and of the fields that are its own."""
    described, out = compiled.described, Declared()
    outer = adapter.shared_namespace.rpartition("::")[0]
    short = adapter.shared_namespace.removeprefix(f"{outer}::")
    out.lines += [
        *opening(source),
        "#include <cstdint>",
        "",
        '#include "models/common/register_bank.h"',
        f'#include "{adapter.shared_header.relative_to(adapter.shared_header.parents[3])}"',
        "",
        f"/// Registers of the {described.title} and their fields.",
        f"namespace {adapter.namespace} {{",
    ]
    for each in adapter.sets.values():
        base = f"{short}::{each.shared_name}Fields" if each.shared else "RegisterFields"
        if each.own:
            _set(each.name, base, each.own, out)
        else:
            out.add(f"k{each.name}Fields", f"\nusing {short}::k{each.shared_name}Fields;")
    out.lines += ["", "/// Bytes that the bus addresses."]
    out.add("kBar0Bytes", f"constexpr std::uint32_t kBar0Bytes = {described.size:#x};")
    out.lines.append("")
    for kind, registers in described.kinds.items():
        for each in registers:
            if kind == BOX:
                out.add(f"k{camel(each.name)}", _spec(each, adapter))
            else:
                bases, stride = compiled.places(kind)
                out.add(
                    f"k{camel(each.name)}",
                    f"constexpr std::uint32_t k{camel(each.name)} = "
                    f"{bases[0] + each.address:#x};  // {len(bases)} of them, {stride} bytes apart",
                )
    return _closed(out, adapter.namespace)


def _closed(out: Declared, namespace: str) -> str:
    return "\n".join([*out.lines, "", f"}}  // namespace {namespace}", ""])


def _set(name: str, base: str, fields: Iterable[ModelField], out: Declared) -> None:
    """Declare a set of fields, and the object of its type."""
    out.lines.append("")
    out.add(f"{name}Fields", f"struct {name}Fields : {base} {{")
    for each in fields:
        place = [json.dumps(each.title), str(each.lsb)]
        if each.width > 1:
            place.append(str(each.width))
        if each.without_effect:
            call = "unmodelled"
        else:
            call = "bits" if each.width > 1 else "bit"
            place += [json.dumps(each.meaning)] if each.meaning else []
        out.lines += _wrapped(f"  RegisterField {each.name.lower()} = {call}(", place, ");")
    out.lines.append("};")
    out.add(f"k{name}Fields", f"inline constexpr {name}Fields k{name}Fields;")


def _spec(register: Register, adapter: Adapter) -> str:
    model = adapter.registers[register.name]
    kept = register.written if model.only_fields else _ALL
    access = "kAction" if model.action else "kReadWrite" if register.written else "kReadOnly"
    parts = [f"Access::{access}", hexadecimal(register.reset or 0), hexadecimal(kept)]
    for number, usual in ((2, hexadecimal(_ALL)), (1, "0x0"), (0, "Access::kReadWrite")):
        if len(parts) > number and parts[number] == usual:
            parts.pop()
        else:
            break
    place = [json.dumps(register.name), f"{register.address:#05x}"]
    if model.set_name:
        place.append(f"k{model.set_name}Fields")
    begin = f"constexpr RegisterSpec k{camel(register.name)}{{"
    return "\n".join(_wrapped(begin, [*place, *parts], "};"))


def _wrapped(begin: str, parts: list[str], end: str) -> list[str]:
    """Return a list in parentheses as one line, or as two if it is too long."""
    line = f"{begin}{', '.join(parts)}{end}"
    if len(line) <= COLUMNS:
        return [line]
    return [begin, f"      {', '.join(parts)}{end}"]

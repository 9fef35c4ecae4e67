# SPDX-License-Identifier: Apache-2.0
"""A register map as two C++ headers: of constants, and of what models build registers from."""

from __future__ import annotations

import textwrap

from longhaul.registers import names
from longhaul.registers.description import Register
from longhaul.registers.names import COLUMNS, camel, comment
from longhaul.registers.rdl import BOX, Choice, Compiled

_U32 = "inline constexpr std::uint32_t"
_SIZE = "inline constexpr std::size_t"


def text(compiled: Compiled, source: str) -> str:
    """Return the header of offsets, masks and choices; `source` is the SystemRDL file's path."""
    described, out = compiled.described, names.Declared()
    lines = out.lines
    lines += [
        *opening(source),
        "#include <array>",
        "#include <cstddef>",
        "#include <cstdint>",
        "",
        f"/// Registers of {described.title}: words of 32 bits at byte offsets within their block.",
        f"namespace {compiled.cpp_namespace} {{",
        "",
        "/// Bytes that the bus addresses; those without a register read as zero.",
    ]
    out.add("kMapBytes", f"{_U32} kMapBytes = {described.size:#x};")
    for kind in described.kinds:
        _blocks(compiled, kind, out)
    for name, choices in compiled.enums.items():
        _enum(camel(name.removesuffix("_e")), choices, out)
    for kind, registers in described.kinds.items():
        for register in registers:
            if not register.counter:
                _register(compiled, kind, register, out)
        _counters([each for each in registers if each.counter], out)
    lines += ["", f"}}  // namespace {compiled.cpp_namespace}", ""]
    return "\n".join(lines)


def info_text(compiled: Compiled, source: str) -> str:
    """Return the header of what models build their registers from."""
    described, out = compiled.described, names.Declared()
    space = f"{compiled.cpp_namespace}::info"
    out.lines += [
        *opening(source),
        "#include <array>",
        "",
        '#include "models/common/register_info.h"',
        "",
        f"/// What models build the registers of {described.title} from.",
        f"namespace {space} {{",
    ]
    for kind, registers in described.kinds.items():
        out.lines.append("")
        for each in registers:
            out.add(f"k{camel(each.name)}", _info(each))
        out.lines.append(f"inline constexpr std::array k{camel(kind)}Registers{{")
        listed = ", ".join(f"k{camel(each.name)}" for each in registers)
        out.lines += textwrap.wrap(
            listed, COLUMNS, initial_indent=" " * 4, subsequent_indent=" " * 4
        )
        out.lines.append("};")
    out.lines += ["", f"}}  // namespace {space}", ""]
    return "\n".join(out.lines)


def opening(source: str) -> list[str]:
    """Return the first lines of a generated header."""
    return [
        "// SPDX-License-Identifier: Apache-2.0",
        f"// Made from {source} by `./longhaul registers`; a change here is lost.",
        "// clang-format off",
        "#pragma once",
        "",
    ]


def _blocks(compiled: Compiled, kind: str, out: names.Declared) -> None:
    """Declare where the blocks of a kind lie, if there are several."""
    if kind == BOX:
        return
    bases, stride = compiled.places(kind)
    out.lines += ["", f"/// Blocks of registers of a {kind}, and the address of one."]
    out.add(f"k{camel(kind)}Count", f"{_SIZE} k{camel(kind)}Count = {len(bases)};")
    out.lines.append(f"constexpr std::uint32_t {kind}_base(std::size_t {kind}) {{")
    out.lines.append(f"  return {bases[0]:#x} + {stride:#x} * static_cast<std::uint32_t>({kind});")
    out.lines.append("}")


def _enum(name: str, choices: tuple[Choice, ...], out: names.Declared) -> None:
    out.lines.append("")
    out.add(name, f"enum class {name} : std::uint8_t {{")
    for each in choices:
        out.lines += comment(each.description, "///", "  ")
        out.lines.append(f"  k{camel(each.name)} = {each.value},")
    out.lines.append("};")


def _register(compiled: Compiled, kind: str, register: Register, out: names.Declared) -> None:
    name, prefix = camel(register.name), names.field_prefix(register)
    out.lines += ["", *comment(f"{register.name}: {register.description}", "///")]
    constants = {f"k{name}": f"{register.address:#04x}"}
    resets = compiled.resets(kind, register)
    if len(set(resets)) > 1:
        values = ", ".join(map(hexadecimal, resets))
        out.add(
            f"k{name}Reset",
            f"inline constexpr std::array<std::uint32_t, {len(resets)}> k{name}Reset{{{values}}};",
        )
    elif register.reset:
        constants[f"k{name}Reset"] = hexadecimal(register.reset)
    if register.least:
        constants[f"k{name}Least"] = str(register.least)
    if register.most_given is not None:
        constants[f"k{name}Most"] = str(register.most_given)
    if names.has_named_fields(register):
        for each in register.fields:
            if each.width == 1:
                constants[f"k{prefix}{camel(each.name)}"] = f"1U << {each.lsb}"
            elif each.width < 32:
                constants[f"k{prefix}{camel(each.name)}Shift"] = str(each.lsb)
                constants[f"k{prefix}{camel(each.name)}Mask"] = hexadecimal(each.mask)
    elif register.shown | register.written != 0xFFFF_FFFF:
        constants[f"k{name}Mask"] = hexadecimal(register.shown | register.written)
    for constant, value in constants.items():
        out.add(constant, f"{_U32} {constant} = {value};")


def _counters(counters: list[Register], out: names.Declared) -> None:
    """Declare the enumeration of all counters, in the order of their registers."""
    if not counters:
        return
    choices = tuple(
        Choice(each.name, index, each.description) for index, each in enumerate(counters)
    )
    out.lines += ["", "/// Counters of a block, in the order of their registers, a word each."]
    _enum("Counter", choices, out)
    out.add("kCounters", f"{_U32} kCounters = {counters[0].address:#x};")
    out.add("kCounterCount", f"{_SIZE} kCounterCount = {len(counters)};")
    out.lines += [
        "constexpr std::uint32_t counter_offset(Counter counter) {",
        "  return kCounters + 4 * static_cast<std::uint32_t>(counter);",
        "}",
    ]


def _info(register: Register) -> str:
    words = (register.reset or 0, register.written, register.kept, register.shown)
    numbers = ", ".join([f"{register.address:#04x}", *map(hexadecimal, words)])
    known = "true" if register.reset is not None else "false"
    begin = f"inline constexpr RegisterInfo k{camel(register.name)}{{"
    end = f'"{register.name}", {numbers}, {known}}};'
    return begin + end if len(begin + end) <= COLUMNS else f"{begin}\n    {end}"


def hexadecimal(value: int) -> str:
    """Return a word in hexadecimal, in groups of four digits."""
    if value <= 0xFFFF:
        return f"{value:#x}"
    return f"0x{value >> 16:x}'{value & 0xFFFF:04x}"

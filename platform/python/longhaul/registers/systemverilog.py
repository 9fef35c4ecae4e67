# SPDX-License-Identifier: Apache-2.0
"""A register map as a SystemVerilog package of constants."""

from __future__ import annotations

from longhaul.registers import names
from longhaul.registers.description import Register
from longhaul.registers.names import camel, comment
from longhaul.registers.rdl import BOX, Choice, Compiled

_INT = "  localparam int unsigned"


def text(compiled: Compiled, source: str) -> str:
    """Return the package; `source` is the SystemRDL file's path."""
    described, out = compiled.described, names.Declared()
    lines = out.lines
    lines += [
        "// SPDX-License-Identifier: Apache-2.0",
        f"// Made from {source} by `./longhaul registers`; a change here is lost.",
        "//",
        f"// Registers of {described.title}. Offsets are within a block; Width is the number of",
        "// bits that a register or field has, from bit 0 or Lsb on.",
        f"package {described.name}_csr_pkg;",
    ]
    for kind in described.kinds:
        if kind != BOX:
            bases, stride = compiled.places(kind)
            out.lines.append(f"  // Blocks of registers, of the kind {kind}.")
            for name, value in (("Count", len(bases)), ("Base", bases[0]), ("Stride", stride)):
                out.add(f"{camel(kind)}{name}", f"{_INT} {camel(kind)}{name} = {value};")
            lines.append("")
    for name, choices in compiled.enums.items():
        _enum(name, choices, out)
    for kind, registers in described.kinds.items():
        _counters([each for each in registers if each.counter], out)
        for each in registers:
            if not each.counter:
                _register(compiled, kind, each, out)
    lines[-1:] = ["endpackage", ""]
    return "\n".join(lines)


def _enum(name: str, choices: tuple[Choice, ...], out: names.Declared) -> None:
    prefix, bits = camel(name.removesuffix("_e")), max(each.value for each in choices).bit_length()
    out.add(name, f"  typedef enum logic [{bits - 1}:0] {{")
    for place, each in enumerate(choices, 1):
        out.lines += comment(each.description, "//", "    ")
        comma = "," if place < len(choices) else ""
        item = f"{prefix}{camel(each.name)}"
        out.add(item, f"    {item} = {bits}'d{each.value}{comma}")
    out.lines += [f"  }} {name};", ""]


def _counters(counters: list[Register], out: names.Declared) -> None:
    if not counters:
        return
    out.lines.append("  // Counters of a block, in the order of their registers.")
    choices = [Choice(each.name, index, each.description) for index, each in enumerate(counters)]
    _enum("counter_e", tuple(choices), out)
    out.add("CounterCount", f"{_INT} CounterCount = {len(counters)};")
    width = counters[-1].address.bit_length()
    out.add(
        "CounterBase",
        f"  localparam logic [{width - 1}:0] CounterBase = {width}'h{counters[0].address:X};",
    )
    out.lines.append("")


def _register(compiled: Compiled, kind: str, register: Register, out: names.Declared) -> None:
    name, prefix = camel(register.name), names.field_prefix(register)
    if compiled.adapter and names.has_named_fields(register):
        prefix = compiled.adapter.registers[register.name].set_name
    bits = compiled.offset_bits
    out.lines += comment(f"{register.name}: {register.description}", "//", "  ")
    out.add(
        f"{name}Offset",
        f"  localparam logic [{bits - 1}:0] {name}Offset = {bits}'h{register.address:02X};",
    )
    resets = compiled.resets(kind, register)
    if len(set(resets)) > 1:
        values = ", ".join(f"32'h{reset:08X}" for reset in reversed(resets))
        last = len(resets) - 1
        out.add(
            f"{name}Reset",
            f"  localparam logic [{last}:0][31:0] {name}Reset = {{  // of block {last} first\n"
            f"    {values}}};",
        )
    elif register.reset is not None:
        out.add(
            f"{name}Reset", f"  localparam logic [31:0] {name}Reset = 32'h{register.reset:08X};"
        )
    if register.most_given is not None:
        out.add(f"{name}Most", f"{_INT} {name}Most = {register.most_given};")
    if register.least:
        out.add(f"{name}Least", f"{_INT} {name}Least = {register.least};")
    if names.has_named_fields(register):
        for each in register.fields:
            field = f"{prefix}{camel(each.name)}"
            if compiled.adapter and out.has(f"{field}Lsb"):
                continue  # of another register with the same set
            out.add(f"{field}Lsb", f"{_INT} {field}Lsb = {each.lsb};")
            if each.width > 1:
                out.add(f"{field}Width", f"{_INT} {field}Width = {each.width};")
        if compiled.adapter and not out.has(f"{prefix}Mask"):
            mask = register.shown | register.written
            out.add(f"{prefix}Mask", f"  localparam logic [31:0] {prefix}Mask = 32'h{mask:08X};")
    else:
        width = max(each.lsb + each.width for each in register.fields)
        out.add(f"{name}Width", f"{_INT} {name}Width = {width};")
    out.lines.append("")

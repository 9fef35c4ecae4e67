# SPDX-License-Identifier: Apache-2.0
"""`longhaul registers ADAPTER`: offset, access, reset value and fields of each register."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table

from longhaul.types.adapter_registers import Field, Register, Registers

WITHOUT_EFFECT = "-"  # in place of a meaning
LEGEND = (
    "RW: read and written. RO: read only. WO: write only. RC: clears on read. action: a write does "
    "something and is not stored.",
    "A reset value is without what reads add of the adapter's state. "
    f"{WITHOUT_EFFECT}: the model does nothing with the field.",
)


def show(console: Console, described: Registers) -> None:
    """Print an adapter's registers, those that are alike in one row."""
    console.print(f"adapter {described.name}", style="bold", markup=False, highlight=False)
    console.print(described.title, markup=False, highlight=False)
    size = f"{described.bytes:#x} bytes, 32-bit registers\n"
    console.print(size, markup=False, highlight=False)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("offset", no_wrap=True)
    table.add_column("register", style="bold", no_wrap=True)
    for heading in ("access", "reset"):
        table.add_column(heading, no_wrap=True)
    table.add_column("bits", no_wrap=True, justify="right")
    table.add_column("field", no_wrap=True)
    table.add_column("meaning", overflow="fold")
    for group in _groups(described.registers):
        first = group[0]
        count = f" x {len(group)}" if len(group) > 1 else ""
        reset = f"0x{first.reset:08x}"
        table.add_row(_offsets(group), first.name + count, first.access, reset, "", "", "")
        for field in sorted(first.fields, key=lambda each: each.lsb):
            table.add_row("", "", "", "", field.bits, field.name, _meaning(field))
    console.print(table, markup=False, highlight=False)
    for line in LEGEND:
        console.print(line, markup=False, highlight=False)


def show_value(console: Console, register: Register, value: int) -> None:
    """Print what a value of a register says, field by field."""
    console.print(
        f"{register.name} (0x{register.offset:04x}) = 0x{value:08x}",
        style="bold", markup=False, highlight=False,
    )  # fmt: skip
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2), show_header=False)
    by_name = {each.name: each for each in register.fields}
    rest = value
    for name, number in register.numbers(value).items():
        field = by_name[name]
        rest &= ~(((1 << field.width) - 1) << field.lsb)
        shown = str(number) if number < 10 else f"{number} ({number:#x})"
        table.add_row(field.bits, name, shown, _meaning(field))
    if register.fields:
        console.print(table, markup=False, highlight=False)
    if rest and register.fields:
        console.print(f"  {rest:#x} is in no field", markup=False, highlight=False)


def _groups(registers: Sequence[Register]) -> Iterator[list[Register]]:
    """Yield registers that are alike together, at the first one's place."""
    groups: list[list[Register]] = []
    of_name: dict[str, list[Register]] = {}
    for each in registers:
        group = of_name.get(each.name)
        if group is None or not group[0].alike(each):
            group = of_name[each.name] = []
            groups.append(group)
        group.append(each)
    yield from groups


def _offsets(group: Sequence[Register]) -> str:
    first, last = group[0].offset, group[-1].offset
    return f"0x{first:04x}" if first == last else f"0x{first:04x} to 0x{last:04x}"


def _meaning(field: Field) -> str:
    return field.meaning if field.modelled else WITHOUT_EFFECT

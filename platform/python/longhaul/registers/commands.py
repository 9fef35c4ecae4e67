# SPDX-License-Identifier: Apache-2.0
"""Commands that every type of box with registers has: registers, read, write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from longhaul.registers.description import Access, Block, RegisterMap
from longhaul.registers.running import RunningBox

RunArgument = Annotated[
    Path, typer.Argument(metavar="DIR", help="The run's folder, as its --out says.")
]
BoxOption = Annotated[str, typer.Option("--box", help="Name of the box in the topology.")]


def perform(
    registers: RegisterMap, run: Path, box: str, accesses: Sequence[Access], said: str = "at"
) -> list[int]:
    """Make accesses in one instant and say when; return a word for each."""
    with RunningBox(run, box, registers) as running:
        time, words = running.access(accesses)
    typer.echo(f"{said} {time.seconds:.9f} s")
    return words


def group(registers: RegisterMap) -> typer.Typer:
    """Return the commands of a type of box, to which it may add its own."""
    app = typer.Typer(
        help=f"Write and read the {registers.title} box's registers while a run goes on.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    default = registers.name

    @app.command(
        name="registers",
        help="Show all registers with address and unit; "
        f"rtl/{registers.name}/README.md says what they mean.",
    )
    def list_registers() -> None:
        # Loaded where a table is printed: it would be a tenth of the help's time.
        from rich.console import Console
        from rich.table import Table

        table = Table("register", "address", "counts in")
        shown: dict[str, Block] = {}
        for block in registers.blocks:
            if block.kind in shown:
                continue
            shown[block.kind] = block
            more = [each for each in registers.blocks if each.kind == block.kind][1:]
            note = f" ({more[0].name}: + {more[0].address - block.address:#x}, ...)" if more else ""
            for each in registers.kinds[block.kind]:
                one = registers.find(f"{block.name}.{each.name}" if block.name else each.name)
                table.add_row(f"{one.name}{note}", f"{one.address:#05x}", one.unit)
        Console().print(table)

    @app.command(name="read")
    def read_registers(
        run: RunArgument,
        names: Annotated[
            list[str], typer.Argument(metavar="REGISTER...", help="Such as p0.LEVEL.")
        ],
        box: BoxOption = default,
    ) -> None:
        """Read registers, all at one instant."""
        accesses = [registers.read(name) for name in names]
        words = perform(registers, run, box, accesses)
        for access, word in zip(accesses, words, strict=True):
            typer.echo(f"{access.register.name} {access.register.text(word)}")

    @app.command(name="write")
    def write_registers(
        run: RunArgument,
        values: Annotated[
            list[str], typer.Argument(metavar="REGISTER=VALUE...", help="Such as p0.DELAY=4ms.")
        ],
        box: BoxOption = default,
    ) -> None:
        """Write registers, in this order, at one instant."""
        perform(registers, run, box, [registers.parse(text) for text in values])

    # typer has them; a checker of types sees no use.
    del list_registers, read_registers, write_registers
    return app

# SPDX-License-Identifier: Apache-2.0
"""`longhaul gnet1`: registers of the box in a run that goes on."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from longhaul.errors import UsageError
from longhaul.gnet1 import registers
from longhaul.units import Time

app = typer.Typer(
    help="Write and read the GNET-1 box's registers while a run goes on.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

RunArgument = Annotated[
    Path, typer.Argument(metavar="DIR", help="The run's folder, as its --out says.")
]
BoxOption = Annotated[str, typer.Option("--box", help="Name of the box in the topology.")]
PortArgument = Annotated[int, typer.Argument(min=0, max=registers.PORTS - 1, metavar="PORT")]


def _perform(
    run: Path, box: str, accesses: Sequence[registers.Access], said: str = "at"
) -> list[int]:
    """Make accesses in one instant and say when; return a word for each."""
    from longhaul.gnet1.control import Gnet1

    with Gnet1(run, box) as gnet1:
        time, words = gnet1.access(accesses)
    typer.echo(f"{said} {time.seconds:.9f} s")
    return words


@app.command(name="registers")
def list_registers() -> None:
    """Show all registers with address and unit; rtl/gnet1/README.md says what they mean."""
    from rich.console import Console
    from rich.table import Table

    table = Table("register", "address", "counts in")
    for name in registers.BOX:
        one = registers.find(name)
        table.add_row(name, f"{one.address:#05x}", one.unit.value)
    for name in registers.PORT:
        one = registers.find(f"p0.{name}")
        table.add_row(f"p0.{name} (p1: + 0x100, ...)", f"{one.address:#05x}", one.unit.value)
    Console().print(table)


@app.command(name="read")
def read_registers(
    run: RunArgument,
    names: Annotated[list[str], typer.Argument(metavar="REGISTER...", help="Such as p0.LEVEL.")],
    box: BoxOption = "gnet1",
) -> None:
    """Read registers, all at one instant."""
    accesses = [registers.read(name) for name in names]
    for access, word in zip(accesses, _perform(run, box, accesses), strict=True):
        typer.echo(f"{access.register.name} {registers.text(access.register, word)}")


@app.command(name="write")
def write_registers(
    run: RunArgument,
    values: Annotated[
        list[str], typer.Argument(metavar="REGISTER=VALUE...", help="Such as p0.DELAY=4ms.")
    ],
    box: BoxOption = "gnet1",
) -> None:
    """Write registers, in this order, at one instant."""
    _perform(run, box, [registers.parse(text) for text in values])


@app.command()
def discard(
    run: RunArgument,
    port: PortArgument,
    after: Annotated[int | None, typer.Option(min=0, help="Let so many frames pass first.")] = None,
    at: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="The first frame from that TIME of the box on."),
    ] = None,
    box: BoxOption = "gnet1",
) -> None:
    """Discard one frame that arrives at a port: the next, or as the options say."""
    from longhaul.gnet1.control import Gnet1, discard

    when = None if at is None else Time.parse(at, where="--at")
    discard(port, after=after, at=when)  # refused before the run is asked
    with Gnet1(run, box) as gnet1:
        armed = gnet1.discard(port, after=after, at=when)
    typer.echo(f"armed at {armed.seconds:.9f} s")


@app.command()
def counters(run: RunArgument, port: PortArgument, box: BoxOption = "gnet1") -> None:
    """Show a port's counters, all of one instant."""
    from longhaul.gnet1.control import Gnet1

    with Gnet1(run, box) as gnet1:
        found = gnet1.counters(port)
    for name, count in found.items():
        typer.echo(f"{name} {count}")


@app.command()
def sample(
    run: RunArgument,
    port: PortArgument,
    period: Annotated[str, typer.Option(metavar="TIME", help="Whole 32 ns.")] = "20us",
    box: BoxOption = "gnet1",
) -> None:
    """Start to sample a port's counters in hardware."""
    from longhaul.gnet1 import control

    _perform(run, box, control.start_sampling(port, Time.parse(period, where="--period")), "since")


@app.command()
def samples(run: RunArgument, box: BoxOption = "gnet1") -> None:
    """Write the samples taken so far as CSV: sample, words, frames."""
    from longhaul.gnet1.control import Gnet1

    with Gnet1(run, box) as gnet1:
        found = gnet1.samples()
    if not found:
        raise UsageError("no sample has been taken; start with: longhaul gnet1 sample DIR PORT")
    out = csv.writer(sys.stdout)
    out.writerow(("sample", "words", "frames"))
    out.writerows((i, *pair) for i, pair in enumerate(found))

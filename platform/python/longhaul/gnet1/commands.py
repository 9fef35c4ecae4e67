# SPDX-License-Identifier: Apache-2.0
"""`longhaul gnet1`: registers of the box in a run that goes on."""

from __future__ import annotations

import csv
import sys
from typing import Annotated

import typer

from longhaul.errors import UsageError
from longhaul.gnet1 import control, registers
from longhaul.registers import commands
from longhaul.registers.commands import BoxOption, RunArgument
from longhaul.units import Time

app = commands.group(registers.MAP)

PortArgument = Annotated[int, typer.Argument(min=0, max=registers.PORTS - 1, metavar="PORT")]


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
    when = None if at is None else Time.parse(at, where="--at")
    control.discard(port, after=after, at=when)  # refused before the run is asked
    with control.Gnet1(run, box) as gnet1:
        armed = gnet1.discard(port, after=after, at=when)
    typer.echo(f"armed at {armed.seconds:.9f} s")


@app.command()
def counters(run: RunArgument, port: PortArgument, box: BoxOption = "gnet1") -> None:
    """Show a port's counters, all of one instant."""
    with control.Gnet1(run, box) as gnet1:
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
    accesses = control.start_sampling(port, Time.parse(period, where="--period"))
    commands.perform(registers.MAP, run, box, accesses, "since")


@app.command()
def samples(run: RunArgument, box: BoxOption = "gnet1") -> None:
    """Write the samples taken so far as CSV: sample, words, frames."""
    with control.Gnet1(run, box) as gnet1:
        found = gnet1.samples()
    if not found:
        raise UsageError("no sample has been taken; start with: longhaul gnet1 sample DIR PORT")
    out = csv.writer(sys.stdout)
    out.writerow(("sample", "words", "frames"))
    out.writerows((i, *pair) for i, pair in enumerate(found))

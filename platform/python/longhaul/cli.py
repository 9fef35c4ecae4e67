# SPDX-License-Identifier: Apache-2.0
"""The command line: one function per command, errors as one line."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from longhaul.errors import LonghaulError, UsageError
from longhaul.gnet1.commands import app as gnet1_commands
from longhaul.nearest import did_you_mean

if TYPE_CHECKING:
    from longhaul.registry import ScenarioEntry
    from longhaul.sweep import Plan

app = typer.Typer(
    name="longhaul",
    help="Real Linux and its unmodified NIC drivers on SystemC hardware.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

app.add_typer(gnet1_commands, name="gnet1")

_debug = False
_check_only = False

SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change a parameter.")
]
ParamOption = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        metavar="OBJECT.NAME=VALUE",
        help="Change a parameter of a model, as the manifest names it; * is every machine.",
    ),
]


def _folder(text: str) -> Path:
    """Read --out; an empty text, as of a shell's variable that is not set, is none."""
    if not text.strip():
        raise UsageError("--out: is empty; wants a folder, such as out/first")
    return Path(text)


OutOption = Annotated[
    Path | None, typer.Option(metavar="DIR", parser=_folder, help="Folder of the result.")
]
OutsOption = Annotated[
    Path | None, typer.Option(metavar="DIR", parser=_folder, help="Folder of the results.")
]
SeedOption = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of all randomness.")]


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error came from.")] = False,
    check_only: Annotated[
        bool, typer.Option("--check-only", help="Check what is asked for; run nothing.")
    ] = False,
) -> None:
    """Real Linux and its unmodified NIC drivers on SystemC hardware."""
    global _debug, _check_only
    _debug, _check_only = debug, check_only


@app.command()
def demo(
    out: OutOption = None,
) -> None:
    """Run the main job (ixgb_b2b as it stands) and show its report."""
    run("ixgb_b2b", out=out)


@app.command(name="list")
def list_(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A scenario, to see its parameters.")
    ] = None,
) -> None:
    """Show the scenarios, or one scenario's parameters with default, range and evidence."""
    from longhaul import listing

    listing.show(Console() if sys.stdout.isatty() else Console(width=140), name)


@app.command()
def run(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The scenario; see `longhaul list`.")],
    set_: SetOption = None,
    out: OutOption = None,
    seed: SeedOption = 1,
    pcap: Annotated[bool, typer.Option("--pcap", help="Record every link.")] = False,
    timeline: Annotated[bool, typer.Option("--timeline", help="Record for Perfetto.")] = False,
    waves: Annotated[
        list[str] | None,
        typer.Option(
            "--waves",
            metavar="[WHAT,...]",
            help="Draw waveforms: link, tcp, core, box, nic, rtl, pcix; alone: all.",
        ),
    ] = None,
    waves_from: Annotated[
        str, typer.Option(metavar="TIME", help="Draw from then in the measured window on.")
    ] = "0s",
    waves_length: Annotated[str, typer.Option(metavar="TIME", help="Draw for so long.")] = "",
    waves_until: Annotated[
        str, typer.Option(metavar="TIME", help="Draw until then in the measured window.")
    ] = "",
    waves_trigger: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help="Draw around the first retransmit, drop:N, register:ADDRESS, "
            "register:MACHINE.DEVICE+OFFSET or register:BOX+REGISTER.",
        ),
    ] = "",
    waves_history: Annotated[
        str, typer.Option(metavar="TIME", help="Keep so much of the time before the trigger.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace a finished run.")] = False,
    param: ParamOption = None,
    jobs: Annotated[int, typer.Option(min=1, help="Cases side by side, if it has several.")] = 1,
    of_sweep: Annotated[Path | None, typer.Option("--of-sweep", hidden=True)] = None,
) -> None:
    """Run a scenario and write its results, manifest and report.

    A scenario that has cases of its own runs all that the settings leave open, each in a folder in
    --out; interrupted, the same command does the rest.
    """
    from longhaul import child_runs, outdir, overrides, registry, runner, summary
    from longhaul import waves as waveforms

    entry = registry.find(name)
    cases = entry.cases(set_ or [])
    if len(cases) > 1:
        recorded = {"--pcap": pcap, "--timeline": timeline, "--waves": bool(waves)}
        _run_cases(entry, cases, set_ or [], out, seed, param or [], force, jobs, recorded)
        return
    drawn = waveforms.check(
        waves or [],
        waves_from,
        length=waves_length,
        until=waves_until,
        trigger=waves_trigger,
        history=waves_history,
    )
    settings = entry.parse_case(set_ or [], cases[0] if cases else ())
    folder = out or outdir.default_out(name)
    request = runner.RunRequest(
        entry,
        settings,
        folder,
        seed=seed,
        pcap=pcap,
        timeline=timeline,
        waves=drawn,
        force=force,
        overrides=overrides.parse(param or []),
    )
    if _check_only:
        runner.check(request, runner.Tools())
        return
    if of_sweep:
        with child_runs.of_sweep(of_sweep):
            if not child_runs.done_by_another(folder, force=force):
                runner.run(request, runner.Tools())
        return
    done = runner.run(request, runner.Tools())
    summary.show(Console(), done)


def _run_cases(
    entry: ScenarioEntry,
    cases: list[tuple[str, ...]],
    given: list[str],
    out: Path | None,
    seed: int,
    params: list[str],
    force: bool,
    jobs: int,
    recorded: dict[str, bool],
) -> None:
    """Run all cases of a scenario as one result."""
    from longhaul import overrides, runner
    from longhaul import sweep as sweeps

    entry.parse(given)
    changes = overrides.parse(params)
    wanted = next((option for option, on in recorded.items() if on), None)
    if wanted:
        one = " ".join(f"--set {text}" for text in cases[0])
        raise UsageError(
            f"{wanted} records one run, and {entry.name} has {len(cases)} cases; "
            f"choose one, such as {one}"
        )
    folder = out or Path("out") / entry.name
    plan = sweeps.plan_cases(entry.name, cases, given, folder, seed, params=params, force=force)
    if _check_only:
        for case in cases:
            settings = entry.parse_case(given, case)
            request = runner.RunRequest(entry, settings, folder, seed=seed, overrides=changes)
            runner.check(request, runner.Tools())
        return
    _carry_out(plan, jobs, "")


@app.command()
def sweep(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The scenario.")],
    over: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=V1,V2,...",
            help="What to vary: a setting, or OBJECT.NAME as --param has it. A..B/5 is five values "
            "from A to B, A..B/x2 each twice the one before; N,M=A1:B1,A2:B2 changes together.",
        ),
    ],
    set_: SetOption = None,
    param: ParamOption = None,
    out: OutsOption = None,
    seed: SeedOption = 1,
    jobs: Annotated[
        int, typer.Option(min=0, help="Runs side by side; 0 is one on each core of this machine.")
    ] = 0,
    scheduler: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Run on the workers of this Dask scheduler, such as tcp://host:8786; they need "
            "the same file system at the same paths.",
        ),
    ] = "",
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Repeat the points that failed.")
    ] = False,
) -> None:
    """Run every combination of values; a sweep that was interrupted goes on where it stopped.

    Writes sweep.parquet, a row per point, after each, and report.html with plots per axis.
    """
    from longhaul import overrides, registry, runner, sweep_points
    from longhaul import sweep as sweeps

    if scheduler and jobs:
        raise UsageError("--jobs is for this machine; a cluster runs as many as it has threads")
    plan = sweeps.plan(
        name,
        over,
        set_ or [],
        out or Path("out") / f"sweep-{name}",
        seed,
        params=param or [],
        retry=retry_failed,
    )
    entry = registry.find(name)
    checked = plan.cases if _check_only else sweeps.parameter_cases(plan)
    for case in checked:
        sets, params = sweep_points.split(case)
        settings = entry.parse([*plan.fixed, *sets])
        changes = overrides.parse([*plan.params, *params])
        request = runner.RunRequest(entry, settings, plan.out, seed=seed, overrides=changes)
        runner.check(request, runner.Tools())
    if not _check_only:
        _carry_out(plan, jobs, scheduler)


def _carry_out(plan: Plan, jobs: int, scheduler: str) -> None:
    """Run a plan on this machine or on a cluster, and show what came of it."""
    from longhaul import child_runs
    from longhaul import sweep as sweeps

    def pool(lock: Path) -> child_runs.Pool:
        if scheduler:
            from longhaul.cluster import Cluster  # Dask is loaded only where it is asked for

            return Cluster(scheduler, lock, lambda line: typer.echo(line, err=True))
        return child_runs.Local(jobs or len(os.sched_getaffinity(0)))

    tables = Console() if sys.stdout.isatty() else Console(width=180)
    sweeps.run(plan, pool, Console(stderr=True), tables)
    typer.echo(f"{plan.out / 'report.html'}")


@app.command()
def calibrate(
    bench: Annotated[
        str, typer.Argument(metavar="BENCH", help="A folder of scenarios/ that has a calibration.")
    ],
    out: OutsOption = None,
    duration: Annotated[str, typer.Option(metavar="TIME", help="Measured time a run.")] = "1s",
) -> None:
    """Fit a bench's free parameters to the published figures that it may be fitted to."""
    from longhaul import calibration

    if _check_only:
        calibration.find(bench)
        return
    folder = out or Path("out") / f"calibration-{bench}"
    typer.echo(f"{calibration.run(bench, folder, duration, Console(stderr=True))}")


@app.command()
def report(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Finished runs.")],
    html: Annotated[Path | None, typer.Option(help="Write one page for all of them.")] = None,
) -> None:
    """Show runs, and write one page for all of them (beside a single run, or where --html says)."""
    from longhaul import outdir, summary
    from longhaul.report import render
    from longhaul.runview import runs_in

    runs = [run for folder in folders for run in runs_in(folder)]
    if html is None and len(runs) == 1:
        html = runs[0].folder / "report.html"
    for one in runs:
        summary.show(Console(), one.folder, page=html is not None and len(runs) == 1)
    if html is not None:
        outdir.write_text(html, render(runs, title=runs[0].name if len(runs) == 1 else ""))
        if len(runs) > 1:
            typer.echo(f"{html}")


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="DIR")],
    second: Annotated[Path, typer.Argument(metavar="DIR")],
) -> None:
    """Show two runs side by side: settings that differ, and every figure with its difference."""
    from longhaul import comparison
    from longhaul.runview import RunView

    comparison.show(Console(), RunView.load(first), RunView.load(second))


@app.command(name="waves")
def waves_(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A run with --waves.")],
) -> None:
    """Open GTKWave on a run's waveforms, in their layout."""
    from longhaul import waves as waveforms

    waveforms.show(folder)


@app.command(name="kernel")
def guest_kernel(
    verify: Annotated[
        bool, typer.Option("--verify", help="Prove that driver and network sources are Debian's.")
    ] = False,
) -> None:
    """Build the guest's kernel, or prove what it was built from."""
    from longhaul import guest_parts, kernel

    def progress(line: str) -> None:
        typer.echo(f"longhaul: {line}", err=True)

    if not verify:
        info = kernel.ensure(progress)
        typer.echo(f"Linux {info.version}, key {info.key}: {info.path}")
        return
    found = guest_parts.verified_kernel(progress)
    package = f"linux-source-6.1 {found.info.package_version}"
    typer.echo(f"{found.files} files of drivers/net, net and include are those of {package}")
    for name, checksum in found.info.drivers.items():
        typer.echo(f"  driver {name:6} sha256 {checksum}")
    typer.echo("Edited or added for the guest's machine:")
    for name, reason in found.edited.items():
        typer.echo(f"  {name}: {reason}")


@app.command()
def bench(
    only: Annotated[str, typer.Option(metavar="REGEX", help="Only these benchmarks.")] = "",
) -> None:
    """Run the benchmarks of the primitives and of whole runs."""
    from longhaul import benchmarks

    pattern = benchmarks.pattern(only)
    if _check_only:
        return
    benchmarks.run(pattern, Console())


@app.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    add_help_option=False,
)
def python(
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[SCRIPT] [ARGUMENT...]", help="As python's own.")
    ] = None,
) -> None:
    """Run Python with longhaul.api: topologies and simulations in a script (docs/python_api.md)."""
    if not _check_only:
        os.execv(sys.executable, [sys.executable, *(arguments or [])])


@app.command()
def test(
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="SUITE", help="lint, unit, asan, rtl, python, guest or system."),
    ] = None,
) -> None:
    """Run every test, or only some suites."""
    from longhaul import testing

    suites = testing.chosen(only or [])
    if _check_only:
        return
    raise typer.Exit(testing.run(suites, Console(highlight=False)))


def main(args: list[str] | None = None) -> int:
    """Run the command line and return the exit code; an error is one line on standard error."""
    command = typer.main.get_command(app)
    args = list(sys.argv[1:] if args is None else args)
    if not args or args[-1] in GROUPS and len(args) == 1:
        args.append("--help")
    if "--waves" in args:
        from longhaul import waves

        args = waves.split_option(args)
    try:
        outcome: Any = command.main(args=args, prog_name="longhaul", standalone_mode=False)
        return outcome if isinstance(outcome, int) else 0
    except LonghaulError as error:
        return _fail(error, str(error), error.exit_code)
    except typer.TyperException as error:
        text = error.format_message() if hasattr(error, "format_message") else str(error)
        text = _one_line(text).rstrip(".")
        return _fail(error, text + ("" if "Did you mean" in text else _example(args)), 2)
    except (KeyboardInterrupt, typer.Abort) as error:
        return _fail(error, "interrupted", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""
        return _fail(error, f"{what}{error.strerror or error}", 1)
    except Exception as error:  # a defect of ours; the line says where to look
        return _fail(error, f"internal error: {type(error).__name__}: {error} (see --debug)", 1)


GROUPS = ("gnet1",)  # of commands
EXAMPLES = {
    "run": "longhaul run ixgb_b2b --set duration=100ms --out out/first",
    "sweep": "longhaul sweep ixgb_wan --over rtt=1ms,10ms --set duration=100ms",
    "report": "longhaul report out/first",
    "compare": "longhaul compare out/first out/second",
    "list": "longhaul list ixgb_wan",
    "test": "longhaul test --only unit",
    "bench": "longhaul bench --only jumbo",
    "kernel": "longhaul kernel --verify",
    "python": "longhaul python examples/what_if.py",
    "demo": "longhaul demo",
    "calibrate": "longhaul calibrate opteron_10g",
    "waves": "longhaul waves out/first",
    "gnet1 registers": "longhaul gnet1 registers",
    "gnet1 read": "longhaul gnet1 read out/running TIME p0.LEVEL",
    "gnet1 write": "longhaul gnet1 write out/running p0.DELAY=4ms",
    "gnet1 discard": "longhaul gnet1 discard out/running 0 --after 100",
    "gnet1 counters": "longhaul gnet1 counters out/running 0",
    "gnet1 sample": "longhaul gnet1 sample out/running 0 --period 20us",
    "gnet1 samples": "longhaul gnet1 samples out/running",
}


def _example(args: list[str]) -> str:
    """Return what would be right, ahead of which stands what was wrong: a command, an example."""
    words = [word for word in args if not word.startswith("-")]
    for length in (2, 1):
        command = " ".join(words[:length])
        if command in EXAMPLES:
            return f"; for example: {EXAMPLES[command]}"
    group = f"{words[0]} " if words and words[0] in GROUPS else ""
    known = [name.removeprefix(group).split()[0] for name in EXAMPLES if name.startswith(group)]
    wrong = words[1:2] if group else words[:1]
    return did_you_mean(wrong[0], set(known)) if wrong else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _fail(error: BaseException, text: str, code: int) -> int:
    if _debug:
        traceback.print_exception(error)
    print(f"longhaul: {text}", file=sys.stderr)
    return code

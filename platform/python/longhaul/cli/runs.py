# SPDX-License-Identifier: Apache-2.0
"""Commands that simulate: demo, run, sweep."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longhaul import outdir, phases
from longhaul.cli import consoles, pools
from longhaul.cli.app import (
    AfterOption,
    BeforeOption,
    ConsoleAtOption,
    ConsoleOption,
    CoverageOption,
    FileOption,
    JobsOption,
    KernelArgOption,
    KernelConfigOption,
    LayoutOption,
    ModuleOption,
    OutOption,
    OutsOption,
    PackageOption,
    ParamOption,
    PluginOption,
    RepeatOption,
    ScenarioArgument,
    SeedOption,
    SetOption,
    app,
    asked,
)
from longhaul.cli.own import use_workspace
from longhaul.errors import UsageError
from longhaul.runs import child_runs
from longhaul.types import plugins
from longhaul.types.workspace_plugins import UNBUILT
from longhaul.workspace import current

if TYPE_CHECKING:
    from longhaul.runs import given
    from longhaul.sweeps.sweep import Plan


@app.command()
def demo(
    out: OutOption = None,
    layout: LayoutOption = 0,
) -> None:
    """Run the main scenario, ixgb_b2b without settings, and show its report."""
    folder = out or outdir.default_out("ixgb_b2b", current.out())
    current.leave()
    run("ixgb_b2b", out=folder, layout=layout)


@app.command()
def run(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="The scenario, by name (`longhaul list`) or path; may be left out in a "
            "workspace with one scenario.",
        ),
    ] = None,
    set_: SetOption = None,
    out: OutOption = None,
    seed: SeedOption = 1,
    layout: LayoutOption = 0,
    pcap: Annotated[bool, typer.Option("--pcap", help="Capture the frames of every link.")] = False,
    timeline: Annotated[
        bool, typer.Option("--timeline", help="Write a timeline for Perfetto.")
    ] = False,
    packets: Annotated[
        bool,
        typer.Option(
            "--packets",
            help="Follow each packet through descriptors, buses, buffers and links, for "
            "`longhaul packets`.",
        ),
    ] = False,
    record: Annotated[
        bool,
        typer.Option(
            "--record", help="Record each exchange, frame and event, for `longhaul diverge`."
        ),
    ] = False,
    record_device: Annotated[
        str,
        typer.Option(
            metavar="MACHINE.DEVICE",
            help="Keep this adapter's register accesses and writes to memory (device.bin).",
        ),
    ] = "",
    coverage: CoverageOption = False,
    waves: Annotated[
        list[str] | None,
        typer.Option(
            "--waves",
            metavar="[WHAT,...]",
            help="Trace waves of these groups: link, tcp, core, box, nic, rtl, pcix; without a "
            "group: all.",
        ),
    ] = None,
    waves_from: Annotated[
        str, typer.Option(metavar="TIME", help="Trace from this time of the measured window on.")
    ] = "0s",
    waves_length: Annotated[str, typer.Option(metavar="TIME", help="Trace for this long.")] = "",
    waves_until: Annotated[
        str, typer.Option(metavar="TIME", help="Trace until this time of the measured window.")
    ] = "",
    waves_trigger: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help="Trace around the first retransmit, drop:N, violation, register:ADDRESS, "
            "register:MACHINE.DEVICE+OFFSET or register:BOX+REGISTER.",
        ),
    ] = "",
    waves_history: Annotated[
        str, typer.Option(metavar="TIME", help="Keep this much time before the trigger.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace a finished run.")] = False,
    param: ParamOption = None,
    plugin: PluginOption = None,
    module: ModuleOption = None,
    package: PackageOption = None,
    file: FileOption = None,
    before: BeforeOption = None,
    after: AfterOption = None,
    kernel_arg: KernelArgOption = None,
    kernel_config: KernelConfigOption = None,
    console: ConsoleOption = "",
    console_at: ConsoleAtOption = "before",
    repeat: RepeatOption = 1,
    jobs: Annotated[
        int, typer.Option(min=1, help="Runs side by side, of several cases or repetitions.")
    ] = 1,
    of_sweep: Annotated[Path | None, typer.Option("--of-sweep", hidden=True)] = None,
) -> None:
    """Run a scenario and write its results, manifest and report.

    A scenario that has cases of its own runs all that the settings leave open, each in a folder in
    --out; --repeat N makes each run N times. After an interruption the same command does the rest.
    """
    # With Pydantic.
    from longhaul import registry
    from longhaul.coverage import kept
    from longhaul.results import waves as waveforms
    from longhaul.runs import console as guest_consoles
    from longhaul.runs import overrides, runner

    phases.begin("scenario")
    entry = registry.only() if name is None else registry.find(name)
    name = entry.name
    use_workspace(entry, build=of_sweep is None)
    traced = waveforms.check(
        waves or [],
        waves_from,
        length=waves_length,
        until=waves_until,
        trigger=waves_trigger,
        history=waves_history,
    )
    software = _software(module, package, file, before, after, kernel_arg, kernel_config)
    if coverage:
        kept.check(plugins.given(), param or [])
    cases = [] if of_sweep else entry.cases(set_ or [])  # a point of a sweep is one run
    if len(cases) > 1 or repeat > 1:
        recorded = {"--pcap": pcap, "--timeline": timeline, "--packets": packets}
        recorded |= {"--record": record, "--record-device": bool(record_device)}
        recorded |= {"--waves": bool(waves), "--console": bool(console)}
        one_run = next((option for option, on in recorded.items() if on), None)
        if one_run:
            raise UsageError(_why_not_recorded(one_run, name, cases, repeat))
        from longhaul.sweeps import sweep as sweeps  # with Polars, which takes a tenth of a second

        entry.parse(set_ or [])
        folder = out or current.out() / (f"{name}-repeated" if repeat > 1 else name)
        plan = sweeps.plan_cases(
            entry.spec,
            cases or [()],
            set_ or [],
            folder,
            seed,
            params=param or [],
            force=force,
            layout=layout,
            repeat=repeat,
            software=software,
        )
        plan = dataclasses.replace(plan, coverage=coverage)
        check_with_simulator(plan)
        if asked.check_only:
            say_checked(plan)
        else:
            carry_out(plan, jobs)
        return
    settings = entry.parse_case(set_ or [], cases[0] if cases else ())
    folder = out or outdir.default_out(name, current.out())
    request = runner.RunRequest(
        entry,
        settings,
        folder,
        seed=seed,
        layout=layout,
        pcap=pcap,
        timeline=timeline,
        packets=packets,
        record=record,
        record_device=record_device,
        coverage=coverage,
        waves=traced,
        force=force,
        overrides=overrides.parse(param or []),
        software=software,
        console=guest_consoles.parse(console, console_at),
        words=asked.words,
    )
    if asked.check_only:
        runner.check(request, runner.Tools())
        _say_nothing_is_wrong("1 run")
        return
    if of_sweep:
        with child_runs.of_sweep(of_sweep):
            if not child_runs.done_by_another(folder, force=force):
                runner.run(request, runner.Tools())
        return
    done = runner.run(request, runner.Tools())
    # With Polars, which a run loads while its simulator is at work.
    from longhaul.results import summary

    phases.begin("terminal")
    summary.show(consoles.printed(), done)
    if coverage:
        typer.echo(f"The RTL's coverage: longhaul coverage {done}")


def _software(*values: list[str] | None) -> given.Given:
    """Read what guests are given, in the order of given.FORMS."""
    from longhaul.runs import given  # with Pydantic

    return given.parse({name: each or [] for name, each in zip(given.FORMS, values, strict=True)})


def _why_not_recorded(option: str, name: str, cases: Sequence[tuple[str, ...]], repeat: int) -> str:
    does = "is for" if option == "--console" else "records"
    if len(cases) < 2:
        return f"{option} {does} one run, and --repeat {repeat} makes {repeat}; take one of them"
    one = " ".join(f"--set {text}" for text in cases[0])
    return f"{option} {does} one run, and {name} has {len(cases)} cases; choose one, such as {one}"


def check_with_simulator(plan: Plan) -> None:
    """Let the simulator refuse parameters before the first run; with --check-only, any case."""
    # With Pydantic and Polars.
    from longhaul import registry
    from longhaul.runs import overrides, runner
    from longhaul.sweeps import points as sweep_points
    from longhaul.sweeps import sweep as sweeps

    entry = registry.find(plan.scenario)
    for case in plan.cases if asked.check_only else sweeps.parameter_cases(plan):
        sets, params = sweep_points.split(case)
        request = runner.RunRequest(
            entry,
            entry.parse_case(plan.fixed, sets),
            plan.out,
            seed=plan.seed,
            layout=plan.layout,
            overrides=overrides.parse([*plan.params, *params]),
            software=plan.software,
        )
        runner.check(request, runner.Tools())


def say_checked(plan: Plan) -> None:
    """Say what --check-only has found: how many runs the command would make."""
    runs = len(plan.runs())
    _say_nothing_is_wrong(f"{runs} run{'s' if runs > 1 else ''}")


def _say_nothing_is_wrong(runs: str) -> None:
    if not os.environ.get(UNBUILT):  # `./longhaul` asks so ahead of a build, on its own
        typer.echo(f"checked, nothing is wrong: {runs}")


@app.command()
def sweep(
    name: ScenarioArgument,
    over: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=V1,V2,...",
            help="The setting to vary, or OBJECT.NAME as for --param. A..B/5 is five values "
            "from A to B, A..B/x2 each twice the one before; N,M=A1:B1,A2:B2 changes together.",
        ),
    ],
    set_: SetOption = None,
    param: ParamOption = None,
    plugin: PluginOption = None,
    module: ModuleOption = None,
    package: PackageOption = None,
    file: FileOption = None,
    before: BeforeOption = None,
    after: AfterOption = None,
    kernel_arg: KernelArgOption = None,
    kernel_config: KernelConfigOption = None,
    coverage: CoverageOption = False,
    out: OutsOption = None,
    seed: SeedOption = 1,
    layout: LayoutOption = 0,
    repeat: RepeatOption = 1,
    jobs: JobsOption = 0,
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
    baseline: Annotated[
        str,
        typer.Option(
            metavar="NAME=VALUE,...",
            help="Rank each point's gain over this point; a name that is left out keeps its "
            "value without the sweep.",
        ),
    ] = "",
) -> None:
    """Run every combination of values; a sweep that was interrupted goes on where it stopped.

    Writes sweep.parquet, a row per run, after each, and report.html with plots per axis.
    """
    # With Polars.
    from longhaul import registry
    from longhaul.coverage import kept
    from longhaul.sweeps import ranking
    from longhaul.sweeps import sweep as sweeps

    if scheduler and jobs:
        raise UsageError("--jobs is for this machine; a cluster's threads set its own number")
    entry = registry.find(name)
    use_workspace(entry)
    if coverage:
        kept.check(plugins.given(), [*(param or []), *over])
    plan = sweeps.plan(
        entry.spec,
        over,
        set_ or [],
        out or current.out() / f"sweep-{entry.name}",
        seed,
        params=param or [],
        retry=retry_failed,
        layout=layout,
        repeat=repeat,
        software=_software(module, package, file, before, after, kernel_arg, kernel_config),
    )
    plan = dataclasses.replace(plan, coverage=coverage)
    if baseline:
        plan = ranking.against(plan, baseline)
    check_with_simulator(plan)
    if asked.check_only:
        say_checked(plan)
    else:
        carry_out(plan, jobs, scheduler)


def carry_out(plan: Plan, jobs: int, scheduler: str = "") -> None:
    """Run a plan on this machine or on a cluster, and show its results."""
    from longhaul.sweeps import sweep as sweeps  # with Polars

    sweeps.run(plan, pools.opener(jobs, scheduler), consoles.progress(), consoles.printed())
    typer.echo(f"{plan.out / 'report.html'}")

# SPDX-License-Identifier: Apache-2.0
"""One run from settings to a whole result folder."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from longhaul import phases, schema
from longhaul.coverage import kept
from longhaul.errors import Interrupted, LonghaulError, UsageError
from longhaul.guest import files as guest_files
from longhaul.guest import host_parts, kernel, known_versions
from longhaul.guest import parts as guest_parts
from longhaul.outdir import OutDir, is_full_disk, write_json, write_text
from longhaul.paths import plugin_simulator, simulator
from longhaul.process import QUIET_SYSTEMC, ending_signals_raise, no_strays
from longhaul.registry import ScenarioEntry
from longhaul.results import adapter_models, captures, simdata
from longhaul.results import waves as waveforms
from longhaul.results.series_period import period as series_period
from longhaul.runs import console as consoles
from longhaul.runs import (
    failed_run,
    given,
    guest_software,
    models,
    overrides,
    profiles,
    rtl_variants,
    simulator_run,
    space,
    traces,
)
from longhaul.runs.manifest import manifest
from longhaul.topology import Scenario
from longhaul.types import plugins
from longhaul.types.workspace_plugins import UNBUILT
from longhaul.units import Size, Time, s

# The simulator runs in the raw folder and knows it by these names only. Paths reach the guests'
# command lines, which Linux mixes into its random numbers. A run must not depend on its place.
RAW_HERE = Path()
# A simulator that starts no guest never looks at these.
UNKNOWN_PARTS = guest_parts.GuestParts(
    kernel.KernelInfo(Path("kernel"), key="", version="", package_version="", drivers={}),
    Path("blocks"),
    Path("root"),
)


@dataclass(frozen=True)
class RunRequest:
    """The user's request."""

    entry: ScenarioEntry
    settings: Any
    out: Path
    seed: int = 1
    layout: int = 0  # where code lies and when programs start
    pcap: bool = False
    timeline: bool = False
    packets: bool = False
    record: bool = False
    record_device: str = ""  # MACHINE.DEVICE
    coverage: bool = False  # of RTL by port maps
    waves: waveforms.Traced = waveforms.NOTHING_TRACED
    force: bool = False
    overrides: tuple[overrides.Override, ...] = ()
    changes: tuple[Mapping[str, Any], ...] = ()  # of parameters, while it ran
    software: given.Given = ()
    console: consoles.Wanted | None = None
    plugins: tuple[Path, ...] = field(default_factory=plugins.given)
    words: tuple[str, ...] = ()  # of the command line, to repeat it

    def scenario(self) -> Scenario:
        """Return the topology with what the command line gives to its guests."""
        built = self.entry.build(self.settings, self.seed, self.layout)
        if self.console:
            self.console.check(built)
        return given.applied(built, self.software)


@dataclass
class Tools:
    """A run's tools beside its settings; tests put their own here."""

    simulator: Callable[[], Path] = simulator
    guests: Callable[[guest_parts.Progress], guest_parts.GuestParts] = guest_parts.ensure
    layout: Callable[[kernel.KernelInfo, guest_parts.Progress], Path] = kernel.layout
    known_layout: Callable[[], Path | None] = kernel.known_layout
    console: Console = field(default_factory=lambda: Console(stderr=True))


def check(request: RunRequest, tools: Tools) -> None:
    """Refuse what run() would refuse, by the simulator's own word; nothing is built or started.

    TCP's waves need the layout of a guest's kernel: they are left out if it was never built.
    """
    scenario = request.scenario()
    scenario.drivers()
    for software in scenario.software().values():
        host_parts.check(software)
    if os.environ.get(UNBUILT):
        configuration(request, scenario, UNKNOWN_PARTS, None)
        return
    binary = _built(request, tools)
    with tempfile.TemporaryDirectory(prefix="longhaul-check-") as folder:
        raw, log = Path(folder), Path(folder) / "simulator.log"
        layout = tools.known_layout()
        config = configuration(request, scenario, UNKNOWN_PARTS, layout)
        config = config.model_copy(update={"kernel_blocks": ""})
        if not layout:
            config = waveforms.without_guest(config)
        _stand_in(raw, config)
        write_text(raw / "config.json", config.model_dump_json() + "\n")
        with log.open("wb") as stream:
            done = subprocess.run(
                [str(binary), "--check", "config.json"],
                cwd=raw,
                stdout=stream,
                stderr=subprocess.STDOUT,
                env=os.environ | QUIET_SYSTEMC,
                check=False,
            )
        if done.returncode:
            raise simulator_run.failure(done.returncode, log, raw)


def _stand_in(raw: Path, config: schema.SimConfig) -> None:
    """Make empty files of what guests are made of: a check builds none of it."""
    files = [machine.guest.files for machine in config.machines if machine.guest]
    for name in filter(None, [*files, config.kernel, config.guest_root]):
        file = raw / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(0o700)


def _built(request: RunRequest, tools: Tools) -> Path:
    needs_exports = plugins.need_exports(request.plugins)
    binary = plugin_simulator() if needs_exports else tools.simulator()
    if not binary.is_file():
        raise LonghaulError(f"{binary} is not built; start this through ./longhaul")
    return binary


def run(request: RunRequest, tools: Tools) -> Path:
    """Simulate and return the finished folder; on any failure no results.json exists.

    What the simulator refuses leaves no folder at all.
    """
    scenario = request.scenario()
    binary = _built(request, tools)
    out = OutDir(request.out, force=request.force)
    try:
        with ending_signals_raise():
            return _run_in(out, request, scenario, binary, tools)
    except OSError as error:
        if is_full_disk(error):
            raise LonghaulError(f"{out.final.parent}: no space left on the disk") from error
        raise LonghaulError(f"{error.filename or out.partial}: {error.strerror}") from error
    finally:
        out.close()


def _run_in(
    out: OutDir, request: RunRequest, scenario: Scenario, binary: Path, tools: Tools
) -> Path:
    def say(line: str) -> None:
        tools.console.print(line, markup=False, highlight=False, soft_wrap=True)

    try:
        out.check_space(_space(request, scenario))
        phases.begin("guests")
        with no_strays():  # a build that is interrupted
            parts = guest_software.parts(scenario, tools.guests, say)
            traced = parts and "tcp" in request.waves.what
            layout = tools.layout(parts.kernel, say) if parts and traced else None
            console = consoles.parts(request.console, parts, say)
    except BaseException:
        out.discard()
        raise
    try:
        phases.begin("inputs")
        config = configuration(request, scenario, parts, layout)
        write_inputs(out, scenario, config, parts, console)
        for line in waveforms.warnings(config):
            say(line)
        if parts and (line := known_versions.warning(parts)):
            say(line)
        if request.coverage:
            files = map(plugins.file_of, rtl_variants.loaded(request.plugins, config))
            kept.write_designs(out.partial, zip(files, map(Path, config.plugins), strict=True))
        phases.begin("simulator")
        try:
            simulator_run.simulate(
                out, request.entry.name, scenario, binary, tools.console, console
            )
        finally:
            kept.collect(out.partial)
    except UsageError:  # the simulator's own word: it ran nothing
        out.discard()
        raise
    except Interrupted:
        raise
    except LonghaulError as error:
        raise failed_run.explained(error, out, request.words, request.waves.what) from None
    phases.begin("counters")
    sim = simdata.load(out.raw / "sim.json")
    for line in (*waveforms.outcome(request.waves, sim), *captures.outcome(sim)):
        say(line)
    begin_s = sim.window.begin_ps / 1e12 - scenario.check().warmup.seconds
    after_s = sim.simulated_s - sim.window.end_ps / 1e12
    if not request.console:
        simulator_run.remember_beside_window(request.entry.name, begin_s, after_s)
    return complete(out, request, scenario, config, sim, parts, binary)


def complete(
    out: OutDir,
    request: RunRequest,
    scenario: Scenario,
    config: schema.SimConfig,
    sim: simdata.SimData,
    parts: guest_parts.GuestParts | None,
    binary: Path,
) -> Path:
    """Make a finished folder of what the simulator left; `binary` is what simulated."""
    _collect(out)
    _write_outputs(out, request, scenario, config, sim, parts, binary)
    # With Polars, loaded while the simulator is at work (simulator_run.LATER).
    from longhaul.results import steadiness
    from longhaul.results.results import results

    phases.begin("figures")
    own = request.entry.evaluate(request.settings, out.raw, out.partial)
    found = results(request.entry, request.settings, scenario, sim, out.partial / "guests", own)
    found |= consoles.record(request.console)
    found[adapter_models.KEY] = models.told(scenario, config)
    case = found["cases"][0]
    if not request.entry.own_of:  # else a transient is what is asked for
        window = (sim.window.begin_ps, sim.window.end_ps)
        case |= steadiness.of_case(case, scenario.check(), out.partial / "series.parquet", window)
    from longhaul.report import write_report  # with Jinja, as above

    phases.begin("page")
    write_report(out.partial, found)
    phases.begin("last files")
    out.check_whole()
    return out.publish(found)


def configuration(
    request: RunRequest,
    scenario: Scenario,
    parts: guest_parts.GuestParts | None,
    layout: Path | None,
) -> schema.SimConfig:
    """Return the simulator's configuration; a UsageError for what the run cannot trace."""
    traffic = scenario.check().traffic
    observe = schema.Observe(
        series_period=str(series_period(scenario)),
        pcap=[link.name for link in scenario.links] if request.pcap else [],
        timeline=request.timeline,
        packets=request.packets,
        record=request.record,
        record_device=request.record_device,
        coverage=request.coverage,
        waves=list(request.waves.what),
        waves_from=str(request.waves.begin),
        waves_length=str(request.waves.length_in(scenario.check().duration)),
        waves_trigger=request.waves.trigger,
        waves_history=str(request.waves.history or Time(0)),
    )
    config = scenario.config(
        out=RAW_HERE,
        files=RAW_HERE,
        kernel=parts and parts.kernel.path,
        kernel_blocks=parts and parts.blocks,
        guest_root=parts and parts.root,
        observe=observe,
        limit=s(300) + traffic * 4,
    )
    config = config.model_copy(update={"patience": str(_patience(scenario))})
    if parts and parts.hosts:
        own = kernel.layout if layout else None
        config = guest_software.with_own(config, parts.hosts, own)
    if layout:
        config = config.model_copy(update={"kernel_layout": str(layout)})
    if request.console:
        config = request.console.configured(config)
    config = overrides.applied(config, request.overrides)
    config = models.chosen(config, request.overrides, request.plugins)
    config = waveforms.fit(request.waves, config, scenario.check())
    return rtl_variants.compiled(
        config, request.plugins, traced="rtl" in request.waves.what, covered=request.coverage
    )


def _patience(scenario: Scenario) -> Time:
    """Return for how long a run goes on without progress; 0: forever."""
    workload = scenario.check()
    return workload.longest_silence() if scenario.has_guests() else Time(0)


def _space(request: RunRequest, scenario: Scenario) -> Size:
    return space.needed(
        scenario,
        pcap=request.pcap,
        timeline=request.timeline,
        record=request.record,
        packets=request.packets,
    )


def write_inputs(
    out: OutDir,
    scenario: Scenario,
    config: schema.SimConfig,
    parts: guest_parts.GuestParts | None = None,
    console: guest_files.Console | None = None,
) -> None:
    """Write what the simulator and the guests read."""
    modules: dict[str, dict[str, Path]] = {}
    if parts:
        for machine, drivers in scenario.drivers().items():
            loaded = guest_software.of_kernel(drivers, parts.hosts.get(machine))
            built = parts.drivers_of(machine)
            modules[machine] = {each.module: built[each.module].file for each in loaded}
    guest_files.write_guest_files(
        out.raw,
        scenario.guest_settings(),
        scenario.adapter_settings(),
        modules,
        parts and parts.hosts,
        scenario.host_names(),
        guest_software.programs(scenario),
        console,
    )
    if parts:
        guest_software.write_device_trees(out.raw, scenario, parts.hosts)
    write_text(out.raw / "config.json", config.model_dump_json(indent=2) + "\n")


def _collect(out: OutDir) -> None:
    """Move the raw files to their documented places."""
    unfinished = sorted(out.raw.glob("*.part"))
    if unfinished:
        raise LonghaulError(f"the simulator left {unfinished[0].name} unfinished")
    (out.raw / "guests").rename(out.partial / "guests")
    moved = ("*.pcapng", "waves.*", "record.bin", "device.bin", "packets.bin")
    for found in (path for pattern in moved for path in out.raw.glob(pattern)):
        found.rename(out.partial / found.name)


def _write_outputs(
    out: OutDir,
    request: RunRequest,
    scenario: Scenario,
    config: schema.SimConfig,
    sim: simdata.SimData,
    parts: guest_parts.GuestParts | None,
    binary: Path,
) -> None:
    phases.begin("series")
    csv = out.raw / "series.csv"
    if csv.exists():
        from longhaul.results import connection_series, series  # with Polars, as above

        series.to_parquet(csv, out.partial / "series.parquet")
        csv.unlink()
        connection_series.collect(out.raw, out.partial)
    traces.write(out, sim)
    phases.begin("profile")
    if parts:
        profiles.write(out, config, parts)
    phases.begin("manifest")
    record = manifest(
        request.entry,
        request.settings,
        scenario,
        config,
        sim,
        request.overrides,
        parts,
        binary,
        request.changes,
    )
    told = models.told(scenario, config)
    record["parameters"] += models.parameters(told, request.overrides, request.plugins)
    record |= {"window": sim.window.model_dump(), **consoles.record(request.console)}
    record[adapter_models.KEY] = told
    write_json(out.partial / "manifest.json", record)

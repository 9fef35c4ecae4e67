# SPDX-License-Identifier: Apache-2.0
"""Makes RTL objects of port maps: Verilator, compiler, linker, and a cache by content.

A block is kept under what it is made of: sources, the files that they include, options, the
versions of Verilator and compiler. An object is that with a map; another map is linked again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from longhaul import file_lock, json_file
from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.outdir import write_text
from longhaul.paths import ROOT, cache_dir
from longhaul.portmap import (
    glue,
    parameters,
    sources,
    toolchain,
    top_parameters,
    verilated,
    verilator,
)
from longhaul.portmap.binding import Binder
from longhaul.portmap.read import MapFile
from longhaul.portmap.verilated import RtlPort, first_error, missing_primitive, ports

Progress = Callable[[str], None]

COSIM = ROOT / "platform" / "cosim"
PRIMITIVES = COSIM / "primitives"
"""Models of makers' primitives: a folder each, a module a file."""
NOT_COVERED = PRIMITIVES / "not_covered.vlt"
INTERFACE = ("object/rtl_object.h", "rtl_model.h", "trace_sink.h")
"""Headers that object and simulator share (platform/cosim/object/rtl_object.h)."""
WITHIN = (
    *("object/object_model.h", "object/rtl_printf.h", "object/object_hooks.cc"),
    *("object/trigger_flags.h", "object/verilator_triggers.h"),
    *("verilated_model.h", "traced_model.h", "vcd_stream.h", "vcd_stream.cc", NOT_COVERED),
)
"""What else of the tree an object is made of."""

VERILATOR = (
    *("--cc", "--assert", "--no-timing", "-Wno-fatal", "-O3"),
    *("--x-assign", "fast", "--x-initial", "fast"),
)
TOOLS = "tools.json"
"""Beside an object: the versions of what made it."""
MOST_WARNINGS = 20
"""Of Verilator, that are shown when it has run; all are in its log."""
TRACING = ("--trace", "--trace-structs")
TRACED = ("-DLONGHAUL_TRACED", "-DVM_TRACE=1", "-DVM_TRACE_VCD=1")
COVERAGE = ("--coverage-line", "--coverage-user")
TOGGLES = "--coverage-toggle"
COVERED = ("-DLONGHAUL_COVERED", "-DVM_COVERAGE=1")
COMPILER = (
    *("-std=c++17", "-fPIC", "-fvisibility=hidden", "-w", "-DVL_TIME_CONTEXT"),
    *(f"-DVL_USER_{name}" for name in ("FINISH", "STOP", "FATAL", "WARN")),
    *("-DVL_PRINTF=longhaul_rtl_printf", "-include", "platform/cosim/object/rtl_printf.h"),
)


def interface_key() -> str:
    """Return the checksum of what object and simulator share, as rtl_interface.cmake makes it."""
    sums = "".join(f"{name} {_checksum(COSIM / name)}\n" for name in INTERFACE)
    return hashlib.sha256(sums.encode()).hexdigest()[:16]


def ensure(
    file: MapFile, progress: Progress, *, traced: bool = False, covered: bool = False
) -> Path:
    """Return the RTL object of a map, made if the cache has none.

    With `traced` its signals can be watched; with `covered` it counts what is reached. Raises
    UsageError for a map that does not fit its RTL, before anything is compiled, and for RTL that
    Verilator refuses.
    """
    with _lock(progress):
        block = _Block(file, traced=traced, covered=covered)
        text = block.bound(progress)
        block.compile(progress)
        return block.object(text, progress)


def tools(path: Path) -> dict[str, str]:
    """Return the versions of Verilator and compiler that made an RTL object."""
    return json_file.read(path.parent / TOOLS)


def bound(file: MapFile, progress: Progress) -> str:
    """Return a map as the simulator reads it; nothing is compiled. Errors as for ensure()."""
    with _lock(progress):
        return _Block(file).bound(progress)


def _lock(progress: Progress) -> AbstractContextManager[None]:
    return file_lock.held(cache_dir() / "rtl.lock", lambda: progress("waiting for another build"))


@dataclass(frozen=True)
class _Block:
    file: MapFile
    traced: bool = False
    covered: bool = False

    @property
    def prefix(self) -> str:
        return f"V{self.file.map.block.name}"

    @cached_property
    def verilator(self) -> str:
        return verilator.program(self.file)

    @cached_property
    def sources(self) -> tuple[Path, ...]:
        return sources.listed(self.file)

    @cached_property
    def _words(self) -> list[str]:
        """Verilator's arguments for the RTL, with paths from the map's folder on."""
        block = self.file.map.block
        words = [*(TRACING if self.traced else ()), *block.options]
        if self.covered:
            words += [*COVERAGE, *((TOGGLES,) if block.cover_toggles else ())]
        for name, value in block.defines.items():
            words.append(f"-D{name}={value}" if value != "" else f"-D{name}")
        for folder in block.include:
            if not (self.file.folder / folder).is_dir():
                self.file.refuse(("block", "include"), f"there is no folder {folder}")
            words.append(f"-I{folder}")
        if block.primitives:
            words += ["-y", self._shown(PRIMITIVES / block.primitives)]
        for listing in block.file_lists:
            if not (self.file.folder / listing).is_file():
                self.file.refuse(("block", "file_lists"), f"there is no file {listing}")
            words += ["-f", listing]
        return [*words, *map(self._shown, self.sources)]

    def _shown(self, path: Path) -> str:
        """Return a path from the map's folder on, so that no message depends on its place."""
        return os.path.relpath(path, self.file.folder)

    @cached_property
    def _folder(self) -> Path:
        map_ = self.file.map
        versions = (verilator.version(self.verilator), toolchain.compilers_version())
        texts = [*versions, *VERILATOR, *COMPILER, *self._words]
        texts += [f"-G{name}={value}" for name, value in top_parameters.compiled(map_).items()]
        texts += [f"{name} {inout.pull} or driven" for name, inout in map_.inouts.items()]
        digest = hashlib.sha256("\0".join([self.file.map.block.top, self.prefix, *texts]).encode())
        lists = (self.file.folder / name for name in self.file.map.block.file_lists)
        for path in (*self.sources, *lists, *(COSIM / name for name in (*INTERFACE, *WITHIN))):
            digest.update(path.read_bytes() + b"\0")
        return cache_dir() / "rtl" / f"{self.file.map.block.name}-{digest.hexdigest()[:16]}"

    def bound(self, progress: Progress) -> str:
        """Return the text of the map, bound to the ports of the block."""
        self._ensure_verilated(progress)
        binding = Binder(self.file, self._ports(), self._read_files()).bind()
        hidden = parameters.names(self._folder, self._read_files()) if self.traced else ()
        return glue.map_text(self.file, binding, hidden)

    def _ensure_verilated(self, progress: Progress) -> None:
        """Let Verilator make C++ of the block, if the cache has none of the same content."""
        if self._is_kept():
            os.utime(self._folder)
            return self._tell_warnings(progress)
        self._folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="making-", dir=self._folder.parent) as scratch:
            work = Path(scratch) / "block"
            work.mkdir()
            self._verilate(work, progress)
            self._note_sources(work)
            shutil.rmtree(self._folder, ignore_errors=True)
            work.rename(self._folder)
        for line in verilator.warnings(self._log)[:MOST_WARNINGS]:
            progress(f"{self.file.map.block.name}: {line}")
        self._tell_warnings(progress)

    @property
    def _log(self) -> Path:
        return self._folder / "verilator.log"

    def _tell_warnings(self, progress: Progress) -> None:
        """Say how many warnings Verilator has of the RTL, also of a block of the cache."""
        count = len(verilator.warnings(self._log))
        if count:
            s = "s" if count > 1 else ""
            progress(f"{self.file.map.block.name}: {count} warning{s} of Verilator, in {self._log}")

    def _ports(self) -> dict[str, RtlPort]:
        """Return the ports of the top module."""
        return ports(self._folder / f"{self.prefix}.h")

    def _read_files(self) -> list[Path]:
        """Return the files that Verilator has read."""
        noted = json_file.read(self._folder / verilated.SOURCES)
        return [self.file.folder / name for name in noted]

    def _is_kept(self) -> bool:
        noted = self._folder / verilated.SOURCES
        if not noted.is_file():
            return False
        return all(
            _checksum(self.file.folder / name) == checksum
            for name, checksum in json_file.read(noted).items()
        )

    def _verilate(self, work: Path, progress: Progress) -> None:
        block = self.file.map.block
        progress(f"{block.name}: Verilator")
        values = [
            f"-G{name}={int(value) if isinstance(value, bool) else value}"
            for name, value in top_parameters.compiled(self.file.map).items()
        ]
        self._let_verilator(work, ["--top-module", block.top, *values])
        found = ports(work / f"{self.prefix}.h")
        inouts = [name for name, port in found.items() if port.direction == "inout"]
        self._check_inouts(inouts)
        if inouts:
            self._verilate_wrapped(work, found)
        tools = {
            "verilator": verilator.version(self.verilator),
            "compiler": toolchain.compilers_version(),
        }
        write_text(work / TOOLS, json.dumps(tools, indent=1) + "\n")

    def _let_verilator(self, work: Path, words: Sequence[str]) -> str:
        """Run Verilator on the sources, and return what it says."""
        command = [self.verilator, *VERILATOR, "--Mdir", str(work), "--prefix", self.prefix]
        command += [str(NOT_COVERED)] if self.covered else []
        done = subprocess.run(
            [*command, *words, *self._words],
            cwd=self.file.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        said = done.stdout + done.stderr
        write_text(work / "verilator.log", said)
        if done.returncode:
            first = first_error(said)
            hint = missing_primitive(first, PRIMITIVES, self.file.map.block.primitives)
            raise UsageError(f"{self.file.path}: Verilator refuses the RTL: {first}{hint}")
        return said

    @property
    def _wrapper(self) -> str:
        return f"{self.file.map.block.top}_longhaul_wrapper"

    def _verilate_wrapped(self, work: Path, found: Mapping[str, RtlPort]) -> str:
        """Do it again with a wrapper at the top, which ends the tri-state ports."""
        map_ = self.file.map
        source = glue.wrapper_source(
            self._wrapper, map_.block.top, found, top_parameters.compiled(map_), map_.inouts
        )
        shutil.rmtree(work)
        work.mkdir()
        text = work.with_name(
            f"{self._wrapper}.sv"
        )  # beside what Verilator makes, which notes its sources
        write_text(text, source)
        return self._let_verilator(work, ["--top-module", self._wrapper, str(text)])

    def _check_inouts(self, inouts: Sequence[str]) -> None:
        given = self.file.map.inouts
        for name in given:
            if name not in inouts:
                near = did_you_mean(name, inouts)
                self.file.refuse(
                    ("inouts", name),
                    f"{self.file.map.block.top} has no inout port {name!r}{near}",
                )
        for name in inouts:
            if name not in given:
                self.file.refuse(
                    ("block", "top"),
                    f'the port {name} is an inout; [inouts.{name}] with pull = "up" or '
                    '"down" says what its wires are while the block does not drive them',
                )

    def compile(self, progress: Progress) -> None:
        """Compile the block, unless the cache has it."""
        archive = self._folder / "block.a"
        if archive.is_file():
            return
        source = glue.model_source(
            self.prefix, self._ports(), interface_key(), traced=self.traced, covered=self.covered
        )
        write_text(self._folder / "model.cc", source)
        root = toolchain.verilator_root(self.verilator)
        library = verilated.runtime(self._folder, self.prefix, root / "include")
        generated = sorted(self._folder.glob(f"{self.prefix}*.cpp"))
        own = [COSIM / "object" / "object_hooks.cc", self._folder / "model.cc"]
        own += [COSIM / "vcd_stream.cc"] if self.traced else []
        all_sources = [*generated, *library, *own]
        progress(f"{self.file.map.block.name}: compiling {len(all_sources)} files")
        includes = [f"-I{path}" for path in (ROOT, self._folder, root / "include")]
        includes.append(f"-I{root / 'include' / 'vltstd'}")
        words = [*COMPILER, *(TRACED if self.traced else ()), *includes]
        words += COVERED if self.covered else ()
        words += verilated.triggers(root / "include")
        with tempfile.TemporaryDirectory(prefix="compiling-", dir=self._folder) as scratch:
            work = Path(scratch)

            def compile_one(source: Path) -> str:
                once = "-O0" if self.covered else "-O1"  # a call for each point
                level = once if source.stem.endswith("__Slow") else "-O2"
                made = work / f"{source.stem}.o"
                command = [*toolchain.launcher(), "g++", *words, level, "-c", str(source)]
                toolchain.run([*command, "-o", str(made)], ROOT)
                return made.name

            with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
                objects = list(pool.map(compile_one, all_sources))
            toolchain.run(["ar", "rcs", "block.a", *objects], work)
            (work / "block.a").rename(archive)

    def _note_sources(self, work: Path) -> None:
        """Note the checksums of all files that Verilator has read, included ones too."""
        text = (work / f"{self.prefix}__ver.d").read_text()
        own = toolchain.verilator_root(self.verilator)
        names = text.replace("\\\n", " ").partition(" : ")[2].split()
        found = {
            name: _checksum(self.file.folder / name)
            for name in names
            if not Path(name).is_relative_to(own)
            and Path(name).stem != self._wrapper
            and Path(name).name not in ("verilator_bin", Path(self.verilator).name)
        }
        write_text(work / verilated.SOURCES, json.dumps(found, indent=1) + "\n")

    def object(self, text: str, progress: Progress) -> Path:
        """Return the shared object of this block with a map's text."""
        source = glue.map_source(text)
        key = hashlib.sha256(source.encode()).hexdigest()[:12]
        path = self._folder / f"{self.file.map.block.name}-{key}.so"
        if path.is_file():
            return path
        progress(f"{self.file.map.block.name}: linking")
        with tempfile.TemporaryDirectory(prefix="linking-", dir=self._folder) as scratch:
            work = Path(scratch)
            write_text(work / "map.cc", source)
            write_text(work / "exports", glue.EXPORTS)
            archive = str(self._folder / "block.a")
            words = ["-shared", "-fPIC", "-std=c++17", "map.cc", "-Wl,--version-script=exports"]
            words += ["-Wl,-Bsymbolic", f"-Wl,--whole-archive,{archive},--no-whole-archive"]
            toolchain.run(["g++", *words, "-pthread", "-o", "made.so"], work)
            (work / "made.so").rename(path)
        return path


def _checksum(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""

# SPDX-License-Identifier: Apache-2.0
"""Faults of what is around a run: its folder, disk, limits, tools, simulator, streams, cache."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import random
import resource
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

from longhaul.attack.kinds import launches
from longhaul.attack.kinds.plans import GUESTS, MODELLED, Basis, Plan, at, nothing, when
from longhaul.attack.kinds.results import damaged
from longhaul.attack.oracle import DONE, FAILED, INTERRUPTED, USAGE, codes
from longhaul.attack.place import Place
from longhaul.attack.processes import Running
from longhaul.paths import SIMULATOR, cache_dir

_PARTIAL = "run.partial"
_CLONE_NEWNS = 0x20000  # <sched.h>
_MS_RDONLY, _MS_REC, _MS_PRIVATE, _MNT_DETACH = 1, 1 << 14, 1 << 18, 2  # <sys/mount.h>
_TOOLS = tuple(
    "bash sh setpriv taskset mkfs.erofs objdump ldconfig dpkg-query apt-get make gcc ld".split()
)
_CACHE_WAIT_S = 30.0  # for a run that makes again what is damaged; it takes minutes

_libc = ctypes.CDLL(None, use_errno=True)


def folder(chance: random.Random, basis: Basis) -> Plan:
    """Return a change of the output folder while the run goes on."""
    moment = basis.moment(chance, MODELLED, 0.5)
    name = chance.choice(
        ["removed", "moved away", "replaced by a file", "emptied", "taken by another"]
    )

    def act(running: Running) -> None:
        with contextlib.suppress(OSError):
            cwd = _cwd(running)
            partial = cwd / _PARTIAL
            if name == "moved away":
                partial.rename(cwd / "moved")
            elif name == "taken by another":
                (cwd / "run").mkdir()
                (cwd / "run" / "theirs").write_text("theirs\n")
            elif name == "emptied":
                shutil.rmtree(partial / "raw")
            else:
                shutil.rmtree(partial)
                if name == "replaced by a file":
                    partial.write_text("a file\n")

    return Plan(
        f"the run's folder is {name} {moment:.2f} s after the simulator's start",
        disturb=when(launches.simulator_of, moment, act),
        codes=codes(DONE, FAILED),
        leaves=[_PARTIAL, "moved"],
    )


def place_of_output(chance: random.Random, _basis: Basis) -> Plan:
    """Return an --out where nothing can be made, or where something is already."""
    out = chance.choice(
        [
            *("file/run", "x" * 300, "/proc/run", "/dev/null", "/dev/null/run", "/", ".", "file"),
            *("full/run", "a\nb", "loop/run", "/work-of-nobody/run"),
        ]
    )

    def before(place: Place) -> Callable[[], None]:
        (place.work / "file").write_text("a file\n")
        (place.work / "full").mkdir()
        (place.work / "full" / "run").mkdir()
        (place.work / "full" / "run" / "theirs").write_text("theirs\n")
        (place.work / "loop").symlink_to("loop")
        return nothing

    ended = codes(DONE, FAILED, USAGE) if out == "a\nb" else codes(FAILED, USAGE)
    leaves = ["file", "full", "loop", "a\nb"]
    return Plan(f"--out {out[:20]!r}", codes=ended, out=out, before=before, leaves=leaves)


def disk(chance: random.Random, basis: Basis) -> Plan:
    """Return a disk that is full, fills up or is read-only; a limit of files where none mounts."""
    if not _may_mount():
        most = chance.choice([0, 1000, 50_000, 1_000_000])
        return Plan(f"files of {most} bytes at most", resources={resource.RLIMIT_FSIZE: most})
    size, fills, options = chance.choice(
        [
            *(("1m", False, ""), ("200m", True, ""), ("200m", True, ""), ("1m", False, "ro")),
            *(("200m", False, "nr_inodes=8"), ("200m", False, "nr_inodes=20")),
        ]
    )
    read_only = options == "ro"
    moment = basis.moment(chance, MODELLED, 0.7)

    def before(place: Place) -> Callable[[], None]:
        disk = place.work / "disk"
        disk.mkdir()
        more = f",{options}" if options and not read_only else ""
        _mount(disk, f"size={size}{more}", read_only=read_only)
        return lambda: _unmount(disk)

    def fill(running: Running) -> None:
        with (
            contextlib.suppress(OSError),
            (_cwd(running) / "disk" / "filler").open("wb") as stream,
        ):
            while True:
                stream.write(bytes(1 << 20))
                stream.flush()

    what = f"a disk of {size} {options}".strip()
    return Plan(
        f"{what}, full after {moment:.2f} s" if fills else what,
        codes=codes(DONE, FAILED) if fills else codes(FAILED),
        out="disk/run",
        before=before,
        disturb=at(moment, fill) if fills else None,
        leaves=["disk"],
    )


_BY_LIMIT = {
    "RLIMIT_CPU": (-signal.SIGKILL, -signal.SIGXCPU),
    "RLIMIT_AS": (-signal.SIGABRT,),
}


def limit(chance: random.Random, _basis: Basis) -> Plan:
    """Return a limit of the kernel's on what a process may take."""
    name, most = chance.choice(
        [
            ("RLIMIT_NOFILE", chance.choice([12, 14, 16, 20, 24])),
            ("RLIMIT_AS", chance.choice([300, 700, 1000, 1500]) << 20),
            ("RLIMIT_FSIZE", chance.choice([0, 100, 10_000, 100_000])),
            ("RLIMIT_CPU", chance.choice([1, 2])),
            ("RLIMIT_STACK", chance.choice([64, 256, 1024]) << 10),
        ]
    )
    # Python's own message, when its start has no room, is not ours to choose.
    starved = name in ("RLIMIT_AS", "RLIMIT_NOFILE", "RLIMIT_STACK")
    # Libraries of others abort where they get no memory.
    ended = codes(DONE, FAILED, USAGE, *_BY_LIMIT.get(name, ()))
    return Plan(
        f"{name} {most}",
        codes=ended,
        resources={getattr(resource, name): most},
        leaves=[_PARTIAL],
        silent=codes(FAILED) if starved else codes(),
    )


def tools(chance: random.Random, _basis: Basis) -> Plan:
    """Return a PATH without one of the tools, or without any."""
    missing = set(chance.sample(_TOOLS, chance.choice([1, 1, 2, len(_TOOLS)])))

    def before(place: Place) -> Callable[[], None]:
        folder = place.work / "bin"
        folder.mkdir()
        for name in set(_TOOLS) - missing:
            found = shutil.which(name)
            if found:
                (folder / name).symlink_to(found)
        return nothing

    return Plan(
        f"a PATH without {', '.join(sorted(missing)) if len(missing) < 3 else 'anything'}",
        codes=codes(DONE, FAILED),
        before=before,
        environment={"PATH": "bin"},
        leaves=["bin", _PARTIAL],
    )


_SIMULATORS = {
    "not there": None,
    "an empty file": b"",
    "text": b"no program\n",
    "silent": b"#!/bin/sh\nexit 0\n",
    "failing silently": b"#!/bin/sh\nexit 1\n",
    "of another exit code": b"#!/bin/sh\nexit 77\n",
    "noise on its progress": b"#!/bin/sh\nhead -c 300000 /dev/urandom >&3\nexit 0\n",
    "noise in its log": b"#!/bin/sh\nhead -c 300000 /dev/urandom\nexit 1\n",
    "endless lines": b"#!/bin/sh\nyes '{\"phase\":1}' | head -c 3000000 >&3\nexit 2\n",
    "half a result": b"#!/bin/sh\nprintf '{\"cases\"' >sim.json\nexit 0\n",
}


def stand_in(chance: random.Random, _basis: Basis) -> Plan:
    """Return a simulator that is none."""
    name = chance.choice(sorted(_SIMULATORS))

    def before(place: Place) -> Callable[[], None]:
        text = _SIMULATORS[name]
        if text is not None:
            (place.work / "simulator").write_bytes(text)
            (place.work / "simulator").chmod(0o755)
        return nothing

    return Plan(
        f"a simulator: {name}",
        codes=codes(FAILED, USAGE),
        before=before,
        environment={SIMULATOR: "simulator"},
        leaves=["simulator", _PARTIAL],
    )


def streams(chance: random.Random, _basis: Basis) -> Plan:
    """Return standard streams that are closed, full or nobody's."""
    name, redirection = chance.choice(
        [
            ("closed standard output", ">&-"),
            ("closed standard error", "2>&-"),
            ("closed input", "<&-"),
            ("all closed", "<&- >&- 2>&-"),
            ("a full standard output", ">/dev/full"),
            ("a full standard error", "2>/dev/full"),
            ("a reader that went", "> >(exec true)"),
        ]
    )
    unheard = codes(FAILED) if "2>" in redirection or "true" in redirection else codes()
    return Plan(
        name,
        codes=codes(DONE, FAILED, 120),  # 120: Python itself, which could not flush
        words=["bash", "-c", f'exec "$@" {redirection}', "bash"],
        leaves=[_PARTIAL],
        silent=unheard | codes(120),
    )


def variables(chance: random.Random, _basis: Basis) -> Plan:
    """Return an environment that is strange."""
    environment = chance.choice(
        [
            {"TMPDIR": "/nowhere"},
            {"HOME": ""},
            {"HOME": "/dev/null", "XDG_CACHE_HOME": ""},
            {"XDG_CACHE_HOME": "/proc/nowhere"},
            {"XDG_CACHE_HOME": "/dev/null"},
            {"LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "ascii"},
            {"COLUMNS": "1"},
            {"COLUMNS": "x", "TERM": "nonsense"},
            {"TZ": "Nowhere/City"},
            {"LONGHAUL_LAYOUT": "x"},
            {"LONGHAUL_SILENCE_LIMIT_S": "0"},
        ]
    )
    return Plan(
        " ".join(f"{name}={value}" for name, value in environment.items()),
        environment=environment,
        leaves=[_PARTIAL, ".cache"],
    )


def cache(chance: random.Random, basis: Basis) -> Plan:
    """Return damage to the cache of what guests are made of, in a copy of it."""
    cached = sorted(
        path
        for path in cache_dir().glob("*")
        if path.name.split("-")[0] in ("kernel", "guest") and not path.name.endswith(".lock")
    )
    inner = [path for top in cached if top.is_dir() for path in sorted(top.glob("*"))]
    files = [path for path in [*cached, *inner] if path.is_file()]
    victim = chance.choice(files)
    seed = chance.getrandbits(48)

    def before(place: Place) -> Callable[[], None]:
        copy = place.work / "cache" / "longhaul"
        copy.mkdir(parents=True)
        for top in cached:
            if top.is_dir():
                shutil.copytree(top, copy / top.name, symlinks=True, copy_function=_linked)
            else:
                _linked(str(top), str(copy / top.name))
        target = copy / victim.relative_to(cache_dir())
        own = target.with_name(f"{target.name}.own")
        shutil.copy2(target, own)
        own.replace(target)
        damaged(target, random.Random(seed))
        return nothing

    return Plan(
        f"the cache's {victim.name} damaged",
        GUESTS,
        codes(DONE, FAILED, USAGE, INTERRUPTED),  # the simulator calls a damaged input wrong
        before=before,
        environment={"XDG_CACHE_HOME": "cache"},
        leaves=["cache", _PARTIAL],
        stop_after=basis.seconds[GUESTS] * 3 + _CACHE_WAIT_S,
    )


def _linked(source: str, target: str) -> None:
    """Link a file, or copy it to another file system."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _cwd(running: Running) -> Path:
    return Path(f"/proc/{running.pid}/cwd").readlink()


@functools.cache
def _may_mount() -> bool:
    """Tell whether this process may have mounts of its own: root of a container may not."""
    pid = os.fork()
    if not pid:
        os._exit(0 if _libc.unshare(_CLONE_NEWNS) == 0 else 1)
    return os.waitpid(pid, 0)[1] == 0


def _mount(where: Path, options: str, *, read_only: bool) -> None:
    """Mount a small disk where only this process and its children see it."""
    if _libc.unshare(_CLONE_NEWNS):
        raise OSError(ctypes.get_errno(), "unshare")
    if _libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None):
        raise OSError(ctypes.get_errno(), "mount /")
    flags = _MS_RDONLY if read_only else 0
    if _libc.mount(b"none", os.fsencode(where), b"tmpfs", flags, options.encode()):
        raise OSError(ctypes.get_errno(), f"mount {where}")


def _unmount(where: Path) -> None:
    _libc.umount2(os.fsencode(where), _MNT_DETACH)

# SPDX-License-Identifier: Apache-2.0
"""Builds the guest kernel from Debian's linux-source-6.1 package, once for all that goes into it.

The built kernel lives in the cache under a key of the package's version, the files in `sw/linux`
and the compiler's and linker's versions. Beside it stay the driver and network sources that it was
built from, so that `verify` can hold them against the package at any time. The build is the same
bytes for everybody who has the same key, wherever and whenever it is made; `again` proves that.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path

from longhaul import file_lock, json_file
from longhaul.errors import LonghaulError
from longhaul.guest import (
    dpkg,
    kernel_blocks,
    kernel_edits,
    kernel_layout,
    module_tree,
    x86_operations,
)
from longhaul.guest.kernel_edits import SW_LINUX
from longhaul.paths import cache_dir

TARBALL = Path("/usr/src/linux-source-6.1.tar.xz")
PACKAGE = "linux-source-6.1"
UNTOUCHED = ("drivers/net", "net", "include")
EDITED = ("arch/um", "arch/x86/um")
DRIVERS = {
    "ixgb": "drivers/net/ethernet/intel/ixgb",
    "e1000": "drivers/net/ethernet/intel/e1000",
    "cxgb": "drivers/net/ethernet/chelsio/cxgb",
    "s2io": "drivers/net/ethernet/neterion",
    "skge": "drivers/net/ethernet/marvell",
}

# What a build would take from who makes it, where and when.
FIXED = {
    "KBUILD_BUILD_USER": "longhaul",
    "KBUILD_BUILD_HOST": "longhaul",
    "KBUILD_BUILD_TIMESTAMP": "2020-01-01",
    "KBUILD_BUILD_VERSION": "1",
    "LC_ALL": "C",
    "TZ": "UTC",
}
KEPT = ("PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "CCACHE_DIR")
"""What a build takes from its environment; flags for compilers and linkers do not belong to it."""

Progress = Callable[[str], None]


AGAIN = "remove its folder, and the kernel is built again"


class KernelError(LonghaulError):
    """The kernel cannot be built or is not what it should be; the text says what would be right."""


class CommandFailed(KernelError):
    """A command of a build failed; `output` is all that it said."""

    def __init__(self, text: str, output: str) -> None:
        super().__init__(text)
        self.output = output


@dataclass(frozen=True)
class KernelInfo:
    """A built guest kernel."""

    path: Path
    """The executable `linux`."""
    key: str
    """Cache key: what went into it."""
    version: str
    """Kernel release, for example 6.1.192."""
    package_version: str
    """Version of the Debian package."""
    drivers: dict[str, str]
    """sha256 over the sources of each adapter driver."""


@dataclass(frozen=True)
class Verification:
    """What `verify` found."""

    info: KernelInfo
    files: int
    """Files under drivers/net, net and include that were compared with the package."""
    differing: list[str]
    """Those that differ from the package or are not in it; empty when all is well."""
    edited: dict[str, str]
    """Edited or added files under arch/um and arch/x86/um, with the reasons."""


def run(command: list[str], *, log: Path | None = None, cwd: Path | None = None) -> str:
    """Run a command; return its standard output, or raise with the end of what it printed."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env={name: os.environ[name] for name in KEPT if name in os.environ} | FIXED,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    if log:
        with log.open("a") as out:
            out.write(done.stdout)
    if done.returncode:
        tail = "".join(f"\n  | {line}" for line in done.stdout.strip().splitlines()[-15:])
        what = f"'{' '.join(command)}' failed ({done.returncode}):{tail}"
        raise CommandFailed(what, done.stdout)
    return done.stdout


def _package_version() -> str:
    if not TARBALL.exists():
        raise KernelError(f"{TARBALL} is missing: install the Debian package {PACKAGE}")
    return dpkg.query(["-W", "-f", "${Version}", PACKAGE], run).strip()


def _inputs() -> dict[str, str]:
    """Return all that goes into the kernel, and nothing else."""
    return {
        "package": _package_version(),
        "files": kernel_edits.checksum(),
        "compiler": run(["gcc", "--version"]).splitlines()[0],
        "linker": run(["ld", "--version"]).splitlines()[0],
    }


def _key(inputs: dict[str, str]) -> str:
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()[:16]


def _load(home: Path) -> KernelInfo | None:
    record = home / "kernel.json"
    if not record.exists():
        return None
    names = ("key", "version", "package_version", "drivers")
    return KernelInfo(path=home / "linux", **json_file.noted(record, AGAIN, names))


def _lock(progress: Progress) -> AbstractContextManager[None]:
    waiting = "waiting for another process that builds the guest kernel"
    return file_lock.held(cache_dir() / "kernel.lock", lambda: progress(waiting))


def _configure(tree: Path, log: Path) -> None:
    """Applies kernel.config and checks that every line of it survived."""
    lines = (SW_LINUX / "kernel.config").read_text().splitlines()
    wanted = [line for line in lines if line.startswith(("CONFIG_", "# CONFIG_"))]
    run(["make", "ARCH=um", "tinyconfig"], cwd=tree, log=log)
    with (tree / ".config").open("a") as config:
        config.write("\n".join(wanted) + "\n")
    run(["make", "ARCH=um", "olddefconfig"], cwd=tree, log=log)
    got = set((tree / ".config").read_text().splitlines())
    lost = [line for line in wanted if line not in got]
    if lost:
        raise KernelError("kernel.config: the kernel's own rules dropped " + ", ".join(lost))


def checksum(source: Path, folder: str) -> str:
    """Return the SHA-256 over a driver's sources, a folder of the kernel's."""
    digest = hashlib.sha256()
    for path in sorted((source / folder).rglob("*.[ch]")):
        digest.update(str(path.relative_to(source)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def made_with(info: KernelInfo) -> dict[str, str]:
    """Return the versions that a kernel was built from and with."""
    path = info.path.parent / "inputs.json"
    inputs: dict[str, str] = json_file.noted(path, AGAIN) if path.exists() else {}
    tools = {name: inputs[name] for name in ("compiler", "linker") if name in inputs}
    return {PACKAGE: info.package_version} | tools


def key() -> str:
    """Return the cache key of the kernel that ensure() builds."""
    return _key(_inputs())


def ensure(progress: Progress = print) -> KernelInfo:
    """Return the guest kernel for this tree and host; building takes about 3 minutes."""
    inputs = _inputs()
    key = _key(inputs)
    home = cache_dir() / f"kernel-{key}"
    info = _load(home)
    if info:
        return info
    with _lock(progress):
        info = _load(home)
        return info or _build(home, key, inputs, progress)


def blocks(info: KernelInfo, progress: Progress = print) -> Path:
    """Return the table of the kernel's basic blocks; made when missing, in about ten seconds."""
    sources = (kernel_blocks.__file__, x86_operations.__file__)
    form = hashlib.sha256(b"".join(Path(s).read_bytes() for s in sources)).hexdigest()[:12]
    path = info.path.parent / f"blocks-{form}.bin"
    if path.exists():
        return path
    with _lock(progress):
        if path.exists():
            return path
        progress("guest kernel: reading its disassembly")
        partial = path.with_suffix(".partial")
        try:
            kernel_blocks.write(info.path, partial)
        except (OSError, ValueError) as error:
            raise KernelError(f"the kernel's basic blocks cannot be listed: {error}") from error
        partial.rename(path)
        return path


def layout(info: KernelInfo, progress: Progress = print) -> Path:
    """Return the layout of the kernel's structures, which waveforms of TCP need.

    It is made with the kernel; for one that was built before, its tree is unpacked once more.
    """
    path = info.path.parent / kernel_layout.file_name()
    if path.exists():
        return path
    with _lock(progress):
        if path.exists():
            return path
        work = cache_dir() / f"kernel-{info.key}.layout"
        inputs = json_file.noted(info.path.parent / "inputs.json", AGAIN)
        try:
            _, tree = _unpack(work, inputs, progress)
            progress("guest kernel: asking the compiler for the layout of its structures")
            _measure_layout(tree, info.path.parent)
        finally:
            shutil.rmtree(work, ignore_errors=True)
        return path


def known_layout() -> Path | None:
    """Return the layout of this tree's kernel if it has been made; nothing is built."""
    info = _load(cache_dir() / f"kernel-{_key(_inputs())}")
    path = info and info.path.parent / kernel_layout.file_name()
    return path if path and path.exists() else None


def _measure_layout(tree: Path, home: Path) -> None:
    try:
        kernel_layout.measure(tree, home / "System.map", home / kernel_layout.file_name())
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        raise KernelError(f"the layout of the kernel's structures is not known: {error}") from error


def _unpack(work: Path, inputs: dict[str, str], progress: Progress) -> tuple[Path, Path]:
    """Make a configured tree in `work`, with the edits; return the build's log and the tree."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    log = work / "build.log"
    progress(f"guest kernel: unpacking {PACKAGE} {inputs['package']}")
    run(["tar", "-xf", str(TARBALL), "-C", str(work)], log=log)
    tree = work / PACKAGE
    try:
        kernel_edits.load().apply(tree)
    except ValueError as error:
        raise KernelError(
            f"sw/linux/edits does not fit {PACKAGE} {inputs['package']}: {error}; "
            "it was made for 6.1.176 to 6.1.192"
        ) from error
    _configure(tree, log)
    return log, tree


def _compile(tree: Path, log: Path, *, cached: bool = True) -> None:
    compiler = ["CC=ccache gcc", "HOSTCC=ccache gcc"] if cached and shutil.which("ccache") else []
    cores = len(os.sched_getaffinity(0))
    run(["make", "ARCH=um", f"-j{cores}", *compiler, "linux"], cwd=tree, log=log)


def _strip(tree: Path, out: Path) -> None:
    shutil.copy2(tree / "linux", out)
    run(["strip", "--strip-debug", str(out)])


def again(folder: Path, progress: Progress = print) -> tuple[str, str]:
    """Build the kernel once more in `folder`, which is removed; return both builds' sha256.

    No compiler's cache is asked. Takes about 3 minutes on two cores.
    """
    info = ensure(progress)
    work = folder / f"longhaul-kernel-{info.key}"
    try:
        log, tree = _unpack(work, _inputs(), progress)
        progress(f"guest kernel: compiling in {tree} (about 3 minutes on two cores)")
        _compile(tree, log, cached=False)
        _strip(tree, work / "linux")
        builds = (info.path, work / "linux")
        first, second = (hashlib.sha256(path.read_bytes()).hexdigest() for path in builds)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return first, second


def _build(home: Path, key: str, inputs: dict[str, str], progress: Progress) -> KernelInfo:
    work = cache_dir() / f"kernel-{key}.partial"
    start = time.monotonic()
    log, tree = _unpack(work, inputs, progress)
    progress("guest kernel: compiling (about 3 minutes on two cores)")
    _compile(tree, log)
    version = run(["make", "-s", "ARCH=um", "kernelrelease"], cwd=tree).strip()
    source = work / "source"
    for folder in UNTOUCHED + EDITED:
        (source / folder).parent.mkdir(parents=True, exist_ok=True)
        ignore = shutil.ignore_patterns("*.o", "*.a", ".*.cmd", "modules.order", "*.lds", ".*.d")
        shutil.copytree(tree / folder, source / folder, symlinks=True, ignore=ignore)
    run(["make", "ARCH=um", "modules_prepare"], cwd=tree, log=log)
    module_tree.keep(tree, source)
    _strip(tree, work / "linux")
    shutil.copy2(tree / "System.map", work / "System.map")
    shutil.copy2(tree / ".config", work / "config")
    _measure_layout(tree, work)
    shutil.rmtree(tree)
    info = KernelInfo(
        work / "linux",
        key,
        version,
        inputs["package"],
        {name: checksum(source, folder) for name, folder in DRIVERS.items()},
    )
    fields = {k: v for k, v in asdict(info).items() if k != "path"}
    (work / "inputs.json").write_text(json.dumps(inputs, indent=1))
    (work / "kernel.json").write_text(json.dumps(fields, indent=1))
    shutil.rmtree(home, ignore_errors=True)
    work.rename(home)
    progress(f"guest kernel: {version} built in {time.monotonic() - start:.0f} s")
    loaded = _load(home)
    assert loaded
    return loaded


# Made by the build in include/, not part of the package.
_GENERATED = ("include/generated/", "include/config/")


def verify(progress: Progress = print) -> Verification:
    """Compares the sources that the kernel was built from with the package, file by file."""
    info = ensure(progress)
    source = info.path.parent / "source"
    progress(f"comparing with {TARBALL} (about 20 s)")
    differing: list[str] = []
    seen: set[str] = set()
    prefixes = tuple(folder + "/" for folder in UNTOUCHED)
    with tarfile.open(TARBALL, "r|xz") as package:
        for member in package:
            name = member.name.split("/", 1)[-1]
            if not member.isfile() or not name.startswith(prefixes):
                continue
            seen.add(name)
            content = package.extractfile(member)
            ours = source / name
            if not content or not ours.is_file() or ours.read_bytes() != content.read():
                differing.append(name)
    for folder in UNTOUCHED:
        for path in (source / folder).rglob("*"):
            name = str(path.relative_to(source))
            if (
                path.is_file()
                and not path.is_symlink()
                and name not in seen
                and not name.startswith(_GENERATED)
            ):
                differing.append(name)
    edits = kernel_edits.load()
    edited: dict[str, list[str]] = {}
    for item in [*edits.NEW_FILES, *edits.edits()]:
        edited.setdefault(item.target, []).append(item.reason)
    reasons = {target: "; ".join(dict.fromkeys(why)) for target, why in edited.items()}
    return Verification(info, len(seen), sorted(differing), reasons)


if __name__ == "__main__":
    print(ensure())

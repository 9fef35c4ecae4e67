# SPDX-License-Identifier: Apache-2.0
"""Builds the guest kernel from Debian's linux-source-6.1 package, once for all that goes into it.

The built kernel lives in the cache under a key of the package's version, the files in `sw/linux`
and the compiler's and linker's versions. Beside it stay the driver and network sources that it was
built from, so that `kernel_proofs.verify` can hold them against the package at any time. The build
is the same bytes for everybody who has the same key, wherever and whenever it is made;
`kernel_proofs.again` proves that. A kernel with options beside `kernel.config` is kept under
another key.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path

from longhaul import file_lock, json_file
from longhaul.errors import LonghaulError, UsageError
from longhaul.guest import (
    dpkg,
    kernel_blocks,
    kernel_edits,
    kernel_layout,
    kernel_options,
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
    options: tuple[str, ...] = ()
    """What it has beside `kernel.config`: "OF=y"."""


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


def options(texts: Iterable[str]) -> kernel_options.Options:
    """Return options of a kernel by name; a UsageError says what is wrong with one."""
    return kernel_options.read(texts, _standard())


def _standard() -> str:
    return (SW_LINUX / "kernel.config").read_text()


def _package_version() -> str:
    if not TARBALL.exists():
        raise KernelError(f"{TARBALL} is missing: install the Debian package {PACKAGE}")
    return dpkg.query(["-W", "-f", "${Version}", PACKAGE], run).strip()


def inputs(own: kernel_options.Options) -> dict[str, str]:
    """Return all that goes into a kernel with options of its own, and nothing else."""
    given = {"options": " ".join(kernel_options.texts(own))} if own else {}
    return given | {
        "package": _package_version(),
        "files": kernel_edits.checksum(own),
        "compiler": run(["gcc", "--version"]).splitlines()[0],
        "linker": run(["ld", "--version"]).splitlines()[0],
    }


def _key(inputs: dict[str, str]) -> str:
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()[:16]


def _load(home: Path, own: kernel_options.Options) -> KernelInfo | None:
    record = home / "kernel.json"
    if not record.exists():
        return None
    names = ("key", "version", "package_version", "drivers")
    noted = json_file.noted(record, AGAIN, names)
    return KernelInfo(
        path=home / "linux",
        **{name: noted[name] for name in names},
        options=kernel_options.texts(own),
    )


def _lock(progress: Progress) -> AbstractContextManager[None]:
    waiting = "waiting for another process that builds the guest kernel"
    return file_lock.held(cache_dir() / "kernel.lock", lambda: progress(waiting))


def _configure(tree: Path, log: Path, own: kernel_options.Options) -> None:
    """Apply kernel.config and options of a kernel's own; check that every line survived."""
    wanted = kernel_options.wanted(_standard(), own)
    run(["make", "ARCH=um", "tinyconfig"], cwd=tree, log=log)
    with (tree / ".config").open("a") as config:
        config.write("\n".join(wanted) + "\n")
    run(["make", "ARCH=um", "olddefconfig"], cwd=tree, log=log)
    if own:
        kernel_options.check(tree, _standard(), own)
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
    return _key(inputs({}))


def home_of(own: kernel_options.Options) -> Path:
    """Return where a kernel with options of its own is kept, built or not."""
    return cache_dir() / f"kernel-{_key(inputs(own))}"


def ensure(progress: Progress = print, own: kernel_options.Options | None = None) -> KernelInfo:
    """Return the guest kernel for this tree and host; building takes about 3 minutes.

    With options of its `own` (`options()`) it is another kernel, kept beside the standard one.
    Raises UsageError for options that the kernel does not take, KernelError for a build that fails.
    """
    own = own or {}
    home = home_of(own)
    info = _load(home, own)
    if info:
        return info
    with _lock(progress):
        info = _load(home, own)
        return info or _build(home, own, progress)


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
    """Return the layout of the kernel's structures, which waves of TCP need.

    It is made with the kernel; for an older kernel, its tree is unpacked once more.
    """
    path = info.path.parent / kernel_layout.file_name()
    if path.exists():
        return path
    with _lock(progress):
        if path.exists():
            return path
        work = cache_dir() / f"kernel-{info.key}.layout"
        try:
            _, tree = unpack(work, options(info.options), progress)
            progress("guest kernel: asking the compiler for the layout of its structures")
            _measure_layout(tree, info.path.parent)
        finally:
            shutil.rmtree(work, ignore_errors=True)
        return path


def known_layout() -> Path | None:
    """Return the layout of this tree's kernel if it has been made; nothing is built."""
    info = _load(home_of({}), {})
    path = info and info.path.parent / kernel_layout.file_name()
    return path if path and path.exists() else None


def _measure_layout(tree: Path, home: Path) -> None:
    try:
        kernel_layout.measure(tree, home / "System.map", home / kernel_layout.file_name())
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        raise KernelError(f"the layout of the kernel's structures is not known: {error}") from error


def unpack(work: Path, own: kernel_options.Options, progress: Progress) -> tuple[Path, Path]:
    """Make a configured tree in `work`, with the edits; return the build's log and the tree."""
    version = _package_version()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    log = work / "build.log"
    progress(f"guest kernel: unpacking {PACKAGE} {version}")
    run(["tar", "-xf", str(TARBALL), "-C", str(work)], log=log)
    tree = work / PACKAGE
    try:
        kernel_edits.load().apply(tree, own)
    except ValueError as error:
        raise KernelError(
            f"sw/linux/edits does not fit {PACKAGE} {version}: {error}; "
            "it was made for 6.1.176 to 6.1.192"
        ) from error
    _configure(tree, log, own)
    return log, tree


def compile_kernel(tree: Path, log: Path, *, cached: bool = True) -> None:
    """Compile a tree, by `cached` with the compiler's cache if there is one."""
    compiler = ["CC=ccache gcc", "HOSTCC=ccache gcc"] if cached and shutil.which("ccache") else []
    cores = len(os.sched_getaffinity(0))
    run(["make", "ARCH=um", f"-j{cores}", *compiler, "linux"], cwd=tree, log=log)


def strip(tree: Path, out: Path) -> None:
    """Copy the kernel of a compiled tree to `out`, without what only debuggers need."""
    shutil.copy2(tree / "linux", out)
    run(["strip", "--strip-debug", str(out)])


def _build(home: Path, own: kernel_options.Options, progress: Progress) -> KernelInfo:
    work = home.with_name(f"{home.name}.partial")
    start = time.monotonic()
    try:
        log, tree = unpack(work, own, progress)
    except UsageError:  # options that the kernel does not take
        shutil.rmtree(work)
        raise
    which = f" with {', '.join(kernel_options.texts(own))}" if own else ""
    progress(f"guest kernel{which}: compiling (about 3 minutes on two cores)")
    try:
        compile_kernel(tree, log)
    except CommandFailed as failed:
        raise KernelError(f"guest kernel{which}: {failed}\nall that was said: {log}") from None
    version = run(["make", "-s", "ARCH=um", "kernelrelease"], cwd=tree).strip()
    source = work / "source"
    for folder in UNTOUCHED + EDITED:
        (source / folder).parent.mkdir(parents=True, exist_ok=True)
        ignore = shutil.ignore_patterns("*.o", "*.a", ".*.cmd", "modules.order", "*.lds", ".*.d")
        shutil.copytree(tree / folder, source / folder, symlinks=True, ignore=ignore)
    run(["make", "ARCH=um", "modules_prepare"], cwd=tree, log=log)
    module_tree.keep(tree, source)
    strip(tree, work / "linux")
    shutil.copy2(tree / "System.map", work / "System.map")
    shutil.copy2(tree / ".config", work / "config")
    _measure_layout(tree, work)
    shutil.rmtree(tree)
    info = KernelInfo(
        work / "linux",
        home.name.removeprefix("kernel-"),
        version,
        _package_version(),
        {name: checksum(source, folder) for name, folder in DRIVERS.items()},
    )
    fields = {k: v for k, v in asdict(info).items() if k not in ("path", "options")}
    (work / "inputs.json").write_text(json.dumps(inputs(own), indent=1))
    (work / "kernel.json").write_text(json.dumps(fields, indent=1))
    shutil.rmtree(home, ignore_errors=True)
    work.rename(home)
    progress(f"guest kernel{which}: {version} built in {time.monotonic() - start:.0f} s")
    loaded = _load(home, own)
    assert loaded
    return loaded


if __name__ == "__main__":
    print(ensure())

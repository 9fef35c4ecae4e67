# SPDX-License-Identifier: Apache-2.0
"""Another host for the simulator: a processor of another make, emulated by QEMU.

A host's processor, kernel, name, date, user and folders must not reach a result. Here all of them
differ. The simulator and its guests run as user 1000 of a machine whose processor QEMU emulates
instruction by instruction (TCG), in 2035, under the kernel of Debian's cloud image. `simulator`
returns a program that stands in for longhaul-sim; it takes some thirty times longer.

Not emulated by QEMU 7.2, and so not tried: AVX-512 and AMX.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from longhaul.errors import Interrupted, UsageError
from longhaul.guest import root as guest_root
from longhaul.guest.apt import Apt
from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT, cache_dir
from longhaul.process import ending_signals_raise, missing

Progress = Callable[[str], None]

QEMU = "qemu-system-x86_64"
KERNEL = "linux-image-cloud-amd64"
PROCESSORS = {
    "qemu64": "AMD, SSE2, neither AVX nor XSAVE",
    "Nehalem": "Intel, SSE4.2",
    "Haswell": "Intel, AVX2, XSAVE",
    "EPYC": "AMD, AVX2, XSAVE",
    "max": "all that QEMU emulates",
}
"""Processors to try, by QEMU's names, each for what it has."""

_MEMORY = "8G"  # most of it is never touched
_RESULT_BYTES = 8 << 30  # of a sparse file
_TOOLS = {QEMU: "qemu-system-x86", "cpio": "cpio", "setpriv": "util-linux", "ldd": "libc-bin"}
_LAST_LINES = 8  # of the console, where there is no result

# The first process there; what the simulator leaves goes to the disk, as a tar archive.
_INIT = """#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /tmp
/bin/busybox mount -t proc none /proc
/bin/busybox mount -t sysfs none /sys
/bin/busybox mount -t devtmpfs none /dev
/bin/busybox hostname emulated
/bin/busybox chmod 1777 /tmp
/bin/busybox chown -R 1000:1000 /home/somebody
cd /home/somebody/run
export PATH=/bin HOME=/home/somebody LANG=xx_YY.UTF-8
/bin/setpriv --reuid 1000 --regid 1000 --clear-groups {command} >/tmp/said 2>&1
echo $? >/tmp/code
/bin/busybox tar -cf /dev/nvme0n1 /tmp/said /tmp/code -C /home/somebody/run .
/bin/busybox sync
/bin/busybox poweroff -f
"""


def simulator(processor: str, real: Path, folder: Path, progress: Progress) -> Path:
    """Return a program in `folder` that takes longhaul-sim's arguments and runs it on `processor`.

    `real` is the simulator itself.
    """
    check(processor)
    _kernel(progress)
    shutil.copy2(guest_root.ensure(progress) / "usr" / "bin" / "busybox", folder)
    here, there = str(folder.resolve()), str(real.resolve())
    words = [sys.executable, "-m", "longhaul.golden.emulated_host", processor, here, there]
    program = folder / "longhaul-sim"
    program.write_text(
        "#!/bin/sh\n"
        f"export LONGHAUL_ROOT={shlex.quote(str(ROOT))}\n"
        f"export PYTHONPATH={shlex.quote(str(ROOT / 'platform' / 'python'))}\n"
        f'exec {shlex.join(words)} "$@"\n'
    )
    program.chmod(0o755)
    return program


def check(processor: str) -> None:
    """Refuse a processor that QEMU does not know (UsageError), and a host without QEMU."""
    for tool, package in _TOOLS.items():
        if shutil.which(tool) is None:
            raise missing(tool, package)
    model = processor.partition(",")[0]
    if model not in _processors():
        near = did_you_mean(model, PROCESSORS)
        raise UsageError(f"--host: QEMU emulates no processor {model!r}{near} ({QEMU} -cpu help)")


def _processors() -> list[str]:
    listing = subprocess.run([QEMU, "-cpu", "help"], capture_output=True, text=True, check=True)
    rows = (line.split() for line in listing.stdout.splitlines() if line.startswith("x86 "))
    return [row[1] for row in rows]


def _kernel(progress: Progress) -> Path:
    """Return the kernel of Debian's cloud image, fetched when the cache has none."""
    folder = cache_dir() / "emulated-host"
    kernel = folder / "vmlinuz"
    if kernel.exists():
        return kernel
    progress(f"fetching the emulated host's kernel, {KERNEL}")
    apt = Apt(progress)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        apt.downloads([KERNEL])  # reads the lists where there are none
        package = apt.depends(KERNEL)[0]
        apt.fetch([package], Path(scratch))
        deb = next(Path(scratch).glob("*.deb"))
        subprocess.run(["dpkg-deb", "-x", deb, f"{scratch}/files"], check=True)
        next(Path(scratch).glob("files/boot/vmlinuz-*")).rename(kernel)
    return kernel


def _libraries(program: Path) -> list[Path]:
    """Return the libraries that a program is loaded with, and the loader."""
    listing = subprocess.run(["ldd", program], capture_output=True, text=True, check=True)
    words = listing.stdout.split()
    return [Path(word) for word in words if word.startswith("/")]


def lay_out(root: Path, busybox: Path, simulator: Path, arguments: list[str]) -> None:
    """Make the emulated host's files: all that a run needs of this host, at the same places.

    `arguments` are the simulator's; the first is its configuration. The run's folder is this one.
    """
    config = json.loads(Path(arguments[0]).read_text())
    keys = ("kernel", "kernel_blocks", "kernel_layout", "guest_root")
    files = [Path(config[key]) for key in keys if config.get(key)]
    setpriv = Path(shutil.which("setpriv") or "")
    programs = [simulator, setpriv, *([Path(config["kernel"])] if config.get("kernel") else [])]
    libraries = {library for program in programs for library in _libraries(program)}
    for path in {simulator, *files, *libraries}:
        target = root / str(path).lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)  # follows links
    (root / "bin").mkdir(exist_ok=True)
    shutil.copy2(busybox, root / "bin" / "busybox")
    shutil.copy2(setpriv, root / "bin" / "setpriv")
    shutil.copytree(Path(), root / "home" / "somebody" / "run")
    init = root / "init"
    init.write_text(_INIT.format(command=shlex.join([str(simulator), *arguments])))
    init.chmod(0o755)
    # There, folders on the way to the files are open, whatever user owns them here.
    for folder in (path for path in root.rglob("*") if path.is_dir() and not path.is_symlink()):
        folder.chmod(0o755)


def main(arguments: list[str]) -> int:
    """Run the simulator of `PROCESSOR FOLDER SIMULATOR ARGUMENT...` here, on that processor.

    FOLDER is the one that `simulator` was given.
    """
    processor, folder, real, *words = arguments
    with tempfile.TemporaryDirectory(prefix="run-", dir=folder) as scratch:
        root, archive, disk = (Path(scratch) / name for name in ("root", "files", "disk"))
        root.mkdir()
        lay_out(root, Path(folder) / "busybox", Path(real), words)
        names = "\n".join(str(path.relative_to(root)) for path in sorted(root.rglob("*")))
        with archive.open("wb") as out:
            command = ["cpio", "--create", "--format=newc", "--quiet", "--owner=0:0"]
            subprocess.run(command, cwd=root, input=names.encode(), stdout=out, check=True)
        with disk.open("wb") as out:
            out.truncate(_RESULT_BYTES)
        console = _boot(processor, archive, disk)
        return take(disk, console)


def _boot(processor: str, archive: Path, disk: Path) -> str:
    """Start the emulated host and wait for its end; return what its console said.

    It does not outlive this process.
    """
    command = [
        *("setpriv", "--pdeathsig", "KILL"),
        *(QEMU, "-machine", "q35,accel=tcg", "-cpu", processor, "-m", _MEMORY, "-smp", "1"),
        *("-nographic", "-no-reboot", "-nic", "none", "-rtc", "base=2035-05-05"),
        *("-kernel", str(cache_dir() / "emulated-host" / "vmlinuz"), "-initrd", str(archive)),
        *("-append", "console=ttyS0 quiet panic=-1 mitigations=off"),
        *("-drive", f"file={disk},format=raw,if=none,id=result"),
        *("-device", "nvme,drive=result,serial=result"),
    ]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    return done.stdout + done.stderr


def take(disk: Path, console: str) -> int:
    """Unpack a run's archive into this folder; say what the simulator said; return its exit code.

    An archive that is cut off, or that names a file outside this folder, is a failed run.
    """
    said, code, wrong = "", None, ""
    try:
        with tarfile.open(disk, "r:") as results:
            for member in results:
                content = results.extractfile(member) if member.isfile() else None
                if content is None:
                    continue
                if member.name == "tmp/said":
                    said = content.read().decode(errors="replace")
                elif member.name == "tmp/code":
                    code = int(content.read())
                else:
                    _unpack(Path(member.name), content)
    except (tarfile.TarError, ValueError) as error:
        wrong = f"longhaul: the emulated host's result cannot be read: {error}\n"
    sys.stdout.write(said + wrong)
    if code is not None:
        return code or bool(wrong)
    lines = [line for line in console.splitlines() if line.strip()][-_LAST_LINES:]
    told = "".join(f"\n  | {line}" for line in lines)
    print(f"longhaul: the emulated host left no result; its console ended with:{told}")
    return 1


def _unpack(path: Path, content: IO[bytes]) -> None:
    """Write a file of the archive; a ValueError says that it is not below this folder."""
    if not path.resolve().is_relative_to(Path().resolve()):
        raise ValueError(f"it names {path}, which is not in the run's folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as out:
        shutil.copyfileobj(content, out)


def _program(arguments: list[str]) -> int:
    """Do as `main`; Ctrl-C and SIGTERM end QEMU and remove its files first."""
    try:
        with ending_signals_raise():
            return main(arguments)
    except Interrupted as error:
        return error.exit_code


if __name__ == "__main__":
    sys.exit(_program(sys.argv[1:]))

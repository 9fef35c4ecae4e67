# SPDX-License-Identifier: Apache-2.0
"""Modules of the user's: a Kbuild folder anywhere, built for the guests' kernel (own_drivers.md).

The folder is copied into the kernel's sources, always to the same place. So no path of the host
reaches a module, and the same folder makes the same bytes everywhere. Built modules are kept beside
the kernel by the folder's content.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from longhaul import json_file
from longhaul.answers import sha256
from longhaul.errors import LonghaulError, UsageError
from longhaul.guest import kernel, module_blocks
from longhaul.guest.drivers import WITHIN_SOURCES, builders_key, building

PLACE = "own"
"""The folder's name within the sources: the same for all."""

MOST_BYTES = 64 << 20
"""Of a driver's folder: Linux' largest driver, amdgpu with its headers aside, has a tenth of it."""

_RECORD, _SAID = "modules.json", "said.txt"
# What a build leaves in a folder, and what is no source.
_LEFT_OVER = re.compile(
    r".*\.(o|ko|a|mod|mod\.c|cmd|order|symvers|dwo|gcno|pyc)|\..*\.d|Module\.symvers|\.cache\.mk"
)
_NO_SOURCES = (".git", ".hg", ".svn", ".tmp_versions", "__pycache__")
_KBUILD = re.compile(r" +[A-Z][A-Z0-9]+ +(\[M\] +)?\S|make(\[\d+\])?: ")  # "  CC [M]  a.o"
_NO_RULE = "No rule to make target"
_MISTAKE = re.compile(r"(fatal )?error:|ERROR: |\*\*\* ")


@dataclass(frozen=True)
class OwnModule:
    """A module that was built: its name, its file and the SHA-256 over its folder's sources."""

    name: str
    file: Path
    sources: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the module's file."""
        return sha256(self.file)


def plain(name: str) -> str:
    """Return a module's name as the kernel has it, of a name or of a file's stem."""
    return name.replace("-", "_")


def check(folder: Path) -> None:
    """Refuse what is no Kbuild folder, without building it."""
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder; a module is built from a folder")
    if not any((folder / name).is_file() for name in ("Kbuild", "Makefile")):
        raise UsageError(
            f"{folder}: has no Kbuild and no Makefile; wants one with 'obj-m += NAME.o'"
        )


def sources(folder: Path) -> Mapping[str, Path]:
    """Return the files of a folder that count, by their names in it; links are followed."""
    found: dict[str, Path] = {}
    size = 0
    for place, folders, files in os.walk(folder, followlinks=True):
        here = Path(place)
        if len(here.relative_to(folder).parts) > 32:
            raise UsageError(f"{here}: is too deep; does a link lead back into the folder?")
        folders[:] = sorted(name for name in folders if name not in _NO_SOURCES)
        for name in files:
            path = here / name
            if not _LEFT_OVER.fullmatch(name) and path.is_file():
                found[path.relative_to(folder).as_posix()] = path
                size += path.stat().st_size
        if size > MOST_BYTES:
            raise UsageError(f"{folder}: has more than {MOST_BYTES >> 20} MiB of sources")
    return dict(sorted(found.items()))


def checksum(files: Mapping[str, Path]) -> str:
    """Return the SHA-256 over sources: names, contents, and who may be executed."""
    digest = hashlib.sha256()
    for name, path in files.items():
        runs = bool(path.stat().st_mode & 0o100)
        digest.update(f"{name}\0{runs}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def ensure(
    info: kernel.KernelInfo, folder: Path, progress: kernel.Progress
) -> tuple[OwnModule, ...]:
    """Return a folder's modules in the order in which they load, built when the cache has none.

    The compiler's words go to `progress`, with names of files as in the user's folder; those of a
    module that is kept are said again. A UsageError names the first mistake.
    """
    check(folder)
    files = sources(folder)
    content = checksum(files)
    made = info.path.parent / "own" / f"{content[:24]}-{builders_key(Path(__file__).read_bytes())}"
    if not made.is_dir():
        with building(progress):
            if not made.is_dir():
                progress(f"guest kernel: building the modules of {folder}")
                with _copied(info, files) as work:
                    _keep(work, _built(info, folder, work, progress), made)
    for line in (made / _SAID).read_text().splitlines():
        progress(line.replace(_place(), f"{folder}"))
    remedy = f"remove {made}, and it is built again"
    names = json_file.noted(made / _RECORD, remedy, ("order",))["order"]
    return tuple(OwnModule(name, made / f"{name}.ko", content) for name in names)


def _place() -> str:
    return f"{WITHIN_SOURCES}/{PLACE}"


@contextlib.contextmanager
def _copied(info: kernel.KernelInfo, files: Mapping[str, Path]) -> Generator[Path]:
    """Put sources into the kernel's for the length of a block."""
    within = info.path.parent / "source" / WITHIN_SOURCES
    work = within / PLACE
    shutil.rmtree(within, ignore_errors=True)
    try:
        work.mkdir(parents=True)
        for name, path in files.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, work / name)
            (work / name).chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
        yield work
    finally:
        shutil.rmtree(within, ignore_errors=True)


@dataclass(frozen=True)
class _Build:
    modules: list[Path]
    said: list[str]


def _built(info: kernel.KernelInfo, folder: Path, work: Path, progress: kernel.Progress) -> _Build:
    """Build the modules of a copy; what the compiler says names its place in the sources."""
    try:
        said = module_blocks.make(info, work)
    except kernel.CommandFailed as failed:
        lines = [line.replace(_place(), str(folder)) for line in told(failed.output)]
        for line in lines:
            progress(line)
        mistakes = [line for line in lines if _MISTAKE.search(line) or _NO_RULE in line]
        first = (mistakes or lines or ["make does not say why"])[0].strip()
        more = f" and {len(mistakes) - 1} more" if len(mistakes) > 1 else ""
        raise UsageError(f"the modules of {folder} cannot be built: {first}{more}") from None
    modules = module_blocks.listed(info, work)
    if not modules:
        raise UsageError(f"{folder}: its Makefile names no module; wants 'obj-m += NAME.o'")
    for module in modules:
        try:
            module_blocks.add_table(module, info.path, kernel.blocks(info, progress))
        except LonghaulError as error:
            raise LonghaulError(str(error).replace(str(work), str(folder))) from None
    return _Build(modules, told(said))


def told(output: str) -> list[str]:
    """Return what a compiler, modpost or make says of the sources: without Kbuild's own lines."""
    lines = output.splitlines()
    return [line for line in lines if line and (not _KBUILD.match(line) or _NO_RULE in line)]


def _keep(work: Path, build: _Build, made: Path) -> None:
    order = load_order({plain(path.stem): needs(path) for path in build.modules})
    made.parent.mkdir(exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=".", dir=made.parent))
    try:
        for module in build.modules:
            shutil.copyfile(module, partial / f"{plain(module.stem)}.ko")
        (partial / _RECORD).write_text(json.dumps({"order": order}) + "\n")
        (partial / _SAID).write_text("".join(f"{line}\n" for line in build.said))
        partial.chmod(0o755)
        partial.rename(made)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def needs(module: Path) -> tuple[str, ...]:
    """Return the modules that one needs, as modpost has written into it."""
    with tempfile.TemporaryDirectory(prefix="longhaul-module-") as scratch:
        info = Path(scratch) / "modinfo"
        kernel.run(["objcopy", "-O", "binary", "--only-section=.modinfo", str(module), str(info)])
        fields = info.read_bytes().decode(errors="replace").split("\0")
    named = next((f.removeprefix("depends=") for f in fields if f.startswith("depends=")), "")
    return tuple(plain(name) for name in named.split(",") if name)


def load_order(needed: Mapping[str, Iterable[str]]) -> list[str]:
    """Return modules so that each follows those that it needs, else in the order given."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for name, others in needed.items():
        sorter.add(name, *(other for other in others if other in needed))
    place = {name: i for i, name in enumerate(needed)}
    found: list[str] = []
    try:
        sorter.prepare()
    except CycleError as error:
        raise UsageError(
            f"modules need each other in a circle: {', '.join(error.args[1])}"
        ) from None
    ready = set(sorter.get_ready())
    while ready:
        name = min(ready, key=lambda each: place[each])
        ready.remove(name)
        found.append(name)
        sorter.done(name)
        ready |= set(sorter.get_ready())
    return found

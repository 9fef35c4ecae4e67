# SPDX-License-Identifier: Apache-2.0
"""Adapters' drivers that are not built into the guests' kernel: made as modules of its sources."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from longhaul import file_lock
from longhaul.errors import LonghaulError
from longhaul.guest import kernel, kernel_blocks, module_blocks, module_tree, x86_operations
from longhaul.paths import cache_dir
from longhaul.types import LinuxDriver

# Made in there, a module has no path of the host in it.
WITHIN_SOURCES = "longhaul-drivers"

_SOURCES = tuple(
    str(module.__file__) for module in (module_blocks, kernel_blocks, module_tree, x86_operations)
)


@dataclass(frozen=True)
class DriverModule:
    """A driver's module: its file and the SHA-256 over its sources."""

    file: Path
    sources: str


def ensure(
    info: kernel.KernelInfo, drivers: Iterable[LinuxDriver], progress: kernel.Progress
) -> Mapping[str, DriverModule]:
    """Return the modules of drivers by name, built when missing, in about ten seconds each."""
    return {driver.module: _ensure(info, driver, progress) for driver in drivers}


def _ensure(
    info: kernel.KernelInfo, driver: LinuxDriver, progress: kernel.Progress
) -> DriverModule:
    tree = info.path.parent / "source"
    if not driver.folder or not driver.option:
        raise LonghaulError(
            f"the driver {driver.module} names no folder and option to build it from"
        )
    sources = tree / driver.folder
    if not sources.is_dir():
        raise LonghaulError(
            f"the driver {driver.module} is to be built from {driver.folder}, "
            f"which Linux {info.version} does not have"
        )
    key = builders_key(f"{driver.folder} {driver.option}".encode())
    made = info.path.parent / "drivers" / f"{driver.module}-{key}.ko"
    found = DriverModule(made, kernel.checksum(tree, driver.folder))
    if made.exists():
        return found
    with building(progress):
        if made.exists():
            return found
        progress(f"guest kernel: building the driver {driver.module}")
        work = tree / WITHIN_SOURCES
        shutil.rmtree(work, ignore_errors=True)
        try:
            shutil.copytree(sources, work / driver.module)
            _build(info, driver, work / driver.module, made)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return found


def _build(info: kernel.KernelInfo, driver: LinuxDriver, work: Path, made: Path) -> None:
    built = {path.stem: path for path in module_blocks.build(info, work, [str(driver.option)])}
    if driver.module not in built:
        raise LonghaulError(
            f"{driver.option} of {driver.folder} builds {', '.join(sorted(built))}, "
            f"not {driver.module}"
        )
    made.parent.mkdir(exist_ok=True)
    partial = made.with_suffix(f".{os.getpid()}")
    shutil.copy2(built[driver.module], partial)
    partial.rename(made)


def building(progress: kernel.Progress) -> AbstractContextManager[None]:
    """Hold the kernel's sources, in which one process at a time builds modules."""
    waiting = "waiting for another process that builds for the guests' kernel"
    return file_lock.held(cache_dir() / "drivers.lock", lambda: progress(waiting))


def builders_key(more: bytes) -> str:
    """Return a checksum of what goes into a module beside the kernel and its sources."""
    digest = hashlib.sha256(more)
    for source in _SOURCES:
        digest.update(Path(source).read_bytes())
    return digest.hexdigest()[:12]

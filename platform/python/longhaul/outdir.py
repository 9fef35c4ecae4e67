# SPDX-License-Identifier: Apache-2.0
"""A run's folder: made beside its final place, and moved there only when it is whole."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from longhaul.errors import LonghaulError, UsageError
from longhaul.process import ending_signals_ignored
from longhaul.units import Size

RESULTS = "results.json"
MANIFEST = "manifest.json"
PARTIAL = ".partial"  # behind the name of a folder under construction
UNFINISHED = ".longhaul-unfinished"  # in a partial folder: ours, and nothing in it is worth keeping


def default_out(scenario: str, base: Path) -> Path:
    """Return SCENARIO-DATE-TIME[-n] in the folder of runs: it does not exist yet."""
    stem = base / f"{scenario}-{time.strftime('%Y%m%d-%H%M%S')}"
    names = [stem, *(stem.with_name(f"{stem.name}-{n}") for n in range(2, 1000))]
    return next(p for p in names if not p.exists() and not partial_path(p).exists())


def partial_path(out: Path) -> Path:
    """Return where the run is put together."""
    return out.parent / f"{out.name}{PARTIAL}"


def is_whole(out: Path) -> bool:
    """Tell whether a folder holds a finished run."""
    return (out / RESULTS).is_file() and (out / MANIFEST).is_file()


class OutDir:
    """The folder under construction; `publish` makes it the result, all else leaves it partial.

    Holds a lock for its lifetime, so two runs never write the same folder and a partial folder that
    nobody holds is known to be left over.
    """

    def __init__(self, out: Path, *, force: bool = False) -> None:
        self.final = out.absolute()
        if not self.final.name:
            raise UsageError(f"--out {out}: wants a folder below it, such as {out}/run1")
        self.partial = partial_path(self.final)
        self.raw = self.partial / "raw"
        self._check_final(out, force)
        try:
            self._lock = self._take()
        except OSError as error:
            raise cannot_make(out, error) from None
        try:
            self._clear()
            (self.partial / UNFINISHED).touch()
            self.raw.mkdir()
            self._raw = self.raw.stat().st_ino
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise cannot_make(out, error) from None
            raise

    def _check_final(self, out: Path, force: bool) -> None:
        if not self.final.exists():
            return
        if not is_whole(self.final):
            if not self.final.is_dir() or any(self.final.iterdir()):
                raise UsageError(
                    f"{out} exists and is no run of longhaul, so it is not replaced; "
                    "choose another --out"
                )
        elif not force:
            raise UsageError(f"{out} exists (a finished run); choose another --out or add --force")

    def _clear(self) -> None:
        """Remove what an interrupted run left; a folder that is not ours stays, and is an error."""
        found = list(self.partial.iterdir())
        if found and not (self.partial / UNFINISHED).exists():
            raise UsageError(
                f"{self.partial} exists and is no unfinished run of longhaul; "
                "move it away or choose another --out"
            )
        for leftover in sorted(found, key=lambda path: path.name == UNFINISHED):  # the mark last
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()

    def _take(self) -> int:
        """Make the partial folder and lock it; the lock is on the folder and moves with it."""
        while True:
            self.partial.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.partial, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(lock)
                raise UsageError(f"another longhaul is writing {self.final}") from None
            with contextlib.suppress(FileNotFoundError):
                if os.fstat(lock).st_ino == self.partial.stat().st_ino:
                    return lock
            os.close(lock)  # its holder published it between our open and our lock

    def check_there(self) -> None:
        """Raise LonghaulError if somebody has removed the folder, or what the run writes to."""
        for folder, inode in ((self.partial, os.fstat(self._lock).st_ino), (self.raw, self._raw)):
            try:
                is_ours = folder.stat().st_ino == inode
            except OSError:
                is_ours = False
            if not is_ours:
                raise LonghaulError(
                    f"{folder} was removed or replaced while the run was writing to it; the run "
                    "was ended, and has no result"
                )

    def check_whole(self) -> None:
        """Raise LonghaulError if somebody has removed the folder, or files that every run has."""
        self.check_there()
        of_every_run = (
            self.partial / UNFINISHED,
            self.partial / MANIFEST,
            self.raw / "config.json",
            self.raw / "sim.json",
        )
        for path in of_every_run:
            if not path.exists():
                raise LonghaulError(
                    f"{path} was removed while the run was writing to its folder; the run has no "
                    "result"
                )

    def check_space(self, needed: Size) -> None:
        """Refuse to start where the disk has no room for what a run may write."""
        free = Size(shutil.disk_usage(self.partial).free)
        if free < needed:
            raise LonghaulError(
                f"{self.final.parent}: {free.bytes / 1e6:.0f} MB free, this run may take "
                f"{needed.bytes / 1e6:.0f} MB"
            )

    def publish(self, results: dict[str, Any]) -> Path:
        """Write results.json as the last file and move the folder to its final name.

        A signal comes too late to end the run. It is dropped, and the run ends well.
        """
        with ending_signals_ignored():
            return self._publish(results)

    def _publish(self, results: dict[str, Any]) -> Path:
        write_json(self.partial / RESULTS, results)
        old: Path | None = None
        if self.final.exists():
            made = tempfile.mkdtemp(prefix=f".{self.final.name}.replaced-", dir=self.final.parent)
            old = Path(made) / self.final.name
            self.final.rename(old)
        try:
            self.partial.rename(self.final)
        except OSError:
            if old:
                old.rename(self.final)
                old.parent.rmdir()
            raise
        (self.final / UNFINISHED).unlink()
        if old:
            shutil.rmtree(old.parent)
        return self.final

    def discard(self) -> None:
        """Remove a folder in which nothing ran."""
        shutil.rmtree(self.partial, ignore_errors=True)

    def close(self) -> None:
        """Release the folder; a partial folder stays for a look and goes with the next run."""
        os.close(self._lock)


def cannot_make(out: Path, error: OSError) -> LonghaulError:
    """Return the one line for a folder that cannot be made or filled."""
    why = "nothing can be made there" if error.errno == errno.ENOENT else error.strerror
    return LonghaulError(f"cannot write to {out}: {why}; choose another --out")


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file so that it is either whole or absent."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text file so that it is either whole or absent, also after a power cut."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, *chunks: bytes) -> None:
    """Write a file's bytes, one chunk after another, so that it is either whole or absent."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")  # other runs may write it as well
    try:
        with part.open("wb") as stream:
            stream.writelines(chunks)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        error.filename, error.filename2 = str(path), None  # the name that the user knows
        raise


def is_full_disk(error: OSError) -> bool:
    """Tell whether an error means that there is no room left."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def is_full(folder: Path) -> bool:
    """Tell whether the disk of a folder has no room left."""
    return shutil.disk_usage(folder).free < 2**16

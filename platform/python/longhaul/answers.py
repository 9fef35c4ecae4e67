# SPDX-License-Identifier: Apache-2.0
"""Answers that take a while and stay the same while the files that they come from do.

They are in the cache, each with the signature of its files: device, number, size, and the times of
the last change of data and of the file. No program sets the last one (ctime) at will.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from longhaul import json_file
from longhaul.errors import LonghaulError
from longhaul.outdir import write_text
from longhaul.paths import cache_dir

SETTLED_S = 2.0
"""A file that changed later than that ago may change once more within one tick of its times."""

Signature = list[list[int]]


def kept(question: str, files: Iterable[Path], ask: Callable[[], str]) -> str:
    """Return what `ask` returns, or what it returned when the files were as they are now.

    Where one of the files is not there or has just changed, the answer is not kept.
    """
    files = list(files)
    now = _signature(files)
    place = cache_dir() / "answers" / hashlib.sha256(question.encode()).hexdigest()[:16]
    known = None if now is None else _known(place, {"question": question, "files": now})
    if known is not None:
        return known
    answer = ask()
    if now is not None and _is_settled(now) and _signature(files) == now:
        with contextlib.suppress(OSError):  # a cache that is full or is not ours
            place.parent.mkdir(parents=True, exist_ok=True)
            write_text(place, json.dumps({"question": question, "files": now, "answer": answer}))
    return answer


def sha256(path: Path) -> str:
    """Return a file's SHA-256."""

    def ask() -> str:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    return kept(f"sha256 of {path.absolute()}", [path], ask)


def _known(place: Path, asked: dict[str, Any]) -> str | None:
    with contextlib.suppress(OSError, LonghaulError):
        found = json_file.noted(place, "", (*asked, "answer"))
        if found == asked | {"answer": found["answer"]} and isinstance(found["answer"], str):
            return found["answer"]
    return None


def _signature(files: Iterable[Path]) -> Signature | None:
    try:
        stats = [file.stat() for file in files]
    except OSError:
        return None
    return [[s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns] for s in stats]


def _is_settled(signature: Signature) -> bool:
    newest_ns = max(max(mtime, ctime) for *_, mtime, ctime in signature)
    return time.time_ns() - newest_ns > SETTLED_S * 1e9

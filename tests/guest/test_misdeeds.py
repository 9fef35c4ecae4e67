# SPDX-License-Identifier: Apache-2.0
"""What a guest's root tries against its host comes to nothing, and is bounded."""

import contextlib
import re
import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest
from longhaul.units import Size
from rig.scenarios import Run, command, pair, script, simulate

RAM_MIB = 256
MOST_PROCESSES = RAM_MIB // 2
CHECKS = (
    *(f"mount-{kind}" for kind in ("hostfs", "9p", "virtiofs", "fuse", "nfs", "cifs")),
    "nothing-mounted",
    *(f"block-{major}" for major in (1, 7, 8, 43, 98, 252, 253, 254)),
    *(f"memory-{minor}" for minor in (1, 2)),
    *(f"misc-{minor}" for minor in (200, 229, 232, 237)),
    *("no-kcore", "no-management-console", "forks-again"),
)
_LOOK_S = 0.05
_SETTLED = 5  # looks at a process; a kernel is confined when it has booted


@dataclass
class Seen:
    """What the host says of a process of a guest, as last seen."""

    looks: int = 0
    status: dict[str, str] = field(default_factory=dict[str, str])
    files: set[str] = field(default_factory=set[str])


class Watch:
    """Looks again and again at the guests' kernels and their programs."""

    def __init__(self) -> None:
        self.kernels: dict[psutil.Process, Seen] = {}
        self.programs: dict[psutil.Process, Seen] = {}
        self.most_programs = 0
        self._over = threading.Event()

    @contextlib.contextmanager
    def on(self) -> Generator[None]:
        """Watch all guests that this process runs in the block."""
        watcher = threading.Thread(target=self._watch)
        watcher.start()
        try:
            yield
        finally:
            self._over.set()
            watcher.join()

    def _watch(self) -> None:
        while not self._over.wait(_LOOK_S):
            for process in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.Error, OSError):
                    if any(word.startswith("hostname=") for word in process.cmdline()):
                        programs = process.children()
                        self.most_programs = max(self.most_programs, len(programs))
                        _look(self.kernels.setdefault(process, Seen()), process.pid)
                        for program in programs[:8]:
                            _look(self.programs.setdefault(program, Seen()), program.pid)


def _look(seen: Seen, pid: int) -> None:
    here = Path(f"/proc/{pid}")
    rows = (row.split(":\t") for row in (here / "status").read_text().splitlines())
    status = {row[0]: row[-1] for row in rows}
    files = {str(link.readlink()) for link in (here / "fd").iterdir()}
    seen.looks += 1
    seen.status, seen.files = status, files


@pytest.fixture(scope="module")
def watch() -> Watch:
    return Watch()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, watch: Watch) -> Run:
    scenario, sender, receiver = pair("misdeeds", mtu=1500, memory=Size(RAM_MIB << 20))
    out = tmp_path_factory.mktemp("misdeeds") / "out"
    with watch.on():
        return simulate(scenario, command(sender, receiver, script("misdeeds.sh")), out)


@pytest.mark.parametrize("name", CHECKS)
def test_it_comes_to_nothing(run: Run, name: str) -> None:
    assert run.checks[name] == ""


def test_there_is_no_disk_but_its_own(run: Run) -> None:
    assert run.text("disks").split() == ["lhda", "lhdb"]


def test_a_fork_bomb_is_bounded_by_the_guests_memory(run: Run, watch: Watch) -> None:
    """A copy of the shell that finds no room for the program to start ends: some are missing."""
    left = int(run.text("processes"))
    assert MOST_PROCESSES // 2 < left < MOST_PROCESSES
    assert MOST_PROCESSES // 2 < watch.most_programs <= MOST_PROCESSES + 1  # and the template
    assert "fork" in run.text("bomb")
    said = f"longhaul: no more than {MOST_PROCESSES} address spaces at a time, one for each 2 MiB"
    assert said in run.text("complaint")


def test_kernels_and_programs_are_confined(run: Run, watch: Watch) -> None:
    assert run.folder.is_dir()
    kernels, programs = (
        [seen for seen in found.values() if seen.looks >= _SETTLED]
        for found in (watch.kernels, watch.programs)
    )
    assert len(kernels) == 2 and len(programs) >= 2
    for seen in (*kernels, *programs):
        assert seen.status["Seccomp"] == "2"  # by a filter
        assert seen.status["NoNewPrivs"] == "1"


def test_a_guest_has_no_descriptor_of_the_hosts(run: Run, watch: Watch) -> None:
    """Its console can be written only; sockets and pipes are those that it has made for itself.

    The process that those of programs are made from has no descriptor at all.
    """
    assert run.folder.is_dir()
    settled = [
        seen
        for seen in (*watch.kernels.values(), *watch.programs.values())
        if seen.looks >= _SETTLED
    ]
    with_any = [seen for seen in settled if seen.files]
    assert len(settled) - len(with_any) <= len(watch.kernels)
    for seen in with_any:
        named = {name for name in seen.files if not re.match(r"(socket|pipe|anon_inode):", name)}
        others = {name for name in named if not name.endswith("/console.log")}
        assert others == {"/dev/null", "/memfd:longhaul-ram (deleted)"}
        assert len(named) == 3


def test_no_kernel_complains(run: Run) -> None:
    assert run.complaints() == []

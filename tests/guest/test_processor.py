# SPDX-License-Identifier: Apache-2.0
"""A guest's programs see the modelled processor and read-only disks, and nothing of the host."""

import contextlib
import re
import threading
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import psutil
import pytest
from rig.scenarios import Run, command, pair, script, simulate

CHECKS = (
    *("no-hostfs", "no-hostfs-folder", "is-root", "root-disk", "settings-disk"),
    *("root-folder", "settings-folder", "memory-folder"),
)
# An Opteron 248's (AMD 25481), by their names in Linux.
K8_FLAGS = (
    "fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse "
    "sse2 syscall nx mmxext lm 3dnowext 3dnow"
)
RAM = "/memfd:longhaul-ram (deleted)"
VSYSCALL = "[vsyscall]"  # of every process of a host whose kernel has it
STUB = "7fc0000000-7fc0001000 r-xp"  # the kernel's page of code in a process without ptrace
_LOOK_S = 0.05
_OFTEN = 10  # looks; the kernel unmaps what a new process has of it before a program begins


def _name(line: str) -> str:
    """Return the name of a mapping of /proc/PID/maps; one without is told whole."""
    fields = line.split(maxsplit=5)
    return STUB if line.startswith(STUB) else fields[5] if len(fields) == 6 else line


class Mappings:
    """What the host maps in the processes that a guest's programs run in, as last seen."""

    def __init__(self) -> None:
        self._last: dict[psutil.Process, list[str]] = {}
        self._looks: Counter[psutil.Process] = Counter()
        self._over = threading.Event()

    @contextlib.contextmanager
    def watched(self) -> Generator[None]:
        """Look again and again at all guests that this process runs in the block."""
        watcher = threading.Thread(target=self._watch)
        watcher.start()
        try:
            yield
        finally:
            self._over.set()
            watcher.join()

    def files(self) -> list[list[str]]:
        """Return the names of all mappings of each process that was seen often."""
        return [
            [_name(line) for line in lines]
            for process, lines in self._last.items()
            if self._looks[process] >= _OFTEN
        ]

    def _watch(self) -> None:
        while not self._over.wait(_LOOK_S):
            for program in self._programs():
                with contextlib.suppress(OSError):  # it has ended
                    lines = Path(f"/proc/{program.pid}/maps").read_text().splitlines()
                    if lines:
                        self._last[program] = lines
                        self._looks[program] += 1

    @staticmethod
    def _programs() -> list[psutil.Process]:
        """Return the children of the guests' kernels."""
        found: list[psutil.Process] = []
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if any(word.startswith("hostname=") for word in process.cmdline()):
                    found += process.children()
        return found


@pytest.fixture(scope="module")
def mappings() -> Mappings:
    return Mappings()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, mappings: Mappings) -> Run:
    scenario, sender, receiver = pair("processor", mtu=1500)
    out = tmp_path_factory.mktemp("processor") / "out"
    with mappings.watched():
        return simulate(scenario, command(sender, receiver, script("processor.sh")), out)


@pytest.mark.parametrize("name", CHECKS)
def test_it_holds_in_the_guest(run: Run, name: str) -> None:
    assert run.checks[name] == ""


def test_its_processor_is_an_opteron_on_a_host_called_longhaul(run: Run) -> None:
    rows = dict(re.findall(r"^(\w[\w ]*\w)\s*: (.*)$", run.text("cpuinfo"), re.MULTILINE))
    assert rows["host"] == "longhaul"
    assert rows["cache_alignment"] == "64"
    # User-Mode-Linux looks for names in a text, and finds `ss` in `sse`.
    assert set(rows["flags"].split()) == {*K8_FLAGS.split(), "ss"}
    assert run.text("machine") == "x86_64\n"


def test_the_dynamic_loader_supports_no_level_beyond_the_first(run: Run) -> None:
    lines = [line.strip() for line in run.text("loader").splitlines()]
    levels = [line for line in lines if line.startswith("x86-64-v")]
    assert levels == ["x86-64-v4", "x86-64-v3", "x86-64-v2"]  # else: "(supported, searched)"
    assert "x86_64 (AT_PLATFORM; supported, searched)" in lines


def test_its_kernel_is_of_no_day_and_no_host(run: Run) -> None:
    assert run.text("build") == "#1 2020-01-01\n"
    assert "Linux version 6.1." in run.text("dmesg")
    assert "(longhaul@longhaul)" in run.text("dmesg").splitlines()[0]


def test_no_file_system_leads_to_the_host(run: Run) -> None:
    known = {line.split()[-1] for line in run.text("file-systems").splitlines()}
    assert {"erofs", "tmpfs"} <= known
    assert not known & {"hostfs", "9p", "virtiofs", "fuse", "nfs"}


def test_root_and_settings_are_read_only_images(run: Run) -> None:
    rows = [line.split()[:4] for line in run.text("mounts").splitlines()]
    images = {where: (kind, how.split(",")[0]) for _, where, kind, how in rows}
    assert images["/"] == images["/run/longhaul"] == ("erofs", "ro")
    assert {kind for kind, _ in images.values()} == {"erofs", "devtmpfs", "proc", "sysfs", "tmpfs"}


def test_a_program_has_no_mapping_of_its_kernels_process(run: Run, mappings: Mappings) -> None:
    """All that it maps is the guest's RAM and the stub: no address depends on the host's libc.

    The process that those of programs are made from maps no RAM.
    """
    assert run.folder.is_dir()
    programs = [names for names in mappings.files() if RAM in names]
    assert len(programs) >= 2  # each guest's first, at least
    assert len(mappings.files()) - len(programs) <= 2  # one in each guest
    for names in programs:
        assert set(names) <= {RAM, VSYSCALL, STUB}


def test_no_kernel_complains(run: Run) -> None:
    assert run.complaints() == []

# SPDX-License-Identifier: Apache-2.0
"""What a guest's kernel owes a program: its FP registers, and the truth about its faults.

The programs look for themselves (`programs/`). The host's kernel passes, so what fails in a guest
is the guest's fault.
"""

import json
import subprocess
from pathlib import Path

import pytest
from rig.scenarios import Run, command, packed, pair, script, simulate

PROGRAMS = Path(__file__).with_name("programs")
FREESTANDING = (
    *("-O1", "-static", "-nostdlib", "-ffreestanding"),
    *("-mno-red-zone", "-fno-stack-protector", "-mgeneral-regs-only"),
)


@pytest.fixture(scope="module", params=["registers", "faults"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("programs") / request.param
    subprocess.run(["gcc", *FREESTANDING, "-o", built, PROGRAMS / f"{request.param}.c"], check=True)
    return built


@pytest.fixture(scope="module", params=["seccomp", "ptrace"])
def way(request: pytest.FixtureRequest) -> str:
    """How the guests' kernels run programs."""
    return request.param


@pytest.fixture(scope="module")
def run(program: Path, way: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario, sender, receiver = pair(program.name, mtu=1500)
    text = script("freestanding.sh", PROGRAM=packed(program))
    out = tmp_path_factory.mktemp(program.name) / "out"
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("LONGHAUL_PROGRAMS", way)
        return simulate(scenario, command(sender, receiver, text), out)


def test_it_finds_nothing_on_the_host(program: Path) -> None:
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "kept\n")


def test_its_run_says_how_programs_ran(run: Run, way: str) -> None:
    manifest = json.loads((run.folder / "manifest.json").read_text())
    assert manifest["programs_by"] == {"sender": way, "receiver": way}
    for console in run.folder.rglob("console.log"):
        assert f"longhaul: programs run by {way}\n" in console.read_text(errors="replace")


@pytest.mark.parametrize("name", ["alone", "twice", "quiet"])
def test_it_finds_nothing_in_a_guest(run: Run, name: str) -> None:
    assert run.checks[name] == ""

# SPDX-License-Identifier: Apache-2.0
"""What a guest's kernel owes a program: its FP registers, and the truth about its faults.

The programs look for themselves (`programs/`). The host's kernel passes, so what fails in a guest
is the guest's fault.
"""

import json
import subprocess
from pathlib import Path

import pytest
from longhaul.units import Size
from rig.scenarios import Run, command, packed, pair, script, simulate

PROGRAMS = Path(__file__).with_name("programs")
FREESTANDING = (
    *("-O1", "-static", "-nostdlib", "-ffreestanding"),
    *("-mno-red-zone", "-fno-stack-protector", "-mgeneral-regs-only"),
)


NAMES = ("registers", "faults")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("programs")
    for name in NAMES:
        source = PROGRAMS / f"{name}.c"
        subprocess.run(["gcc", *FREESTANDING, "-o", folder / name, source], check=True)
    return {name: folder / name for name in NAMES}


@pytest.fixture(scope="module", params=["seccomp", "ptrace"])
def way(request: pytest.FixtureRequest) -> str:
    """How the guests' kernels run programs."""
    return request.param


@pytest.fixture(scope="module")
def run(programs: dict[str, Path], way: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    # Stubs of so much RAM fit below the kernel with AMX, too, whose signals' frames have 12 KB.
    scenario, sender, receiver = pair("freestanding", mtu=1500, memory=Size(512 << 20))
    given = {name.upper(): packed(path) for name, path in programs.items()}
    text = script("freestanding.sh", **given)
    out = tmp_path_factory.mktemp("freestanding") / "out"
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("LONGHAUL_PROGRAMS", way)
        return simulate(scenario, command(sender, receiver, text), out)


@pytest.mark.parametrize("name", NAMES)
def test_it_finds_nothing_on_the_host(programs: dict[str, Path], name: str) -> None:
    done = subprocess.run([programs[name]], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "kept\n")


def test_its_run_says_how_programs_ran(run: Run, way: str) -> None:
    manifest = json.loads((run.folder / "manifest.json").read_text())
    assert manifest["programs_by"] == {"sender": way, "receiver": way}
    for console in run.folder.rglob("console.log"):
        assert f"longhaul: programs run by {way}\n" in console.read_text(errors="replace")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("how", ["alone", "twice", "quiet"])
def test_it_finds_nothing_in_a_guest(run: Run, name: str, how: str) -> None:
    assert run.checks[f"{name}-{how}"] == ""

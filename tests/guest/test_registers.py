# SPDX-License-Identifier: Apache-2.0
"""A program's FP registers are its own: nothing that its kernel does in between changes them."""

import subprocess
from pathlib import Path

import pytest
from rig.bench import Run, command, packed, pair, script, simulate

SOURCE = Path(__file__).with_name("programs") / "registers.c"
FREESTANDING = (
    *("-O1", "-static", "-nostdlib", "-ffreestanding"),
    *("-mno-red-zone", "-fno-stack-protector", "-mgeneral-regs-only"),
)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("programs") / "registers"
    subprocess.run(["gcc", *FREESTANDING, "-o", built, SOURCE], check=True)
    return built


@pytest.fixture(scope="module")
def run(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario, sender, receiver = pair("registers", mtu=1500)
    text = script("registers.sh", PROGRAM=packed(program))
    out = tmp_path_factory.mktemp("registers") / "out"
    return simulate(scenario, command(sender, receiver, text), out)


def test_it_finds_nothing_on_the_host(program: Path) -> None:
    """The host's kernel keeps them, too, so what fails in a guest is the guest's fault."""
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "kept\n")


@pytest.mark.parametrize("name", ["alone", "twice", "quiet"])
def test_they_are_kept(run: Run, name: str) -> None:
    assert run.checks[name] == ""

# SPDX-License-Identifier: Apache-2.0
"""A program's FP registers are its own: nothing that its kernel does in between changes them."""

import base64
import gzip
import subprocess
from pathlib import Path

import pytest
from rig.bench import Run, command, pair, script, simulate

SOURCE = Path(__file__).with_name("programs") / "registers.c"
FREESTANDING = (
    *("-O1", "-static", "-nostdlib", "-ffreestanding"),
    *("-mno-red-zone", "-fno-stack-protector"),
)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("programs") / "registers"
    subprocess.run(["gcc", *FREESTANDING, "-o", built, SOURCE], check=True)
    return built


@pytest.fixture(scope="module")
def run(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario, sender, receiver = pair("registers", mtu=1500)
    packed = base64.b64encode(gzip.compress(program.read_bytes(), mtime=0)).decode()
    text = script("registers.sh", PROGRAM=packed)
    out = tmp_path_factory.mktemp("registers") / "out"
    return simulate(scenario, command(sender, receiver, text), out)


def test_it_finds_nothing_on_the_host(program: Path) -> None:
    """What it looks for in a guest is so under every Linux."""
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "kept\n")


@pytest.mark.parametrize("name", ["alone", "twice", "quiet"])
def test_they_are_kept(run: Run, name: str) -> None:
    assert run.checks[name] == ""

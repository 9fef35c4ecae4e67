# SPDX-License-Identifier: Apache-2.0
"""A short attack of every kind finds nothing, and finds what is planted."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from longhaul.attack.kinds import KINDS
from longhaul.paths import ROOT, simulator

SEED = "--seed=25"
# Under a minute on one quiet core; of four faults the last is of real guests, as all misdeeds are.
CASES = {
    "configurations": 160,
    "commands": 24,
    "results": 16,
    "faults": 4,
    "misdeeds": 1,
    "wires": 3,
    "traffic": 2,
}


def attack(out: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    temporary = out.with_name("tmp")
    temporary.mkdir(exist_ok=True)
    done = subprocess.run(
        [str(ROOT / "longhaul"), "attack", SEED, *words, "--out", str(out)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=1500,
        check=False,
        env=os.environ | {"TMPDIR": str(temporary)},
    )
    assert list(temporary.iterdir()) == []
    return done


def saved(out: Path) -> dict[str, Any]:
    return json.loads((out / "attack.json").read_text())


def test_a_short_attack_of_every_kind_finds_nothing(tmp_path: Path) -> None:
    assert CASES.keys() == KINDS.keys()
    counts = [f"--cases={kind}={count}" for kind, count in CASES.items()]
    done = attack(tmp_path / "out", *counts)
    assert done.returncode == 0, done.stdout
    assert f"{sum(CASES.values())} cases, nothing found" in done.stdout
    kinds = saved(tmp_path / "out")["kinds"]
    assert {kind: of["done"] for kind, of in kinds.items()} == {
        kind: [[0, count - 1]] for kind, count in CASES.items()
    }
    ends = kinds["configurations"]["ends"]
    assert ends["0"] > 0 and ends["2"] > 0, "some mutants are right, most are wrong"


@pytest.mark.parametrize(
    ("planted", "fault"),
    [
        ("{right}; code=$?; [ $code = 2 ] && exit 3; exit $code", "undocumented exit code"),
        ("{right}; code=$?; [ $code = 2 ] && exit 1; exit $code", "exit code"),
        ("{right}; code=$?; [ $code = 2 ] && printf '1\\n2\\n3\\n' >&2; exit $code", "lines"),
        ("sleep 1000 >/dev/null 2>&1 & {right}", "stray"),
        ("{right}; code=$?; [ $code = 2 ] && kill -SEGV $$; exit $code", "crash"),
        ("touch left; {right}", "file"),
    ],
)
def test_a_planted_fault_is_found_and_is_there_when_the_case_is_repeated(
    tmp_path: Path, planted: str, fault: str
) -> None:
    program = tmp_path / "longhaul-sim"
    right = f'"{simulator()}" "$@"'
    program.write_text(f"#!/bin/sh\n{planted.format(right=right)}\n")
    program.chmod(0o755)
    chosen = f"--simulator={program}"
    # Each case waits a while for what it has left to end by itself.
    cases = 1 if fault == "stray" else 12
    done = attack(tmp_path / "out", f"--cases=configurations={cases}", chosen)
    assert done.returncode == 1, done.stdout
    found = saved(tmp_path / "out")["findings"].values()
    assert {finding["fault"] for finding in found} == {fault}
    finding = next(iter(found))
    assert f"again: ./longhaul attack {finding['repeat']}" in done.stdout
    repeated = finding["repeat"].split()
    assert repeated[0:2] == SEED.split("=")
    again = attack(tmp_path / "out", *repeated[2:])
    assert again.returncode == 1 and f"{fault}: " in again.stdout, again.stdout

# SPDX-License-Identifier: Apache-2.0
"""./longhaul tune, with a compiler that needs no time: what is kept, what is used, what is not."""

import hashlib
import json
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from longhaul.paths import ROOT

CMAKE = """#!/bin/sh
# Notes what it is asked for; a build gives a simulator that is the release tree's.
echo "$@" >> {notes}
case $1 in --build) ;; *) exit 0 ;; esac
mkdir -p build/tuning
printf '#!/bin/sh\\nexec {simulator} "$@"\\n' > build/tuning/longhaul-sim
chmod +x build/tuning/longhaul-sim
"""
RUN = ("run", "opteron_table2", "--set", "ip=v4", "--set", "mtu=9198", "--set", "duration=5ms")


class Checkout:
    """The tree's files somewhere else, with nothing built."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        self.notes = folder / "notes"
        files = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        for name in filter(None, files.split("\0")):
            target = self.root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
        cmake = folder / "bin" / "cmake"
        cmake.parent.mkdir()
        simulator = ROOT / "build" / "release" / "longhaul-sim"
        cmake.write_text(CMAKE.format(notes=self.notes, simulator=simulator))
        cmake.chmod(cmake.stat().st_mode | stat.S_IEXEC)
        self.environment = os.environ | {"PATH": f"{cmake.parent}:{os.environ['PATH']}"}
        self.environment.pop("LONGHAUL_SIMULATOR", None)  # ./longhaul test names the release tree's

    def longhaul(self, *args: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(self.root / "longhaul"), *args],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_runs_take_the_tuned_simulator_while_the_sources_stay(
    checkout: Checkout, tmp_path: Path
) -> None:
    done = checkout.longhaul("tune")
    assert done.returncode == 0, done.stderr
    asked = checkout.notes.read_text().splitlines()
    assert [("collect" in line, "use" in line) for line in asked[::2]] == [
        (True, False),
        (False, True),
    ]

    out = tmp_path / "out"
    done = checkout.longhaul(*RUN, "--out", str(out))
    assert done.returncode == 0, done.stderr
    simulator = (checkout.root / "build" / "tuned" / "longhaul-sim").read_bytes()
    assert hashlib.sha256(simulator).hexdigest() in json.dumps(
        json.loads((out / "manifest.json").read_text())
    )
    assert not (checkout.root / "build" / "release").exists()

    again = checkout.longhaul("tune")
    assert again.returncode == 0
    assert len(checkout.notes.read_text().splitlines()) == len(asked), "it was built again"

    source = checkout.root / "models" / "common" / "event_queue.cc"
    source.write_text(source.read_text() + "// changed\n")
    done = checkout.longhaul("run", "opteron_table2", "--set", "nonsense=1")
    assert done.returncode == 2
    assert "'./longhaul tune' makes it again" in done.stderr


def test_a_failed_tune_leaves_nothing_that_is_used(checkout: Checkout) -> None:
    cmake = Path(checkout.environment["PATH"].split(":")[0]) / "cmake"
    cmake.write_text("#!/bin/sh\necho no compiler\nexit 1\n")
    done = checkout.longhaul("tune")
    assert done.returncode == 1
    assert "no compiler" in done.stderr
    done = checkout.longhaul("run", "opteron_table2", "--set", "nonsense=1")
    assert done.returncode == 2
    assert "tune" not in done.stderr


def test_tune_takes_no_options(checkout: Checkout) -> None:
    done = checkout.longhaul("tune", "--fast")
    assert done.returncode == 2
    assert "--fast" in done.stderr
    assert not checkout.notes.exists()

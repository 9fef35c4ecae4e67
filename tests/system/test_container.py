# SPDX-License-Identifier: Apache-2.0
"""`longhaul container` with a real podman or docker, from nothing but a base image.

Where there is no engine, or the engine has no base image, all of it is skipped. Podman imports one
that debootstrap made: `tar -C ROOT -c . | podman import - localhost/debian:12`, and
LONGHAUL_CONTAINER_BASE=localhost/debian:12 names it.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from longhaul.paths import GIT, ROOT
from rig.front_door import said

BASE = os.environ.get("LONGHAUL_CONTAINER_BASE") or "docker.io/library/debian:12"
HOSTS = ("LONGHAUL_BUILD", "LONGHAUL_SIMULATOR", "LONGHAUL_WORKSPACE", "LONGHAUL_LAYOUT")


def missing() -> str:
    """Say what these tests miss here; nothing if they can run."""
    engine = next((name for name in ("podman", "docker") if shutil.which(name)), None)
    if engine is None:
        return "there is neither podman nor docker"
    images = [engine, "images", "--quiet", BASE]
    done = subprocess.run(images, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 and done.stdout.strip() else f"{engine} has no image {BASE}"


pytestmark = [
    pytest.mark.skipif(bool(missing()), reason=missing() or "-"),
    pytest.mark.timeout(5400),  # the first command builds the image, the last one a kernel
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to stand in, and beside it the caches of all tests of this file."""
    place = tmp_path_factory.mktemp("container") / "here"
    place.mkdir()
    return place


def start(place: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    mine = {name: text for name, text in os.environ.items() if name not in HOSTS}
    cache = {"LONGHAUL_CONTAINER_CACHE": str(place.parent / "cache")}
    return subprocess.run(
        [str(ROOT / "longhaul"), *words], cwd=place, env=mine | cache,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_checkouts_commit_is_known(place: Path) -> None:
    done = start(place, "container", "--version")
    assert done.returncode == 0, done.stderr
    head = subprocess.run([*GIT, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    assert head.stdout.strip() in done.stdout


def test_what_it_makes_belongs_to_the_caller(place: Path) -> None:
    done = start(place, "container", "new", "mine")
    assert done.returncode == 0, done.stderr
    made = [place / "mine", *(place / "mine").rglob("*")]
    assert len(made) > 5
    assert {(path.lstat().st_uid, path.lstat().st_gid) for path in made} == {
        (os.geteuid(), os.getegid())
    }


def test_a_mistake_is_told_as_elsewhere(place: Path) -> None:
    done = start(place, "container", "run", "nonsense")
    assert done.returncode == 2
    assert said(done.stderr)[-1].startswith("longhaul: no scenario is called 'nonsense'")


def test_guests_run_in_it(place: Path) -> None:
    out = place.parent / "outs" / "one"
    out.parent.mkdir()
    done = start(place, "container", "run", "ixgb_b2b", "--set", "duration=1ms", "--out", str(out))
    assert done.returncode == 0, done.stderr
    manifest = json.loads((out / "manifest.json").read_text())
    assert set(manifest["programs_by"]) == {"sender", "receiver"}
    assert {path.stat().st_uid for path in out.iterdir()} == {os.geteuid()}

# SPDX-License-Identifier: Apache-2.0
"""When `longhaul container` builds its image, and of what."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from longhaul.paths import ROOT
from support.engines import BASE, ME, Host, options


def test_the_image_is_built_once_for_one_list_of_packages(podman: Host) -> None:
    podman.run("container", "list")
    podman.run("container", "types")
    (build,) = podman.calls("build")
    assert options(build, "--build-arg") == [f"BASE={BASE}"]
    assert options(build, "--target") == ["run"]
    assert options(build, "--file") == [f"{podman.tree}/Containerfile"]
    assert build[-1] == str(podman.tree)
    with (podman.tree / "longhaul").open("a") as script:
        script.write("# another text\n")
    podman.run("container", "list")
    assert len(podman.calls("build")) == 1
    with (podman.tree / "platform/config/debian-packages.txt").open("a") as listed:
        listed.write("hello | | run | says so\n")
    podman.run("container", "list")
    first, second = podman.calls("build")
    assert options(first, "--tag") != options(second, "--tag")


@pytest.mark.parametrize(
    "words", [("test",), ("bench",), ("results", "--check", "x"), ("golden", "--hosts")]
)
def test_what_tests_need_is_in_an_image_of_its_own(podman: Host, words: tuple[str, ...]) -> None:
    podman.run("container", "golden")
    call = podman.run("container", *words)
    assert [options(build, "--target") for build in podman.calls("build")] == [["run"], ["test"]]
    assert any(word.startswith("localhost/longhaul:test-") for word in call)


def test_another_base_is_another_image(podman: Host) -> None:
    first = podman.run("container", "list")
    second = podman.run("container", "--base", "localhost/mine:12", "list")
    third = podman.run("container", "list", LONGHAUL_CONTAINER_BASE="localhost/mine:12")
    assert first[-3] != second[-3] == third[-3]
    bases = [options(build, "--build-arg") for build in podman.calls("build")]
    assert bases == [[f"BASE={BASE}"], ["BASE=localhost/mine:12"]]


def test_a_build_that_fails_is_told_with_its_last_words(podman: Host) -> None:
    program = podman.place / "bin" / "podman"
    failing = "  build*) echo 'no such host' >&2; exit 7 ;;\n  build-*)"
    program.write_text(program.read_text().replace("  build*)", failing))
    done = podman.start("container", "list")
    assert done.returncode == 1 and not podman.calls("run")
    last = [line for line in done.stderr.splitlines() if "no such" in line or "failed" in line]
    assert last == ["no such host", f"longhaul: building the container's image of {BASE}: failed"]


def test_rebuild_takes_no_layer_that_is_there(podman: Host) -> None:
    podman.run("container", "list")
    assert podman.start("container", "--rebuild").returncode == 0
    first, second = podman.calls("build")
    assert "--no-cache" in second and "--no-cache" not in first
    assert len(podman.calls("run")) == 1
    podman.run("container", "--rebuild", "list")
    assert (len(podman.calls("build")), len(podman.calls("run"))) == (3, 2)


def test_remove_takes_images_and_the_volume_of_this_user(podman: Host) -> None:
    podman.run("container", "list")
    (image,) = (podman.place / "state" / "images").read_text().split()
    done = podman.start("container", "--remove")
    assert done.returncode == 0
    assert podman.calls("rmi") == [["rmi", image]]
    assert podman.calls("volume", "rm") == [["volume", "rm", f"longhaul-cache-{ME}"]]
    assert done.stderr.splitlines() == [
        f"longhaul: removed the image {image}",
        f"longhaul: removed the volume longhaul-cache-{ME}",
    ]


def test_the_filter_lets_guests_have_what_they_need() -> None:
    """Of what podman and docker refuse by themselves, guests need `personality`."""
    told = json.loads((ROOT / "platform" / "container" / "seccomp.json").read_text())
    assert told["defaultAction"] == "SCMP_ACT_ALLOW"
    denied = {name: rule for rule in told["syscalls"] for name in rule["names"]}
    assert all(rule["action"] == "SCMP_ACT_ERRNO" for rule in denied.values())
    needed = {"personality", "ptrace", "seccomp", "prctl", "process_vm_readv", "memfd_create"}
    assert not needed & denied.keys()
    assert {"unshare", "setns", "mount", "bpf", "keyctl", "userfaultfd"} <= denied.keys()
    assert denied["clone"]["args"][0]["value"] == 0x1000_0000  # CLONE_NEWUSER
    assert denied["clone3"]["errnoRet"] == 38  # ENOSYS: libc then takes clone


def test_the_image_gets_the_packages_of_its_groups(tmp_path: Path) -> None:
    shutil.copy(ROOT / "platform/container/install.sh", tmp_path)
    (tmp_path / "debian-packages.txt").write_text(
        "# package | version | needed by | reason\none | 1 | run | a\ntwo | | test | b\n"
        "three | | test container | c\nfour | | runs | d\n"
    )
    tool = tmp_path / "apt-get"
    tool.write_text(f'#!/bin/sh\necho "$*" >>{tmp_path}/calls\n')
    tool.chmod(0o755)
    # What it removes at its end is the image's.
    (tmp_path / "rm").write_text("#!/bin/sh\n")
    (tmp_path / "rm").chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    command = ["sh", tmp_path / "install.sh", "run", "container"]
    subprocess.run(command, env=environment, check=True)
    assert (tmp_path / "calls").read_text().splitlines() == [
        "-q update",
        "-q install -y --no-install-recommends one three",
        "clean",
    ]


def test_only_what_the_image_is_made_of_is_handed_to_the_engine() -> None:
    copied = re.findall(r"^COPY (.+) \S+$", (ROOT / "Containerfile").read_text(), re.MULTILINE)
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in lines
    assert sorted(line[1:] for line in lines if line[0] == "!") == sorted(copied[0].split())
    assert len(copied) == 1

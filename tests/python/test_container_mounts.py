# SPDX-License-Identifier: Apache-2.0
"""What of the host `longhaul container` hands to its container."""

import subprocess

import pytest
from support.engines import BASE, CACHE, ME, Host, mounts, options


def test_a_workspace_is_mounted_from_its_top(podman: Host) -> None:
    inner = podman.here / "scenarios" / "mine"
    inner.mkdir(parents=True)
    (podman.here / "longhaul.toml").touch()
    podman_here, podman.environment["PWD"] = podman.here, str(inner)
    done = subprocess.run(
        podman.command("container", "run"), env=podman.variables({}), cwd=inner, check=False,
        stdin=subprocess.DEVNULL, capture_output=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (call,) = podman.calls("run")
    assert options(call, "--workdir") == [str(inner)]
    assert set(mounts(call)) == {str(podman_here), str(podman.tree), CACHE}


def test_who_stands_in_the_checkout_may_write_it(podman: Host) -> None:
    done = subprocess.run(
        podman.command("container", "run"), env=podman.variables({}), cwd=podman.tree,
        stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert set(mounts(podman.calls("run")[0]).items()) == {
        (str(podman.tree), str(podman.tree)),
        (CACHE, f"longhaul-cache-{ME}"),
    }


def test_folders_that_words_name_are_mounted(podman: Host) -> None:
    for name in ("outs", "data/run", "lib dir", "rel", "env", "more"):
        (podman.place / name).mkdir(parents=True)
    (podman.place / "lib dir" / "box.so").touch()
    own = mounts(podman.run("container", "list"))
    at = podman.place
    call = podman.run(
        *("container", f"--mount={at}/more", "report", f"{at}/data/run", "--plugin"),
        *(f"{at}/lib dir/box.so", f"--out={at}/outs/new/one", "../rel/x", "--set"),
        *("workload=/usr/bin/ping -c 3", "/nowhere/at/all"),
        LONGHAUL_WORKSPACE=f"{at}/env",
    )
    more = {target for target in mounts(call) if target not in own}
    names = ("data/run", "lib dir", "outs", "rel", "env", "more")
    assert more == {str(at / name) for name in names}
    assert all(not mounts(call)[target].startswith("ro:") for target in more)


def test_the_repository_of_a_work_tree_is_mounted_to_be_read(podman: Host) -> None:
    program = podman.place / "bin" / "git"
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *git-common-dir) echo {podman.place}/r.git;; esac\n'
    )
    program.chmod(0o755)
    there = mounts(podman.run("container", "list"))
    assert there[f"{podman.place}/r.git"] == f"ro:{podman.place}/r.git"


def test_a_folder_that_cannot_be_mounted_is_refused(podman: Host) -> None:
    (podman.place / "a,b").mkdir()
    line = podman.refused("container", "report", f"{podman.place}/a,b")
    assert line == (
        f"{podman.place}/a,b: a folder with a comma or colon in its name cannot be mounted"
    )


def test_what_longhaul_reads_is_passed_and_what_is_the_hosts_is_not(podman: Host) -> None:
    call = podman.run(
        *("container", "list"),
        **{"LONGHAUL_PROGRAMS": "ptrace", "LONGHAUL_LAYOUT": "3", "https_proxy": "http://p:1"},
        **{"PIP_INDEX_URL": "http://i", "LONGHAUL_ROOT": "/r", "PYTHONPATH": "/p"},
        LONGHAUL_CONTAINER_OPTIONS="--memory 8g",
    )
    passed = {name for name in options(call, "--env") if "=" not in name}
    names = {"LONGHAUL_PROGRAMS", "LONGHAUL_LAYOUT", "https_proxy", "PIP_INDEX_URL"}
    assert passed == names
    assert options(call, "--memory") == ["8g"]
    assert options(podman.calls("build")[0], "--build-arg") == [f"BASE={BASE}", "https_proxy"]


@pytest.mark.parametrize("name", ["LONGHAUL_SIMULATOR", "LONGHAUL_BUILD"])
def test_a_build_of_the_host_is_left_out_with_a_word(podman: Host, name: str) -> None:
    podman.run("container", "list")
    done = podman.start("container", "list", **{name: "/somewhere"})
    assert done.returncode == 0
    assert done.stderr == f"longhaul: {name} is of the host, and is left out\n"
    assert "/somewhere" not in " ".join(podman.calls("run")[-1])
    assert name not in options(podman.calls("run")[-1], "--env")


def test_a_file_of_certificates_is_mounted_and_named(podman: Host) -> None:
    certificates = podman.place / "ca.crt"
    certificates.touch()
    call = podman.run("container", "list", PIP_CERT=str(certificates), SSL_CERT_FILE="/nowhere")
    assert mounts(call)["/run/longhaul/PIP_CERT"] == f"ro:{certificates}"
    assert "PIP_CERT=/run/longhaul/PIP_CERT" in options(call, "--env")
    assert "SSL_CERT_FILE" not in " ".join(call)


def test_a_folder_may_be_the_cache(podman: Host) -> None:
    call = podman.run("container", "--cache", "./cache", "list")
    assert mounts(call)[CACHE] == f"{podman.here}/cache"
    assert (podman.here / "cache").is_dir()
    assert mounts(podman.run("container", "--cache", "mine", "list"))[CACHE] == "mine"
    done = podman.start("container", "--remove", LONGHAUL_CONTAINER_CACHE=f"{podman.here}/cache")
    assert f"{podman.here}/cache is a folder of yours, and stays" in done.stderr
    assert not podman.calls("volume", "rm")


def test_the_network_is_the_builds_and_the_runs(podman: Host) -> None:
    done = podman.start("container", "--network", "none", "list")
    assert done.returncode == 1 and "there is no image yet" in done.stderr
    assert options(podman.run("container", "--network", "host", "list"), "--network") == ["host"]
    assert options(podman.calls("build")[0], "--network") == ["host"]
    assert options(podman.run("container", "--network", "none", "list"), "--network") == ["none"]
    assert options(podman.run("container", "list"), "--network") == []

# SPDX-License-Identifier: Apache-2.0
"""`longhaul container` up to its call of podman or docker."""

import os
import pty
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from longhaul.paths import ROOT
from support.engines import CACHE, DOCKER, ME, NOBODY, Host, mounts, options

needs_root = pytest.mark.skipif(ME != 0, reason="becomes another user, which takes root")


def test_a_host_without_an_engine_is_told_the_package(bare_host: Host) -> None:
    done = bare_host.start("container", "demo")
    assert done.returncode == 1
    assert done.stderr == (
        "longhaul: needs podman or docker; install the package podman (Debian, Ubuntu: sudo "
        "apt-get install podman; Fedora: sudo dnf install podman)\n"
    )


def test_the_call_of_podman(podman: Host) -> None:
    call = podman.run("container", "run", "ixgb_b2b", "--set", "mtu=1500", CI="true")
    security = ["--security-opt", f"seccomp={podman.tree}/platform/container/seccomp.json"]
    security += ["--security-opt", "no-new-privileges", "--security-opt", "label=disable"]
    caller = [] if ME == 0 else ["--userns", "keep-id"]
    build = options(call, "--env")[-1]
    assert re.fullmatch(rf"LONGHAUL_BUILD={CACHE}/builds/[0-9a-f]{{16}}", build)
    image = call[-6]
    assert re.fullmatch(r"localhost/longhaul:run-[0-9a-f]{16}", image)
    assert call == [
        *("run", "--rm", "--interactive", "--read-only", "--workdir", str(podman.here)),
        *caller,
        *([] if ME == 0 else ["--cap-drop", "ALL"]),
        *security,
        *("--mount", f"type=bind,source={podman.here},target={podman.here}"),
        *("--mount", f"type=bind,source={podman.tree},target={podman.tree},readonly"),
        *("--tmpfs", "/tmp:rw,exec,mode=1777"),
        *("--mount", f"type=volume,source=longhaul-cache-{ME},target={CACHE}"),
        *("--env", "CI", "--env", f"HOME={CACHE}", "--env", "USER=me", "--env", build),
        *(image, f"{podman.tree}/longhaul", "run", "ixgb_b2b", "--set", "mtu=1500"),
    ]


@needs_root
def test_files_belong_to_an_ordinary_user_of_podman(podman: Host) -> None:
    podman.user = NOBODY
    call = podman.run("container", "list")
    assert options(call, "--userns") == ["keep-id"] and options(call, "--cap-drop") == ["ALL"]
    assert f"type=volume,source=longhaul-cache-{NOBODY},target={CACHE}" in call


@pytest.mark.parametrize(
    ("security", "user", "userns"),
    [
        ("", f"{ME}:{os.getegid()}", []),
        (",name=userns", f"{ME}:{os.getegid()}", ["host"]),
        (",name=rootless", "0:0", []),
    ],
)
def test_files_belong_to_the_caller_of_docker(
    docker: Host, security: str, user: str, userns: list[str]
) -> None:
    call = docker.run("container", "list", SECURITY=security)
    assert options(call, "--user") == [user] and options(call, "--userns") == userns
    assert f"{docker.tree}/platform/container/seccomp.json" in " ".join(call)


def test_podman_by_the_name_of_docker_is_podman(bare_host: Host) -> None:
    bare_host.engine("docker", "podman version 4.3.1")
    assert options(bare_host.run("container", "list"), "--user") == []


def test_podman_is_taken_before_docker_unless_one_is_named(podman: Host) -> None:
    podman.engine("docker", DOCKER)
    assert not options(podman.run("container", "list"), "--user")
    assert options(podman.run("container", "--engine", "docker", "list"), "--user")
    assert options(podman.run("container", "--engine=docker", "list"), "--user")
    assert options(podman.run("container", "list", LONGHAUL_CONTAINER_ENGINE="docker"), "--user")


def test_an_engine_that_does_not_answer_is_one_line(bare_host: Host) -> None:
    program = bare_host.place / "bin" / "docker"
    program.write_text(
        "#!/bin/sh\n[ $1 = --version ] && echo Docker version 28 && exit\n"
        "echo; echo 'Cannot connect to the Docker daemon. Is it running?' >&2; exit 1\n"
    )
    program.chmod(0o755)
    done = bare_host.start("container", "list")
    assert done.returncode == 1
    said = "longhaul: docker: Cannot connect to the Docker daemon. Is it running?\n"
    assert done.stderr == said


@pytest.mark.parametrize("code", [0, 1, 2, 130])
def test_the_engine_takes_the_place_of_the_script(podman: Host, code: int) -> None:
    podman.run("container", "list")
    environment = podman.variables({"STATUS": str(code)})
    with subprocess.Popen(podman.command("container", "list"), env=environment) as process:
        assert process.wait(60) == code
    pid, _ = (podman.place / "state" / "pid").read_text().split(" ")
    assert (podman.user != ME) or int(pid) == process.pid  # signals reach the engine itself


def test_a_terminal_is_passed_on_where_all_streams_are_its(podman: Host) -> None:
    assert "--tty" not in podman.run("container", "list")
    ours, theirs = pty.openpty()
    for out in (theirs, subprocess.DEVNULL):
        process = subprocess.Popen(
            podman.command("container", "list"), env=podman.variables({}), cwd=podman.here,
            stdin=theirs, stdout=out, stderr=theirs,
        )  # fmt: skip
        assert process.wait(60) == 0
    os.close(ours)
    os.close(theirs)
    with_terminal, without = podman.calls("run")[-2:]
    assert "--tty" in with_terminal and options(with_terminal, "--detach-keys")
    assert "TERM" in options(with_terminal, "--env")
    assert "--tty" not in without


def test_the_variable_is_the_command(podman: Host) -> None:
    words = ("run", "ixgb_b2b", "--out", "out/x")
    called = podman.run("container", *words)
    assert podman.run(*words, LONGHAUL_CONTAINER="1") == called
    assert podman.run("--version", LONGHAUL_CONTAINER="1")[-1] == "--version"
    assert podman.run("--help", LONGHAUL_CONTAINER="1")[-1] == "--help"
    assert podman.run(LONGHAUL_CONTAINER="1")[-1] == f"{podman.tree}/longhaul"
    assert podman.run("container", *words, LONGHAUL_CONTAINER="0") == called
    line = podman.start("list", LONGHAUL_CONTAINER="yes")
    assert line.returncode == 2
    assert line.stderr == (
        "longhaul: LONGHAUL_CONTAINER=yes: wants 1, or 0 for this machine itself\n"
    )


def test_within_the_container_the_variable_is_not_followed(podman: Host) -> None:
    podman.environment["XDG_CACHE_HOME"] = "/proc/none"  # where the host's own way ends
    done = podman.start("list", LONGHAUL_CONTAINER="1", LONGHAUL_IN_CONTAINER="1")
    assert "cannot write to the cache, /proc/none/longhaul" in done.stderr and not podman.calls()
    done = podman.start("container", "list", LONGHAUL_IN_CONTAINER="1")
    assert done.returncode == 1
    assert done.stderr == "longhaul: this is Longhaul's container already\n"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("container",), "container wants a command; for example: longhaul container demo"),
        (("container", "--engine"), "--engine wants a value; 'longhaul container --help' tells"),
        (("container", "--egine", "x", "demo"), "container has no option '--egine'; "
         "'longhaul container --help' shows all"),
        (("container", "container", "demo"), "container is given twice; once is enough"),
        (("container", "--mount", "/nowhere", "demo"), "--mount /nowhere: there is no such folder"),
        (("container", "--mount", "/etc", "demo"), "the folder /etc cannot be mounted: the "
         "container has files of its own there; use another folder"),
        (("container", "run", "--out", "/etc/x"), "--out /etc/x cannot be mounted: the container "
         "has files of its own in /etc; use another folder"),
        (("container", "run", "--out=/x"), "--out /x cannot be mounted: the container has files "
         "of its own in /; use another folder"),
        (("container", "--remove", "demo"), "--remove stands alone"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_and_nothing_is_done(
    podman: Host, words: tuple[str, ...], line: str
) -> None:
    assert podman.refused(*words) == line


def test_what_links_says_what_to_do_instead(podman: Host) -> None:
    line = podman.refused("container", "link")
    assert line.endswith(f"this does the same: ln -s {podman.tree}/longhaul ~/.local/bin/")


def test_help_needs_no_engine(bare_host: Host) -> None:
    done = bare_host.start("container", "--help")
    assert done.returncode == 0 and done.stderr == ""
    for option in ("engine", "base", "network", "cache", "mount", "rebuild", "remove", "help"):
        assert f"\n  --{option} " in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_a_checkout_that_cannot_be_written_is_enough(podman: Host) -> None:
    if ME == 0:
        podman.user = NOBODY
    for path in (podman.tree, *podman.tree.rglob("*")):
        path.chmod(path.stat().st_mode & 0o555 | 0o444)
    before = sorted(podman.tree.rglob("*"))
    assert mounts(podman.run("container", "list"))[str(podman.tree)].startswith("ro:")
    assert sorted(podman.tree.rglob("*")) == before


@pytest.mark.parametrize(
    ("codename", "given", "told"),
    [("bookworm", None, ""), ("jammy", None, "1"), ("jammy", "0", "0"), ("bookworm", "1", "1")],
)
def test_a_workspaces_ci_takes_the_container_on_another_linux(
    tmp_path: Path, codename: str, given: str | None, told: str
) -> None:
    common = ROOT / "platform/python/longhaul/workspace/templates/common"
    shutil.copy(common / "ci.sh", tmp_path)
    grep = shutil.which("grep")
    (tmp_path / "os-release").write_text(f"ID=x\nVERSION_CODENAME={codename}\n")
    for name, body in (
        (
            "grep",
            f'[ "$3" = /etc/os-release ] && exec {grep} "$1" "$2" {tmp_path}/os-release\nexit 9',
        ),
        ("longhaul", f'echo "$LONGHAUL_CONTAINER $*" >>{tmp_path}/calls'),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    environment.pop("LONGHAUL_CONTAINER", None)
    environment.pop("LONGHAUL", None)
    environment |= {} if given is None else {"LONGHAUL_CONTAINER": given}
    subprocess.run([tmp_path / "ci.sh"], env=environment, check=True)
    calls = (tmp_path / "calls").read_text().splitlines()
    assert calls == [f"{told} --check-only run", f"{told} python -m pytest tests"]

# SPDX-License-Identifier: Apache-2.0
"""Packages and files of the user's in a guest's root; what maintainer scripts would do."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from longhaul.cli import main
from longhaul.errors import UsageError
from longhaul.guest import apt, files, own_root, package_scripts
from longhaul.guest.apt import Download
from longhaul.guest.host_parts import HostParts
from longhaul.guest.own_root import OwnRoot
from longhaul.guest.software import GuestSoftware
from longhaul.runs import given
from longhaul.topology import Ping, Scenario, machines, nics
from longhaul.units import ms

POSTINST = """#!/bin/sh
set -e
case "$1" in
  configure)
    adduser --system --home /var/lib/mail \\
      --no-create-home --group mailer || true
    addgroup --system watchers
    adduser mailer watchers
    update-alternatives --install /usr/bin/ed ed /usr/bin/ed.tiny 10 \\
      --slave /usr/share/man/ed.1 ed.1 /usr/share/man/tiny.1
    update-alternatives --install /usr/bin/ed ed /usr/bin/ed.big 50
    ;;
esac
# Automatically added by dh_installsystemd/13
deb-systemd-helper enable 'mailer.service' >/dev/null || true
# End automatically added section
exit 0
"""


def test_accounts_and_alternatives_are_read_from_scripts(tmp_path: Path) -> None:
    done = package_scripts.Done()
    package_scripts.read("mailer", POSTINST, done)
    package_scripts.read_sysusers('u  stats - "Statistics" /var/stats\ng logs -\n#u no\n', done)
    assert done.users == {"mailer": "/var/lib/mail", "stats": "/var/stats"}
    assert done.groups == ["watchers", "logs"]
    assert done.left == []
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "passwd").write_text("root:x:0:0:root:/tmp:/bin/sh\n")
    masters = tmp_path / "usr" / "share" / "base-passwd"
    masters.mkdir(parents=True)
    (masters / "passwd.master").write_text("root:*:0:0::/root:/bin/sh\nwww-data:*:33:33::/v:/n\n")
    (masters / "group.master").write_text("root:*:0:\nwww-data:*:33:\nlogs:*:4:\n")
    package_scripts.write_accounts(tmp_path, done)
    assert (tmp_path / "etc" / "passwd").read_text().splitlines() == [
        "root:x:0:0:root:/tmp:/bin/sh",
        "www-data:*:33:33::/v:/n",
        "mailer:x:100:100::/var/lib/mail:/usr/sbin/nologin",
        "stats:x:101:101::/var/stats:/usr/sbin/nologin",
    ]
    assert (tmp_path / "etc" / "group").read_text().splitlines()[3:] == [
        "mailer:x:100:",
        "stats:x:101:",
        "watchers:x:102:",
    ]
    package_scripts.link_alternatives(tmp_path, done)
    assert (tmp_path / "etc/alternatives/ed").readlink() == Path("/usr/bin/ed.big")
    assert (tmp_path / "usr/bin/ed").readlink() == Path("/etc/alternatives/ed")
    assert (tmp_path / "usr/share/man/ed.1").readlink() == Path("/etc/alternatives/ed.1")


@pytest.mark.parametrize(
    "line",
    [
        "ssh-keygen -A",
        'adduser --system "$NAME"',
        "mkdir -p /var/www/html",
        "chown www-data /var/log/x",
    ],
)
def test_a_package_whose_scripts_do_more_is_told(line: str) -> None:
    done = package_scripts.Done()
    package_scripts.read("more", POSTINST.replace("exit 0", line), done)
    assert done.left == ["more"]


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a small root of all guests; packages come from packed(), and the cache is empty."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(own_root, "_cache_libraries", lambda root: None)
    root = tmp_path / "base"
    for folder in ("etc", "usr/bin", "usr/lib", "longhaul"):
        (root / folder).mkdir(parents=True)
    for name in ("bin", "lib"):
        (root / name).symlink_to(f"usr/{name}")
    (root / "etc" / "passwd").write_text("root:x:0:0:root:/tmp:/bin/sh\n")
    (root / "usr" / "bin" / "box").write_text("a program of many names\n")
    (root / "usr" / "bin" / "tool").symlink_to("box")
    return root


def packed(folder: Path, name: str, content: dict[str, str]) -> Path:
    """Make a Debian package of texts by path."""
    tree = folder / f"{name}-tree"
    for path, text in {"DEBIAN/postinst": POSTINST, **content}.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    (tree / "DEBIAN" / "postinst").chmod(0o755)
    control = (
        f"Package: {name}\nVersion: 1\nArchitecture: all\nMaintainer: a <a@b>\nDescription: x\n"
    )
    (tree / "DEBIAN" / "control").write_text(control)
    deb = folder / f"{name}_1_all.deb"
    subprocess.run(["dpkg-deb", "-b", "--root-owner-group", tree, deb], check=True)
    return deb


def serve(monkeypatch: pytest.MonkeyPatch, *debs: Path) -> list[Sequence[str]]:
    """Let apt know these packages only; return what it is asked for."""
    asked: list[Sequence[str]] = []
    by_name = {deb.name.partition("_")[0]: deb for deb in debs}

    def closure(self: apt.Apt, packages: list[str]) -> list[str]:
        asked.append(packages)
        return sorted(by_name)

    def downloads(self: apt.Apt, packages: list[str]) -> list[Download]:
        return [
            Download(
                name,
                "1",
                by_name[name].name,
                hashlib.sha256(by_name[name].read_bytes()).hexdigest(),
            )
            for name in packages
        ]

    def fetch(self: apt.Apt, packages: list[str], folder: Path) -> None:
        for name in packages:
            shutil.copy(by_name[name], folder)

    for function in (closure, downloads, fetch):
        monkeypatch.setattr(apt.Apt, function.__name__, function)
    return asked


def content(image: Path, folder: Path) -> Path:
    """Unpack an image."""
    subprocess.run(["fsck.erofs", f"--extract={folder}", str(image)], check=True)
    return folder


def test_packages_lie_over_the_root_and_are_made_once(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deb = packed(tmp_path, "tools", {"bin/tool": "a program of its own\n", "etc/tool.conf": "a\n"})
    serve(monkeypatch, deb)
    said: list[str] = []
    for _ in range(2):
        made = own_root.ensure(base, ["tools"], {}, said.append)
    assert made.packages == {"tools": "1"}
    assert len(said) == 2
    root = next((tmp_path / "cache" / "longhaul" / "own-roots").glob("root-*/"))
    assert (root / "usr/bin/tool").read_text() == "a program of its own\n"
    assert (root / "usr/bin/box").read_text() == "a program of many names\n"
    assert (root / "bin").is_symlink()
    assert "mailer" in (root / "etc/passwd").read_text()
    assert (base / "usr/bin/tool").is_symlink()


def test_files_and_folders_lie_over_packages_and_the_packages_stay(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(monkeypatch, packed(tmp_path, "tools", {"etc/tool.conf": "the package's\n"}))
    site = tmp_path / "site"
    (site / "deep").mkdir(parents=True)
    (site / "deep" / "page").write_text("page\n")
    conf, key = tmp_path / "my.conf", tmp_path / "key"
    conf.write_text("mine\n")
    key.write_text("secret\n")
    key.chmod(0o600)
    given_files = {"/etc/tool.conf": conf, "/srv/site": site, "/etc/keys/": key}
    made = own_root.ensure(base, ["tools"], given_files, print)
    assert sorted(made.files) == ["/etc/keys/key", "/etc/tool.conf", "/srv/site/deep/page"]
    assert made.files["/etc/tool.conf"] == hashlib.sha256(b"mine\n").hexdigest()
    assert b"mine\n" in made.image.read_bytes()
    root = next((tmp_path / "cache" / "longhaul" / "own-roots").glob("root-*/"))
    assert (root / "etc/tool.conf").read_text() == "the package's\n"
    plain = own_root.ensure(base, ["tools"], {}, print)
    assert plain.image != made.image
    conf.write_text("other\n")
    assert own_root.ensure(base, ["tools"], given_files, print).image != made.image


def test_the_same_files_make_the_same_image_elsewhere(base: Path, tmp_path: Path) -> None:
    images: list[bytes] = []
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "file").write_text("text\n")
        made = own_root.ensure(base, (), {"/opt/file": tmp_path / place / "file"}, print)
        images.append(made.image.read_bytes())
        shutil.rmtree(tmp_path / "cache")
    assert images[0] == images[1]


def test_a_package_that_debian_does_not_have_is_a_users_mistake(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = subprocess.CompletedProcess([], 100, "", "E: Unable to locate package nutcp\n")
    monkeypatch.setattr(apt.Apt, "_run", lambda self, words, folder: said)
    monkeypatch.setattr(apt.Apt, "_use_own_lists", lambda self: None)
    with pytest.raises(UsageError, match="^Debian 12 has no package nutcp$"):
        apt.Apt(print).closure(["nutcp"])


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--package *=-o", "'-o' cannot be a Debian package's name; wants a name such as nuttcp"),
        ("--file a=etc/x=y", "etc/x=y is no PATH=SOURCE with an absolute PATH in the guest"),
        (
            "--file sender=/etc/x=none",
            "none: there is no such file or folder, for the guest's /etc/x",
        ),
        ("--kernel-arg sender=", "wants HOST=WORD, such as --kernel-arg '*=mynic.debug=1'"),
        ("--before nobody=true", "--before nobody=true: no real guest is called 'nobody'"),
    ],
)
def test_a_check_refuses_what_a_run_would(
    words: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--check-only", "run", "ixgb_b2b", *words.split()]) == 2
    assert line in capsys.readouterr().err


def test_a_guest_is_told_of_its_root_and_its_commands(tmp_path: Path) -> None:
    scenario = Scenario("two")
    ends = [scenario.add(machines.xeon_533(name, nic=nics.e1000())) for name in ("a", "b")]
    scenario.link(*(end.port("eth0") for end in ends), phy="1000base-x")
    scenario.run_workload(Ping(sender=ends[0], receiver=ends[1], duration=ms(1)))
    options = given.parse(
        {"before": ["a=first", "a=- second", "a=first"], "kernel-arg": ["*=quiet"]}
    )
    given.applied(scenario, options)
    software = scenario.software()["a"]
    assert software == GuestSoftware(
        commands_before=("first", "- second", "first"), kernel_args=("quiet",)
    )
    parts = HostParts(root=OwnRoot(tmp_path / "image"), software=software)
    files.write_guest_files(
        tmp_path, scenario.guest_settings(), {}, {}, {"a": parts}, scenario.host_names()
    )
    folder = tmp_path / "guests" / "a" / "files"
    assert (folder / "settings").read_text().splitlines()[-2:] == [
        '. "$LH_FILES/own_root.sh"',
        '. "$LH_FILES/own_commands.sh"',
    ]
    assert (folder / "hosts").read_text().splitlines()[2:4] == ["10.10.0.1 a", "10.10.0.2 b"]
    commands = {path.name: path.read_text() for path in (folder / "commands").iterdir()}
    assert commands == {
        "before-001": "first\n",
        "before-002": "second\n",
        "before-002.may_fail": "",
        "before-003": "first\n",
    }
    assert parts.described() == {
        "commands_before": ["first", "- second", "first"],
        "kernel_args": ["quiet"],
    }

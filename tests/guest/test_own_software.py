# SPDX-License-Identifier: Apache-2.0
"""Debian packages, files, commands and kernel arguments of the user's in a guest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from longhaul.errors import LonghaulError
from longhaul.guest.software import GuestSoftware
from rig.scenarios import Run, command, pair, simulate

CONF = """
user www-data;
events { }
http {
  server {
    listen 80;
    root /srv/site;
  }
}
"""
ASK = """
check() { name=$1; shift; said=$("$@" 2>&1) && echo "ok $name" || echo "not ok $name: $said"; }
sleep 0.2
check page sh -c 'curl -sS http://receiver/page | grep -qx "a page of the users"'
check nuttcp sh -c 'nuttcp -T 0.1 receiver | grep -q Mbps'
check accounts sh -c 'id www-data | grep -q "^uid=33(www-data) gid=33(www-data)"'
check etc sh -c 'touch /etc/new && grep -qx before-was-here /etc/before'
check root sh -c '! touch /usr/new 2>/dev/null'
check home sh -c 'test "$(stat -c %a /root/key)" = 600'
check words grep -qw mynic.debug=1 /proc/cmdline
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    own = tmp_path_factory.mktemp("own")
    (own / "site").mkdir()
    (own / "site" / "page").write_text("a page of the users\n")
    (own / "nginx.conf").write_text(CONF)
    (own / "key").write_text("secret\n")
    (own / "key").chmod(0o600)
    scenario, sender, receiver = pair("software", mtu=1500)
    scenario.give(
        "sender",
        GuestSoftware(
            packages=("curl", "nuttcp"),
            files={"/root/key": own / "key"},
            commands_before=("echo before-was-here >/etc/before", "-false"),
            commands_after=("cat /etc/before; ip link show dev eth0",),
            kernel_args=("mynic.debug=1",),
        ),
    )
    scenario.give(
        "receiver",
        GuestSoftware(
            packages=("nginx-light", "nuttcp"),
            files={"/etc/nginx/nginx.conf": own / "nginx.conf", "/srv/site": own / "site"},
        ),
    )
    out = tmp_path_factory.mktemp("software") / "out"
    return simulate(scenario, command(sender, receiver, ASK, "nuttcp -S; nginx; cat"), out)


@pytest.mark.parametrize("name", ["page", "nuttcp", "accounts", "etc", "root", "home", "words"])
def test_whole_packages_run_with_the_users_files(run: Run, name: str) -> None:
    assert run.checks[name] == ""


def test_what_commands_say_is_in_the_runs_folder(run: Run) -> None:
    assert run.report("sender", "commands-before.txt") == (
        "$ echo before-was-here >/etc/before\n$ false\n[status 1]\n"
    )
    after = run.report("sender", "commands-after.txt")
    assert "\nbefore-was-here\n" in after
    assert ",UP" in after


def test_the_manifest_has_versions_sums_and_what_was_not_done(run: Run) -> None:
    software = json.loads((run.folder / "manifest.json").read_text())["guest_software"]
    assert {"nginx-light", "nginx", "libc6", "nuttcp"} <= set(software["receiver"]["packages"])
    assert "curl" not in software["receiver"]["packages"]
    assert "nginx-common" in software["receiver"]["scripts_not_run"]
    assert sorted(software["receiver"]["files"]) == ["/etc/nginx/nginx.conf", "/srv/site/page"]
    assert software["sender"]["kernel_args"] == ["mynic.debug=1"]
    page = (run.folder / "report.html").read_text()
    assert f"nuttcp {software['sender']['packages']['nuttcp']}" in page


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_command_that_fails_fails_the_run(when: str, tmp_path: Path) -> None:
    scenario, sender, receiver = pair("failing", mtu=1500)
    own = GuestSoftware(**{f"commands_{when}": ("echo why not; exit 3",)})  # type: ignore[arg-type]
    scenario.give("receiver", own)
    wanted = rf"a command {when} the workload ended with status 3: echo why not; exit 3"
    with pytest.raises(LonghaulError, match=wanted) as caught:
        simulate(scenario, command(sender, receiver, "true"), tmp_path / "out")
    assert "why not\n" in str(caught.value)

# SPDX-License-Identifier: Apache-2.0
"""nginx, curl and ssh, as Debian has them, with their TCP in the chips of two T110."""

import hashlib

import pytest
from longhaul.guest.software import GuestSoftware
from longhaul.units import s
from rig.scenarios import Run, command, pair, script, simulate

CHECKS = (
    *("file", "pages", "kept-alive", "command-there", "file-there", "file-back", "status-back"),
    *("by-chip", "none-left", "quiet"),
)
FILE = bytes(i * i % 251 for i in range(1_000_000))
NGINX = """
user www-data;
events { }
http { server { listen 80; root /srv/site; } }
"""
SSHD = "PermitRootLogin yes\nPermitEmptyPasswords yes\nUsePAM no\n"
BEFORE = (
    "ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ssh_host_ed25519_key",
    "sed -i 's/^root:[^:]*:/root::/' /etc/passwd",
    "mkdir -p /run/sshd",
    "nginx",
    "/usr/sbin/sshd",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    own = tmp_path_factory.mktemp("own")
    (own / "site").mkdir()
    (own / "site" / "page").write_text("a page\n")
    (own / "site" / "file").write_bytes(FILE)
    (own / "nginx.conf").write_text(NGINX)
    (own / "sshd_config").write_text(SSHD)
    scenario, sender, receiver = pair(
        "programs",
        adapter="n110",
        params={"board": "t110"},
        kernel_args=("t110.offload=2",),
        mtu=1500,
    )
    scenario.give("sender", GuestSoftware(packages=("curl", "openssh-client")))
    files = {
        "/etc/nginx/nginx.conf": own / "nginx.conf",
        "/etc/ssh/sshd_config": own / "sshd_config",
        "/srv/site": own / "site",
    }
    there = GuestSoftware(
        packages=("nginx-light", "openssh-server"), files=files, commands_before=BEFORE
    )
    scenario.give("receiver", there)
    text = script("t110_programs.sh", FILE_SUM=hashlib.sha256(FILE).hexdigest())
    out = tmp_path_factory.mktemp("programs") / "out"
    return simulate(scenario, command(sender, receiver, text, about=s(20)), out)


@pytest.mark.parametrize("name", CHECKS)
def test_unmodified_programs_run_over_it(run: Run, name: str) -> None:
    assert run.checks[name] == ""


def test_no_kernel_complains(run: Run) -> None:
    assert run.complaints() == []

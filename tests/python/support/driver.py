# SPDX-License-Identifier: Apache-2.0
"""The real command line with the simulator and the guest's parts replaced; run as a program."""

import os
import sys
from pathlib import Path

from longhaul import cli
from longhaul.guest import known_versions
from longhaul.guest import parts as guest_parts
from longhaul.guest.kernel import KernelInfo
from longhaul.runs import child_runs, runner
from longhaul.sweeps import cluster

FAKE_SIM = Path(__file__).with_name("fake_sim.py")


KERNEL = KernelInfo(
    path=Path("/bin/true"),  # nobody will start it
    key="0123456789abcdef",
    version="6.1.192-longhaul",
    package_version="6.1.192-2",
    drivers={"ixgb": "ab" * 32},
)


def parts(progress: guest_parts.Progress) -> guest_parts.GuestParts:
    progress("guest kernel 6.1.192 is in the cache")
    return guest_parts.GuestParts(KERNEL, Path("/blocks.bin"), Path("/"), {"iperf": "2.1.8"})


def install() -> None:
    """Make every run of this process use the stand-ins."""
    real = runner.Tools

    def tools() -> runner.Tools:
        return real(simulator=lambda: FAKE_SIM, guests=parts, known_layout=lambda: None)

    runner.Tools = tools
    known_versions.known = lambda file=None: {}  # the stand-in's packages are nobody's
    child_runs.LONGHAUL = (sys.executable, __file__)
    cluster.ANSWER_S = float(os.environ.get("FAKE_ANSWER_S", cluster.ANSWER_S))


if __name__ == "__main__":
    install()
    sys.exit(cli.main())

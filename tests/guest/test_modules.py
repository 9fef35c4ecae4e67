# SPDX-License-Identifier: Apache-2.0
"""A module that is built beside the kernel loads in every guest, and its blocks cost time."""

import csv
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from longhaul.errors import LonghaulError
from longhaul.guest import kernel, module_blocks
from longhaul.units import Size
from rig.scenarios import Run, command, packed, pair, script, simulate

SOURCES = Path(__file__).with_name("modules")
TIMES = 10_000_000
GHZ = 2.2
# The smallest and the largest of the machines' presets, and the most that a guest can have.
MEMORY = {"128MiB": Size(128 << 20), "2GiB": Size(2 << 30), "3.5GiB": Size(3584 << 20)}


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Build the modules; return each packed, and one whose table was taken away."""
    folder = tmp_path_factory.mktemp("modules") / "source"
    shutil.copytree(SOURCES, folder)
    built = {path.stem: path for path in module_blocks.build(kernel.ensure(), folder)}
    tableless = folder / "tableless.ko"
    subprocess.run(
        ["objcopy", "--remove-section", module_blocks.SECTION, built["multiply"], tableless],
        check=True,
    )
    return {name.upper(): packed(path) for name, path in (built | {"tableless": tableless}).items()}


@pytest.fixture(scope="module", params=list(MEMORY))
def run(
    request: pytest.FixtureRequest,
    modules: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Run:
    scenario, sender, receiver = pair("modules", mtu=1500, memory=MEMORY[request.param])
    given = {name: modules[name] for name in ("MULTIPLY", "TABLELESS")}
    text = script("modules.sh", TIMES=str(TIMES), **given)
    out = tmp_path_factory.mktemp("modules") / "out"
    return simulate(scenario, command(sender, receiver, text), out)


@pytest.mark.parametrize("name", ["loaded", "refused", "quiet"])
def test_it_loads_and_one_whose_work_would_take_no_time_does_not(run: Run, name: str) -> None:
    assert run.checks[name] == ""


def test_its_multiplications_take_a_k8s_time(run: Run) -> None:
    """A K8 multiplies in 3 cycles (AMD 25112, appendix C); loop and spills are beside it."""
    found = re.search(rf"{TIMES} products in (\d+) ns", run.text("dmesg"))
    assert found, run.text("dmesg")
    cycles = int(found[1]) * GHZ / TIMES
    assert 2.0 <= cycles <= 6.0


def test_the_profile_names_its_functions(run: Run) -> None:
    with (run.folder / "profile-sender.csv").open(newline="") as file:
        rows = {row["function"]: row for row in csv.DictReader(file)}
    row = rows["multiply [multiply]"]
    assert TIMES <= int(row["blocks"]) <= TIMES + 10
    assert 2 * TIMES <= int(row["code"]) <= 6 * TIMES
    paths = (run.folder / "profile-sender.folded").read_text()
    assert re.search(r"^system;.*do_one_initcall;.*multiply \[multiply\] \d+$", paths, re.M)


def test_a_kernel_that_faults_in_its_virtual_memory_ends_in_words(
    modules: dict[str, str], tmp_path: Path
) -> None:
    """It tried again without end, and was taken for a guest that hangs."""
    scenario, sender, receiver = pair("wild", mtu=1500)
    text = script("wild_module.sh", WILD=modules["WILD"])
    with pytest.raises(LonghaulError, match=r"guest 'sender' panicked \(Kernel mode fault at addr"):
        simulate(scenario, command(sender, receiver, text), tmp_path / "out")


def test_a_drivers_parameters_reach_it(tmp_path: Path) -> None:
    """ns83820 holds interrupts off for 100 us times `ihr` after each batch of frames."""
    args = ("ns83820.ihr=10",)
    scenario, sender, receiver = pair("driver", adapter="dp83820", kernel_args=args)
    text = 'iperf -c "$LH_PEER4" -t 0.1 >/dev/null && echo ok moves'
    run = simulate(scenario, command(sender, receiver, text, "iperf -s"), tmp_path / "out")
    assert run.checks == {"moves": ""}
    window = (run.sim.window.end_ps - run.sim.window.begin_ps) / 1e12
    assert 50 < run.sim.counter("receiver.eth0.interrupts") < 1100 * window

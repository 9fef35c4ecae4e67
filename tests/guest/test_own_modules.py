# SPDX-License-Identifier: Apache-2.0
"""A user's Kbuild folder becomes modules of a guest, and one of them may own eth0."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from longhaul.cli import main
from longhaul.errors import UsageError
from longhaul.guest import kernel, own_modules
from longhaul.guest.software import GuestSoftware
from rig.scenarios import Run, command, pair, simulate

SOURCES = Path(__file__).with_name("own_modules")
NS83820 = "drivers/net/ethernet/natsemi/ns83820.c"


@pytest.fixture(scope="module")
def info() -> kernel.KernelInfo:
    return kernel.ensure()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SOURCES, tmp_path / "anybodys" / "driver"))


@pytest.fixture(scope="module")
def run(info: kernel.KernelInfo, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run the kernel's own driver of an adapter as a user's module, renamed, beside another one."""
    driver = tmp_path_factory.mktemp("driver") / "mine"
    driver.mkdir()
    shutil.copy(info.path.parent / "source" / NS83820, driver / "mine.c")
    (driver / "Kbuild").write_text("obj-m := ns83820.o\nns83820-y := mine.o\n")
    scenario, sender, receiver = pair("own", adapter="dp83820")
    given = GuestSoftware(modules=(driver,), module_params={"ns83820": "ihr=10"})
    scenario.give("receiver", given)
    both = GuestSoftware(
        modules=(SOURCES,), module_params={"own-user": 'number=2 text="two words"'}
    )
    scenario.give("sender", both.joined(GuestSoftware(modules=(driver,))))
    text = 'iperf -c "$LH_PEER4" -t 0.1 >/dev/null && echo ok moves; ethtool -i eth0; dmesg'
    out = tmp_path_factory.mktemp("own") / "out"
    return simulate(scenario, command(sender, receiver, text, "iperf -s"), out)


def test_it_owns_eth0_and_its_parameters_reach_it(run: Run) -> None:
    """ns83820 holds interrupts off for 100 us times `ihr` after each batch of frames."""
    assert run.checks == {"moves": ""}
    window = (run.sim.window.end_ps - run.sim.window.begin_ps) / 1e12
    receiver = run.sim.counter("receiver.eth0.interrupts")
    assert 50 < receiver < 1100 * window
    assert run.sim.counter("sender.eth0.interrupts") > 2 * receiver
    assert not run.complaints()


def test_modules_load_by_need_and_ahead_of_the_network(run: Run) -> None:
    said = run.report("sender", "command.txt")
    assert "number=42 text='two words' eth0 is not there, from longhaul-drivers/own/own_user.c" in (
        said
    )


def test_the_profile_names_its_functions(run: Run) -> None:
    with (run.folder / "profile-receiver.csv").open(newline="") as file:
        blocks = {row["function"]: int(row["blocks"]) for row in csv.DictReader(file)}
    assert blocks["rx_irq [ns83820]"] > 1000


def test_manifest_and_report_have_name_and_checksum(run: Run) -> None:
    manifest = json.loads((run.folder / "manifest.json").read_text())
    software = manifest["guest_software"]
    names = [module["name"] for module in software["sender"]["modules"]]
    assert names == ["own_base", "own_user", "ns83820"]
    (module,) = software["receiver"]["modules"]
    loaded = run.folder / "guests" / "receiver" / "files" / "modules" / "ns83820.ko"
    assert module["sha256"] == hashlib.sha256(loaded.read_bytes()).hexdigest()
    assert (module["folder"], module["parameters"]) == ("mine", "ihr=10")
    page = (run.folder / "report.html").read_text()
    assert "receiver: module ns83820 of mine (ihr=10), SHA-256" in page
    assert module["sha256"] in page
    assert "modules" not in manifest["checksums"]  # the kernel's own ns83820 was not built


def test_the_same_folder_makes_the_same_bytes_in_every_place(
    info: kernel.KernelInfo, folder: Path, tmp_path: Path
) -> None:
    first = own_modules.ensure(info, SOURCES, print)
    before = {module.name: module.file.read_bytes() for module in first}
    shutil.rmtree(first[0].file.parent)
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    (tmp_path / "link").symlink_to(folder)
    second = own_modules.ensure(info, tmp_path / "link", print)
    assert {module.name: module.file.read_bytes() for module in second} == before
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        path.name for path in SOURCES.iterdir()
    )


def test_what_the_compiler_says_names_the_users_files(
    info: kernel.KernelInfo, folder: Path
) -> None:
    source = folder / "own_user.c"
    good = source.read_text()
    source.write_text(good.replace("return 0;", "int left_over; return 0;"))
    for _ in ("built", "kept"):
        said: list[str] = []
        own_modules.ensure(info, folder, said.append)
        assert any(
            line.startswith(f"{source}:") and "unused variable 'left_over'" in line for line in said
        )
    source.write_text(good.replace("return 0;", "return nothing;"))
    said = []
    with pytest.raises(UsageError) as caught:
        own_modules.ensure(info, folder, said.append)
    assert str(caught.value).startswith(f"the modules of {folder} cannot be built: {source}:")
    assert "'nothing' undeclared" in str(caught.value)
    assert any(line.startswith(f"{source}:") and "error:" in line for line in said)
    assert not any("longhaul-drivers" in line for line in said)


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("Makefile", "all:\n\ttrue\n", "its Makefile names no module; wants 'obj-m"),
        ("Makefile", "obj-m += gone.o\n", "No rule to make target '{}/gone.o'"),
        ("Makefile", "obj-m += own_user.o\nifeq\n", "{}/Makefile:2: *** invalid syntax"),
        ("own-base.c", "int own_base(int n) { return n; }\n", "missing MODULE_LICENSE() in {}/own"),
    ],
    ids=["no module", "no source", "no makefile", "no licence"],
)
def test_what_cannot_be_built_is_told_in_one_line(
    info: kernel.KernelInfo, folder: Path, name: str, text: str, line: str
) -> None:
    (folder / name).write_text(text)
    with pytest.raises(UsageError) as caught:
        own_modules.ensure(info, folder, lambda said: None)
    assert line.format(folder) in str(caught.value)
    assert not (info.path.parent / "source" / "longhaul-drivers").exists()


def test_a_tree_for_make_by_hand_builds_the_folder(folder: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    assert main(["kernel", "--headers", str(tree)]) == 0
    subprocess.run(["make", "-C", tree, f"M={folder}", "modules"], check=True)
    assert (folder / "own_user.ko").is_file()
    assert main(["kernel", "--headers", str(tree)]) == 2

# SPDX-License-Identifier: Apache-2.0
"""A user's modules: what counts of a folder, in which order modules load, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from longhaul.cli import main
from longhaul.errors import TopologyError, UsageError
from longhaul.guest import files, host_parts, own_modules
from longhaul.guest.host_parts import HostParts, LoadedModule
from longhaul.guest.own_modules import OwnModule
from longhaul.guest.software import GuestSoftware
from longhaul.runs import child_runs, given
from longhaul.sweeps import plan as sweep_plan
from longhaul.topology import Ping, Scenario, System, machines, nics
from longhaul.units import ms


@pytest.fixture
def driver(tmp_path: Path) -> Path:
    """Return a Kbuild folder, as its author has it."""
    folder = tmp_path / "driver"
    (folder / "include").mkdir(parents=True)
    (folder / "Kbuild").write_text("obj-m += mynic.o\n")
    (folder / "mynic.c").write_text("int mynic;\n")
    (folder / "include" / "mynic.h").write_text("extern int mynic;\n")
    return folder


def checksum(folder: Path) -> str:
    return own_modules.checksum(own_modules.sources(folder))


def two_hosts(**own: object) -> Scenario:
    scenario = Scenario("two")
    ends = [
        scenario.add(machines.xeon_533(name, nic=nics.e1000(), **own))  # type: ignore[arg-type]
        for name in ("a", "b")
    ]
    scenario.link(*(end.port("eth0") for end in ends), phy="1000base-x")
    scenario.run_workload(Ping(sender=ends[0], receiver=ends[1], duration=ms(1)))
    return scenario


def test_what_a_build_leaves_behind_is_no_source(driver: Path) -> None:
    before = checksum(driver)
    for name in ("mynic.o", "mynic.ko", ".mynic.o.cmd", "mynic.mod.c", "modules.order"):
        (driver / name).write_text("left over")
    (driver / ".git").mkdir()
    (driver / ".git" / "HEAD").write_text("ref")
    assert checksum(driver) == before
    assert list(own_modules.sources(driver)) == ["Kbuild", "include/mynic.h", "mynic.c"]


@pytest.mark.parametrize(
    "change",
    [
        lambda f: (f / "mynic.c").write_text("int other;\n"),
        lambda f: (f / "include" / "mynic.h").rename(f / "include" / "nic.h"),
        lambda f: (f / "gen.sh").write_text("echo\n"),
        lambda f: (f / "mynic.c").chmod(0o755),
    ],
    ids=["content", "name", "new file", "mode"],
)
def test_another_content_is_another_module(driver: Path, change: Callable[[Path], object]) -> None:
    before = checksum(driver)
    change(driver)
    assert checksum(driver) != before


def test_a_folder_elsewhere_and_links_in_it_are_the_same_sources(
    driver: Path, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere" / "name"
    other.mkdir(parents=True)
    for name in ("Kbuild", "mynic.c", "include"):
        (other / name).symlink_to(driver / name)
    assert checksum(other) == checksum(driver)


def test_a_link_that_leads_back_into_the_folder_is_told(driver: Path) -> None:
    (driver / "again").symlink_to(driver)
    with pytest.raises(UsageError, match="does a link lead back into the folder"):
        own_modules.sources(driver)


def test_modules_load_after_those_that_they_need_else_in_the_makefiles_order() -> None:
    needed = {"user": ("base", "kernels_own"), "plain": (), "base": ("core",), "core": ()}
    assert own_modules.load_order(needed) == ["plain", "core", "base", "user"]
    with pytest.raises(UsageError, match="in a circle: a, b, a|in a circle: b, a, b"):
        own_modules.load_order({"a": ("b",), "b": ("a",)})


def test_kbuilds_own_lines_are_left_out_of_what_the_compiler_says() -> None:
    said = (
        "make: Entering directory '/k'\n  CC [M]  longhaul-drivers/own/a.o\n"
        "longhaul-drivers/own/a.c:3:1: error: no\n    3 | x\n      | ^\n"
        "make[1]: *** [scripts/Makefile.build:250: longhaul-drivers/own/a.o] Error 1\n"
        "make[1]: *** No rule to make target 'longhaul-drivers/own/b.o'\n"
        "  MODPOST longhaul-drivers/own/Module.symvers\n"
        "ERROR: modpost: missing MODULE_LICENSE() in longhaul-drivers/own/a.o\n"
    )
    assert own_modules.told(said) == [
        "longhaul-drivers/own/a.c:3:1: error: no",
        "    3 | x",
        "      | ^",
        "make[1]: *** No rule to make target 'longhaul-drivers/own/b.o'",
        "ERROR: modpost: missing MODULE_LICENSE() in longhaul-drivers/own/a.o",
    ]


def test_a_guest_has_its_modules_their_parameters_and_their_loader(tmp_path: Path) -> None:
    scenario = two_hosts()
    module = tmp_path / "built.ko"
    module.write_bytes(b"module")
    parts = HostParts(
        modules=tuple(
            LoadedModule(OwnModule(name, module, "sum"), "driver", parameters)
            for name, parameters in (("core", ""), ("mynic", 'debug=1 name="a b"'))
        )
    )
    files.write_guest_files(tmp_path, scenario.guest_settings(), {}, {}, {"b": parts})
    folder = tmp_path / "guests" / "b" / "files"
    assert (folder / "settings").read_text().splitlines()[-2:] == [
        "LH_OWN_MODULES='core mynic'",
        '. "$LH_FILES/modules/load_own_modules.sh"',
    ]
    assert (folder / "modules" / "mynic.ko").read_bytes() == b"module"
    assert (folder / "modules" / "mynic.parameters").read_text() == 'debug=1 name="a b"\n'
    assert not (folder / "modules" / "core.parameters").exists()
    assert (folder / "modules" / "load_own_modules.sh").is_file()
    assert not (tmp_path / "guests" / "a" / "files" / "modules").exists()


def test_paths_of_a_topology_are_from_its_folder_and_options_are_added(tmp_path: Path) -> None:
    scenario = two_hosts(modules=("driver/",), module_params={"mynic": "debug=1"})
    scenario.folder = tmp_path
    scenario.give("a", GuestSoftware(modules=(Path("/elsewhere"), Path("driver"))))
    software = scenario.software()
    assert software["a"].modules == (tmp_path / "driver", Path("/elsewhere"))
    assert software["b"].modules == (tmp_path / "driver",)
    assert software["b"].module_params == {"mynic": "debug=1"}


@pytest.mark.parametrize(
    ("own", "line"),
    [
        ({"modules": "driver/"}, """a: modules='driver/'; wants such as ("driver/",)"""),
        (
            {"modules": ("driver/",), "system": System(profile="linux_2_4")},
            "a: modules is for a real guest, and it has a modelled system",
        ),
        ({"files": {"etc/x": "x"}}, "a: files: etc/x is no absolute path in the guest"),
    ],
)
def test_a_wrong_field_of_a_machine_is_refused(own: dict[str, object], line: str) -> None:
    with pytest.raises(TopologyError) as caught:
        two_hosts(**own)
    assert str(caught.value) == line


def test_options_name_hosts_and_reach_other_processes(
    driver: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    every = given.parse({"module": ["*=driver"]})
    scenario = given.applied(two_hosts(), every)
    assert {each.modules for each in scenario.software().values()} == {(driver,)}
    command = child_runs.command("ixgb_b2b", tmp_path / "out", (), software=every)
    assert command[command.index("--module") + 1] == f"*={driver}"
    with pytest.raises(UsageError, match=r"--module c=.*: no real guest is called 'c'"):
        given.applied(two_hosts(), given.parse({"module": ["c=driver"]}))


def test_another_driver_is_another_sweep(driver: Path, tmp_path: Path) -> None:
    def identity() -> dict[str, object]:
        software = given.parse({"module": [f"*={driver}"]})
        return sweep_plan.plan(
            "ixgb_b2b", ["mtu=1500"], (), tmp_path / "sweep", 1, software=software
        ).identity()

    before = identity()
    assert before == identity()
    (driver / "mynic.c").write_text("int other;\n")
    assert before != identity()


@pytest.mark.parametrize(
    ("option", "line"),
    [
        ("driver", "--module driver: wants HOST=FOLDER, such as --module '*=driver/'"),
        ("a=none", "{}/none: there is no such folder; a module is built from a folder"),
        ("a=.", "{}: has no Kbuild and no Makefile; wants one with 'obj-m += NAME.o'"),
        ("sendr=driver", "no real guest is called 'sendr'; did you mean sender?"),
    ],
)
@pytest.mark.usefixtures("driver")
def test_a_check_refuses_what_a_run_would(
    option: str,
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["--check-only", "run", "ixgb_b2b", "--module", option]) == 2
    assert capsys.readouterr().err.rstrip("\n").endswith(line.format(tmp_path))


def test_parameters_of_a_module_that_is_not_there_are_refused(
    monkeypatch: pytest.MonkeyPatch, driver: Path
) -> None:
    built = (OwnModule("mynic", driver / "mynic.ko", "sum"),)
    monkeypatch.setattr(own_modules, "ensure", lambda info, folder, say: built)
    software = GuestSoftware(modules=(driver,), module_params={"my-nik": "debug=1"})
    with pytest.raises(UsageError, match=r"^a: module_params names 'my_nik', .* mean mynic\?"):
        host_parts.ensure(None, driver, "a", software, print)  # type: ignore[arg-type]


def test_a_module_that_the_kernel_has_or_that_two_folders_build_is_refused(
    monkeypatch: pytest.MonkeyPatch, driver: Path
) -> None:
    def named(name: str) -> None:
        built = (OwnModule(name, driver / "any.ko", "sum"),)
        monkeypatch.setattr(own_modules, "ensure", lambda info, folder, say: built)

    software = GuestSoftware(modules=(driver, driver.parent))
    named("ixgb")
    with pytest.raises(UsageError, match="has a driver of that name built in"):
        host_parts.ensure(None, driver, "a", software, print)  # type: ignore[arg-type]
    named("mynic")
    with pytest.raises(UsageError, match="two folders build mynic"):
        host_parts.ensure(None, driver, "a", software, print)  # type: ignore[arg-type]

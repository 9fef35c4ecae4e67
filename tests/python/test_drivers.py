# SPDX-License-Identifier: Apache-2.0
"""Drivers that are not in the guests' kernel: who needs one, and how it is built."""

from __future__ import annotations

from pathlib import Path

import pytest
from longhaul.errors import LonghaulError, UsageError
from longhaul.guest import claims, files, host_parts, kernel, module_blocks, own_modules
from longhaul.guest import drivers as guest_drivers
from longhaul.guest.software import GuestSoftware
from longhaul.topology import Machine, Ping, Scenario, machines, nics
from longhaul.topology import adapters as topology_adapters
from longhaul.types import LinuxDriver, catalog
from longhaul.units import ms

BUILT_IN = LinuxDriver("skge", 68, 1500, "a test")
LOADED = LinuxDriver("loaded", 68, 1500, "a test", "drivers/net/loaded", "CONFIG_LOADED")
FOREIGN = LinuxDriver("mynic", 68, 1500, "a test")
TYPES = {"plain": BUILT_IN, "loaded": LOADED, "silent": None, "foreign": FOREIGN}


@pytest.fixture(autouse=True)
def types_of_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> catalog.Type:
        return catalog.Type("adapter", name, "a test", linux_driver=TYPES[name])

    monkeypatch.setattr(topology_adapters.adapter_types, "find", find)


def two_hosts(*types: str) -> Scenario:
    scenario = Scenario("two")
    cards = tuple(nics.adapter(t, name=f"eth{i}", slot=i + 1) for i, t in enumerate(types))
    ends = [scenario.add(machines.xeon_533(name, nic=cards)) for name in ("a", "b")]
    scenario.link(*(end.port("eth0") for end in ends))
    scenario.run_workload(Ping(sender=ends[0], receiver=ends[1], duration=ms(1)))
    return scenario


def test_a_guest_with_built_in_drivers_loads_none(tmp_path: Path) -> None:
    scenario = two_hosts("plain")
    files.write_guest_files(tmp_path, scenario.guest_settings(), {}, {"a": {}, "b": {}})
    folder = tmp_path / "guests" / "a" / "files"
    assert [path.name for path in folder.iterdir()] == ["settings"]
    assert "modules" not in (folder / "settings").read_text()


def test_a_guest_is_told_which_drivers_to_load_and_has_their_files(tmp_path: Path) -> None:
    scenario = two_hosts("loaded", "plain")
    module = tmp_path / "anything.ko"
    module.write_bytes(b"module")
    settings = scenario.guest_settings()
    given = {name: {"loaded": module} for name in settings}
    files.write_guest_files(tmp_path, settings, scenario.adapter_settings(), given)
    folder = tmp_path / "guests" / "b" / "files"
    assert (folder / "modules" / "loaded.ko").read_bytes() == b"module"
    assert (folder / "settings").read_text().splitlines()[-2:] == [
        "LH_MODULES=loaded",
        '. "$LH_FILES/modules/load_modules.sh"',
    ]
    assert (folder / "modules" / "load_modules.sh").is_file()
    assert scenario.drivers() == {"a": (LOADED,), "b": (LOADED,)}


def test_an_adapter_without_linux_driver_needs_a_modelled_system() -> None:
    with pytest.raises(UsageError) as caught:
        two_hosts("silent").drivers()
    assert str(caught.value) == (
        "a.eth0: the adapter 'silent' has no Linux driver, so it needs a modelled system, or "
        "yours: --module a=FOLDER"
    )


def test_a_driver_that_only_the_user_has_is_named_with_the_option_that_gives_it() -> None:
    scenario = two_hosts("plain", "foreign")
    with pytest.raises(UsageError) as caught:
        scenario.drivers()
    assert str(caught.value) == (
        "a.eth1: the adapter 'foreign' needs the module mynic, which is not in the guests' kernel; "
        "give the folder that builds it: --module a=FOLDER"
    )
    for guest in scenario.guests():
        scenario.give(guest, GuestSoftware(modules=(Path("driver"),)))
    assert scenario.drivers() == {"a": (FOREIGN,), "b": (FOREIGN,)}


def test_a_folder_that_builds_another_module_is_refused_by_the_name_of_the_one_it_lacks() -> None:
    other = own_modules.OwnModule("other", Path("other.ko"), "sum")
    parts = host_parts.HostParts(modules=(host_parts.LoadedModule(other, "driver"),))
    with pytest.raises(UsageError, match=r"^b: an adapter needs the module mynic, .*: other; give"):
        host_parts.missing_module("b", ["mynic"], parts, {})
    host_parts.missing_module("b", ["other"], parts, {})
    host_parts.missing_module("b", ["loaded"], parts, {"loaded": object()})


def test_an_adapter_that_no_module_claims_is_refused_with_the_ids_of_both_sides(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mynic.ko"
    module = own_modules.OwnModule("mynic", file, "sum")
    parts = host_parts.HostParts(modules=(host_parts.LoadedModule(module, "driver"),))
    file.write_bytes(b"license=GPL\0alias=pci:v00001234d00004E44sv*sd*bc*sc*i*\0depends=\0")
    with pytest.raises(UsageError) as caught:
        claims.check({"b.eth0": ("1234:4e43",)}, parts)
    assert str(caught.value).startswith(
        "b.eth0: no driver claims PCI device 1234:4e43, as the adapter calls itself; "
        "mynic claims 1234:4e44: change"
    )
    claims.check({"b.eth0": ("1234:4e44",), "b.eth1": ()}, parts)
    file.write_bytes(b"alias=pci:v00001234d*sv*sd*bc*sc*i*\0")
    claims.check({"b.eth0": ("1234:4e43",)}, parts)
    file.write_bytes(b"license=GPL\0")  # it may find its device in another way
    claims.check({"b.eth0": ("1234:4e43",)}, parts)


def test_a_module_gets_its_devices_ahead_of_built_in_drivers(tmp_path: Path) -> None:
    file = tmp_path / "mynic.ko"
    file.write_bytes(
        b"license=GPL\0alias=pci:v00008086d0000100Fsv*sd*bc*sc*i*\0"
        b"alias=pci:v00008086d*sv*sd*bc02sc00i*\0depends=\0"
    )
    plain = tmp_path / "plain.ko"
    plain.write_bytes(b"license=GPL\0")
    parts = host_parts.HostParts(
        modules=tuple(
            host_parts.LoadedModule(own_modules.OwnModule(each.stem, each, "sum"), "driver")
            for each in (file, plain)
        )
    )
    said: list[str] = []
    assert claims.ahead_of((), "a", parts, said.append) == parts and not said
    made = claims.ahead_of(("e1000",), "a", parts, said.append)
    assert [each.takes for each in made.modules] == [("8086:100f", "8086:*"), ()]
    assert said == [
        "a: mynic gets its PCI devices (8086:100f, 8086:*) from the built-in e1000, which gives up "
        "those that it has"
    ]
    told = [each.get("takes") for each in made.described()["modules"]]
    assert told == [["8086:100f", "8086:*"], None]
    files.write_guest_files(tmp_path, {"a": {}}, {}, {}, {"a": made})
    folder = tmp_path / "guests" / "a" / "files" / "modules"
    assert (folder / "mynic.claims").read_text().splitlines() == [
        "pci:v00008086d0000100Fsv*sd*bc*sc*i*",
        "pci:v00008086d*sv*sd*bc02sc00i*",
    ]
    assert not (folder / "plain.claims").exists()


def test_built_in_drivers_of_a_guest_are_known() -> None:
    scenario = two_hosts("plain", "foreign", "silent")
    machine = scenario.parts["a"]
    assert isinstance(machine, Machine)
    assert topology_adapters.built_in_drivers(machine.nics) == ("skge",)


def test_an_adapter_without_description_is_left_to_the_users_module() -> None:
    scenario = two_hosts("silent")
    for guest in scenario.guests():
        scenario.give(guest, GuestSoftware(modules=(Path("driver"),)))
    assert scenario.drivers() == {"a": (), "b": ()}


def kernel_in(tmp_path: Path) -> kernel.KernelInfo:
    source = tmp_path / "source" / "drivers/net/loaded"
    source.mkdir(parents=True)
    (source / "loaded.c").write_text("int loaded;\n")
    return kernel.KernelInfo(tmp_path / "linux", "key", "6.1", "6.1-1", {})


def test_a_driver_is_built_once_within_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = kernel_in(tmp_path)
    built: list[tuple[Path, tuple[str, ...]]] = []

    def build(of: kernel.KernelInfo, folder: Path, options: list[str]) -> list[Path]:
        assert (folder / "loaded.c").is_file()
        built.append((folder.relative_to(of.path.parent / "source"), tuple(options)))
        (folder / "loaded.ko").write_text("made")
        return [folder / "loaded.ko"]

    monkeypatch.setattr(module_blocks, "build", build)
    said: list[str] = []
    for _ in range(2):
        made = guest_drivers.ensure(info, [LOADED], said.append)["loaded"]
        assert made.file.read_text() == "made"
        assert made.sources == kernel.checksum(tmp_path / "source", "drivers/net/loaded")
    assert built == [(Path("longhaul-drivers/loaded"), ("CONFIG_LOADED",))]
    assert said == ["guest kernel: building the driver loaded"]
    assert not (tmp_path / "source" / "longhaul-drivers").exists()


def test_what_cannot_be_built_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = kernel_in(tmp_path)
    elsewhere = LinuxDriver("gone", 68, 1500, "a test", "drivers/net/gone", "CONFIG_GONE")
    with pytest.raises(
        LonghaulError, match=r"from drivers/net/gone, which Linux 6.1 does not have"
    ):
        guest_drivers.ensure(info, [elsewhere], print)
    monkeypatch.setattr(module_blocks, "build", lambda of, folder, options: [folder / "other.ko"])
    with pytest.raises(LonghaulError, match=r"CONFIG_LOADED of .* builds other, not loaded"):
        guest_drivers.ensure(info, [LOADED], print)
    assert not (tmp_path / "source" / "longhaul-drivers").exists()

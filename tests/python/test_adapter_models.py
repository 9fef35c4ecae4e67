# SPDX-License-Identifier: Apache-2.0
"""`MACHINE.DEVICE.model=rtl`: an adapter's RTL in the place of its TLM type."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from longhaul.errors import UsageError
from longhaul.results import adapter_models
from longhaul.runs import models, overrides, rtl_variants
from longhaul.schema import SimConfig
from longhaul.topology import Scenario, machines, nics
from longhaul.types import adapter_registers, described, rtl_models
from longhaul.types.described import Described
from support.topology import config_for, traffic

SAMPLES = Path(__file__).parent / "samples" / "portmap"
DRIVER = '[driver]\nmodule = "ixgb"\nleast_mtu = 68\nlargest_mtu = 9000\n'
IDS = 'vendor = "0x1af4"\ndevice = "0x5555"\n'
BAR = {"index": 0, "bytes": 65536, "wide": False}


def adapter(name: str, *parameters: str, **changes: Any) -> Described:
    """Return a type of adapter as the simulator tells it; all parameters are alike."""
    fact = {"type": "integer", "default": 1, "description": "", "evidence": "chosen", "source": "x"}
    plain: dict[str, Any] = {
        "kind": "adapter",
        "name": name,
        "title": name,
        "file": "x.cc",
        "pci_ids": ["1af4:5555", "1af4:5556"],
        "phy": "1000base-x",
        "slot": "pcix-133",
        "linux_driver": {"module": "ixgb", "least_mtu": 68, "largest_mtu": 9000, "source": "x"},
        "parameters": {"params": [fact | {"name": each} for each in parameters], "firmware": []},
    }
    return Described.model_validate(plain | changes)


TLM = adapter("ixgb", "mac", "tx_kib_clocks", "decode_clocks")
BLOCK = adapter("little", "decode_clocks", "posted_writes", "mac", rtl=True, plugin="/x/little.so")


class Simulator:
    """Answers of the simulator about types, and the plug-ins that it was asked with."""

    def __init__(self) -> None:
        self.types: list[Described] = [TLM, adapter("e1000")]
        self.block = BLOCK
        self.facts = {"class_code": 0x020000, "subsystem_vendor": 0, "subsystem": 0, "revision": 0}
        self.bars: list[dict[str, Any]] = [BAR]
        self.asked: list[Sequence[Path]] = []

    def everything(self, plugins: Sequence[Path] = ()) -> tuple[Described, ...]:
        self.asked.append(plugins)
        maps = [path for path in plugins if path.suffix == ".toml"]
        return (*self.types, *([self.block] if maps else []))

    def registers(self, name: str, plugins: Sequence[Path]) -> adapter_registers.Registers:
        assert name == "ixgb" and all(path.suffix != ".toml" for path in plugins)
        return adapter_registers.Registers.model_validate(
            {
                **{"name": name, "title": name, "bytes": 65536, "registers": []},
                **{"bars": self.bars, **self.facts},
            }
        )


@pytest.fixture
def simulator(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Simulator:
    """Stand in for the simulator; the tree has no map but those that a test puts into it."""
    told = Simulator()
    monkeypatch.setattr(described, "everything", told.everything)
    monkeypatch.setattr(adapter_registers, "of", told.registers)
    monkeypatch.setattr(rtl_models, "FOLDER", tmp_path / "tree")
    return told


@pytest.fixture
def map_(tmp_path: Path, simulator: Simulator) -> Path:
    """Return a port map with a twin."""
    return with_twin(tmp_path / "own", "ixgb")


def with_twin(folder: Path, twin: str, *changes: tuple[str, str]) -> Path:
    shutil.copytree(SAMPLES, folder)
    file = folder / "little.toml"
    text = file.read_text().replace('port = "wire"\n', f'port = "wire"\ntwin = "{twin}"\n')
    text += DRIVER
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the map"
        text = text.replace(old, new)
    file.write_text(text)
    return file


def scenario(**params: Any) -> Scenario:
    """Return two hosts; the parameters are of the sender's adapter."""
    made = Scenario("test")
    sender = made.add(machines.opteron_hdama("sender", nic=nics.ixgb(params=params)))
    receiver = made.add(machines.opteron_hdama("receiver", nic=nics.ixgb()))
    made.link(sender.port("eth0"), receiver.port("eth0"))
    made.run_workload(traffic(sender, receiver))
    return made


def chosen(made: Scenario, files: Sequence[Path], *params: str) -> SimConfig:
    """Return the configuration with `--param` texts, as a run makes it."""
    given = overrides.parse(params)
    return models.chosen(overrides.applied(config_for(made), given), given, files)


def device(config: SimConfig, machine: int = 0) -> tuple[str, dict[str, Any]]:
    found = config.machines[machine].devices[0]
    return found.type, dict(found.params)


def test_the_block_is_in_the_types_place_and_nothing_else_changes(map_: Path) -> None:
    made = scenario(tx_kib_clocks=100, mac="00:00:00:00:00:07", decode_clocks=2)
    plain = config_for(made)
    changed = chosen(made, [map_], "sender.eth0.model=rtl")
    kept = {"mac": "00:00:00:00:00:07", "decode_clocks": 2}
    assert device(changed) == ("little", kept)
    assert device(changed, 1) == device(plain, 1)
    back = changed.model_dump()
    back["machines"][0]["devices"][0] |= {"type": "ixgb", "params": device(plain)[1]}
    assert back == plain.model_dump()
    assert changed.machines[0].guest == plain.machines[0].guest  # the driver's own arguments
    assert models.told(made, changed) == {
        "sender.eth0": {
            **{"type": "ixgb", "model": "rtl", "rtl": "little"},
            **{"left_out": {"tx_kib_clocks": 100}, "not_counted": adapter_models.NOT_COUNTED},
        },
        "receiver.eth0": {"type": "ixgb", "model": "tlm"},
    }
    (note,) = adapter_models.notes({adapter_models.KEY: models.told(made, changed)})
    assert note.startswith("sender.eth0 is RTL: little in the place of ixgb. Left out, ")
    assert "since only the TLM model has it: tx_kib_clocks=100. Not counted: " in note


def test_a_star_is_all_machines_and_a_scenario_may_ask_for_it_too(map_: Path) -> None:
    both = chosen(scenario(), [map_], "*.eth0.model=rtl")
    assert [device(both, i)[0] for i in (0, 1)] == ["little", "little"]
    one = chosen(scenario(model="rtl"), [map_])
    assert [device(one, i)[0] for i in (0, 1)] == ["little", "ixgb"]
    tlm = chosen(scenario(model="rtl"), [map_], "sender.eth0.model=tlm")
    assert device(tlm) == ("ixgb", {})


def test_tlm_asks_for_no_block(map_: Path, simulator: Simulator) -> None:
    changed = chosen(scenario(), [map_], "*.eth0.model=tlm")
    assert device(changed) == ("ixgb", {})
    assert simulator.asked == []


WRONG_PARAMETERS = {
    "of the TLM model alone": (
        ("sender.eth0.model=rtl", "sender.eth0.tx_kib_clocks=64"),
        r"--param sender.eth0.tx_kib_clocks=64: little, the RTL of ixgb \(.*little.toml\), has no "
        r"parameter 'tx_kib_clocks'; did you mean|there are decode_clocks, mac, posted_writes",
    ),
    "of no model": (
        ("*.eth0.model=rtl", "*.eth0.posted_write=64"),
        r"--param \*.eth0.posted_write=64: .*'posted_write'; did you mean posted_writes",
    ),
    "a model that there is not": (
        ("sender.eth0.model=rtx",),
        r"sender.eth0.model: 'rtx' is no model; did you mean rtl\?",
    ),
}


@pytest.mark.parametrize("what", WRONG_PARAMETERS)
def test_a_wrong_parameter_is_refused_with_the_nearest(map_: Path, what: str) -> None:
    texts, said = WRONG_PARAMETERS[what]
    with pytest.raises(UsageError, match=said):
        chosen(scenario(), [map_], *texts)


def test_a_type_without_a_map_is_refused(simulator: Simulator, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r'^sender.eth0.model: no port map has twin = "ixgb" in'):
        chosen(scenario(), [], "sender.eth0.model=rtl")
    other = with_twin(tmp_path / "own", "e1000")
    with pytest.raises(UsageError, match=r"its \[pci\]; there are maps of e1000 "):
        chosen(scenario(), [other], "sender.eth0.model=tlm")
    itself = with_twin(tmp_path / "itself", "e1000", ('name = "little"', 'name = "ixgb"'))
    with pytest.raises(UsageError, match="ixgb is RTL itself; its twin, the type e1000, has this"):
        chosen(scenario(), [itself], "sender.eth0.model=rtl")


def test_a_map_of_the_tree_is_loaded_only_for_an_adapter_that_asks(
    simulator: Simulator, tmp_path: Path
) -> None:
    own = with_twin(tmp_path / "tree" / "nic", "ixgb")
    plugin = tmp_path / "plugin.so"
    plain = chosen(scenario(), [plugin], "sender.eth0.model=tlm")
    assert rtl_variants.loaded([plugin], plain) == (plugin,)
    assert simulator.asked == []
    changed = chosen(scenario(), [plugin], "sender.eth0.model=rtl")
    assert rtl_variants.loaded([plugin], changed) == (plugin, own)
    assert simulator.asked[-1] == (plugin, own)


def test_a_users_map_goes_ahead_of_the_trees(simulator: Simulator, tmp_path: Path) -> None:
    with_twin(tmp_path / "tree" / "nic", "ixgb")
    own = with_twin(tmp_path / "own", "ixgb")
    changed = chosen(scenario(), [own], "sender.eth0.model=rtl")
    assert rtl_variants.loaded([own], changed) == (own,)
    second = with_twin(tmp_path / "second", "ixgb")
    with pytest.raises(UsageError, match=r"second/little.toml:\d+: pci.twin: .*own/little.toml"):
        rtl_models.among([own, second])


WRONG_MAPS = {
    "PCI ids": ((IDS, IDS.replace("5555", "5557")), "1af4:5555, 1af4:5556; the map has 1af4:5557"),
    "class": ((IDS, f"{IDS}class_code = 0x028000\n"), "class code of ixgb: 020000; .* has 028000"),
    "revision": ((IDS, f"{IDS}revision = 3\n"), "revision of ixgb: 0; the map has 3"),
    "subsystem": ((IDS, f"{IDS}subsystem = 7\n"), "subsystem of ixgb: 0000:0000; .* 0000:0007"),
    "BAR": (
        (IDS, f'{IDS}bar = "128KiB"\n'),
        "memory BARs of ixgb: BAR 0 of 65536 B; the map has BAR 0 of 131072 B",
    ),
    "MSI-X's BAR": ((IDS, f"{IDS}msix_vectors = 2\n"), "the map has BAR 0 .*, BAR 4 of 4096 B"),
    "driver": (('module = "ixgb"', 'module = "e1000"'), "Linux driver of ixgb: ixgb; .* has e1000"),
    "no driver": ((DRIVER, ""), "Linux driver of ixgb: ixgb; the map has none"),
    "MTU": (("largest_mtu = 9000", "largest_mtu = 1500"), "largest MTU of ixgb: 9000; .* 1500"),
    "no such type": (('twin = "ixgb"', 'twin = "ixgbe"'), "type of adapter 'ixgbe'; .* ixgb"),
    "its own name": (('name = "little"', 'name = "ixgb"'), "the block has the name of its twin"),
}


@pytest.mark.parametrize("what", WRONG_MAPS)
def test_a_map_of_another_device_is_refused_with_its_line(
    simulator: Simulator, tmp_path: Path, what: str
) -> None:
    change, said = WRONG_MAPS[what]
    file = with_twin(tmp_path / "own", "ixgb", change)
    with pytest.raises(UsageError, match=rf"^{file}:\d+: pci.twin: .*{said}"):
        rtl_models.check_map(rtl_models.of_file(file), [file])


def test_what_only_the_simulator_knows_of_both_is_compared_too(
    simulator: Simulator, map_: Path
) -> None:
    for changes, said in (
        ({"phy": "10gbase-r"}, "PHY of ixgb: 1000base-x; the map has 10gbase-r"),
        ({"slot": "pci-33"}, "slot of ixgb: pcix-133; the map has pci-33"),
    ):
        simulator.block = BLOCK.model_copy(update=changes)
        with pytest.raises(UsageError, match=rf"^{map_}:\d+: pci.twin: {said}$"):
            rtl_models.checked(rtl_models.of_file(map_), [map_])


def test_a_type_that_cannot_be_a_twin_is_refused(simulator: Simulator, map_: Path) -> None:
    simulator.types = [adapter("ixgb", "mac", "model")]
    with pytest.raises(UsageError, match="ixgb has a parameter model of its own"):
        rtl_models.check_map(rtl_models.of_file(map_), [map_])
    node = {"node": "x", "compatible": [], "regions": [], "interrupt": True, "properties": []}
    simulator.types = [adapter("ixgb", platform=node)]
    with pytest.raises(UsageError, match="ixgb is a platform device"):
        rtl_models.check_map(rtl_models.of_file(map_), [map_])


def test_the_type_has_the_parameter_where_it_is_listed(simulator: Simulator, map_: Path) -> None:
    listed = rtl_models.with_parameter(simulator.types, [map_])
    first, other = (each.parameters["params"] for each in listed)
    assert [each.name for each in first] == ["model", "mac", "tx_kib_clocks", "decode_clocks"]
    assert (first[0].default, first[0].limits()) == ("tlm", "tlm, rtl")
    assert other == ()
    assert rtl_models.with_parameter(simulator.types, []) == tuple(simulator.types)


def test_the_manifest_tells_who_chose_a_model(map_: Path) -> None:
    given = overrides.parse(["sender.eth0.model=rtl"])
    made = scenario()
    told = models.told(made, chosen(made, [map_], "sender.eth0.model=rtl"))
    rows = models.parameters(told, given, [map_])
    assert [(row["object"], row["value"], row["set"], row["source"]) for row in rows] == [
        ("sender.eth0", "rtl", True, "set with --param"),
        ("receiver.eth0", "tlm", False, "docs/port_maps.md#an-adapter-as-tlm-or-as-rtl"),
    ]
    assert models.parameters(told, given, []) == []

# SPDX-License-Identifier: Apache-2.0
"""--param: any parameter of any model."""

from pathlib import Path
from typing import Any

import pytest
from longhaul import registry, schema
from longhaul.errors import UsageError
from longhaul.runs import overrides
from longhaul.units import s


def config() -> dict[str, Any]:
    return {
        "machines": [
            {
                "name": name,
                "cpu": {"clock": "2.2GHz"},
                "memory": {},
                "pcix": {},
                "devices": [{"name": "eth0", "params": {}, "firmware": {"mmrbc": 512}}],
            }
            for name in ("sender", "receiver")
        ],
        "switches": [{"name": "mg8", "params": {}}],
        "boxes": [],
        "links": [{"name": "trunk", "params": {}}],
    }


def changed(*texts: str) -> dict[str, Any]:
    return overrides.apply(config(), overrides.parse(texts))


def test_star_is_every_machine() -> None:
    found = changed("*.cpu.mispredict_cycles=12")
    assert [m["cpu"]["mispredict_cycles"] for m in found["machines"]] == [12, 12]


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999"])
def test_what_is_no_finite_number_goes_to_the_simulator_as_it_was_given(text: str) -> None:
    """JSON has no such numbers; the refusal must name what was typed."""
    found = changed(f"*.cpu.mispredict_cycles={text}")
    assert [m["cpu"]["mispredict_cycles"] for m in found["machines"]] == [text, text]


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("*.pcix.clock=133", 'wants a text with its unit, such as "133MHz"'),
        ("*.cpu.clock=2", 'wants a text with its unit, such as "133MHz"'),
    ],
)
def test_what_the_configuration_cannot_hold_is_refused_with_the_cure(text: str, cure: str) -> None:
    entry = registry.find("ixgb_b2b")
    scenario = entry.build(entry.parse(["system=linux-2.6.6"]), 1)
    whole = scenario.config(
        out=Path(), files=Path(), kernel=None, kernel_blocks=None, guest_root=None,
        observe=schema.Observe(series_period="1ms"), limit=s(1),
    )  # fmt: skip
    with pytest.raises(UsageError) as refused:
        overrides.applied(whole, overrides.parse(["*.eth0.tx_kib_clocks=64", text]))
    assert str(refused.value).startswith(f"--param {text}: {cure}")
    kept = overrides.applied(whole, overrides.parse(["*.pcix.clock=133MHz"]))
    assert {machine.pcix.clock for machine in kept.machines} == {"133MHz"}


def test_each_kind_of_object_is_reached() -> None:
    found = changed(
        "sender.eth0.tx_kib_clocks=100",
        "receiver.eth0.firmware.mmrbc=4096",
        "sender.bridge.split_completion_workaround=true",
        "mg8.latency=2us",
        "trunk.length=10",
    )
    sender, receiver = found["machines"]
    assert sender["devices"][0]["params"] == {"tx_kib_clocks": 100}
    assert receiver["devices"][0]["firmware"] == {"mmrbc": 4096}
    assert sender["bridge"] == {"split_completion_workaround": True}
    assert found["switches"][0]["params"] == {"latency": "2us"}
    assert found["links"][0]["params"] == {"length": 10}


def test_a_modelled_hosts_system_drivers_and_programs_are_reached() -> None:
    whole = config()
    for machine in whole["machines"]:
        machine["host"] = {
            "kernel": {},
            "interfaces": [{"device": "eth0", "driver": {"tso": True}}],
            "programs": [{"type": "ping", "params": {}}, {"type": "ping", "params": {}}],
        }
    texts = (
        "*.host.kernel.code_scale=2",
        "sender.host.eth0.rx_delay=8",
        "sender.host.ping1.count=3",
    )
    sender, receiver = overrides.apply(whole, overrides.parse(texts))["machines"]
    assert receiver["host"]["kernel"] == {"code_scale": 2}
    assert sender["host"]["interfaces"][0]["driver"] == {"tso": True, "rx_delay": 8}
    assert [program["params"] for program in sender["host"]["programs"]] == [{}, {"count": 3}]
    with pytest.raises(UsageError, match="there is no sender.host.pin; did you mean"):
        overrides.apply(whole, overrides.parse(["sender.host.pin.count=3"]))


@pytest.mark.parametrize("text", ["", "cpu", "sender.cpu", "sender.cpu.x", "=1", "sender.cpu.x="])
def test_malformed_text_is_one_line_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match=r"wants OBJECT\.NAME=VALUE, such as"):
        overrides.parse([text])


def test_same_parameter_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="sender.cpu.rest: is given twice"):
        overrides.parse(["sender.cpu.rest=1", "sender.cpu.rest=2"])


def test_unknown_object_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"there is no sendr\.cpu; did you mean sender\.cpu\?"):
        changed("sendr.cpu.rest=1")

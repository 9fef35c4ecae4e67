# SPDX-License-Identifier: Apache-2.0
"""When machines begin in a layout: real guests by their settings, modelled programs by `start`."""

import pytest
from longhaul import registry
from longhaul.topology import layouts
from longhaul.units import Time, ms, us
from support.topology import config_for


def test_layout_zero_delays_nobody() -> None:
    assert layouts.start_delay(0, "sender") == Time(0)


def test_a_delay_hangs_on_layout_and_machine_and_on_nothing_else() -> None:
    found = [layouts.start_delay(1, name) for name in ("sender", "receiver")]
    found += [layouts.start_delay(number, "sender") for number in (2, 2**63 - 1)]
    assert found == [us(1840), us(1656), us(5696), us(4857)]


def test_delays_are_spread_over_the_time_that_they_may_last() -> None:
    delays = [layouts.start_delay(n, name) for n in range(1, 500) for name in ("a", "b")]
    assert Time(0) <= min(delays) < ms(1)
    assert ms(19) < max(delays) <= layouts.MOST_DELAY
    assert len(set(delays)) > 0.95 * len(delays)


@pytest.mark.parametrize("layout", [0, 3])
def test_guests_are_told_their_delay(layout: int) -> None:
    entry = registry.find("ixgb_b2b")
    told = entry.build(entry.parse([]), 1, layout).guest_settings()
    for name, settings in told.items():
        delay = layouts.start_delay(layout, name).seconds
        assert float(settings.get("LH_START_DELAY", "0")) == pytest.approx(delay, abs=1e-12)
        assert ("LH_START_DELAY" in settings) == bool(layout)


def test_modelled_programs_start_later_than_they_would() -> None:
    entry = registry.find("ixgb_b2b")
    settings = entry.parse(["system=linux-2.6.6"])
    linked, moved = (config_for(entry.build(settings, 1, layout)) for layout in (0, 3))
    assert linked.layout == 0 and moved.layout == 3
    for before, after in zip(linked.machines, moved.machines, strict=True):
        assert before.host and after.host
        for program, later in zip(before.host.programs, after.host.programs, strict=True):
            start = Time.parse(str(program.params.get("start", "0s")))
            delayed = start + layouts.start_delay(3, before.name)
            assert Time.parse(str(later.params["start"])) == delayed
            assert later.params | {"start": ""} == program.params | {"start": ""}

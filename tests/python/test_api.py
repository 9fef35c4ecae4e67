# SPDX-License-Identifier: Apache-2.0
"""longhaul.api with a stand-in for the simulator's module, and without one."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from longhaul import api
from longhaul.api import native
from longhaul.api.probes import Probes
from longhaul.api.recording import Recording
from longhaul.errors import LonghaulError, UsageError
from longhaul.paths import BUILD
from longhaul.units import Time, ms, ps, us


class FakeSession:
    """A session of four probes whose values a test sets."""

    KINDS = ("counter", "level", "states", "frames", "spans")

    def __init__(self) -> None:
        self.now = 0
        self.over = False
        self.limit = 10**12
        self.values: list[Any] = [5, 7, {"idle": 10, "busy": -3}, None, None]
        self.told: dict[int, Callable[[int, Any], object]] = {}
        self.looks: list[tuple[int, Callable[[int], object]]] = []
        self.removed: list[int] = []
        self.asked: list[Any] = []

    def probes(self) -> list[tuple[str, str, str, str]]:
        return [(f"a.{kind}", kind, "1", f"a {kind}") for kind in self.KINDS]

    def value(self, probe: int) -> Any:
        return self.values[probe]

    def highest(self, probe: int) -> int | None:
        return 9 if probe == 1 else None

    def on_change(self, probe: int, told: Callable[[int, Any], object]) -> int:
        self.told[probe] = told
        return probe

    def every(self, period_ps: int, look: Callable[[int], object]) -> int:
        self.looks.append((period_ps, look))
        return 100

    def remove(self, watch: int) -> None:
        self.removed.append(watch)

    def registers(self, adapter: str) -> list[tuple[str, int]]:
        return [("CTRL", 0), ("STATUS", 8)]

    def read_register(self, adapter: str, offset: int, peek: bool) -> int:
        self.asked.append((adapter, offset, peek))
        return 42

    def write_register(self, adapter: str, offset: int, value: int) -> None:
        self.asked.append((adapter, offset, value))

    def access_box(self, box: str, accesses: Sequence[tuple[int, int | None]]) -> list[int | None]:
        self.asked.append((box, list(accesses)))
        return [value if value is not None else 1_000_000 for _, value in accesses]

    def whereabouts(self) -> str:
        return ""

    def run(self, duration_ps: int, condition: Callable[[], object] | None) -> str:
        return "time"

    def params(self) -> str:
        return "[]"

    def change_param(self, object: str, name: str, json: str) -> None:
        self.asked.append((object, name, json))

    def write_results(self) -> None:
        pass


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> FakeSession:
    class Module:
        ConfigError = type("ConfigError", (Exception,), {})
        CallError = type("CallError", (Exception,), {})

    monkeypatch.setattr(native, "load", Module)
    return FakeSession()


def test_a_probe_has_a_value_of_its_kind(session: FakeSession) -> None:
    probes = Probes(session)
    assert probes.one("a.counter").number == 5
    assert probes.one("a.level").highest == 9
    assert probes.one("a.states").value == {"idle": ps(10), "busy": ps(0)}
    with pytest.raises(UsageError, match="no number but states"):
        _ = probes.one("a.states").number
    with pytest.raises(UsageError, match="tap of frames: it has no value"):
        _ = probes.one("a.frames").value
    with pytest.raises(UsageError, match="only levels have"):
        _ = probes.one("a.counter").highest


def test_a_wrong_name_or_pattern_tells_the_nearest(session: FakeSession) -> None:
    probes = Probes(session)
    with pytest.raises(UsageError, match=r"did you mean a\.counter"):
        probes.one("a.countr")
    with pytest.raises(UsageError, match="no probe is called 'b"):
        probes.matching("b.*")
    assert [probe.name for probe in probes.matching("*.s*")] == ["a.states", "a.spans"]
    assert len(probes.matching()) == 5


def test_what_a_subscriber_is_told_has_times_and_types(session: FakeSession) -> None:
    probes = Probes(session)
    heard: list[tuple[Time, Any]] = []
    for kind in ("level", "frames", "spans"):
        probes.one(f"a.{kind}").on_change(lambda time, value: heard.append((time, value)))
    session.told[1](1000, 3)
    session.told[3](2000, ("dropped", 64, "random loss", b"\x01"))
    session.told[4](3000, (4000, "irq", 1, 2))
    assert heard == [
        (ps(1000), 3),
        (ps(2000), api.FrameSeen("dropped", 64, "random loss", b"\x01")),
        (ps(3000), api.SpanSeen(ps(4000), "irq", (1, 2))),
    ]


def test_a_subscription_ends_and_a_period_is_not_zero(session: FakeSession) -> None:
    probe = Probes(session).one("a.counter")
    probe.every(us(10), lambda time, value: None).cancel()
    assert session.looks[0][0] == us(10).ps
    assert session.removed == [100]
    with pytest.raises(UsageError, match="period of 0"):
        probe.every(ps(0), lambda time, value: None)


def test_a_recording_is_a_frame_with_a_column_for_each_number(session: FakeSession) -> None:
    probes = Probes(session)
    recording = Recording(probes.matching("a.counter", "a.states"), ps(0))
    session.values[0] = 25
    recording.sample(ms(2))
    frame = recording.frame()
    assert frame.columns == ["time_s", "a.counter", "a.states:idle", "a.states:busy"]
    assert frame["time_s"].to_list() == [0.0, 0.002]
    assert frame["a.counter"].to_list() == [5, 25]
    assert recording.rate("a.counter").equals(pl.DataFrame({"time_s": [0.002], "per_s": [1e4]}))
    with pytest.raises(UsageError, match="is a tap"):
        Recording(probes.matching("a.frames"), ps(0))


def test_registers_have_names_offsets_and_bounds(session: FakeSession) -> None:
    adapter = api.AdapterRegisters(session, "h.eth0")
    assert adapter.read("STATUS") == 42
    assert adapter.peek(8) == 42
    adapter.write("CTRL", 3)
    assert session.asked == [("h.eth0", 8, False), ("h.eth0", 8, True), ("h.eth0", 0, 3)]
    with pytest.raises(UsageError, match="no register 'STATSU'; did you mean STATUS"):
        adapter.read("STATSU")
    with pytest.raises(UsageError, match="no register at 0x4"):
        adapter.read(4)
    with pytest.raises(UsageError, match="32 bits"):
        adapter.write("CTRL", 2**32)


def test_a_boxs_registers_are_read_in_their_units(session: FakeSession) -> None:
    box = api.BoxRegisters(session, "gnet1")
    box.write("p0.DELAY", ms(4))
    delay = box.read("p0.DELAY")
    assert isinstance(delay, Time)
    assert session.asked[0][1][0][1] == ms(4).ps // (delay.ps // 1_000_000)
    with pytest.raises(UsageError, match="no register"):
        box.read("p0.DELYA")


def test_without_the_module_the_cure_is_named_and_nothing_else_needs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(BUILD, str(tmp_path / "build"))
    monkeypatch.delitem(__import__("sys").modules, native.NAME, raising=False)
    with pytest.raises(LonghaulError, match=r"start the script by \./longhaul python"):
        api.open("pairs")
    broken = tmp_path / "build" / "release" / "python" / f"{native.NAME}.so"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"no module")
    with pytest.raises(LonghaulError, match="cannot be loaded"):
        api.open("pairs")


def test_each_runs_a_function_of_the_script_in_a_process_of_its_own() -> None:
    import os

    factor = 3

    def study(point: int) -> tuple[int, int]:
        return point * factor, os.getpid()

    found = api.each(study, [1, 2, 3], jobs=2)
    assert [product for product, _ in found] == [3, 6, 9]
    assert len({process for _, process in found} | {os.getpid()}) == 4


def test_each_names_the_point_that_failed_and_why() -> None:
    def study(point: int) -> int:
        if point == 2:
            raise UsageError("two is too much")
        return point

    with pytest.raises(LonghaulError, match="point 2 failed: .*two is too much"):
        api.each(study, [1, 2], jobs=1)

# SPDX-License-Identifier: Apache-2.0
"""Figures are read from what commands leave, kept one by one, and compared within their spread."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest
from longhaul.catalogue import check, commands, machine, reading, rows, update, values
from longhaul.catalogue.entry import Figure, Measurement, Reading
from longhaul.catalogue.reading import Output
from longhaul.catalogue.values import Published, Values
from longhaul.errors import Interrupted, LonghaulError
from longhaul.workspace import current
from rich.console import Console
from rich.table import Table

COMMIT = "0123456789" * 4


def figure(what: str = "a", **more: object) -> Figure:
    return Figure.model_validate({"what": what, "read": {"pattern": r"(\d+)"}, **more})


def measurement(name: str = "one", **more: object) -> Measurement:
    whole: dict[str, object] = {
        "name": name,
        "command": "./longhaul list",
        "kind": "simulated",
        "cost": "seconds",
        "takes": "a second",
        "figure": [figure()],
    }
    return Measurement.model_validate(whole | more)


def of(value: float, machine_: str = "", **more: object) -> Values:
    here = machine_ or machine.described()
    whole = {"date": "2026-11-27", "commit": COMMIT, "machine": here, "figures": {"a": value}}
    return Values.model_validate(whole | more)


# --- Reading -------------------------------------------------------------------------------------


def printed() -> str:
    out = io.StringIO()
    console = Console(file=out, width=180)
    first = Table("run", "who", "wall s/s", "ratio")
    first.add_row("jumbo", "ns-3", "3.21", "1.00")
    first.add_row("jumbo", "Longhaul", "1.18", "1.49 (1.40 to 1.52)")
    second = Table("run", "k instructions", title="cost")
    second.add_row("jumbo", "86,600")
    console.print("some words with 5 numbers ...")
    console.print(first)
    console.print(second)
    console.print("12 the same, 1 different")
    return out.getvalue()


def read(folder: Path = Path("/nowhere"), **how: str) -> float:
    one = Figure(what="a", read=Reading.model_validate(how))
    return reading.value(one, Output(folder, printed()))


def test_a_cell_is_found_by_its_row_and_column() -> None:
    assert read(row="jumbo", column="k instructions") == 86600
    assert read(row="jumbo / Longhaul", column="wall s/s") == 1.18
    assert read(row="jumbo / Longhaul", column="ratio") == 1.49
    assert read(row="jumbo", column="wall s/s") == 3.21  # the first of its name


def test_a_pattern_is_of_what_was_printed() -> None:
    assert read(pattern=r"(\d+) the same") == 12


def test_a_value_in_a_file_is_found_by_its_keys(tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text('{"cases": [{"measured": {"rate": 6.25, "on": true}}]}')
    assert read(tmp_path, json="results.json cases.0.measured.rate") == 6.25
    for keys in ("cases.1.measured.rate", "cases.0.measured.rat", "cases.0.measured.on"):
        with pytest.raises(LonghaulError, match=keys):
            read(tmp_path, json=f"results.json {keys}")
    with pytest.raises(LonghaulError, match="other.json: cannot be read"):
        read(tmp_path, json="other.json a")


def test_functions_sum_up_a_report(tmp_path: Path) -> None:
    errors = [-78.6, 1.0, None, 3.0, 21.0]
    (tmp_path / "figures.json").write_text(json.dumps([{"error_pct": each} for each in errors]))
    assert read(tmp_path, call="median_error") == 12.0
    assert read(tmp_path, call="far_figures") == 2
    assert read(tmp_path, call="compared_figures") == 4
    (tmp_path / "attack.json").write_text('{"findings": {"a": {}, "b": {}}}')
    assert read(tmp_path, call="findings") == 2


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"row": "jumb", "column": "ratio"}, "'ratio' of 'jumb'; rows are jumbo"),
        ({"row": "jumbo", "column": "rati"}, "no table that was printed has 'rati'"),
        ({"pattern": r"(\d+) passed"}, "nothing of what was printed is like"),
        ({"call": "median"}, "no function is called 'median'"),
    ],
)
def test_what_cannot_be_read_is_told(how: dict[str, str], said: str) -> None:
    with pytest.raises(LonghaulError, match=said.replace("(", r"\(")):
        read(**how)


def test_a_ratio_is_of_two_readings() -> None:
    how = {"row": "jumbo", "column": "wall s/s"}
    over = {"row": "jumbo / Longhaul", "column": "wall s/s"}
    one = Figure.model_validate({"what": "a", "read": how, "over": over})
    assert reading.value(one, Output(Path(), printed())) == pytest.approx(3.21 / 1.18)


# --- Keeping -------------------------------------------------------------------------------------


@dataclass
class Maker:
    """Stands for the commands: what it was asked for, and what it raises."""

    raises: dict[str, BaseException] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def __call__(self, one: Measurement) -> Values:
        self.asked.append(one.name)
        if one.name in self.raises:
            raise self.raises[one.name]
        return of(len(self.asked))


THREE = [measurement(name) for name in ("first", "second", "third")]


def keep(file: Path, maker: Maker, *, force: bool = False, commit: str = COMMIT) -> list[str]:
    return update.update(THREE, commit, maker, lambda line: None, force=force, file=file)


def test_an_interrupted_update_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "values.json"
    with pytest.raises(Interrupted):
        keep(file, Maker({"second": Interrupted("interrupted")}))
    assert list(values.load(file)) == ["first"]
    maker = Maker()
    assert keep(file, maker) == []
    assert maker.asked == ["second", "third"]
    assert sorted(values.load(file)) == ["first", "second", "third"]


def test_a_commit_later_and_by_force_all_are_made_anew(tmp_path: Path) -> None:
    file = tmp_path / "values.json"
    keep(file, Maker())
    for options in ({"force": True}, {"commit": "f" * 40}, {"commit": f"{COMMIT}+changes"}):
        maker = Maker()
        keep(file, maker, **options)  # type: ignore[arg-type]
        assert maker.asked == ["first", "second", "third"]


def test_a_command_that_fails_keeps_none_from_the_others(tmp_path: Path) -> None:
    file = tmp_path / "values.json"
    assert keep(file, Maker({"second": LonghaulError("second: no disk")})) == ["second: no disk"]
    assert sorted(values.load(file)) == ["first", "third"]


def test_a_measured_figure_of_another_machine_is_made_anew() -> None:
    measured = measurement(kind="measured", spread_pct=5)
    assert update.is_current(measured, of(1), COMMIT)
    assert not update.is_current(measured, of(1, "an EPYC"), COMMIT)
    assert update.is_current(measurement(), of(1, "an EPYC"), COMMIT)
    assert not update.is_current(measurement(), of(1, figures={}), COMMIT)


def test_values_are_the_same_when_read_again(tmp_path: Path) -> None:
    file = tmp_path / "values.json"
    published = Published(scenario="s", case=("a=1",), figure="f", value=6.254)
    whole = {"one": of(0.1 + 0.2), "two": of(1, figures={}, published=(published,))}
    values.save(whole, file)
    first = file.read_bytes()
    values.save(values.load(file), file)
    assert file.read_bytes() == first and values.load(file) == whole
    file.write_text("{")
    with pytest.raises(LonghaulError, match="holds no values of figures"):
        values.load(file)


def test_a_reports_runs_are_kept_and_its_figures_are_not(tmp_path: Path) -> None:
    one = measurement(command="./longhaul report --all --of ixgb_b2b")
    asked = ["report", "--all", "--of", "ixgb_b2b"]
    assert commands.words(one, tmp_path)[3:] == [*asked, "--out", str(tmp_path)]
    kept = tmp_path / "kept"
    where = ["--out", str(kept), "--html", str(tmp_path / "report.html")]
    assert commands.words(one, tmp_path, kept)[3:] == [*asked, *where]
    listed = measurement()
    assert commands.words(listed, tmp_path, kept)[3:] == ["list"]


def test_a_command_in_a_workspace_takes_it_whatever_the_caller_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(current.VARIABLE, current.NONE)  # as `longhaul results` leaves any

    def log(_: Measurement) -> Path:
        return tmp_path / "log"

    monkeypatch.setattr(commands, "log", log)
    asks = "from longhaul.workspace import current; print(len(current.given().folder.name))"
    one = measurement(command=f"longhaul python -c '{asks}'", workspace="rtl-nic")
    assert commands.make(one, COMMIT).figures == {"a": len("mynic")}


SLEEPER = """
import sys
from pathlib import Path
from longhaul.catalogue import commands
from longhaul.catalogue.entry import Measurement
from longhaul.errors import Interrupted
commands.log = lambda one: Path(sys.argv[1])
one = Measurement.model_validate({
    "name": "sleeps", "command": "./longhaul python -c 'import time; print(1); time.sleep(300)'",
    "kind": "simulated", "cost": "seconds", "takes": "a while",
    "figure": [{"what": "a", "read": {"pattern": "([0-9])"}}],
})
try:
    commands.make(one, "0")
except Interrupted:
    sys.exit(130)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_what_was_started(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-c", SLEEPER, str(tmp_path / "log")]
    process = subprocess.Popen(command, env=os.environ)
    started = psutil.Process(process.pid)
    deadline = time.monotonic() + 100
    while not (sleeping := [c for c in started.children() if "time.sleep" in str(c.cmdline())]):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(number)
    assert process.wait(100) == 130
    assert not any(each.is_running() for each in sleeping)


# --- Comparing -----------------------------------------------------------------------------------


def told(one: Measurement, page: Values, again: Values) -> list[str]:
    return check.differences(one, page, again, machine.described())


def test_a_simulated_figure_may_not_differ() -> None:
    assert told(measurement(), of(6.254, "an EPYC"), of(6.254)) == []
    assert told(measurement(), of(6.254, "an EPYC"), of(6.255)) == [
        "one, a: 6.255 here, 6.254 on the page"
    ]


def test_a_measured_figure_may_differ_by_its_spread() -> None:
    one = measurement(kind="measured", spread_pct=10, figure=[figure(unit="s")])
    assert told(one, of(10), of(11)) == told(one, of(10), of(9)) == []
    assert told(one, of(10), of(11.1)) == ["one, a: 11.10 s here, 10 s on the page, beyond 10 %"]


def test_only_ratios_are_compared_with_another_machine() -> None:
    speed = measurement(kind="measured", spread_pct=10)
    ratio = measurement(kind="measured", spread_pct=10, figure=[figure(ratio=True)])
    there = of(10, "an EPYC")
    assert not check.comparable(speed, there, machine.described())
    assert told(speed, there, of(20)) == []
    assert check.comparable(ratio, there, machine.described())
    assert len(told(ratio, there, of(20))) == 1


def test_a_printed_value_has_no_more_digits_than_it_was_printed_with() -> None:
    page = of(0.942, printed=True)
    assert told(measurement(), page, of(0.94241)) == []
    assert len(told(measurement(), page, of(0.9426))) == 1
    assert len(told(measurement(), of(0.942), of(0.94241))) == 1


def test_published_figures_are_compared_one_by_one() -> None:
    def there(*numbers: float) -> Values:
        listed = [
            Published(scenario="s", case=(f"n={n}",), figure="f", value=each)
            for n, each in enumerate(numbers)
        ]
        return of(0, figures={}, published=tuple(listed))

    one = measurement(figure=[], published=True)
    assert told(one, there(1, 2), there(1, 2)) == []
    assert told(one, there(1, 2), there(1, 3)) == ["one, s n=1: f: 3 here, 2 on the page"]
    assert told(one, there(1, 2), there(1)) == ["one, s n=1: f: is on the page only"]


def test_a_check_tells_what_differs_and_what_has_no_value() -> None:
    said: list[str] = []
    recorded = {"first": of(1), "second": of(1)}
    wrong = update.repeat(THREE, recorded, Maker(), said.append)
    assert wrong == [
        "second, a: 2 here, 1 on the page",
        "third: has no values; ./longhaul results --update third",
    ]
    assert said[1].endswith("as on the page")


# --- What a row says -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "goal", "error", "far"),
    [
        (6.6, "equal", "+10.0 %", False),
        (3.0, "equal", "-50.0 %", True),
        (5.0, "at most", "met", False),
        (9.0, "at most", "missed by 50.0 %", True),
        (6.0, "at least", "met", False),
        (3.0, "at least", "missed by 50.0 %", True),
    ],
)
def test_a_row_says_how_far_a_value_is_off(value: float, goal: str, error: str, far: bool) -> None:
    beside = figure(unit="s", reference=6.0, goal=goal, source="an aim", reason="One. Two.")
    (row,) = rows.rows(measurement(figure=[beside]), of(value))
    assert (row.error, row.far) == (error, far)
    assert bool(row.why) == far
    assert row.reference == f"6 s{'' if goal == 'equal' else f' {goal}'}: an aim"


def test_a_figure_without_a_value_says_so() -> None:
    (row,) = rows.rows(measurement(), None)
    assert row.value == "not measured yet"


def test_a_published_figure_comes_with_its_error_and_chance() -> None:
    spread = {"n": 10, "mean": 3.2, "sd": 0.1, "ci95": [3.13, 3.27]}
    listed = (
        Published(
            scenario="opteron_table2",
            case=("ip=v6", "mtu=1500"),
            figure="goodput_gbps",
            value=3.2,
            spread=spread,
        ),
    )
    one = measurement(
        command="./longhaul report --all --quick --of opteron_table2", figure=[], published=True
    )
    (row,) = rows.rows(one, of(0, figures={}, published=listed))
    assert row.value == "3.20 ± 0.07 Gb/s" and row.reference == "3.230 Gb/s"
    assert row.error == "-0.9 %" and row.chance and not row.far


# --- Where it was measured -----------------------------------------------------------------------


def test_a_machine_is_described_by_processor_cores_and_kernel(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("cpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC  9R14\n")
    said = machine.described(cpuinfo)
    assert said.startswith("AMD EPYC 9R14 (family 25, model 17), ")
    assert f"Linux {os.uname().release}" in said


def test_a_commit_has_its_age() -> None:
    sha = machine.commit().partition("+")[0]
    assert machine.age(sha) == 0
    assert machine.age(f"{'0' * 39}1") is None

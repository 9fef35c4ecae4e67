# SPDX-License-Identifier: Apache-2.0
"""`longhaul validate` without simulations: its tests, what it keeps, how it judges."""

import dataclasses
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from longhaul import registry
from longhaul.errors import UsageError
from longhaul.runs.child_runs import Ended, Job
from longhaul.validation import catalog, judge, outcome, page, run, wire
from longhaul.validation.outcome import Check, Finding, Outcome
from longhaul.workspace import current

NOTES = [
    "1500000000000 own check sizes",
    "1500200000000 own figure ping.worst 0.031 ms",
    "1500400000000 own ok sizes",
    "1500500000000 peer check sizes",
    "1500600000000 own check file-there",
    "1500700000000 own not ok file-there: sent a, received b",
    "1500800000000 own skip rings: the driver does not set its rings",
    "1500900000000 own check last",
    "1501000000000 own program 1 begin",
]


def workspace(folder: Path, text: str) -> Path:
    (folder / "longhaul.toml").write_text(f'[workspace]\nname = "w"\n{text}')
    return folder


@pytest.fixture
def bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(current.VARIABLE, str(tmp_path))
    text = '[validate]\nskip = ["udp"]\nleast = {"tcp.out" = 0.7}\nmost = {"ping.worst" = 0.2}\n'
    return workspace(tmp_path, text)


def test_every_test_has_a_script_that_shells_take() -> None:
    assert list(catalog.tests())[0] == "probe"
    assert {path.stem for path in catalog.FOLDER.glob("*.sh")} == set(catalog.tests())
    for each in catalog.tests().values():
        subprocess.run(["dash", "-n"], input=each.script(), text=True, check=True)


def test_every_test_is_in_the_document_and_in_no_other_place() -> None:
    text = (Path(__file__).parents[2] / "docs/validate.md").read_text()
    text = text[: text.index("\n## The page\n")]  # behind it are tables of other names
    assert re.findall(r"(?m)^\| `([a-z]+)` \|", text) == list(catalog.tests())


@pytest.mark.parametrize("name", catalog.tests())
@pytest.mark.parametrize("adapter", ["ixgb", "e1000", "genesis"])
def test_the_scenario_builds_each(name: str, adapter: str) -> None:
    entry = registry.find(run.SCENARIO)
    built = entry.build(entry.parse([f"adapter={adapter}", f"test={name}"]), seed=1)
    assert set(built.guests()) == {judge.HOST, judge.PEER}
    assert "line" in {link.name for link in built.links}


def test_checks_have_their_verdicts_and_times() -> None:
    checks, figures = outcome.noted(NOTES, "own")
    assert checks == [
        Check("sizes", "passed", "", 1.5, 1.5004),
        Check("file-there", "failed", "sent a, received b", 1.5006, 1.5007),
        Check("rings", "skipped", "the driver does not set its rings", None, 1.5008),
        Check("last", "not ended", "", 1.5009),
    ]
    assert figures == {"ping.worst": "0.031 ms"}


def test_an_outcome_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = Outcome(
        "ping", "key", (Check("a", "passed", "", 1.0, 2.0),), (Finding("a", "b"),), {"c": "1 ms"}
    )
    made.write(tmp_path / "ping.json")
    assert outcome.load(tmp_path / "ping.json") == made
    for text in ("", "[]", "{}", '{"test": 1}', json.dumps({"checks": [{"a": 1}]})):
        (tmp_path / "ping.json").write_text(text)
        assert outcome.load(tmp_path / "ping.json") is None
    assert outcome.load(tmp_path / "none.json") is None


def failed_run(folder: Path, notes: list[str], console: str = "") -> None:
    raw = folder / "ping.partial" / "raw"
    (raw / "guests" / "own").mkdir(parents=True)
    (raw / "notes.txt").write_text("\n".join(notes))
    (raw / "guests" / "own" / "console.log").write_text(console)


def test_a_run_that_failed_is_told_with_the_check_that_it_was_at(tmp_path: Path) -> None:
    failed_run(tmp_path, NOTES, "[ 1.0] fine\n[ 2.0] NETDEV WATCHDOG: eth0 (mynic): timed out\n")
    test = catalog.find("ping")
    made = judge.judge(test, tmp_path / "ping", Ended("ping", 1, "wlast breaks the rule"), "key")
    assert [(each.by, each.message) for each in made.findings] == [
        ("last", "wlast breaks the rule"),
        ("file-there", "sent a, received b"),
        ("kernel of own", "[ 2.0] NETDEV WATCHDOG: eth0 (mynic): timed out"),
    ]
    assert made.findings[0].at_s == 1.5009
    assert made.counts() == {"passed": 1, "failed": 1, "skipped": 1, "not ended": 1}


def test_a_figure_out_of_bounds_is_a_failure(bounded: Path) -> None:
    figures = {"tcp.out": "0.65 Gb/s", "ping.worst": "0.031 ms", "mtu.largest": ""}
    done = run.limited(Outcome("tcp", "key", figures=figures))
    assert [each.by for each in done.findings] == ["tcp.out"]
    assert "0.65 Gb/s; longhaul.toml wants 0.7 at least" in done.findings[0].message
    figures = {"tcp.out": "0.75 Gb/s", "ping.worst": "0.3 ms"}
    assert [each.by for each in run.limited(Outcome("tcp", "k", figures=figures)).findings] == [
        "ping.worst"
    ]


def test_the_modules_of_a_workspace_are_for_the_adapter_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = tmp_path / "driver"
    driver.mkdir()
    (driver / "Kbuild").write_text("obj-m := a.o\n")
    workspace(tmp_path, 'modules = ["driver"]\n[validate]\nadapter = "e1000"\n')
    monkeypatch.setenv(current.VARIABLE, str(tmp_path))
    assert run.own_driver("ixgb") == ()
    plan = run.Plan("e1000", (), tmp_path / "out", software=run.own_driver("e1000"))
    command = plan.command(catalog.find("ping"), tmp_path / "lock")
    assert command[command.index("--module") + 1] == f"own={driver}"
    failed = Outcome("ping", "key", findings=(Finding("a", "b"),))
    assert f"--module own={driver}" in page.again_with_waves(plan, failed)


def test_the_workspace_skips_what_nobody_names(bounded: Path) -> None:
    names = [each.name for each in run.chosen([], ["tcp"])]
    assert "udp" not in names and "tcp" not in names and "ping" in names
    assert [each.name for each in run.chosen(["udp"], [])] == ["udp"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("least = 3", r"longhaul.toml:4: least has to be a table"),
        ('least = {a = "1"}', r"longhaul.toml:4: a has to be a number"),
        ("most = {a = true}", r"longhaul.toml:4: a has to be a number"),
        ('skip = "udp"', r"longhaul.toml:4: skip has to be a list"),
        ("leest = {}", r"unknown key 'leest' in \[validate\]; did you mean least"),
    ],
)
def test_mistakes_in_the_table_are_told_with_their_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    monkeypatch.setenv(current.VARIABLE, str(workspace(tmp_path, f"[validate]\n{text}\n")))
    with pytest.raises(UsageError, match=said):
        current.given()


def test_a_test_that_there_is_not_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="no test is called 'pings'; did you mean ping"):
        run.chosen(["pings"], [])


class Runs:
    """A pool whose runs fail at once, but for those that are good."""

    where = ""

    def __init__(self, good: Mapping[str, int | None]) -> None:
        self.good, self.started, self._ended = good, list[str](), list[Ended]()
        self.words: dict[str, tuple[str, ...]] = {}

    def __enter__(self) -> "Runs":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def full(self) -> bool:
        return bool(self._ended)

    def start(self, job: Job) -> None:
        self.started.append(job.name)
        self.words[job.name] = job.command
        partial = job.log.parent / f"{job.name}.partial" / "raw"
        partial.mkdir(parents=True, exist_ok=True)
        if "--waves" in job.command:
            (partial.parent / run.FST).touch()
        (partial / "notes.txt").write_text("1 own ok all\n")
        self._ended.append(Ended(job.name, self.good.get(job.name, 1), "why"))

    def ended(self) -> list[Ended]:
        found, self._ended = self._ended, []
        return found


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> run.Plan:
    monkeypatch.setenv(current.VARIABLE, current.NONE)
    monkeypatch.setattr(run, "simulator", lambda: Path(sys.executable))
    return run.Plan("ixgb", run.chosen(["ping", "tcp"], []), tmp_path / "out", waves=False)


def test_what_was_run_is_kept_until_something_changes(
    plan: run.Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    pool = Runs({})
    done = run.run(plan, lambda lock: pool, said.append)
    assert pool.started == ["ping", "tcp"] and [each.passed for each in done] == [False, False]
    assert said[0].startswith("FAILED ping: run ping: why (1 of 2")
    again = Runs({})
    assert run.run(plan, lambda lock: again, said.append) == done and again.started == []
    assert said[-1] == "2 of 2 tests have been run already"
    (plan.out / "tcp.json").write_text("{")
    run.run(plan, lambda lock: again, said.append)
    assert again.started == ["tcp"]
    monkeypatch.setattr(run, "simulator", lambda: Path(__file__))
    run.run(plan, lambda lock: again, said.append)
    assert again.started == ["tcp", "ping", "tcp"]


def test_a_lost_run_is_no_outcome(plan: run.Plan) -> None:
    with pytest.raises(run.Interrupted, match="the same command does what is left"):
        run.run(plan, lambda lock: Runs({"tcp": None}), lambda line: None)
    assert (plan.out / "ping.json").exists() and not (plan.out / "tcp.json").exists()


def test_fail_fast_starts_nothing_more(plan: run.Plan) -> None:
    pool = Runs({})
    fast = dataclasses.replace(plan, fail_fast=True)
    assert [each.test for each in run.run(fast, lambda lock: pool, lambda line: None)] == ["ping"]


def test_what_failed_is_repeated_with_waves(plan: run.Plan) -> None:
    pool = Runs({})
    traced = dataclasses.replace(plan, waves=True, fail_fast=True)
    (ping,) = run.run(traced, lambda lock: pool, lambda line: None)
    assert pool.started == ["ping", "ping-waves"] and ping.waves == "ping-waves.partial"
    words = " ".join(pool.words["ping-waves"])
    assert words.endswith("--pcap --waves link,nic,rtl,pcix --waves-trigger violation")
    assert f"longhaul waves {plan.out}/ping-waves.partial" in page.how_to_see(plan, ping)


def test_waves_of_a_run_that_ended_begin_with_the_check_that_failed() -> None:
    checks, _ = outcome.noted(NOTES, "own")
    found = (Finding("file-there", "x", 1.5006),)
    failed = Outcome("ping", "k", tuple(checks), found, window_s=1.4986)
    assert run.waves_words(failed)[2:] == ["--waves-from", "2000.000us", "--waves-length", "5ms"]
    nowhere = Outcome("ping", "k", (), (Finding("tshark", "x"),))
    assert run.waves_words(nowhere)[2:] == ["--waves-length", "5ms"]
    lossy = dataclasses.replace(failed, lost=3)
    assert run.waves_words(lossy)[2:] == ["--waves-trigger", "drop:1"]
    in_a_lossy_line = dataclasses.replace(lossy, test="loss")
    assert "--waves-from" in run.waves_words(in_a_lossy_line)


def test_a_folder_of_something_else_is_left_alone(plan: run.Plan) -> None:
    plan.out.mkdir()
    (plan.out / "mine.txt").touch()
    with pytest.raises(UsageError, match="is not empty and holds no validation"):
        run.run(plan, lambda lock: Runs({}), lambda line: None)


def test_the_page_tells_what_failed_and_how_to_see_it(plan: run.Plan) -> None:
    checks, figures = outcome.noted(NOTES, "own")
    found = (Finding("a<b", "lost & found", 1.5006),)
    failed = Outcome("ping", "k", tuple(checks), found, figures, window_s=1.5)
    plan.out.mkdir()
    page.write(plan, [failed, Outcome("tcp", "k", (Check("out", "passed"),))])
    text = (plan.out / "report.html").read_text()
    assert "a&lt;b" in text and "lost &amp; found" in text and "1 failed" in text
    command = page.again_with_waves(plan, failed)
    assert command in text.replace("&#39;", "'")
    assert "--set test=ping" in command and "--waves-from 600.000us" in command
    assert json.loads((plan.out / "results.json").read_text())["passed"] is False


def test_padding_that_is_not_zero_is_seen(tmp_path: Path) -> None:
    """tshark's own filter, on two frames of which one gives bytes away."""
    from scapy.layers.l2 import Ether  # of the tests' packages
    from scapy.utils import wrpcap

    head = Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02", type=0x0806)
    arp = bytes.fromhex("0001080006040001") + bytes(20)
    frames = [head / (arp + pad) for pad in (bytes(18), b"\0" * 9 + b"secret" + b"\0" * 3)]
    wrpcap(str(tmp_path / "two.pcap"), frames)
    assert wire.leaks(tmp_path / "two.pcap") == [("2", "00" * 9 + b"secret".hex() + "00" * 3)]


def test_a_mark_that_is_not_on_the_cable_is_no_count(tmp_path: Path) -> None:
    """The script's own check says that it was lost."""
    from scapy.layers.l2 import Ether  # of the tests' packages
    from scapy.utils import wrpcap

    wrpcap(str(tmp_path / "one.pcap"), [Ether(type=0x0806) / bytes(46)])
    names = ("rx_packets", "tx_packets", "rx_errors", "tx_errors", "tx_dropped")
    figures = {f"{when}.{name}": "0" for when in ("begin", "end") for name in names}
    assert list(judge.LOOKS["counters"](tmp_path / "one.pcap", figures)) == []

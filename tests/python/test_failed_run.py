# SPDX-License-Identifier: Apache-2.0
"""The words of a failed run about the files that it left behind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from longhaul.errors import LonghaulError
from longhaul.outdir import OutDir
from longhaul.results import waves_viewer
from longhaul.runs import failed_run

SAID = "own.eth0.block: 1.5 ms: m.wlast breaks the rule axi.write_last"
ENDED_BY = {"part": "own.eth0", "rule": "axi.write_last", "ps": 1_500_000_000}
KEPT = {"from_ps": 500_000_000, "until_ps": 1_500_000_001, "trigger_ps": 1_500_000_000}


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OutDir]:
    """An unfinished folder, seen from the one that it lies in."""
    monkeypatch.chdir(tmp_path)
    made = OutDir(Path("out/run"))
    yield made
    made.close()


def explained(out: OutDir, *words: str, **failed: object) -> str:
    text = json.dumps({"at_ps": 1_500_000_000, **failed})
    (out.raw / failed_run.FILE).write_text(text)
    return str(failed_run.explained(LonghaulError(SAID), out, words, ()))


def test_a_broken_rule_without_waves_says_how_to_get_them(out: OutDir) -> None:
    words = ("run", "--set", "mtu=9000", "--before", "own=sleep 1", "--of-sweep", "x")
    said = explained(out, *words, ended_by=ENDED_BY).splitlines()
    assert said == [
        SAID,
        "waves of it: longhaul run --set mtu=9000 --before 'own=sleep 1' "
        "--waves rtl --waves-trigger violation",
    ]


def test_accesses_that_nobody_claimed_are_told(out: OutDir) -> None:
    first = {"read": True, "io": False, "address": 16, "bytes": 4, "ps": 10**9, "nearest": None}
    said = explained(out, unclaimed=[{"host": "own", "count": 1, "first": first}]).splitlines()
    assert said[1].startswith("own: no adapter claimed one access of its software")


def test_a_script_has_no_command_to_repeat(out: OutDir) -> None:
    said = explained(out, ended_by=ENDED_BY)
    assert said.endswith("waves of it: run it with --waves rtl --waves-trigger violation")


def test_waves_lie_where_the_command_finds_them(
    out: OutDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in failed_run.WAVES:
        (out.raw / name).write_text("waves")
    said = explained(out, "run", ended_by=ENDED_BY, waves=KEPT)
    assert said.splitlines()[1:] == [
        "waves of the 1ms before are kept, with axi.write_last at the marker; "
        "longhaul waves out/run.partial shows them"
    ]
    assert (out.partial / "waves.fst").exists() and (out.partial / "waves.gtkw").exists()
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.raises(LonghaulError, match="display|gtkwave is missing"):
        waves_viewer.show(Path("out/run"))  # of the name that the user gave


def test_another_end_has_its_history_without_a_rule(out: OutDir) -> None:
    for name in failed_run.WAVES:
        (out.raw / name).write_text("waves")
    assert "kept; longhaul waves" in explained(out, "run", waves=KEPT)


def test_what_is_waited_for_follows_the_message(out: OutDir) -> None:
    assert explained(out, waiting=["own.eth0: idle"]).splitlines() == [SAID, "own.eth0: idle"]


def test_a_driver_that_gave_up_is_heard(out: OutDir) -> None:
    console = out.raw / "guests" / "own" / "console.log"
    console.parent.mkdir(parents=True)
    console.write_text(
        "mynic 0000:00:01.0: enabling device (0000 -> 0002)\n"
        "mynic 0000:00:01.0: ID register reads 0x1, wants 0x2\nreboot: Power down\n"
    )
    (out.raw / failed_run.FILE).write_text('{"at_ps": 1}')
    said = "guest 'own' says that its workload failed at simulated time 10 s: no driver has made "
    error = LonghaulError(said + "eth0")
    assert str(failed_run.explained(error, out, (), ())).splitlines()[1:] == [
        "own's kernel: mynic 0000:00:01.0: ID register reads 0x1, wants 0x2"
    ]


def test_a_simulator_that_was_killed_has_said_nothing_more(out: OutDir) -> None:
    error = LonghaulError("killed")
    assert failed_run.explained(error, out, (), ()) is error


@pytest.mark.parametrize(
    ("words", "traced", "expected"),
    [
        (["run", "x"], (), "longhaul run x --waves rtl --waves-trigger violation"),
        (
            ["run", "--waves", "link,tcp", "x", "--waves-length=1ms", "--waves-from", "1ms"],
            ("link", "tcp"),
            "longhaul run x --waves link,tcp,rtl --waves-trigger violation",
        ),
    ],
)
def test_the_command_is_repeated_with_waves_of_its_own(
    words: list[str], traced: tuple[str, ...], expected: str
) -> None:
    assert " ".join(failed_run.again(words, traced)) == expected

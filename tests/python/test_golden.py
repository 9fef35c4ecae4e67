# SPDX-License-Identifier: Apache-2.0
"""Golden runs made with a stand-in for the simulator: what is found, and what is written."""

import json
import sys
from io import StringIO
from pathlib import Path

import pytest
from longhaul.errors import LonghaulError, UsageError
from longhaul.golden import basis, diverge, file, report, runs
from longhaul.golden.file import Basis, Golden, Run
from longhaul.golden.verdict import State, Verdict
from longhaul.guest import parts as guest_parts
from longhaul.runs import child_runs
from rich.console import Console
from support import driver

NAME = "main"


@pytest.fixture
def goldens(tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with one golden run that was just written."""
    for name in ("PYTHONPATH", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, environment[name])
    monkeypatch.setattr(child_runs, "LONGHAUL", (sys.executable, driver.__file__))
    image = tmp_path / "root.erofs"
    image.write_text("hello")
    parts = guest_parts.GuestParts(driver.KERNEL, Path("/b"), image, {"libc6": "2.36-9"})
    monkeypatch.setattr(guest_parts, "ensure", lambda _say: parts)
    folder = tmp_path / "goldens"
    folder.mkdir()
    run = Run(scenario="ixgb_b2b", set=["duration=100ms"], seed=3, options=["--pcap"])
    file.save(NAME, Golden(question="Does it?", run=run), folder)
    (verdict,) = make(folder, update=True)
    assert verdict.state == State.UPDATED, verdict
    return folder


def make(folder: Path, *, update: bool = False) -> list[Verdict]:
    out = folder.parent / "out"
    return list(runs.run([NAME], out, lambda _line: None, update=update, folder=folder))


def change(folder: Path, **changes: object) -> None:
    golden = file.load(NAME, folder)
    file.save(NAME, golden.model_copy(update=changes), folder)


def shown(folder: Path, **how: int) -> tuple[int, str]:
    stream = StringIO()
    run = folder.parent / "out" / NAME
    code = diverge.of_golden(Console(file=stream, width=200), run, NAME, goldens=folder, **how)
    return code, stream.getvalue()


def test_a_golden_file_holds_all_that_it_is_compared_by(goldens: Path) -> None:
    golden = file.load(NAME, goldens)
    assert {"results", "counters", "guests/sender/report/iperf.txt"} <= set(golden.artefacts)
    assert any(name.endswith(".pcapng") for name in golden.artefacts)
    assert golden.streams["sender.guest"].items == 201
    assert golden.made_with.guest_packages == {"libc6": "2.36-9"}
    assert golden.made_with.guest_kernel and golden.made_with.guest_root


def test_the_same_run_is_the_same(goldens: Path) -> None:
    assert make(goldens) == [Verdict(NAME, State.SAME)]
    assert shown(goldens)[0] == 0


def test_an_update_of_the_same_run_changes_nothing(goldens: Path) -> None:
    before = (goldens / f"{NAME}.json").read_bytes()
    assert make(goldens, update=True) == [Verdict(NAME, State.UNCHANGED)]
    assert (goldens / f"{NAME}.json").read_bytes() == before


def test_a_changed_artefact_is_named(goldens: Path) -> None:
    golden = file.load(NAME, goldens)
    name = "guests/sender/report/iperf.txt"
    change(goldens, artefacts=golden.artefacts | {name: "0" * 16})
    (verdict,) = make(goldens)
    assert verdict.state == State.PARTED and not verdict.good
    assert verdict.text.startswith(f"{name} differs; the record is the same")
    code, said = shown(goldens)
    assert code == 1
    assert "The record has the golden run's checkpoints." in said
    assert name in said


def test_a_changed_checkpoint_names_the_interval_and_the_command(goldens: Path) -> None:
    streams = file.load(NAME, goldens).streams
    guest = streams["sender.guest"]
    words = guest.digests[0].split()
    words[1] = f"{int(words[1], 16) ^ 1:08x}"
    changed = guest.model_copy(update={"digests": [" ".join(words)]})
    change(goldens, streams=streams | {"sender.guest": changed})
    (verdict,) = make(goldens)
    assert verdict.state == State.PARTED
    assert "sender.guest parts among items 64 to 127, 0.000000063000 s to" in verdict.text
    assert verdict.text.endswith(f"longhaul diverge {goldens.parent}/out/{NAME} golden:{NAME}")


def test_another_run_shows_its_items_of_the_interval(
    goldens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_SIM_DATA", "8")
    (verdict,) = make(goldens)
    assert "sender.guest parts among items 192 to 200" in verdict.text
    code, said = shown(goldens)
    assert code == 1
    assert said.count("write 4 B") == 9
    assert "data 0x8" in said
    assert "and 4 more (--items 9 shows all)" in shown(goldens, items=5)[1]


def test_other_packages_are_not_compared_and_not_passed_over(goldens: Path) -> None:
    made = file.load(NAME, goldens).made_with
    older = made.model_copy(update={"guest_packages": {"libc6": "2.36-8"}})
    change(goldens, made_with=older)
    (verdict,) = make(goldens)
    assert verdict.state == State.NOT_COMPARABLE
    assert verdict.text == "libc6 2.36-9 here, 2.36-8 there"
    console = Console(file=StringIO(), width=200)
    assert report.show(console, [NAME], [verdict]) == 0


def test_another_kernel_is_not_compared(goldens: Path) -> None:
    made = file.load(NAME, goldens).made_with
    change(goldens, made_with=made.model_copy(update={"guest_kernel": "0" * 64}))
    (verdict,) = make(goldens)
    assert verdict.state == State.NOT_COMPARABLE
    assert verdict.text.startswith("guest kernel ")


def test_guests_of_an_edited_tree_fail_until_the_values_are_renewed(goldens: Path) -> None:
    made = file.load(NAME, goldens).made_with
    older = {"guest_root": "0" * 64, "guest_files": "of another tree"}
    change(goldens, made_with=made.model_copy(update=older))
    (verdict,) = make(goldens)
    assert verdict.state == State.STALE and not verdict.good
    assert "longhaul golden --update" in verdict.text


def test_an_edit_says_nothing_of_a_host_with_other_packages(goldens: Path) -> None:
    made = file.load(NAME, goldens).made_with
    older = {"guest_root": "0" * 64, "guest_files": "of another tree"}
    others = {"guest_packages": {"libc6": "2.36-8"}}
    change(goldens, made_with=made.model_copy(update=older | others))
    (verdict,) = make(goldens)
    assert verdict.state == State.NOT_COMPARABLE
    assert verdict.text == "libc6 2.36-9 here, 2.36-8 there (and 1 more)"


def test_an_edit_that_changes_no_bit_of_the_guests_is_none(goldens: Path) -> None:
    made = file.load(NAME, goldens).made_with
    change(goldens, made_with=made.model_copy(update={"guest_files": "of another tree"}))
    assert make(goldens) == [Verdict(NAME, State.SAME)]


def test_a_modelled_run_is_compared_whatever_the_guests_are() -> None:
    assert basis.differences(Basis(compiler="GCC 12"), Basis(guest_kernel="1")) == []


def test_a_run_that_fails_is_told(goldens: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SIM", "fail")
    (verdict,) = make(goldens)
    assert verdict.state == State.FAILED and not verdict.good
    assert "guest panicked" in verdict.text
    assert make(goldens, update=True)[0].state == State.FAILED


def test_a_golden_run_without_values_is_no_pass(goldens: Path) -> None:
    change(goldens, artefacts={}, streams={}, made_with=Basis())
    (verdict,) = make(goldens)
    assert not verdict.good or verdict.state == State.NOT_COMPARABLE
    assert verdict.state == State.PARTED
    assert "--update writes them" in verdict.text


def test_a_wrong_name_and_a_wrong_file_are_told(goldens: Path) -> None:
    with pytest.raises(UsageError, match="did you mean main"):
        file.load("maim", goldens)
    (goldens / "odd.json").write_text(json.dumps({"question": "x"}))
    with pytest.raises(LonghaulError, match=r"odd\.json: no golden run"):
        file.load("odd", goldens)


def test_the_list_shows_the_command(goldens: Path) -> None:
    stream = StringIO()
    report.listing(Console(file=stream, width=200), {NAME: file.load(NAME, goldens)})
    assert "longhaul run ixgb_b2b --seed 3 --set duration=100ms --pcap --record" in (
        stream.getvalue()
    )


def test_the_tree_has_golden_runs_of_every_kind_and_they_are_small() -> None:
    names = file.names()
    assert len(names) >= 12
    assert sum((file.FOLDER / f"{name}.json").stat().st_size for name in names) < 200_000
    for name in names:
        golden = file.load(name)
        assert golden.text() == (file.FOLDER / f"{name}.json").read_text()
        assert golden.artefacts, name
        assert bool(golden.made_with.guest_kernel) == runs.has_guests(golden)

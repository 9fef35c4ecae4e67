# SPDX-License-Identifier: Apache-2.0
"""The judge of `longhaul attack` sees what is wrong, and nothing where nothing is."""

import os
import subprocess
import time
from pathlib import Path

import pytest
from longhaul.attack import cage, processes
from longhaul.attack.oracle import DOCUMENTED, Expected, Fault, codes, judge
from longhaul.attack.place import Place
from longhaul.attack.processes import Ended
from support.attacks import PYTHON, Texts, verdict_of

GOOD = "echo 'longhaul: config.json: wants a list' >&2; exit 2"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("exit 0", []),
        (GOOD, []),
        ("touch own; exit 0", []),
        ("kill -SEGV $$", ["crash"]),
        ("kill -KILL $$", ["crash"]),
        ("exit 3", ["undocumented exit code", "no message"]),
        ("exit 1", ["no message"]),
        ("echo 'it went wrong' >&2; exit 1", ["no message"]),
        ("echo 'longhaul: ' >&2; exit 1", ["no message"]),
        ("printf 'longhaul: a: 1\\n2\\n3\\n' >&2; exit 2", []),
        ("printf 'longhaul: a: 1\\n2\\n3\\n4\\n' >&2; exit 2", ["lines"]),
        ("printf 'longhaul: guest died:\\n  | 1\\n  | 2\\n  | 3\\n  | 4\\n' >&2; exit 1", []),
        ("printf 'longhaul: a: '; printf 'longhaul: a: \\033[31m\\n' >&2; exit 2", ["characters"]),
        ("printf 'longhaul: a: %02000d\\n' 0 >&2; exit 2", ["length"]),
        ("printf 'longhaul: internal error: KeyError\\n' >&2; exit 1", ["traceback"]),
        ("echo 'longhaul: [json.exception.type_error.305] x' >&2; exit 1", ["json"]),
        ("echo 'longhaul: std::bad_alloc' >&2; exit 1", ["library"]),
        ("echo 'x.cc:3: Assertion `x` failed.' >&2; kill -ABRT $$", ["crash", "assertion"]),
        ("echo 'a.cc:1:2: runtime error: overflow' >&2; exit 0", ["sanitizer"]),
        ("echo '=1=ERROR: AddressSanitizer: x' >$ASAN_DIR.1; exit 0", ["sanitizer"]),
        ("sleep 100 >/dev/null & exit 0", ["stray"]),
        ("setsid sh -c 'sleep 100 & exec env -i sleep 100' >/dev/null & exit 0", ["stray"] * 2),
        ("touch other; exit 0", ["file"]),
        ("touch ../other; exit 0", ["file"]),
        ("touch $TMPDIR/left; exit 0", ["file"]),
        ("touch $HOME/left; exit 0", ["file"]),
    ],
)
def test_what_is_wrong_is_seen(tmp_path: Path, text: str, kinds: list[str]) -> None:
    text = text.replace("$ASAN_DIR", "$PWD/../../sanitizer")
    found = verdict_of(Texts(tmp_path, [text]))
    assert sorted(fault.kind for fault in found.faults) == sorted(kinds), found


def test_a_file_that_may_lie_beside_the_working_folder_is_none_too_many(tmp_path: Path) -> None:
    place = Place(tmp_path / "case").make()
    (place.box / "canary").write_text("")
    assert place.strangers(["../canary"]) == []
    assert place.strangers(["canary"]) == ["canary"]
    assert place.strangers([".."]) == []


def test_a_traceback_is_seen(tmp_path: Path) -> None:
    found = verdict_of(Texts(tmp_path, ["raise ValueError"], shell=PYTHON))
    assert [fault.kind for fault in found.faults] == ["traceback", "no message"]


def test_an_exit_code_that_does_not_fit_is_seen(tmp_path: Path) -> None:
    found = verdict_of(Texts(tmp_path, [GOOD], Expected(codes(0, 1))))
    assert [str(fault.text) for fault in found.faults] == ["2, not 0, 1"]


def test_a_hang_is_seen_and_ended(tmp_path: Path) -> None:
    limits = processes.Limits(0.5)
    found = verdict_of(Texts(tmp_path, ["sleep 100 & sleep 100"], limits=limits))
    assert [fault.kind for fault in found.faults] == ["hang"] and found.end == "no end"


@pytest.mark.parametrize(("load", "kinds"), [(0.0, ["hang"]), (100.0, [])])
def test_a_case_on_a_busy_machine_is_slow_and_does_not_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, load: float, kinds: list[str]
) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (load * (os.cpu_count() or 1), 0.0, 0.0))
    found = verdict_of(Texts(tmp_path, ["sleep 2"], limits=processes.Limits(1.0)))
    assert [fault.kind for fault in found.faults] == kinds


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("trap 'echo longhaul: interrupted >&2; exit 130' TERM; while :; do sleep 0.1; done", []),
        ("trap '' TERM; while :; do sleep 0.1; done", ["hang"]),
    ],
)
def test_a_case_that_may_go_on_has_to_end_when_it_is_told_to(
    tmp_path: Path, text: str, kinds: list[str]
) -> None:
    limits = processes.Limits(0.5, stop=3)
    found = verdict_of(Texts(tmp_path, [text], limits=limits))
    assert [fault.kind for fault in found.faults] == kinds, found


def test_memory_without_end_is_seen(tmp_path: Path) -> None:
    limits = processes.Limits(60, memory=200 << 20)
    text = "import time; x = bytearray(400 << 20); time.sleep(60)"
    found = verdict_of(Texts(tmp_path, [text], limits=limits, shell=PYTHON))
    assert [fault.kind for fault in found.faults] == ["memory"]


@pytest.mark.skipif(not cage.available(), reason="this kernel has no Landlock")
def test_nothing_outside_of_the_cage_can_be_written(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.write_text("theirs")
    text = f"echo x 2>/dev/null >>{theirs}; rm -f {theirs}; mv {theirs} {tmp_path}/x; exit 0"
    verdict_of(Texts(tmp_path, [text]))
    assert theirs.read_text() == "theirs"
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["theirs"]


def test_what_the_judge_ends_is_only_its_own(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "100"]) as bystander:
        verdict_of(Texts(tmp_path, ["sleep 100 & exit 0"]))
        time.sleep(0.1)
        assert bystander.poll() is None
        bystander.kill()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("sender.cpu.clock: wants a frequency", True),
        ("machines[0]: has no name", True),
        ("no scenario is called 'x'", True),
        (": wants an object", False),
        (".: wants an object", False),
        ("wants an object", False),
    ],
)
def test_a_message_without_a_place_is_seen(text: str, place: bool) -> None:
    ended = Ended(2, "", f"longhaul: {text}\n", 0.1)
    faults = judge(ended, Expected(DOCUMENTED, place=True))
    assert [fault.kind for fault in faults] == ([] if place else ["place"])


def test_faults_that_are_alike_have_one_signature() -> None:
    one = Fault("result", "machine 'a' in /tmp/x has 17 of 'b'")
    other = Fault("result", "machine 'other' in /home/y has 3 of 'c'")
    assert one.signature == other.signature
    assert one.signature != Fault("crash", one.text).signature
    wrong = [Fault("exit code", text) for text in ("1, not 2", "0, not 2", "1, not 2")]
    assert len({fault.signature for fault in wrong}) == 2

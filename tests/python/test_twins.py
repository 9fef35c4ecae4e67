# SPDX-License-Identifier: Apache-2.0
"""An adapter against its twin, of recordings made here: which differences count."""

import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from longhaul.cli import consoles
from longhaul.errors import LonghaulError, UsageError
from longhaul.runs.child_runs import Ended
from longhaul.validation import catalog, page, run
from longhaul.validation.outcome import FAILED, PASSED, SKIPPED, Check, Finding, Outcome
from longhaul.validation.twins import chosen, comparison, joined, recorded
from longhaul.validation.twins.recorded import Access, Frame, Kind, Seen
from longhaul.validation.twins.register_streams import Registers
from longhaul.workspace import current

OWN, PEER = bytes.fromhex("02aabbccdd01"), bytes.fromhex("02aabbccdd02")
RING, BUFFERS = 0x10_0000, 0x20_0000
US = 10**6  # ps
REGISTERS = Registers({0: "ID", 4: "CTRL", 8: "CAUSE", 0x80: "RX_GOOD"})


def echo(size: int, *, reply: bool = False, own: bytes = OWN, seed: int = 0) -> bytes:
    """Return an echo of so many bytes of data, with its FCS; `seed` is what chance makes of it."""
    ends = PEER + own if not reply else own + PEER
    data = bytes((seed + n if n < 16 <= size else n) % 256 for n in range(size))
    icmp = struct.pack(">BBHHH", 0 if reply else 8, 0, seed, 77 + seed, 1) + data
    ip = struct.pack(">BBHHHBBH8x", 0x45, 0, 20 + len(icmp), 900 + seed, 0x4000, 64, 1, seed)
    return with_fcs(ends + b"\x08\x00" + ip + icmp)


def with_fcs(body: bytes) -> bytes:
    body = body.ljust(60, b"\0")
    return body + zlib.crc32(body).to_bytes(4, "little")


def arp(own: bytes = OWN, padding: bytes = bytes(18)) -> bytes:
    body = b"\xff" * 6 + own + bytes.fromhex("0806000108000604") + b"\x00\x01" + own
    return with_fcs(body + bytes(14) + padding)


class Run:
    """A recording on its way; `late` shifts all instants, `seed` is chance."""

    def __init__(self, *, late: int = 0, seed: int = 0, own: bytes = OWN) -> None:
        self.now, self.seed, self.own, self.received = 1000 * US + late, seed, own, 0
        self.accesses: list[Access] = []
        self.frames: list[Frame] = []

    def put(self, kind: Kind, address: int, data: bytes) -> None:
        self.now += US
        self.accesses.append(Access(self.now, kind, 0, address, data))

    def read(self, offset: int, value: int) -> None:
        self.put(Kind.REGISTER_READ, offset, value.to_bytes(4, "little"))

    def write(self, offset: int, value: int) -> None:
        self.put(Kind.REGISTER_WRITE, offset, value.to_bytes(4, "little"))

    def frame(self, data: bytes, *, sent: bool) -> None:
        self.now += US
        self.frames.append(Frame(len(self.frames) + 1, self.now, sent, data))

    def receive(self, data: bytes, *, descriptor: int | None = None, before: bytes = b"") -> None:
        """A frame comes, and goes to memory in bursts, with its descriptor."""
        self.frame(data, sent=False)
        place = BUFFERS + 2048 * (self.received + self.seed) + 2 - len(before)
        body = before + data[:-4]
        while body:
            size = min(len(body), 256 - place % 256)
            self.put(Kind.MEMORY_WRITE, place, body[:size])
            place, body = place + size, body[size:]
        word = 1 << 31 | (len(data) - 4 if descriptor is None else descriptor)
        at = RING + 16 * self.received + 12
        self.put(Kind.MEMORY_WRITE, at, word.to_bytes(4, "little"))
        self.received += 1

    def seen(self) -> Seen:
        return Seen(tuple(self.accesses), tuple(self.frames))


def begun(run: Run, polls: int = 1, identity: int = 0x1234) -> Run:
    run.read(0, identity)
    run.write(4, 1)
    for _ in range(polls):
        run.read(4, 1)
    run.read(4, 0)
    run.write(0x40, RING + 4096 * run.seed)
    run.write(0x20, int.from_bytes(run.own[:4], "little"))
    run.write(4, 6)
    return run


def whole(run: Run, sizes: Sequence[int] = (0, 56, 600)) -> Run:
    begun(run, polls=1 + run.seed)
    run.frame(arp(run.own), sent=True)
    for size in sizes:
        run.frame(echo(size, own=run.own, seed=run.seed), sent=True)
        run.receive(echo(size, reply=True, own=run.own, seed=run.seed))
        for cause in (3,) if run.seed else (1, 2):
            run.read(8, cause)
            run.write(8, cause)
    run.read(0x80, run.received)
    return run


def other(**changes: bytes) -> Run:
    """Another path of the same adapter: later, with other addresses, numbers, polls and batches."""
    return Run(late=777 * US, seed=3, **changes)


def compared(ours: Run, theirs: Run, registers: Registers = REGISTERS) -> dict[str, Check]:
    made = comparison.checks(ours.seen(), theirs.seen(), registers)
    return {each.name: each for each in made}


def only(checks: dict[str, Check], name: str) -> str:
    assert [each for each in checks if checks[each].verdict != PASSED] == [name]
    assert checks[name].verdict == FAILED and checks[name].begin_s
    return checks[name].said


def test_two_paths_of_one_adapter_are_the_same() -> None:
    checks = compared(whole(Run()), whole(other(own=bytes.fromhex("02f1f2f3f4f5"))))
    assert {each.verdict for each in checks.values()} == {PASSED}, checks
    assert checks["twin-start"].said == "6 register accesses are alike"
    assert checks["twin-memory"].said == "3 kinds of received frames are alike"


def test_a_register_that_reads_otherwise_is_told_with_both_values() -> None:
    twin = other()
    begun(twin, identity=0x1235)
    said = compared(begun(Run()), twin)["twin-start"].said
    assert said == (
        "access 1: the adapter at 0.001001000 s reads 0x0000 (ID): 0x00001234; "
        "its twin at 0.001778000 s reads 0x0000 (ID): 0x00001235"
    )
    ignoring = Registers(REGISTERS.names, frozenset({"ID"}))
    assert compared(begun(Run()), twin, ignoring)["twin-start"].verdict == PASSED
    by_offset = Registers(REGISTERS.names, frozenset({"0x0"}))
    assert compared(begun(Run()), twin, by_offset)["twin-start"].verdict == PASSED


def test_a_value_that_the_driver_writes_differs_only_if_it_is_no_place_in_memory() -> None:
    ours, theirs = begun(Run()), begun(other())
    ours.write(0x30, 2048)
    theirs.write(0x30, 2056)
    said = compared(ours, theirs)["twin-start"].said
    assert "writes 0x0030: 0x00000800" in said and "0x00000808" in said


def test_a_wrong_cause_is_a_bit_that_the_other_never_has() -> None:
    ours, theirs = whole(Run()), whole(other())
    ours.read(8, 5)
    ours.write(8, 5)
    said = only(compared(ours, theirs), "twin-values")
    assert "bits ever read as 1: 0x7 and 0x3" in said and "(CAUSE): 0x00000005" in said


def test_a_counter_may_differ_by_the_frames_that_one_run_had_more() -> None:
    ours, theirs = whole(Run()), whole(other())
    for each, more in ((ours, 0), (theirs, 2)):
        for _ in range(more):
            each.receive(with_fcs(OWN + PEER + b"\x86\xdd" + bytes(100)))
        each.read(0x80, each.received)
    assert compared(ours, theirs)["twin-values"].verdict == PASSED
    theirs.read(0x80, theirs.received + 1)
    counting = replace(REGISTERS, counters=frozenset({0x80}))
    assert "(RX_GOOD)" in only(compared(ours, theirs, counting), "twin-values")
    said = only(compared(ours, theirs), "twin-values")
    assert "the last read of a counter" in said and "(RX_GOOD): 0x00000006" in said


def test_padding_and_length_of_sent_frames_are_compared() -> None:
    ours = whole(Run())
    ours.frames[0] = replace(ours.frames[0], data=arp(padding=b"\x55" * 18))
    said = only(compared(ours, whole(other())), "twin-sent")
    assert "byte 42 of a frame: the adapter at" in said and "has 0x55; its twin" in said
    ours = whole(Run())
    bare = ours.frames[0].data[:42]
    ours.frames[0] = replace(ours.frames[0], data=bare + bytes(4))
    said = only(compared(ours, whole(other())), "twin-sent")
    assert "frame 1 (ARP request, broadcast, 46 octets) has its FCS there" in said


def test_an_echo_of_a_length_that_one_run_has_not_is_told() -> None:
    checks = compared(whole(Run(), (56, 57)), whole(other(), (56,)))
    assert "has none of this kind and length" in checks["twin-sent"].said
    assert checks["twin-received"].verdict == FAILED


def with_fcs_counted(run: Run, data: bytes) -> None:
    run.receive(data, descriptor=len(data))


def with_bytes_before(run: Run, data: bytes) -> None:
    run.receive(data, before=b"\1\2")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (with_fcs_counted, "descriptor 66000080; its twin"),
        (with_bytes_before, "2 bytes before it (0102)"),
    ],
)
def test_a_received_frame_has_its_place_and_descriptor(
    wrong: Callable[[Run, bytes], None], said: str
) -> None:
    ours, theirs = whole(Run()), whole(other())
    wrong(ours, echo(56, reply=True, seed=ours.seed))
    theirs.receive(echo(56, reply=True, seed=theirs.seed))
    assert said in only(compared(ours, theirs), "twin-memory")


def test_bytes_of_a_frame_that_do_not_arrive_in_memory_are_missed() -> None:
    ours, theirs = whole(Run(), (56,)), whole(other(), (56,))
    at = next(n for n, each in enumerate(ours.accesses) if each.kind is Kind.MEMORY_WRITE)
    ours.accesses[at] = replace(ours.accesses[at], data=bytes(90))
    assert "has not its bytes in memory; its twin" in only(compared(ours, theirs), "twin-memory")


def test_descriptors_that_cannot_be_told_apart_are_not_compared() -> None:
    ours, theirs = whole(Run()), whole(other())
    ours.put(Kind.MEMORY_WRITE, RING + 2048, bytes(4))
    check = compared(ours, theirs)["twin-memory"]
    assert check.verdict == PASSED and "no descriptor compared" in check.said


def test_the_terminal_tells_both_sides_in_full(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = compared(begun(Run()), begun(other(), identity=0x1235))["twin-start"].said
    found = Finding("twin-start", f"{said}{'x' * 200}", 0.001)
    test = catalog.find("probe")
    plan = run.Plan("a", (test,), tmp_path, twin=chosen.Twin("t"))
    page.show(consoles.printed(), plan, [Outcome("probe", "key", findings=(found,))])
    told = capsys.readouterr().out.splitlines()
    assert f"probe: twin-start: {found.message}" in told
    assert "against t: probe; the page says what is compared and what is not" in told


def test_both_runs_of_a_test_are_recorded_and_alike_but_for_the_adapter(tmp_path: Path) -> None:
    plan = run.Plan("a", (), tmp_path, twin=chosen.Twin("t"))
    ours, theirs = (
        plan.command(catalog.find("ping"), tmp_path / "lock", of_twin=of_twin)
        for of_twin in (False, True)
    )
    parted = [(one, two) for one, two in zip(ours, theirs, strict=True) if one != two]
    assert parted == [
        (str(tmp_path / "ping"), str(tmp_path / "ping-twin")),
        ("adapter=a", "adapter=t"),
    ]
    assert ours[-2:] == ["--record-device", "own.eth0"]
    alone = plan.command(catalog.find("tcp"), tmp_path / "lock")
    assert "--record-device" not in alone


def test_values_are_left_out_where_tcp_and_resets_make_them() -> None:
    made = comparison.checks(
        whole(Run()).seen(), whole(other()).seen(), REGISTERS, with_values=False
    )
    assert {each.name: each.verdict for each in made}["twin-values"] == SKIPPED
    assert {each.twin for each in catalog.tests().values()} == {"", "all", "frames"}


def test_a_counter_that_a_reset_clears_is_not_compared() -> None:
    counting = replace(REGISTERS, counters=frozenset({0x80}))
    ours, theirs = whole(Run()), whole(other())
    for value in (0, 9):
        ours.write(4, 1)
        ours.read(0x80, value)
    assert compared(ours, theirs, counting)["twin-values"].verdict == PASSED
    assert compared(ours, theirs)["twin-values"].verdict == FAILED


def test_a_counter_that_each_read_clears_is_not_compared() -> None:
    ours, theirs = whole(Run()), whole(other())
    ours.read(0x80, 9)
    theirs.read(0x80, 5)
    cleared = replace(REGISTERS, since_read=frozenset({0x80}))
    assert compared(ours, theirs, cleared)["twin-values"].verdict == PASSED
    assert compared(ours, theirs)["twin-values"].verdict == FAILED


def test_nothing_to_compare_is_skipped_and_no_pass() -> None:
    checks = compared(Run(), Run())
    assert {each.verdict for each in checks.values()} == {SKIPPED}


def test_a_name_that_is_no_register_is_refused() -> None:
    said = Registers(REGISTERS.names, frozenset({"CAUS", "0x8"})).unknown()
    assert said == (
        "twin_ignore: 'CAUS' is no register and no offset such as 0x1c; did you mean CAUSE?"
    )
    assert not Registers(REGISTERS.names, frozenset({"CAUSE", "0x8"})).unknown()


def test_a_device_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "device.bin"
    head = struct.pack("<QQBBxxI", 5, 0x10, 1, 0, 4) + b"\1\2\3\4" + bytes(4)
    path.write_bytes(b"LHDEVIC1" + head + struct.pack("<QQBBxxI", 6, 0x1002, 2, 0, 8) + bytes(8))
    found = list(recorded.accesses(path))
    assert found == [
        Access(5, Kind.REGISTER_WRITE, 0, 0x10, b"\1\2\3\4"),
        Access(6, Kind.MEMORY_WRITE, 0, 0x1002, bytes(8)),
    ]
    assert found[0].value == 0x04030201
    path.write_bytes(b"LHRECOR1")
    with pytest.raises(LonghaulError, match="no record of an adapter"):
        list(recorded.accesses(path))


def test_halves_come_in_any_order_and_a_test_that_fails_by_itself_waits_for_none(
    tmp_path: Path,
) -> None:
    halves = joined.Halves(chosen.Twin("t"), tmp_path)
    test = catalog.find("probe")
    good = Outcome("probe", "key", (Check("a", PASSED),))
    assert halves.judged(test, good) is None
    made = halves.twin_ended(test, Ended("probe-twin", 1, "it broke"))
    assert made and [each.by for each in made.findings] == ["twin"]
    assert "the run with t does not end well: it broke" in made.findings[0].message
    halves = joined.Halves(chosen.Twin("t"), tmp_path)
    assert halves.twin_ended(test, Ended("probe-twin", 0)) is None
    bad = replace(good, findings=(made.findings[0],))
    assert halves.judged(test, bad) == bad
    assert halves.twin_ended(test, Ended("probe-twin", 0)) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('twin = "a"', r"longhaul.toml:4: twin: wants adapter = "),
        ('adapter = "a"\ntwin_ignore = ["X"]', r"twin_ignore: wants twin = "),
        ('adapter = "a"\ntwin = "b"\ntwin_registers = "a.rdl"', "there is no file .*a.rdl"),
        ('twins = "a"', "did you mean twin?"),
    ],
)
def test_mistakes_in_the_workspace_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    (tmp_path / "longhaul.toml").write_text(f'[workspace]\nname = "w"\n[validate]\n{text}\n')
    monkeypatch.setenv(current.VARIABLE, str(tmp_path))
    with pytest.raises(UsageError, match=said):
        current.given()


def test_types_that_cannot_be_twins_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(current.VARIABLE, current.NONE)
    monkeypatch.setenv("LONGHAUL_PLUGINS", "")
    for name, said in (
        ("e1000", "is the adapter under test itself"),
        ("e100", "there is no such adapter; did you mean e1000"),
        ("ixgb", r"twin 'ixgb': PCI ids: 8086:\w{4}.*; e1000 has 8086:"),
    ):
        with pytest.raises(UsageError, match=said):
            chosen.choose(name, "e1000")
    assert chosen.choose("", "e1000") is None

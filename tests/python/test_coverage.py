# SPDX-License-Identifier: Apache-2.0
"""Coverage: counts of a small design by hand, merged, shown, and one line for what cannot be."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from longhaul.cli import main
from longhaul.coverage import bounds, figures, kept, merge, page, points
from longhaul.coverage.figures import Tally
from longhaul.coverage.points import Point
from longhaul.errors import UsageError
from longhaul.portmap import glue, objects
from longhaul.portmap.schema import Inout
from longhaul.portmap.verilated import RtlPort

SUB = """\
module sub (input logic clk_i, input logic rst_ni, input logic [3:0] d_i, output logic [3:0] q_o);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) q_o <= '0;
    else if (d_i == 3) q_o <= 5;
    else begin
      q_o <= d_i;
    end
  end
  SawThree: cover property (@(posedge clk_i) disable iff (!rst_ni) d_i == 3);
endmodule
"""
TOP = """\
module top (input logic clk_i, input logic rst_ni, input logic [3:0] d_i, output logic wide_o);
  logic [3:0] a, b;
  sub u_a (.clk_i, .rst_ni, .d_i, .q_o(a));
  sub u_b (.clk_i, .rst_ni, .d_i(~d_i), .q_o(b));
  // verilator coverage_off
  logic [3:0] unseen;
  assign unseen = a ^ b;
  // verilator coverage_on
  always_ff @(posedge clk_i) begin
    if (unseen == 4'd9) wide_o <= 1'b1;
    if (d_i == 4'd15) wide_o <= 1'b0;
  end
endmodule
"""
# Reset for four clocks, then each value twice, from the first argument to the second.
MAIN = """
#include <cstdlib>
#include "Vtop.h"
#include "verilated_cov.h"
int main(int, char** words) {
  VerilatedContext context;
  Vtop top{&context, "mine"};
  const auto clock = [&] {
    top.clk_i = 0; top.eval(); top.clk_i = 1; top.eval();
  };
  top.rst_ni = 0;
  for (int i = 0; i < 4; ++i) clock();
  top.rst_ni = 1;
  for (int d = std::atoi(words[1]); d <= std::atoi(words[2]); ++d) {
    top.d_i = d; clock(); clock();
  }
  context.coveragep()->forcePerInstance(true);
  context.coveragep()->write(words[3]);
}
"""
Run = Callable[..., Path]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that runs the design over a range of values and writes its counts."""
    folder = tmp_path_factory.mktemp("design")
    for name, text in {"sub.sv": SUB, "top.sv": TOP, "main.cc": MAIN}.items():
        (folder / name).write_text(text)
    words = ["verilator", "--cc", "--exe", "--build", "--coverage", "--assert", "--no-timing"]
    words += ["--top-module", "top", "top.sv", "sub.sv", "main.cc"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    return folder / "obj_dir" / "Vtop"


@pytest.fixture
def run(program: Path, tmp_path: Path) -> Run:
    """Make a run's folder with what a run keeps."""

    def make(
        name: str, first: int, last: int, place: str = "own.eth0", sub: str = SUB, reads: int = 1
    ) -> Path:
        folder = tmp_path / name / "coverage"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{place}.dat"
        subprocess.run([program, str(first), str(last), file], check=True)
        with file.open("a") as stream:
            stream.write(points.END)
        buses = {"regs": {"kind": "axi4-lite", "bins": [["AW back to back", 0]],
                          "registers": [["0x10", reads, 0]]}}  # fmt: skip
        beside = {"design": "mine", "buses": buses}
        (folder / f"{place}.buses.json").write_text(json.dumps(beside))
        sources = {
            name: {"sha256": hashlib.sha256(text.encode()).hexdigest(), "text": text}
            for name, text in {"sub.sv": sub, "top.sv": TOP}.items()
        }
        designs = {"mine": {"folder": str(tmp_path / "rtl"), "sources": sources}}
        (folder / "designs.json").write_text(json.dumps(designs))
        return tmp_path / name

    return make


def file_of(merged: merge.Merged, name: str) -> figures.File:
    return next(each for each in figures.files(merged) if each.name == name)


def test_counts_are_those_of_a_hand(run: Run) -> None:
    """Values 2 to 5: four clocks of reset and eight others; u_b has 13 to 10."""
    (merged,) = merge.of([run("first", 2, 5)])
    sub = file_of(merged, "sub.sv")
    # Both instances: 12 clocks each, 4 of them in reset; u_a has two clocks of value 3.
    assert sub.lines == {2: 24, 3: 8, 4: 14, 5: 14, 6: 14}
    assert {(each.line, each.way): each.count for each in sub.branches} == {
        (3, "elsif"): 8,
        (4, "if"): 2,
        (4, "else"): 14,
    }
    assert [(each.instance, each.name, each.count) for each in sub.covers] == [
        ("top.u_a", "SawThree", 2),
        ("top.u_b", "SawThree", 0),
    ]
    assert {kind: sub.tally(kind) for kind in ("lines", "branches", "covers")} == {
        "lines": Tally(5, 5),
        "branches": Tally(3, 3),
        "covers": Tally(1, 2),
    }
    top = file_of(merged, "top.sv")
    ways = {(each.line, each.way): each.count for each in top.branches}
    assert ways[(11, "if")] == 0
    assert ways[(11, "else")] == 12
    assert top.lines[11] == 12  # the condition, and never what it guards


def test_toggles_are_by_bit_and_what_is_off_has_none(run: Run) -> None:
    (merged,) = merge.of([run("first", 2, 5)])
    signals = {each.name: each for each in file_of(merged, "top.sv").signals}
    assert "unseen" not in signals
    # d_i: 0, 2, 3, 4, 5. Bit 3 never changes.
    assert signals["d_i"].bits == {0: 3, 1: 2, 2: 1, 3: 0}
    assert signals["d_i"].never() == "[3]"
    assert signals["d_i"].tally == Tally(3, 4)
    assert signals["rst_ni"].bits == {None: 1}


def test_ranges_of_bits_are_those_of_the_source() -> None:
    bits: dict[int | None, int] = dict.fromkeys(range(8), 0)
    assert figures.Signal("a", 1, {**bits, 3: 1}).never() == "[7:4], [2:0]"
    assert figures.Signal("a", 1, {None: 0}).never() == ""


def test_lines_that_no_run_has_executed_are_told(run: Run) -> None:
    """In reset alone no line behind it is executed."""
    view = page.view(merge.of([run("none", 1, 0)])[0])
    assert view.missed_lines == [(1, "sub.sv", "4 to 6")]


def test_runs_are_summed_and_the_first_that_hits_is_known(run: Run) -> None:
    runs = [run("idle", 4, 5, reads=0), run("three", 3, 3), run("all", 0, 15, reads=5)]
    (merged,) = merge.of(runs)
    covers = file_of(merged, "sub.sv").covers
    assert [(each.instance, each.count, each.first) for each in covers] == [
        ("top.u_a", 4, "three"),
        ("top.u_b", 2, "all"),
    ]
    # Clocks: 4 of reset each, and two for each value; in two instances.
    assert file_of(merged, "sub.sv").lines[2] == 2 * (3 * 4 + 2 * (2 + 1 + 16))
    reads, writes = merged.buses["regs"].registers["0x10"]
    assert (reads.count, reads.first) == (6, "three")
    assert (writes.count, writes.first) == (0, "")


def test_the_sums_are_those_of_verilators_own_tool(run: Run, tmp_path: Path) -> None:
    runs = [run("one", 1, 4), run("two", 3, 12)]
    files = [each / "coverage" / "own.eth0.dat" for each in runs]
    own = tmp_path / "theirs.dat"
    subprocess.run(["verilator_coverage", "--write", own, *files], check=True, capture_output=True)
    own.write_text(own.read_text() + points.END)
    (merged,) = merge.of(runs)
    assert points.read(own) == merged.counts


def test_what_is_written_is_read_by_verilators_own_tool(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "merged"
    page.write(out, merge.of([run("one", 1, 4)]))
    back = tmp_path / "back.dat"
    words = ["verilator_coverage", "--write", back, out / "mine.dat"]
    subprocess.run(words, check=True, capture_output=True)
    back.write_text(back.read_text() + points.END)
    assert points.read(back) == points.read(out / "mine.dat")


def test_blocks_of_a_run_are_told_apart_or_merged(run: Run) -> None:
    folder = run("two", 3, 3, "own.eth0")
    run("two", 4, 5, "peer.eth0")
    (both,) = merge.of([folder])
    assert both.runs == ["two, own.eth0", "two, peer.eth0"]
    (one,) = merge.of([folder], ["peer.eth0"])
    assert file_of(both, "sub.sv").covers[0].count == 2
    assert file_of(one, "sub.sv").covers[0].count == 0
    with pytest.raises(UsageError, match=r"--of own.eth1: no run has it, .*did you mean own.eth0"):
        merge.of([folder], ["own.eth1"])


def test_a_folder_that_is_named_twice_counts_once(run: Run, tmp_path: Path) -> None:
    folder = run("sweep/first", 3, 3)
    (merged,) = merge.of([tmp_path / "sweep", folder])
    assert file_of(merged, "sub.sv").covers[0].count == 2


def test_the_later_of_a_finished_run_and_one_that_failed_counts(run: Run, tmp_path: Path) -> None:
    run("first", 3, 3)
    run("first.partial", 3, 5, sub=SUB + "\n")
    (merged,) = merge.of([tmp_path / "first"])
    assert merged.runs == ["first (did not end well)"]


def test_runs_of_different_rtl_are_refused(run: Run) -> None:
    with pytest.raises(UsageError, match=r"^sub.sv of mine differs between \S+one and \S+two;"):
        merge.of([run("one", 1, 2), run("two", 1, 2, sub=SUB.replace("<= 5", "<= 6"))])


def test_damaged_and_missing_files_are_told(run: Run, tmp_path: Path) -> None:
    folder = run("one", 1, 2)
    with pytest.raises(UsageError, match="there is no such folder"):
        merge.of([tmp_path / "nowhere"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="no run in it has coverage; run with --coverage"):
        merge.of([tmp_path / "empty"])
    file = folder / "coverage" / "own.eth0.dat"
    text = file.read_text()
    file.write_text(text[: len(text) // 2])
    with pytest.raises(UsageError, match="own.eth0.dat: is no complete coverage file"):
        merge.of([folder])
    file.write_text(text.replace("C '", "C ?", 1))
    with pytest.raises(UsageError, match=r"own.eth0.dat:2: is no point of coverage"):
        merge.of([folder])
    file.write_text(text)
    (folder / "coverage" / "own.eth0.buses.json").unlink()
    with pytest.raises(UsageError, match="buses.json: is missing or damaged; repeat its run"):
        merge.of([folder])


def test_lcov_has_each_line_once(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "merged"
    page.write(out, merge.of([run("first", 2, 5)]))
    record = (out / "mine.info").read_text().split("end_of_record\n")[0].splitlines()
    assert record[:2] == ["TN:", f"SF:{tmp_path / 'rtl' / 'sub.sv'}"]
    assert [each for each in record if each.startswith("DA:")] == [
        "DA:2,24", "DA:3,8", "DA:4,14", "DA:5,14", "DA:6,14",
    ]  # fmt: skip
    assert [each for each in record if each.startswith("BRDA:")] == [
        "BRDA:3,0,0,8", "BRDA:4,0,0,2", "BRDA:4,0,1,14",
    ]  # fmt: skip
    assert {"LF:5", "LH:5", "BRF:3", "BRH:3"} <= set(record)


def test_the_page_shows_what_was_not_hit(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "merged"
    (view,) = page.write(out, merge.of([run("first", 2, 5)]))
    text = (out / "report.html").read_text()
    assert "1 cover that no run has hit" in text
    assert text.index("top.u_b.SawThree") < text.index("<h2>Files</h2>")
    assert "never: if" in text  # d_i == 15
    assert view.missed_lines == []
    assert "else if (d_i == 3) q_o &lt;= 5;" in text
    states = [row.state for row in view.rows(view.files[0])]
    assert states[:10] == ["", "hit", "hit", "hit", "hit", "hit", "", "", "part", ""]
    found = json.loads((out / "coverage.json").read_text())["designs"][0]
    assert found["totals"]["covers"] == {"hit": 1, "total": 2}
    with pytest.raises(UsageError, match="holds no merged coverage; choose another --out"):
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "mine.txt").touch()
        page.write(tmp_path / "other", merge.of([tmp_path / "first"]))


def test_the_command_ends_with_1_below_a_bound(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["coverage", str(run("first", 2, 5)), "--out", str(tmp_path / "out")]
    assert main([*words, "--fail-under", "90"]) == 0
    assert main([*words, "--fail-under", "covers=60", "--fail-under", "lines=90"]) == 1
    said = capsys.readouterr()
    assert "mine: covers 50.00 %, wants 60 % at least" in said.err
    assert "no run hits top.u_b.SawThree (sub.sv:9)" in said.out


WRONG_BOUNDS = {"covers": "percentage", "line=90": "did you mean lines", "lines=101": "percentage"}


@pytest.mark.parametrize("text", WRONG_BOUNDS)
def test_a_bound_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=WRONG_BOUNDS[text]):
        bounds.parse([text])


def test_nothing_to_hit_keeps_all_bounds() -> None:
    assert bounds.missed({"covers": 100.0}, "mine", {"covers": Tally()}) == []


def test_coverage_is_of_port_maps(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "ixgb_b2b", "--coverage"]) == 2
    assert "--coverage: needs RTL by a port map, and none is given" in capsys.readouterr().err


def test_coverage_may_be_of_an_adapter_with_model_rtl() -> None:
    for text in ("a.eth0.model=rtl", "*.eth0.model=tlm,rtl", "rtt,a.eth0.model=1ms:tlm,9ms:rtl"):
        kept.check([], ["seed=1", text])
    for text in ("a.eth0.model=tlm", "a.eth0.mode=rtl", "rtl=a.eth0.model"):
        with pytest.raises(UsageError, match="--coverage: needs RTL by a port map"):
            kept.check([], [text])


def test_a_point_is_known_by_its_place_and_not_by_the_lines_it_counts() -> None:
    one = Point("a.sv", 3, 4, "v_line/a", "block", "a.a", "3-5,9")
    assert one.numbers() == [3, 4, 5, 9]
    assert one == Point("a.sv", 3, 4, "v_line/a", "block", "a.a")
    assert Point("a.sv", 1, 1, "v_toggle/a", "x[2][31]", "a").signal() == ("x[2]", 31)


def test_what_the_simulator_wrote_is_collected(tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "coverage").mkdir(parents=True)
    kept.collect(run)
    assert not kept.has_some(run)
    (run / "raw" / "coverage").mkdir(parents=True)
    (run / "raw" / "coverage" / "own.eth0.dat").touch()
    kept.collect(run)
    assert kept.has_some(run)
    assert not (run / "raw" / "coverage").exists()
    shutil.rmtree(run)


BUFFERED = """\
module buffered (input wire in, inout wire pad, output reg out);
  wire clk;
  BUFG u_bufg (.I(in), .O(clk));
  assign pad = out ? 1'b0 : 1'bz;
  always @(posedge clk) if (pad) out <= !out;
endmodule
"""


def test_what_is_not_the_users_is_not_counted(tmp_path: Path) -> None:
    """Neither the models of primitives, nor the wrapper around tri-state ports."""
    found = {
        "in": RtlPort("in", "in", 1, "input"),
        "pad": RtlPort("pad", "pad", 1, "inout"),
        "out": RtlPort("out", "out", 1, "output"),
    }
    wrapper = tmp_path / "buffered_longhaul_wrapper.sv"
    wrapper.write_text(
        glue.wrapper_source(wrapper.stem, "buffered", found, {}, {"pad": Inout(pull="up")})
    )
    (tmp_path / "buffered.sv").write_text(BUFFERED)
    words = ["verilator", "--cc", "-Wno-fatal", *objects.COVERAGE, objects.TOGGLES]
    words += ["-y", str(objects.PRIMITIVES / "xilinx"), "--top-module", wrapper.stem]
    for left_out in ((), (str(objects.NOT_COVERED),)):
        command = [*words, *left_out, "buffered.sv", str(wrapper)]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        made = "".join(path.read_text() for path in (tmp_path / "obj_dir").glob("*.cpp"))
        files = {Path(name).name for name in re.findall(r'__vlCoverInsert\(.*?"(\S+?)"', made)}
        if left_out:
            assert files == {"buffered.sv"}
        else:
            assert files == {"buffered.sv", wrapper.name, "BUFG.v"}
        shutil.rmtree(tmp_path / "obj_dir")

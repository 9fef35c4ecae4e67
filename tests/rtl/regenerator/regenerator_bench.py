# SPDX-License-Identifier: Apache-2.0
"""The regenerator: frames, gaps and errors between clocks that differ."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from box import PREAMBLE, Box, Sent, random_frame
from cocotb.triggers import Timer
from cocotbext.eth import GmiiFrame, GmiiSink, GmiiSource

FARTHEST_PPM = 200  # IEEE 802.3, 36.5.2: 100 ppm of each end


async def passes(dut: Any, ppm: tuple[int, int], frames: list[list[Sent]]) -> list[list[int]]:
    """Play frames at both ports; each comes out whole at the other. Return the gaps there."""
    box = Box(dut)
    await box.start(ppm)
    for port, each in enumerate(frames):
        box.play(port, each)
    await box.settle()
    gaps: list[list[int]] = []
    for port, each in enumerate(frames):
        seen = box.seen(1 - port)
        assert [frame.data for frame in seen] == [frame.data for frame in each]
        assert [frame.errors for frame in seen] == [int(f.error_at is not None) for f in each]
        gaps.append([frame.gap for frame in seen])
    return gaps


def some(count: int, longest: int = 2000) -> list[Sent]:
    return [
        Sent(random_frame(random.randint(64, longest)), gap=random.choice((12, 13, 40, 300)))
        for _ in range(count)
    ]


@cocotb.test()
async def frames_cross_unchanged_whatever_the_clocks(dut: Any) -> None:
    """Both directions at once, one clock faster and one slower."""
    await passes(dut, (FARTHEST_PPM, -FARTHEST_PPM), [some(60), some(60)])


@cocotb.test()
async def equal_clocks_keep_the_gaps(dut: Any) -> None:
    """A clock less or more where the phases pass each other, no other change."""
    sent = some(40)
    gaps = await passes(dut, (0, 0), [sent, []])
    assert all(abs(gap - frame.gap) <= 1 for gap, frame in zip(gaps[0][1:], sent[1:], strict=True))


@cocotb.test()
async def a_faster_sender_shortens_gaps_and_fills_no_buffer(dut: Any) -> None:
    """600 frames of 1518 B with least gaps: 0.3 clocks of gap are lost at each."""
    frames = [Sent(random_frame(1518), gap=12) for _ in range(600)]
    gaps = await passes(dut, (FARTHEST_PPM, 0), [frames, []])
    assert min(gaps[0][1:]) >= 8
    assert sum(gaps[0][1:]) / len(gaps[0][1:]) < 12


@cocotb.test()
async def gaps_of_eight_bytes_stay_and_the_buffer_takes_the_difference(dut: Any) -> None:
    """No gap is shorter, so 0.3 bytes a frame stay in the buffer until a longer one comes."""
    frames = [Sent(random_frame(1518), gap=8) for _ in range(60)]
    gaps = await passes(dut, (FARTHEST_PPM, 0), [frames, []])
    assert set(gaps[0][1:]) <= {8, 9}


@cocotb.test()
async def a_slower_sender_does_not_run_dry_within_the_longest_frame(dut: Any) -> None:
    """16 KB at 200 ppm are 3.3 clocks."""
    await passes(dut, (-FARTHEST_PPM, 0), [[Sent(random_frame(16384)) for _ in range(3)], []])


@cocotb.test()
async def errors_of_the_line_stay_errors(dut: Any) -> None:
    """RX_ER on a byte is TX_ER on that byte."""
    frames = [Sent(random_frame(200), error_at=place) for place in (0, 57, 199)]
    await passes(dut, (0, 0), [frames, []])


@cocotb.test()
async def what_is_shorter_than_the_start_crosses_too(dut: Any) -> None:
    """A frame that lost its preamble but for the delimiter, and a few bytes behind it."""
    box = Box(dut)
    await box.start()
    box.play(0, [Sent(b"\x01\x02", preamble=b"\xd5"), Sent(random_frame(64), gap=100)])
    await box.settle()
    lines = (box.dir / "out1.txt").read_text().splitlines()
    assert [line.split()[2] for line in lines][0] == "d50102"
    assert lines[1].split()[2].startswith(PREAMBLE.hex())


@cocotb.test()
async def foreign_gmii_bench_gets_its_frames_through(dut: Any) -> None:
    """MACs that were not written for this block."""
    box = Box(dut)
    dut.alien_i.value = 1
    await box.start()
    source = GmiiSource(dut.ext_rxd_i, dut.ext_rx_er_i, dut.ext_rx_dv_i, dut.rx_clk0)
    sink = GmiiSink(dut.ext_txd_o, dut.ext_tx_er_o, dut.ext_tx_en_o, dut.clk_125m)
    sent = [GmiiFrame.from_payload(random.randbytes(size)) for size in (60, 61, 777, 1514, 9000)]
    for frame in sent:
        await source.send(frame)
    await Timer(120, "us")
    for frame in sent:
        got = sink.recv_nowait()
        assert got.check_fcs() and got.get_payload() == frame.get_payload()
    assert sink.empty()

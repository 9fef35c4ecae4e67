# SPDX-License-Identifier: Apache-2.0
"""A GMII bench that was not written for this box drives it: cocotbext-eth, frames by scapy."""

from __future__ import annotations

import random
import zlib
from typing import Any

import cocotb
from box import Box, stamp
from cocotb.triggers import Timer
from cocotbext.eth import GmiiFrame, GmiiSink, GmiiSource
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw


@cocotb.test()
async def foreign_gmii_bench_gets_its_frames_through(dut: Any) -> None:
    """TCP, UDP and ICMP of all sizes, by someone else's MACs; a damaged frame stays damaged."""
    box = Box(dut)
    dut.alien_i.value = 1
    await box.start()
    await box.write("DELAY", stamp(3_200), 0)
    source = GmiiSource(dut.ext_rxd_i, dut.ext_rx_er_i, dut.ext_rx_dv_i, dut.rx_clk0)
    sink = GmiiSink(dut.ext_txd_o, dut.ext_tx_er_o, dut.ext_tx_en_o, dut.clk_125m)
    sent: list[GmiiFrame] = []
    for size in (0, 1, 18, 64, 333, 1400, 1472):
        for layer in (TCP(), UDP(), ICMP()):
            packet = (
                Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
                / IP(src="10.0.0.1", dst="10.0.0.2")
                / layer
                / Raw(random.randbytes(size))
            )
            data = bytes(packet).ljust(60, b"\0")
            frame = GmiiFrame.from_payload(data)
            assert frame.get_payload(strip_fcs=True) == data
            sent.append(frame)
    broken = GmiiFrame.from_raw_payload(b"\0" * 64)
    for frame in [*sent, broken]:
        await source.send(frame)
    await Timer(250, "us")
    for frame in sent:
        got = sink.recv_nowait()
        assert got.check_fcs() and got.get_payload() == frame.get_payload()
        assert not got.error or not any(got.error)
        body = bytes(got.get_payload(strip_fcs=False))
        assert zlib.crc32(body[:-4]).to_bytes(4, "little") == body[-4:]
        parsed = Ether(bytes(got.get_payload()))
        assert parsed[IP].dst == "10.0.0.2"
    got = sink.recv_nowait()
    assert not got.check_fcs() and sink.empty()

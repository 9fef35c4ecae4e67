# SPDX-License-Identifier: Apache-2.0
"""Samples of perf, by part."""

import pytest
from longhaul.devtools import sampling
from longhaul.errors import LonghaulError


def test_samples_are_the_blocks_the_glues_the_kernels_or_the_rests() -> None:
    """The glue's template in the RTL object is glue, too."""
    spent = sampling.split(
        [
            "# Overhead;Samples;Shared Object;Symbol",
            "",
            "  30.00%;3000;mynic-0123.so;[.] Vmynic___024root___eval",
            "   1.00%;100;mynic-0123.so;[.] longhaul::cosim::ObjectModel<Vmynic, &list>::eval",
            "   4.50%;450;longhaul-sim;[.] longhaul::cosim::RtlBlock::take_edges",
            "   0.50%;50;longhaul-sim;[.] longhaul::portmap::MappedFunction::write",
            "   2.00%;200;libsystemc-2.3.4.so;[.] sc_core::sc_simcontext::crunch",
            "  62.00%;6200;longhaul-sim;[.] longhaul::pcix::PcixBus::transport",
        ],
        "mynic",
    )
    assert spent == {
        sampling.BLOCK: 3000 / sampling.RATE_HZ,
        sampling.GLUE: 600 / sampling.RATE_HZ,
        sampling.KERNEL: 200 / sampling.RATE_HZ,
        sampling.REST: 6200 / sampling.RATE_HZ,
    }


def test_a_profile_without_the_block_is_an_error() -> None:
    """No share of it can be told."""
    with pytest.raises(LonghaulError, match="no sample of the RTL object"):
        sampling.split(["100.00%;10000;longhaul-sim;[.] main"], "mynic")

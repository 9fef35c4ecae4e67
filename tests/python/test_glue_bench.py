# SPDX-License-Identifier: Apache-2.0
"""What `longhaul bench --only glue` makes of perf's report."""

import pytest
from longhaul.devtools import glue_bench
from longhaul.errors import LonghaulError


def test_samples_are_the_blocks_the_glues_the_kernels_or_the_rests() -> None:
    """The glue's template in the RTL object is glue, too."""
    shares = glue_bench.split(
        [
            "# Overhead;Shared Object;Symbol",
            "",
            "  30.00%;mynic-0123.so;[.] Vmynic___024root___eval",
            "   1.00%;mynic-0123.so;[.] longhaul::cosim::ObjectModel<Vmynic, &list>::eval",
            "   4.50%;longhaul-sim;[.] longhaul::cosim::RtlBlock::take_edges",
            "   0.50%;longhaul-sim;[.] longhaul::portmap::MappedFunction::write",
            "   2.00%;libsystemc-2.3.4.so;[.] sc_core::sc_simcontext::crunch",
            "  62.00%;longhaul-sim;[.] longhaul::pcix::PcixBus::transport",
        ]
    )
    assert shares == {
        glue_bench.BLOCK: 30.0,
        glue_bench.GLUE: 6.0,
        glue_bench.KERNEL: 2.0,
        glue_bench.REST: 62.0,
    }


def test_a_profile_without_the_block_is_an_error() -> None:
    """No share of it can be told."""
    with pytest.raises(LonghaulError, match="no sample of the RTL object"):
        glue_bench.split(["100.00%;longhaul-sim;[.] main"])

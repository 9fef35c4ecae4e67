# SPDX-License-Identifier: Apache-2.0
"""TCP connections of Linux 2.4, with settings of Linux 6.1 (docs/gnet1_table1.md).

Rules of Linux 2.4 are those of its net/ipv4 and Documentation/networking/ip-sysctl.txt.
"""

from __future__ import annotations

from longhaul.topology import KernelTcp
from longhaul.units import Size

# ip-sysctl.txt: defaults of tcp_rmem, tcp_wmem and tcp_adv_win_scale. A quarter of the receive
# buffer is overhead; 65535 of 87380 bytes are window.
# The most of tcp_wmem was 131072 bytes, which held 59 segments as 2.4 charged them (2.2 KB), more
# than the window. Linux 6.1 charges 3.5 KB, so as many take 208 KB.
RMEM = (4096, 87380, 174760)
WMEM = (4096, 16384, 212992)
ADV_WIN_SCALE = 2
# tcp_input.c, tcp_init_cwnd(): 3 segments of 1096 to 1460 bytes.
INITCWND = 3
# A connection that ends in congestion avoidance leaves its route a threshold of at least half of
# its congestion window (tcp_input.c, tcp_update_metrics()). A window of 65535 bytes has 44 segments
# of 1448 bytes under way on the average.
REMEMBERED_SSTHRESH = 22
# drivers/net/net_init.c, ether_setup(): tx_queue_len, packets ahead of the ring.
TX_QUEUE_LEN = 100
SEGMENT_HEADERS = 20 + 32  # IPv4; TCP with time stamps


def default_sockets(rcvbuf: Size, *, remembered: bool) -> KernelTcp:
    """Return what a program gets that asks for nothing; `remembered` as above."""
    return KernelTcp(
        rmem=(RMEM[0], rcvbuf.bytes, max(RMEM[2], 2 * rcvbuf.bytes)),
        wmem=WMEM,
        moderate_rcvbuf=False,  # since Linux 2.6.7
        initcwnd=INITCWND,
        ssthresh=REMEMBERED_SSTHRESH if remembered else None,
    )


def sockets_of(window: Size, ssthresh: int | None, *, small_queues: bool) -> KernelTcp:
    """Return what a program gets that asks for `window` at both ends: twice that, as in 6.1."""
    most = 2 * window.bytes
    return KernelTcp(
        rmem=(*RMEM[:2], max(RMEM[2], most)),
        wmem=(*WMEM[:2], max(WMEM[2], most)),
        initcwnd=INITCWND,
        ssthresh=ssthresh,
        small_queues=small_queues,
    )


def window_segments(window: Size, mtu: int) -> int:
    """Return how many segments the receiver that asked for `window` ever lets be on the way.

    Of twice `window`, a quarter is overhead. A receive buffer of 2 KB holds a segment of 1448
    bytes, which is more overhead than that quarter. So the window grows to the half of the rest
    only (tcp_input.c, __tcp_grow_window(), in 2.4 as in 6.1).
    """
    usable = 2 * window.bytes - (2 * window.bytes >> ADV_WIN_SCALE)
    return usable // 2 // (mtu - SEGMENT_HEADERS)

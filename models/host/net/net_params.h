// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tuple>

#include "models/common/param.h"

namespace longhaul::host {

/// Sockets and queues of a system, and the code that its protocols execute. For cycles see
/// KernelParams.
struct NetParams {
  // Buffers.
  Param<Bytes> send_buffer{"send_buffer",
                           units::KiB(16),
                           "send buffer of a socket for which no program has set one",
                           {Evidence::kDatasheet, "Linux 2.4, 2.6: tcp_wmem[1]"},
                           Range<Bytes>{{1}, {1ULL << 40U}}};
  Param<Bytes> receive_buffer{"receive_buffer",
                              {87380},
                              "receive buffer of a socket for which no program has set one",
                              {Evidence::kDatasheet, "Linux 2.4, 2.6: tcp_rmem[1]"}};
  /// Limit to which the size grows if no program has set it; 0B: it does not grow.
  Param<Bytes> send_buffer_most{
      "send_buffer_most",
      units::KiB(128),
      "size to which a send buffer grows by itself; 0B is not at all",
      {Evidence::kDatasheet,
       "Linux 2.4, 2.6: tcp_wmem[2]; tcp_new_space() makes room for twice the congestion window"}};
  Param<Bytes> receive_buffer_most{
      "receive_buffer_most",
      {0},
      "size to which a receive buffer grows by itself; 0B is not at all",
      {Evidence::kDatasheet, "Linux up to 2.6.6: none; 2.6.7 tcp_moderate_rcvbuf, Vista"}};
  /// setsockopt() doubles its argument, and buffers are charged with their overhead (Linux).
  /// Otherwise neither (BSD, Solaris, Windows).
  Param<bool> truesize{
      "truesize",
      true,
      "buffers are charged with their overhead, and setsockopt() doubles what it is given",
      {Evidence::kDatasheet, "Linux: sk_buff truesize; sock.c doubles SO_RCVBUF"}};
  Param<std::uint32_t> adv_win_scale{
      "adv_win_scale",
      2,
      "1/2^n of the receive buffer is kept for overhead (tcp_adv_win_scale)",
      {Evidence::kDatasheet, "Linux 2.4, 2.6: tcp_adv_win_scale: 1/4 of the memory is overhead"},
      Range<std::uint32_t>{0, 31}};
  Param<std::uint32_t> buffer_overhead{
      "buffer_overhead",
      336,
      "bytes that a buffer is charged beyond its memory",
      {Evidence::kDatasheet, "Linux 2.6 x86-64: struct sk_buff and skb_shared_info, bytes"}};
  /// Payload of a send buffer in one piece of memory after the headers. More payload goes into
  /// pages, if the adapter supports gathering.
  Param<Bytes> send_linear{
      "send_linear",
      {3632},
      "payload that a send buffer takes in one piece behind the headers; more goes into pages",
      {Evidence::kDatasheet,
       "Linux 2.4, 2.6, tcp.c, select_size(): a page less headers and "
       "sk_buff's own; 0B: headers apart "
       "(BSD's header mbuf)"},
      Range<Bytes>{{0}, {65536}}};
  Param<Bytes> send_page{"send_page",
                         {4096},
                         "size of a page of a send buffer",
                         {Evidence::kDatasheet, "Linux: PAGE_SIZE; BSD: MCLBYTES, 2048"},
                         Range<Bytes>{{2048}, {65536}}};
  /// Whether a socket's memory is a chain. Then the stack walks from the first piece to the place
  /// of the bytes, at one list_step of its processor each. Otherwise it finds the place directly.
  Param<bool> walks_chains{
      "walks_chains",
      false,
      "the stack walks along a socket's chain of buffers, a list step each",
      {Evidence::kDatasheet,
       "Linux: lists with both ends, sk_send_head; BSD: models/host/profiles/README.md#chains"}};
  /// Free bytes of the send buffer at which a blocked writer is woken.
  Param<Bytes> send_low_water{"send_low_water",
                              {0},
                              "free bytes of the send buffer at which a blocked writer is woken",
                              {Evidence::kDatasheet,
                               "0B: as much as half of what is queued (Linux, "
                               "sk_stream_write_space()); BSD: so_snd.sb_lowat, 2048"}};
  /// A send call is one buffer, which is copied whole and freed when all of it is acknowledged. The
  /// call returns at once while the earlier calls hold less than the send buffer, or there is only
  /// one. No: a call fills the free room, and waits for more.
  Param<bool> send_by_call{
      "send_by_call",
      false,
      "a send call is one buffer, which is free when all of it is acknowledged",
      {Evidence::kDatasheet,
       "Linux, BSD: bytes of the stream; Windows, AFD: calls (Microsoft KB 214397)"}};
  /// Segments fill the buffer of a waiting receive call, which returns when it is full or a segment
  /// is pushed. Data without a waiting call are copied into the socket's memory. No: segments stay
  /// in the driver's buffers until a call copies them.
  Param<bool> posted_reads{
      "posted_reads",
      false,
      "segments go straight into the buffer of a receive call that waits",
      {Evidence::kDatasheet, "Linux, BSD: a call copies for itself; Windows, TDI: yes"}};
  /// Bytes that a socket takes from TCP before the window begins to close. If the program has set
  /// SO_RCVBUF, that value is used.
  Param<Bytes> receive_ahead{
      "receive_ahead",
      {0},
      "bytes that a socket takes before the window begins to close",
      {Evidence::kDatasheet, "Linux, BSD: 0B, one buffer; Windows, AFD: DefaultReceiveWindow"}};
  /// When the connection opens, a window of a segment or more is rounded up to whole segments, at
  /// least to this number. 0: it is not rounded.
  Param<std::uint32_t> window_segments{
      "window_segments",
      0,
      "the first window is rounded up to this many whole segments; 0 leaves it",
      {Evidence::kDatasheet, "Linux, BSD: 0; Windows: Microsoft KB 224829"},
      Range<std::uint32_t>{0, 64}};
  Param<std::uint32_t> qdisc_packets{"qdisc_packets",
                                     1000,
                                     "packets that the queue ahead of the driver holds",
                                     {Evidence::kDatasheet, "Linux 2.6: txqueuelen of Ethernet"},
                                     Range<std::uint32_t>{1, 0xffff'ffff}};
  Param<std::uint32_t> input_queue_packets{
      "input_queue_packets",
      300,
      "packets that wait between interrupt and softirq, without NAPI",
      {Evidence::kDatasheet, "Linux 2.6: netdev_max_backlog; BSD's ipintrq 50"}};
  Param<std::uint32_t> time_wait_buckets{
      "time_wait_buckets",
      180000,
      "connections in TIME-WAIT at once; more are ended at once",
      {Evidence::kDatasheet, "Linux 2.4, 2.6: tcp_max_tw_buckets with 128 MB or more"}};
  /// A waiting reader takes its segments from the softirq and handles them itself.
  Param<bool> prequeue{
      "prequeue",
      true,
      "a waiting reader takes its segments from the softirq and handles them itself",
      {Evidence::kDatasheet, "Linux 2.4, 2.6 up to 4.13: tcp_prequeue(); others: no"}};
  /// Segments that a reader takes from the prequeue or its backlog straight into its memory are
  /// acknowledged once, after the copy.
  Param<bool> reader_acks{
      "reader_acks",
      false,
      "what a reader takes off prequeue or backlog is acknowledged once, when copied",
      {Evidence::kDatasheet,
       "Linux 2.4, early 2.6, tcp_rcv_established(): what is eaten only delays "
       "its ACK, tcp_recvmsg() sends it"}};
  /// One loop copies payload to or from a program and sums it, if the adapter does not sum.
  /// Received payload is summed so only if a reader takes it straight into its memory.
  Param<bool> sum_with_copy{
      "sum_with_copy",
      true,
      "payload that the adapter does not sum is summed while it is copied",
      {Evidence::kDatasheet, "Linux 2.4, 2.6: models/host/net/README.md#checksums"}};
  /// Then packets that this processor has taken from its adapters meanwhile wait in the InputQueue.
  Param<bool> backlog_holds_softirqs{
      "backlog_holds_softirqs",
      false,
      "no softirq runs on the processor of a process that handles its socket's backlog",
      {Evidence::kChosen,
       "a user's choice: Linux 2.4 and 2.6 do so (README.md#softirqs-and-the-backlog); the kept "
       "figures of modelled hosts are without it"}};
  Param<bool> tso{"tso",
                  true,
                  "hands large segments to an adapter that cuts them (TSO)",
                  {Evidence::kDatasheet, "Linux 2.6: on where the driver offers it (ethtool -K)"}};
  // Driver and input.
  Param<bool> napi{"napi",
                   true,
                   "the driver is polled (NAPI)",
                   {Evidence::kDatasheet, "OPTERON-10G, section 3: ixgb 1.0.110 with NAPI"}};
  Param<std::uint32_t> napi_weight{"napi_weight",
                                   64,
                                   "packets that one poll of a device takes",
                                   {Evidence::kDatasheet, "Linux: dev->weight of ixgb and e1000"},
                                   Range<std::uint32_t>{1, 65535}};
  Param<std::uint32_t> napi_budget{
      "napi_budget",
      300,
      "packets that one softirq takes from all devices",
      {Evidence::kDatasheet, "Linux 2.6: netdev_max_backlog as budget"},
      Range<std::uint32_t>{1, 65535}};
  // Executed code, cycles on a K8 core.
  Param<std::uint32_t> tcp_send_cycles{
      "tcp_send_cycles",
      1500,
      "cycles of TCP to send a segment",
      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> tcp_ack_cycles{"tcp_ack_cycles",
                                      1000,
                                      "cycles of TCP to take in an ACK",
                                      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> tcp_send_ack_cycles{
      "tcp_send_ack_cycles",
      520,
      "cycles of TCP to send an ACK",
      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> tcp_receive_cycles{
      "tcp_receive_cycles",
      1500,
      "cycles of TCP to take in a segment with data",
      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> ip_send_cycles{"ip_send_cycles",
                                      600,
                                      "cycles of IP and the queue to send a packet",
                                      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> ip_receive_cycles{
      "ip_receive_cycles",
      700,
      "cycles of IP to take in a packet",
      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> driver_send_cycles{
      "driver_send_cycles",
      400,
      "cycles of the driver to send a packet",
      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> driver_descriptor_cycles{
      "driver_descriptor_cycles",
      120,
      "cycles of the driver for each further descriptor of a sent packet",
      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> driver_receive_cycles{
      "driver_receive_cycles",
      500,
      "cycles of the driver to take in a packet",
      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> driver_clean_cycles{
      "driver_clean_cycles",
      200,
      "cycles of the driver to free a sent packet",
      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> allocate_cycles{
      "allocate_cycles",
      350,
      "cycles to allocate or free a buffer",
      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> socket_call_cycles{
      "socket_call_cycles",
      600,
      "cycles of the socket layer for a call",
      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> tcp_open_cycles{
      "tcp_open_cycles",
      4000,
      "cycles of TCP to open or close a connection",
      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};

  auto fields() {
    return std::tie(send_buffer, receive_buffer, send_buffer_most, receive_buffer_most, truesize,
                    adv_win_scale, buffer_overhead, send_linear, send_page, walks_chains,
                    send_low_water, send_by_call, posted_reads, receive_ahead, window_segments,
                    qdisc_packets, input_queue_packets, time_wait_buckets, prequeue, reader_acks,
                    sum_with_copy, backlog_holds_softirqs, tso, napi, napi_weight, napi_budget,
                    tcp_send_cycles, tcp_ack_cycles, tcp_send_ack_cycles, tcp_receive_cycles,
                    ip_send_cycles, ip_receive_cycles, driver_send_cycles, driver_descriptor_cycles,
                    driver_receive_cycles, driver_clean_cycles, allocate_cycles, socket_call_cycles,
                    tcp_open_cycles);
  }
};

}  // namespace longhaul::host

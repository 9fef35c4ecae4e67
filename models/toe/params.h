// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tuple>

#include "models/common/param.h"

namespace longhaul::toe {

/// The parts of an offload engine: tables, memories, lanes, FIFOs. The values are those of
/// Chelsio's T110 with the Terminator T1.
struct ToeParams {
  using Time = sc_core::sc_time;

  // Clock.
  Param<Frequency> clock{"clock",
                         units::MHz(125),
                         "clock of the engine",
                         {Evidence::kDatasheet, "Linux 6.1, cxgb/subr.c: clock_core of the T110"}};

  // TCAM.
  Param<std::uint32_t> tcam_entries{
      "tcam_entries",
      65536,
      "entries of 144 bits",
      {Evidence::kDatasheet,
       "illumos, chxge/com/mc5.c: parts of 4.5, 9 and 18 Mb (32, 64, 128 k entries); which one a "
       "T110 has is assumed, README.md#open-numbers"},
      Range<std::uint32_t>{2, 131072}};
  Param<std::uint32_t> tcam_servers{"tcam_servers",
                                    256,
                                    "entries for servers",
                                    {Evidence::kDatasheet, "illumos, chxge/com/mc5.h"},
                                    Range<std::uint32_t>{0, 65536}};
  Param<std::uint32_t> tcam_routes{"tcam_routes",
                                   1024,
                                   "entries for routes, which connections cannot use",
                                   {Evidence::kDatasheet, "illumos, chxge/com/mc5.h"},
                                   Range<std::uint32_t>{0, 65536}};
  Param<std::uint32_t> tcam_search{
      "tcam_search",
      21,
      "clocks of a search",
      {Evidence::kDatasheet,
       "illumos, chxge/com/mc5.c: MC5_RSP_LATENCY 0x15 for IDT's 75P52100 (0x0a for Lara's 7000)"},
      Range<std::uint32_t>{0, 1000}};

  // Context memory (CM).
  Param<Bytes> cm_size{
      "cm_size",
      units::MiB(256),
      "context memory; the lower half is for connections",
      {Evidence::kDatasheet, "illumos, chxge/com/mc4.c: 256 MB, or 128 MB if narrow"},
      Range<Bytes>{{4096}, {1ULL << 32U}}};
  Param<Bytes> cm_connection{
      "cm_connection",
      {128},
      "bytes of a connection's control block (TCB)",
      {Evidence::kDatasheet, "Linux 6.1, cxgb/regs.h and press of 2004: 1 M connections"},
      Range<Bytes>{{32}, {4096}}};
  Param<std::uint32_t> p_structs{
      "p_structs",
      262144,
      "structures that describe payload; the model takes one for a page",
      {Evidence::kDatasheet,
       "illumos, chxge/com/tp.c: TP_CM_MM_MAX_P; their use is assumed, README.md#open-numbers"},
      Range<std::uint32_t>{1, 1U << 28U}};
  Param<std::uint32_t> cm_latency{
      "cm_latency",
      3,
      "clocks from a request to the first bytes of context memory",
      {Evidence::kDatasheet, "illumos, chxge/com/mc4.c: MC4_MODE 0x32, CAS latency 3"},
      Range<std::uint32_t>{0, 1000}};
  Param<Bytes> cm_width{"cm_width",
                        {32},
                        "bytes that a clock brings from context memory",
                        {Evidence::kDatasheet,
                         "illumos, chxge/com/mc4.c: 4 words of 32 bits, both edges of the clock"},
                        Range<Bytes>{{1}, {1024}}};
  Param<std::uint32_t> cm_cache{
      "cm_cache",
      16,
      "connections in the cache of context memory",
      {Evidence::kAssumed,
       "README.md#open-numbers (TP_CM_FC_MODE enables a cache of unknown size)"},
      Range<std::uint32_t>{0, 64}};
  Param<std::string> cm_cache_places{
      "cm_cache_places",
      "any",
      "place in the cache: any, and what was used longest ago leaves; or that of the tid",
      {Evidence::kAssumed, "README.md#open-numbers (TP_CM_FC_MODE names no rule)"},
      {"any", "tid"}};

  // Payload memory (PM).
  Param<Bytes> pm_size{
      "pm_size",
      units::MiB(1024),
      "payload memory: the lower half is for transmit, the upper one for receive",
      {Evidence::kAssumed,
       "README.md#open-numbers (illumos, chxge/com/mc3.c: 128 MB to 4 GB by strap)"},
      Range<Bytes>{units::MiB(1), units::GiB(4)}};
  Param<Bytes> pm_reserved{"pm_reserved",
                           units::KiB(64),
                           "begin of the transmit half that holds no payload",
                           {Evidence::kDatasheet, "illumos, chxge/com/tp.c: REGION MAP"},
                           Range<Bytes>{{0}, units::MiB(2)}};
  Param<Bytes> pm_page{"pm_page",
                       units::KiB(64),
                       "page of payload memory",
                       {Evidence::kDatasheet, "illumos, chxge/com/tp.c: pm_rx_pg_size"},
                       Range<Bytes>{units::KiB(4), units::MiB(1)}};
  Param<std::uint32_t> pm_page_group{
      "pm_page_group",
      24,
      "the number of pages is a multiple of this",
      {Evidence::kDatasheet, "illumos, chxge/com/tp.c: pm_num_pages()"},
      Range<std::uint32_t>{1, 1024}};
  Param<Frequency> pm_clock{
      "pm_clock",
      units::MHz(150),
      "clock of payload memory",
      {Evidence::kDatasheet, "Linux 6.1, cxgb/subr.c: clock_mc3 of the T110"}};
  Param<Bytes> pm_width{
      "pm_width",
      {32},
      "bytes that a clock of payload memory brings",
      {Evidence::kDatasheet,
       "illumos, chxge/com/mc3.c: 16 chips of 8 bits or 8 of 16, double data rate"},
      Range<Bytes>{{1}, {1024}}};
  Param<std::uint32_t> pm_access{
      "pm_access",
      10,
      "clocks of payload memory for an access beside its data",
      {Evidence::kDatasheet, "illumos, chxge/com/mc3.c: BANK_CYCLE 10 above 133 MHz"},
      Range<std::uint32_t>{0, 1000}};
  Param<std::uint32_t> pm_kept_pages{"pm_kept_pages",
                                     8,
                                     "receive pages that data beyond a hole may not take",
                                     {Evidence::kAssumed, "README.md#open-numbers"},
                                     Range<std::uint32_t>{1, 1024}};

  // Lanes.
  Param<std::string> arrangement{
      "arrangement",
      "one",
      "lanes of processing elements: one, three in parallel, or a row for each direction",
      {Evidence::kDatasheet,
       "illumos, chxge/com/tp.c: transmit and receive share one pipeline (TP_TIMER_SEPARATOR)"},
      {"one", "parallel", "rows"}};
  Param<std::uint32_t> transmit_elements{
      "transmit_elements",
      6,
      "processing elements of the transmit row",
      {Evidence::kMeasured, "NEC-TOE: the pipeline engine has six; other arrangements have no row"},
      Range<std::uint32_t>{1, 64}};
  Param<std::uint32_t> receive_elements{
      "receive_elements",
      4,
      "processing elements of the receive row",
      {Evidence::kMeasured,
       "NEC-TOE: the pipeline engine has four; other arrangements have no row"},
      Range<std::uint32_t>{1, 64}};
  Param<std::string> arbitration{
      "arbitration",
      "timers-first",
      "which event a lane takes if several wait",
      {Evidence::kAssumed,
       "README.md#the-t1s-pipeline (illumos, chxge/com/tp.c: a small separator starves receive)"},
      {"timers-first", "receive-first", "round-robin"}};
  Param<std::uint32_t> receive_clocks{"receive_clocks",
                                      16,
                                      "clocks of a receive event beside its memories and the TCAM",
                                      {Evidence::kAssumed, "README.md#open-numbers"},
                                      Range<std::uint32_t>{1, 100000}};
  Param<std::uint32_t> message_clocks{"message_clocks",
                                      16,
                                      "clocks of a host's message beside its memories",
                                      {Evidence::kAssumed, "README.md#open-numbers"},
                                      Range<std::uint32_t>{1, 100000}};
  Param<std::uint32_t> modulation_clocks{"modulation_clocks",
                                         16,
                                         "clocks of a modulation event beside its memories",
                                         {Evidence::kAssumed, "README.md#open-numbers"},
                                         Range<std::uint32_t>{1, 100000}};
  Param<std::uint32_t> timer_clocks{"timer_clocks",
                                    16,
                                    "clocks of a timer event beside its memories",
                                    {Evidence::kAssumed, "README.md#open-numbers"},
                                    Range<std::uint32_t>{1, 100000}};
  Param<std::uint32_t> segment_clocks{"segment_clocks",
                                      8,
                                      "clocks for the headers of a segment that is sent",
                                      {Evidence::kAssumed, "README.md#open-numbers"},
                                      Range<std::uint32_t>{0, 100000}};
  Param<std::uint32_t> modulation_segments{
      "modulation_segments",
      1,
      "segments that a modulation event may send",
      {Evidence::kAssumed, "README.md#the-t1s-pipeline (illumos, chxge/com/tp.c: 9 us at 1 Gb/s)"},
      Range<std::uint32_t>{1, 64}};

  // FIFOs.
  Param<Bytes> rx_fifo{"rx_fifo",
                       units::KiB(64),
                       "receive FIFO in front of the lanes",
                       {Evidence::kAssumed, "README.md#open-numbers"},
                       Range<Bytes>{units::KiB(16), units::MiB(16)}};
  Param<Bytes> tx_fifo{"tx_fifo",
                       units::KiB(64),
                       "transmit FIFO behind the lanes",
                       {Evidence::kAssumed, "README.md#open-numbers"},
                       Range<Bytes>{units::KiB(32), units::MiB(16)}};
  Param<Bytes> tx_reserved{"tx_reserved",
                           units::KiB(8),
                           "bytes of the transmit FIFO that only events without data may fill",
                           {Evidence::kAssumed, "README.md#open-numbers"},
                           Range<Bytes>{{512}, units::KiB(16)}};
  Param<std::uint32_t> fifo_frames{"fifo_frames",
                                   2048,
                                   "frames that either FIFO holds",
                                   {Evidence::kAssumed, "README.md#open-numbers"},
                                   Range<std::uint32_t>{16, 65536}};
  Param<std::uint32_t> host_messages{"host_messages",
                                     64,
                                     "messages that wait in each queue from the host",
                                     {Evidence::kAssumed, "README.md#open-numbers"},
                                     Range<std::uint32_t>{1, 65536}};
  Param<std::uint32_t> reply_messages{"reply_messages",
                                      64,
                                      "messages to the host, beside received data, that wait "
                                      "before all lanes stall",
                                      {Evidence::kAssumed, "README.md#open-numbers"},
                                      Range<std::uint32_t>{1, 65536}};

  // Delivery.
  Param<std::uint32_t> ack_pages{
      "ack_pages",
      1,
      "pages of acknowledged data that the host is told of at once; 0: each ACK is told",
      {Evidence::kAssumed, "README.md#open-numbers"},
      Range<std::uint32_t>{0, 256}};
  Param<Bytes> coalesce_size{
      "coalesce_size",
      {16224},
      "most received bytes in one message to the host",
      {Evidence::kDatasheet, "Linux 6.1, cxgb/tp.h: TP_MAX_RX_COALESCING_SIZE"},
      Range<Bytes>{{1}, {16224}}};
  Param<bool> coalesce_push{
      "coalesce_push",
      true,
      "a segment with PSH ends the gathering of received data",
      {Evidence::kDatasheet, "illumos, chxge/com/tp.c: RX_COALESCING_PSH_DELIVER"}};
  Param<Time> coalesce_time{
      "coalesce_time",
      Time(200, sc_core::SC_MS),
      "longest time that received data are gathered",
      {Evidence::kAssumed, "README.md#open-numbers (the time of delayed ACKs)"}};
  Param<std::uint32_t> reorder_ranges{
      "reorder_ranges",
      7,
      "ranges of received data beyond a hole that a connection may have",
      {Evidence::kAssumed,
       "README.md#open-numbers (Linux 6.1, cxgb/regs.h: MAX_REORDER_FRAGMENTS has 3 bits)"},
      Range<std::uint32_t>{0, 65535}};

  // Tables of stations.
  Param<std::uint32_t> l2t_entries{
      "l2t_entries",
      256,
      "next stations",
      {Evidence::kDatasheet, "Linux 6.1, cxgb/cpl5_cmd.h: l2t_idx of CPL_L2T_READ_REQ is a byte"},
      Range<std::uint32_t>{1, 2048}};
  Param<std::uint32_t> smt_entries{
      "smt_entries",
      16,
      "source addresses",
      {Evidence::kDatasheet, "Linux 6.1, cxgb/cpl5_cmd.h: iff of CPL_SMT_WRITE_REQ has 4 bits"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> mtu_entries{
      "mtu_entries",
      8,
      "entries of the table of MTUs",
      {Evidence::kDatasheet, "Linux 6.1, cxgb/regs.h: TP_MTU_REG0 to 7"},
      Range<std::uint32_t>{1, 64}};

  // Probes.
  Param<std::uint32_t> watched{"watched",
                               1,
                               "connections, from tid 0 on, whose fields are probes",
                               {Evidence::kChosen, "a setting of the user"},
                               Range<std::uint32_t>{0, 256}};

  /// Without the clock, which may be that of a chip around the engine.
  auto part_fields() {
    return std::tie(tcam_entries, tcam_servers, tcam_routes, tcam_search, cm_size, cm_connection,
                    p_structs, cm_latency, cm_width, cm_cache, cm_cache_places, pm_size,
                    pm_reserved, pm_page, pm_page_group, pm_clock, pm_width, pm_access,
                    pm_kept_pages, arrangement, transmit_elements, receive_elements, arbitration,
                    receive_clocks, message_clocks, modulation_clocks, timer_clocks, segment_clocks,
                    modulation_segments, rx_fifo, tx_fifo, tx_reserved, fifo_frames, host_messages,
                    reply_messages, ack_pages, coalesce_size, coalesce_push, coalesce_time,
                    reorder_ranges, l2t_entries, smt_entries, mtu_entries, watched);
  }
  auto fields() { return std::tuple_cat(std::tie(clock), part_fields()); }
};

}  // namespace longhaul::toe

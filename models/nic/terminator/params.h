// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tuple>

#include "models/common/param.h"
#include "models/common/param_set.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/kinds.h"
#include "models/nic/terminator/boards.h"
#include "models/nic/terminator/mac_params.h"
#include "models/pcix/dma_engine.h"
#include "models/pcix/pcix_device.h"
#include "models/toe/params.h"
#include "models/toe/t1_tcp_params.h"

namespace longhaul::nic::terminator {

/// A MAC that sends whether its PHY has a link or not.
inline EthMacParams mac_before_rs() {
  EthMacParams out;
  set(out.hold_without_carrier, false,
      {Evidence::kStandard,
       "IEEE 802.3, 46.3.4: with a fault the RS sends ordered sets or Idle in place of frames"});
  return out;
}

/// Numbers of an adapter with a Terminator 1. No data sheet of the chip is public, so numbers that
/// drivers do not give are assumed.
struct TerminatorParams {
  // The board.
  Param<std::string> mac{
      "mac",
      "",
      "Ethernet address; empty is one by the adapter's number",
      {Evidence::kChosen,
       "models/nic/terminator/README.md#models: 00:07:43:00:00:NN by index when empty"}};
  Param<std::string> board{"board",
                           "n110",
                           "board; no driver of mainline Linux takes t110 (1425:0006)",
                           {Evidence::kDatasheet,
                            "Linux 6.1 cxgb/subr.c, t1_pci_tbl: 0007 N110, 0008 T110 with CX4; "
                            "illumos chxge/com/ch_subr.c: 0006 T110 with fibre"},
                           names_of(kBoards)};

  // Memories.
  Param<Bytes> tx_buffer{"tx_buffer",
                         units::KiB(32),
                         "memory for packets between their reads and ESPI",
                         {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
                         Range<Bytes>{units::KiB(20), units::KiB(1024)}};
  Param<Bytes> rx_buffer{"rx_buffer",
                         units::KiB(32),
                         "memory for packets between ESPI and their writes",
                         {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
                         Range<Bytes>{units::KiB(20), units::KiB(1024)}};
  Param<std::uint32_t> cmdq_ahead{
      "cmdq_ahead",
      8,
      "descriptors of a command queue that are on chip",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<std::uint32_t>{1, 128}};
  Param<std::uint32_t> freelist_ahead{
      "freelist_ahead",
      8,
      "buffers of a free list that are on chip",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<std::uint32_t>{1, 128}};

  // Engines.
  Param<Frequency> core_clock{
      "core_clock",
      {125'000'000},
      "clock of the chip's core, also of the hold-off timer",
      {Evidence::kDatasheet, "Linux 6.1 cxgb/subr.c, t1_board: clock_core = 125000000"},
      Range<Frequency>{{50'000'000}, {250'000'000}}};
  Param<std::uint32_t> tx_descriptor_clocks{
      "tx_descriptor_clocks",
      4,
      "core clocks for a transmit descriptor",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> tx_packet_clocks{
      "tx_packet_clocks",
      8,
      "core clocks for a sent packet",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> tx_kib_clocks{
      "tx_kib_clocks",
      64,
      "core clocks for a KiB of sent data",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers: 16 B a clock"},
      Range<std::uint32_t>{32, 256}};
  Param<std::uint32_t> tx_reads_ahead{
      "tx_reads_ahead",
      8,
      "transmit descriptors whose data are being read at once",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<std::uint32_t>{1, 64}};
  Param<sc_core::sc_time> tp_tx_latency{
      "tp_tx_latency",
      sc_core::sc_time(200, sc_core::SC_NS),
      "from the last byte of a packet on chip to ESPI",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};
  Param<std::uint32_t> rx_packet_clocks{
      "rx_packet_clocks",
      12,
      "core clocks for a received packet with its buffer and response",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> rx_kib_clocks{
      "rx_kib_clocks",
      64,
      "core clocks for a KiB of received data",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers: 16 B a clock"},
      Range<std::uint32_t>{32, 256}};
  Param<std::uint32_t> rx_writes_ahead{
      "rx_writes_ahead",
      4,
      "received packets whose data wait for the bus at once",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<std::uint32_t>{1, 16}};
  Param<sc_core::sc_time> tp_rx_latency{
      "tp_rx_latency",
      sc_core::sc_time(200, sc_core::SC_NS),
      "from ESPI to the begin of a packet's way to memory",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};

  // Behaviour.
  Param<std::uint32_t> credit_return{
      "credit_return",
      16,
      "finished descriptors of a command queue that make a response of their own",
      {Evidence::kAssumed,
       "models/nic/terminator/README.md#open-numbers: a field of 5 bits in the response"},
      Range<std::uint32_t>{1, 31}};
  Param<sc_core::sc_time> vpd_read_time{
      "vpd_read_time",
      sc_core::sc_time(40, sc_core::SC_US),
      "time to read four bytes of VPD",
      {Evidence::kAssumed,
       "models/nic/terminator/README.md#open-numbers: Linux 6.1 cxgb/subr.c waits 50 to 200 us"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {20, sc_core::SC_MS}}};
  Param<sc_core::sc_time> vpd_write_time{
      "vpd_write_time",
      sc_core::sc_time(5, sc_core::SC_MS),
      "time to write four bytes of VPD",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {20, sc_core::SC_MS}}};
  Param<sc_core::sc_time> memory_test_time{
      "memory_test_time",
      sc_core::sc_time(50, sc_core::SC_MS),
      "time in which MC3 or MC4 writes all of its memory (BIST)",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {10, sc_core::SC_SEC}}};

  /// Those of the core and its offload engine (core.h).
  auto core_fields() {
    return std::tuple_cat(
        std::tie(tx_buffer, rx_buffer, cmdq_ahead, freelist_ahead, core_clock, tx_descriptor_clocks,
                 tx_packet_clocks, tx_kib_clocks, tx_reads_ahead, tp_tx_latency, rx_packet_clocks,
                 rx_kib_clocks, rx_writes_ahead, tp_rx_latency, credit_return),
        toe.part_fields(), t1.fields());
  }
  auto fields() {
    return std::tuple_cat(
        std::tie(mac, board, vpd_read_time, vpd_write_time, memory_test_time, dma.read_fifo_bytes,
                 target.decode_clocks, target.read_wait_clocks, target.width_bits,
                 mac_unit.pause_response, mac_unit.hold_without_carrier),
        core_fields(), line.fields());
  }

  pcix::DmaParams dma;
  pcix::TargetParams target;
  EthMacParams mac_unit = mac_before_rs();
  MacPartParams line;
  toe::ToeParams toe;  ///< of boards with an offload engine
  toe::T1Params t1;
};

}  // namespace longhaul::nic::terminator

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tuple>

#include "models/common/param.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/link_partner.h"
#include "models/pcix/dma_engine.h"
#include "models/pcix/pcix_device.h"

namespace tc9021 {

using longhaul::Bytes;
using longhaul::Evidence;
using longhaul::Frequency;
using longhaul::Param;
using longhaul::Range;

/// Numbers of a TC9021 adapter. What the two drivers do not say is assumed.
struct Tc9021Params {
  // What is on the board.
  Param<std::string> mac{
      "mac",
      "",
      "Ethernet address; empty is one by the adapter's number",
      {Evidence::kChosen, "README.md#models: 00:05:5d:20:NN:NN by index when empty"}};
  Param<std::string> link_partner{"link_partner",
                                  "alike",
                                  "what the far end says in negotiation",
                                  {Evidence::kChosen,
                                   "README.md#link: alike (advertises what this end does), "
                                   "no-pause, silent (never negotiates)"},
                                  longhaul::nic::link_partner_names()};

  // Memories.
  Param<Bytes> tx_fifo{"tx_fifo",
                       longhaul::units::KiB(16),
                       "transmit FIFO",
                       {Evidence::kAssumed, "README.md#open-numbers"},
                       Range<Bytes>{longhaul::units::KiB(4), longhaul::units::KiB(64)}};
  Param<Bytes> rx_fifo{
      "rx_fifo",
      longhaul::units::KiB(32),
      "receive FIFO",
      {Evidence::kAssumed, "README.md#open-numbers: NetBSD if_stge.c pauses at 29,696 bytes"},
      Range<Bytes>{longhaul::units::KiB(8), longhaul::units::KiB(256)}};

  // Engines.
  Param<Frequency> engine_clock{"engine_clock",
                                {66'666'667},
                                "clock of the list and DMA engines",
                                {Evidence::kAssumed, "README.md#open-numbers: PCI at 66 MHz"},
                                Range<Frequency>{{25'000'000}, {133'333'333}}};
  Param<std::uint32_t> tx_descriptor_clocks{"tx_descriptor_clocks",
                                            4,
                                            "engine clocks for a transmit descriptor",
                                            {Evidence::kAssumed, "README.md#open-numbers"},
                                            Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> rx_descriptor_clocks{"rx_descriptor_clocks",
                                            4,
                                            "engine clocks for a receive descriptor",
                                            {Evidence::kAssumed, "README.md#open-numbers"},
                                            Range<std::uint32_t>{1, 256}};
  Param<sc_core::sc_time> tx_latency{
      "tx_latency",
      sc_core::sc_time(500, sc_core::SC_NS),
      "from the whole frame in the FIFO to its preamble",
      {Evidence::kAssumed, "README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};
  Param<sc_core::sc_time> rx_latency{
      "rx_latency",
      sc_core::sc_time(500, sc_core::SC_NS),
      "from the last bit of a frame to the begin of its way to memory",
      {Evidence::kAssumed, "README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};

  // Behaviour.
  Param<sc_core::sc_time> poll_unit{
      "poll_unit",
      sc_core::sc_time(320, sc_core::SC_NS),
      "unit of TxDMAPollPeriod and RxDMAPollPeriod",
      {Evidence::kDatasheet, "Linux 6.1 dl2k.c, rio_hw_init: poll every N*320nsec"}};
  Param<sc_core::sc_time> rx_wait_unit{
      "rx_wait_unit",
      sc_core::sc_time(64, sc_core::SC_NS),
      "unit of RxDMAIntCtrl's RxDMAWaitTime",
      {Evidence::kDatasheet, "FreeBSD if_stgereg.h: in 64ns increments; dl2k.c says 64 and 640"}};
  Param<sc_core::sc_time> countdown_unit{"countdown_unit",
                                         sc_core::sc_time(320, sc_core::SC_NS),
                                         "unit of Countdown",
                                         {Evidence::kAssumed, "README.md#open-numbers"}};
  Param<sc_core::sc_time> fiber_negotiation{
      "fiber_negotiation",
      sc_core::sc_time(30, sc_core::SC_MS),
      "time that 1000BASE-X takes to negotiate",
      {Evidence::kStandard, "IEEE 802.3, 37.3.1.4: link_timer 10 ms, passed in three states"}};
  Param<sc_core::sc_time> eeprom_time{
      "eeprom_time",
      sc_core::sc_time(30, sc_core::SC_US),
      "time that reading a word of the EEPROM takes",
      {Evidence::kAssumed, "README.md#open-numbers"},
      Range<sc_core::sc_time>{{1, sc_core::SC_NS}, {1, sc_core::SC_MS}}};
  Param<sc_core::sc_time> reset_time{
      "reset_time",
      sc_core::sc_time(10, sc_core::SC_US),
      "time that ASICCtrl's ResetBusy is set",
      {Evidence::kAssumed, "README.md#open-numbers"},
      Range<sc_core::sc_time>{{1, sc_core::SC_NS}, {10, sc_core::SC_MS}}};

  auto fields() {
    return std::tie(mac, link_partner, tx_fifo, rx_fifo, engine_clock, tx_descriptor_clocks,
                    rx_descriptor_clocks, tx_latency, rx_latency, poll_unit, rx_wait_unit,
                    countdown_unit, fiber_negotiation, eeprom_time, reset_time, dma.read_fifo_bytes,
                    target.decode_clocks, target.read_wait_clocks, target.width_bits,
                    mac_unit.pause_response, mac_unit.hold_without_carrier);
  }

  longhaul::pcix::DmaParams dma;
  longhaul::pcix::TargetParams target;
  longhaul::EthMacParams mac_unit;
};

}  // namespace tc9021

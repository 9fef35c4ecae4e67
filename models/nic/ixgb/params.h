// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tuple>

#include "models/common/param.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/eeprom_93c46.h"
#include "models/nic/blocks/mdio.h"
#include "models/nic/intel/kinds.h"
#include "models/nic/ixgb/optics.h"
#include "models/pcix/dma_engine.h"
#include "models/pcix/pcix_device.h"

namespace longhaul::nic::ixgb {

/// Numbers of an 82597EX adapter. Where the maker's manual was not available, the evidence tells
/// what the number is based on.
struct IxgbParams {
  // The board.
  Param<std::string> mac{
      "mac",
      "",
      "Ethernet address; empty is one by the adapter's number",
      {Evidence::kChosen,
       "models/nic/ixgb/README.md#does-not-model: 00:07:e9:00:00:NN by index when empty"}};
  Param<std::string> optics{
      "optics",
      "sr",
      "transceiver, which gives the device id",
      {Evidence::kDatasheet,
       "ixgb_ids.h, ixgb_hw.c: device ids by transceiver; sr, lr, xenpak-lr, cx4"},
      names_of(kOptics)};
  Param<std::string> xpak_vendor{
      "xpak_vendor",
      "INTEL",
      "maker that the transceiver names",
      {Evidence::kChosen, "ixgb_hw.c: INTEL tells TXN17201 from G6005 optics"}};
  Param<std::string> bus{
      "bus",
      "pcix-133",
      "what the slot tells of the bus",
      {Evidence::kDatasheet, "ixgb_hw.h STATUS: pcix-133, pcix-100, pcix-66, pci-66, pci-33"},
      names_of(intel::kBuses)};
  Param<std::uint32_t> pba{
      "pba",
      0x00a85137,
      "printed board number in the EEPROM",
      {Evidence::kChosen, "board number in the EEPROM; no behaviour depends on it"}};
  Param<std::uint32_t> revision{"revision",
                                2,
                                "revision of the controller",
                                {Evidence::kAssumed, "models/nic/ixgb/README.md#open-numbers"},
                                Range<std::uint32_t>{0, 15}};

  // Memories.
  Param<Bytes> rx_fifo{"rx_fifo",
                       units::KiB(256),
                       "on-chip memory for received frames",
                       {Evidence::kDatasheet,
                        "Sun ixgb driver, ixgb_chip.h: receive packet buffer 0x40000; Linux "
                        "ixgb_param.c: FCRTH up to 0x3FFF0"},
                       Range<Bytes>{units::KiB(32), units::MiB(4)}};
  Param<Bytes> tx_fifo{
      "tx_fifo",
      units::KiB(32),
      "on-chip memory for frames to send",
      {Evidence::kDatasheet, "Sun ixgb driver, ixgb_chip.h: transmit packet buffer 0x8000"},
      Range<Bytes>{units::KiB(32), units::MiB(4)}};
  Param<std::uint32_t> fifo_granule{
      "fifo_granule",
      8,
      "bytes to which a stored frame is rounded up",
      {Evidence::kDatasheet, "Linux ixgb.rst: thresholds have 8 byte granularity"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> rx_descriptor_cache{
      "rx_descriptor_cache",
      512,
      "receive descriptors that are on chip",
      {Evidence::kDatasheet,
       "Linux ixgb.h: at most 512 descriptors reliably; Sun ixgb_chip.h: descriptor buffer 0x1000, "
       "8 B each; 9-bit RXDCTL fields"},
      Range<std::uint32_t>{8, 4096}};
  Param<std::uint32_t> tx_descriptor_cache{
      "tx_descriptor_cache",
      128,
      "transmit descriptors that are on chip",
      {Evidence::kDatasheet,
       "Sun ixgb_chip.h: transmit descriptor buffer 0x800, 16 B each; 7-bit TXDCTL fields"},
      Range<std::uint32_t>{8, 4096}};
  Param<std::uint32_t> descriptor_burst{
      "descriptor_burst",
      64,
      "descriptors that one bus read fetches at most",
      {Evidence::kAssumed, "models/nic/ixgb/README.md#open-numbers"},
      Range<std::uint32_t>{1, 4096}};

  Param<std::string> engines{
      "engines",
      "adapter",
      "speeds of the engines: adapter fits Intel's, rtl is that of rtl/nic; others go ahead of it",
      {Evidence::kChosen, "models/nic/ixgb/README.md#engines-of-the-rtl"},
      {"adapter", "rtl"}};
  // Engines. The numbers in README.md#free-for-calibration may be fitted, within their ranges.
  Param<Frequency> engine_clock{"engine_clock",
                                {156'250'000},
                                "clock of the transmit and receive engines",
                                {Evidence::kAssumed, "models/nic/ixgb/README.md#open-numbers"},
                                Range<Frequency>{{66'000'000}, {312'500'000}}};
  Param<std::uint32_t> tx_descriptor_clocks{
      "tx_descriptor_clocks",
      8,
      "engine clocks for a transmit descriptor",
      {Evidence::kAssumed, "models/nic/ixgb/README.md#free-for-calibration"},
      Range<std::uint32_t>{1, 64}};
  Param<std::uint32_t> tx_packet_clocks{
      "tx_packet_clocks",
      8,
      "engine clocks for a sent packet",
      {Evidence::kAssumed, "models/nic/ixgb/README.md#free-for-calibration"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> tx_kib_clocks{
      "tx_kib_clocks",
      195,
      "engine clocks for a KiB of sent data",
      {Evidence::kFitted, "scenarios/opteron_10g/calibration: OPTERON-10G table 2"},
      Range<std::uint32_t>{32, 200}};
  Param<sc_core::sc_time> tx_latency{
      "tx_latency",
      sc_core::sc_time(200, sc_core::SC_NS),
      "from the last byte in the transmit FIFO to the MAC",
      {Evidence::kAssumed, "models/nic/ixgb/README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};
  Param<std::uint32_t> tx_reads_ahead{
      "tx_reads_ahead",
      4,
      "bus reads of transmit data that are outstanding at once",
      {Evidence::kAssumed, "models/nic/ixgb/README.md#free-for-calibration"},
      Range<std::uint32_t>{1, 64}};
  Param<std::uint32_t> rx_descriptor_clocks{
      "rx_descriptor_clocks",
      8,
      "engine clocks for a receive descriptor",
      {Evidence::kAssumed, "models/nic/ixgb/README.md#free-for-calibration"},
      Range<std::uint32_t>{1, 64}};
  Param<std::uint32_t> rx_packet_clocks{
      "rx_packet_clocks",
      8,
      "engine clocks for a received packet",
      {Evidence::kAssumed, "models/nic/ixgb/README.md#free-for-calibration"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> rx_kib_clocks{
      "rx_kib_clocks",
      64,
      "engine clocks for a KiB of received data",
      {Evidence::kAssumed, "models/nic/ixgb/README.md#free-for-calibration"},
      Range<std::uint32_t>{32, 200}};
  Param<sc_core::sc_time> rx_latency{
      "rx_latency",
      sc_core::sc_time(200, sc_core::SC_NS),
      "from the MAC to the receive FIFO",
      {Evidence::kAssumed, "models/nic/ixgb/README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};
  Param<std::uint32_t> rx_writes_ahead{
      "rx_writes_ahead",
      4,
      "bus writes of received data that are outstanding at once",
      {Evidence::kAssumed, "models/nic/ixgb/README.md#free-for-calibration"},
      Range<std::uint32_t>{1, 64}};

  // Behaviour that the public sources do not specify.
  Param<sc_core::sc_time> delay_unit{
      "delay_unit",
      sc_core::sc_time(819200, sc_core::SC_PS),
      "unit of the interrupt delay registers",
      {Evidence::kDatasheet, "Linux ixgb.rst: RxIntDelay and TxIntDelay in units of 0.8192 us"}};
  Param<bool> rx_timer_restarts{
      "rx_timer_restarts",
      true,
      "each packet restarts the receive interrupt delay",
      {Evidence::kAssumed, "Intel 8254x SDM 13.4.30: the packet timer restarts with each packet"}};
  Param<bool> rx_checksum_ipv6{"rx_checksum_ipv6",
                               true,
                               "checks TCP and UDP checksums of IPv6 packets",
                               {Evidence::kAssumed, "models/nic/ixgb/README.md#open-numbers"}};
  Param<bool> tso_cwr_first_only{
      "tso_cwr_first_only",
      false,
      "sets CWR in the first segment of a cut one alone",
      {Evidence::kDatasheet, "Linux ixgb_main.c offers TSO without ECN"}};
  Param<sc_core::sc_time> reset_time{
      "reset_time",
      sc_core::sc_time(1, sc_core::SC_US),
      "time of a device reset",
      {Evidence::kDatasheet, "Linux ixgb_hw.c: the reset bit clears within a microsecond"}};
  Param<sc_core::sc_time> link_time{
      "link_time",
      sc_core::sc_time(10, sc_core::SC_US),
      "time that the lanes take to align after a link reset",
      {Evidence::kFitted, "Linux ixgb_hw.c waits 13 us for lanes to align after a link reset"}};

  auto fields() {
    return std::tie(mac, optics, xpak_vendor, bus, pba, revision, rx_fifo, tx_fifo, fifo_granule,
                    rx_descriptor_cache, tx_descriptor_cache, descriptor_burst, engines,
                    engine_clock, tx_descriptor_clocks, tx_packet_clocks, tx_kib_clocks, tx_latency,
                    tx_reads_ahead, rx_descriptor_clocks, rx_packet_clocks, rx_kib_clocks,
                    rx_latency, rx_writes_ahead, delay_unit, rx_timer_restarts, rx_checksum_ipv6,
                    tso_cwr_first_only, reset_time, link_time, dma.read_fifo_bytes, dma.engines,
                    target.decode_clocks, target.read_wait_clocks, target.split_reads,
                    target.split_latency, mac_unit.pause_response, mac_unit.hold_without_carrier,
                    eeprom.write_cycle, mdio.frame_time);
  }

  pcix::DmaParams dma;
  pcix::TargetParams target;
  EthMacParams mac_unit;
  Eeprom93c46Params eeprom;
  MdioParams mdio;
};

}  // namespace longhaul::nic::ixgb

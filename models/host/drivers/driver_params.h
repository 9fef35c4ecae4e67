// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <tuple>
#include <vector>

#include "models/common/param.h"

namespace longhaul::host {

/// Parameters that all drivers of Intel's adapters have. The defaults belong to no version:
/// ixgb_driver_params() and e1000_driver_params() set them, each with its source.
struct IntelDriverParams {
  Param<std::string> version{"version",
                             "",
                             "version of the driver, whose values the others have by themselves",
                             {Evidence::kChosen, "models/host/drivers/README.md#versions"}};
  Param<std::uint32_t> mtu{"mtu",
                           1500,
                           "MTU of the interface, bytes",
                           {Evidence::kStandard, "IEEE 802.3: 1500 B; larger by ifconfig"},
                           Range<std::uint32_t>{68, 16114}};
  Param<std::uint32_t> tx_descriptors{"tx_descriptors",
                                      256,
                                      "descriptors of the transmit ring",
                                      {},
                                      Range<std::uint32_t>{64, 4096}};
  Param<std::uint32_t> rx_descriptors{
      "rx_descriptors", 256, "descriptors of the receive ring", {}, Range<std::uint32_t>{64, 4096}};
  // Offloads.
  Param<bool> scatter_gather{
      "scatter_gather", true, "sends packets of several pieces of memory", {}};
  Param<bool> checksum_tx{
      "checksum_tx", true, "lets the adapter compute checksums of sent packets", {}};
  Param<bool> checksum_rx{
      "checksum_rx", true, "takes the adapter's word on checksums of received packets", {}};
  Param<bool> tso{"tso", true, "lets the adapter cut large TCP segments (TSO)", {}};
  /// Does not send a context descriptor that is the same as the last one.
  Param<bool> context_reuse{
      "context_reuse", false, "sends no context descriptor that is the same as the last one", {}};
  /// Most bytes of a packet in one descriptor.
  Param<std::uint32_t> tx_descriptor_bytes{"tx_descriptor_bytes",
                                           4096,
                                           "bytes of a packet that one descriptor takes",
                                           {},
                                           Range<std::uint32_t>{256, 65535}};
  /// The queue is woken when more descriptors than this are free.
  Param<std::uint32_t> tx_wake{"tx_wake",
                               16,
                               "free descriptors, more than which wake the queue",
                               {},
                               Range<std::uint32_t>{0, 4095}};
  // Receive buffers.
  /// Uses buffers of the largest frame's size instead of the adapter's next power of two.
  Param<bool> exact_buffers{
      "exact_buffers",
      false,
      "receive buffers of the largest frame's size instead of the next power of two",
      {}};
  /// Shorter frames are copied into a buffer of their size; 0: none.
  Param<std::uint32_t> copybreak{
      "copybreak",
      0,
      "frames shorter than this are copied into a buffer of their size; 0 is none",
      {},
      Range<std::uint32_t>{0, 16384}};
  /// Bytes before a frame in its buffer.
  Param<std::uint32_t> headroom{
      "headroom", 18, "bytes in front of a received frame", {}, Range<std::uint32_t>{0, 256}};
  /// Descriptors that never get a buffer.
  Param<std::uint32_t> rx_spare{"rx_spare",
                                0,
                                "receive descriptors that never get a buffer",
                                {},
                                Range<std::uint32_t>{0, 32}};
  /// The tail is written at multiples of this number; 0: once, after all buffers.
  Param<std::uint32_t> rx_tail_every{
      "rx_tail_every",
      0,
      "descriptors a write of the receive tail; 0 is one write after all buffers",
      {},
      Range<std::uint32_t>{0, 256}};
  // Interrupts.
  /// Number of times that an interrupt without NAPI cleans both rings.
  Param<std::uint32_t> interrupt_turns{"interrupt_turns",
                                       10,
                                       "turns of cleaning both rings in an interrupt, without NAPI",
                                       {},
                                       Range<std::uint32_t>{1, 1000}};
  /// Reads the adapter's causes again before each time.
  Param<bool> causes_each_turn{
      "causes_each_turn", false, "asks the adapter for new causes before each turn", {}};
  /// Polls until a poll finds nothing, sent or received. Otherwise until a poll finds less than its
  /// limit.
  Param<bool> poll_until_empty{
      "poll_until_empty",
      false,
      "polls until a poll has found nothing; otherwise until it found less than it may",
      {}};
  Param<sc_core::sc_time> watchdog{"watchdog",
                                   {2, sc_core::SC_SEC},
                                   "time from one look at the link and the statistics to the next",
                                   {}};
  Param<bool> flow_control{
      "flow_control", true, "obeys and sends PAUSE frames where the partner does", {}};

  auto fields() {
    return std::tie(version, mtu, tx_descriptors, rx_descriptors, scatter_gather, checksum_tx,
                    checksum_rx, tso, context_reuse, tx_descriptor_bytes, tx_wake, exact_buffers,
                    copybreak, headroom, rx_spare, rx_tail_every, interrupt_turns, causes_each_turn,
                    poll_until_empty, watchdog, flow_control);
  }
};

struct IxgbDriverParams : IntelDriverParams {
  /// Units of 0.8192 us.
  Param<std::uint32_t> rx_delay{"rx_delay",
                                72,
                                "receive interrupt delay, units of 0.8192 us",
                                {},
                                Range<std::uint32_t>{0, 65535}};
  Param<std::uint32_t> tx_delay{"tx_delay",
                                32,
                                "transmit interrupt delay, units of 0.8192 us",
                                {},
                                Range<std::uint32_t>{0, 65535}};
  /// RXDCTL: prefetch, host and write-back thresholds, in descriptors.
  Param<std::uint32_t> rx_prefetch{"rx_prefetch",
                                   0,
                                   "RXDCTL: prefetch threshold, descriptors",
                                   {},
                                   Range<std::uint32_t>{0, 511}};
  Param<std::uint32_t> rx_host{
      "rx_host", 0, "RXDCTL: host threshold, descriptors", {}, Range<std::uint32_t>{0, 511}};
  Param<std::uint32_t> rx_write_back{"rx_write_back",
                                     0,
                                     "RXDCTL: write-back threshold, descriptors",
                                     {},
                                     Range<std::uint32_t>{0, 511}};
  /// Adaptive interrupt delay. While few descriptors are free, the adapter interrupts every
  /// raidc_poll units.
  Param<bool> raidc{"raidc",
                    false,
                    "receive interrupts are moderated by the adapter's adaptive delay (RAIDC)",
                    {}};
  Param<std::uint32_t> raidc_poll{"raidc_poll",
                                  122,
                                  "RAIDC's poll period, units of 0.8192 us",
                                  {},
                                  Range<std::uint32_t>{0, 511}};

  auto fields() {
    return std::tuple_cat(
        IntelDriverParams::fields(),
        std::tie(rx_delay, tx_delay, rx_prefetch, rx_host, rx_write_back, raidc, raidc_poll));
  }
};

struct E1000DriverParams : IntelDriverParams {
  // Units of 1.024 us.
  Param<std::uint32_t> rx_delay{"rx_delay",
                                0,
                                "receive interrupt delay (RDTR), units of 1.024 us",
                                {},
                                Range<std::uint32_t>{0, 65535}};
  Param<std::uint32_t> rx_absolute_delay{
      "rx_absolute_delay",
      128,
      "longest receive interrupt delay (RADV), units of 1.024 us; 0 is no limit",
      {},
      Range<std::uint32_t>{0, 65535}};
  Param<std::uint32_t> tx_delay{"tx_delay",
                                64,
                                "transmit interrupt delay (TIDV), units of 1.024 us",
                                {},
                                Range<std::uint32_t>{0, 65535}};
  Param<std::uint32_t> tx_absolute_delay{
      "tx_absolute_delay",
      64,
      "longest transmit interrupt delay (TADV), units of 1.024 us; 0 is no limit",
      {},
      Range<std::uint32_t>{0, 65535}};
  /// Most interrupts per second. 0: no limit. 1: 2000 to 8000, by how one-sided the traffic is.
  Param<std::uint32_t> throttle{
      "throttle",
      8000,
      "interrupts a second at most; 0 is no limit, 1 is 2000 to 8000 by the traffic",
      {},
      Range<std::uint32_t>{0, 100'000}};

  auto fields() {
    return std::tuple_cat(
        IntelDriverParams::fields(),
        std::tie(rx_delay, rx_absolute_delay, tx_delay, tx_absolute_delay, throttle));
  }
};

/// The parameters of a driver version (README.md#versions), with the values of `json` over them.
/// "version" in `json` selects a version; the default is the first of the names. Throws ConfigError
/// whose message starts with `where` for illegal values.
IxgbDriverParams ixgb_driver_params(const nlohmann::json& json, const std::string& where);
std::vector<std::string> ixgb_driver_versions();
E1000DriverParams e1000_driver_params(const nlohmann::json& json, const std::string& where);
std::vector<std::string> e1000_driver_versions();

}  // namespace longhaul::host

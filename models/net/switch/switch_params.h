// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "models/common/param.h"

namespace longhaul {

/// Numbers of a switch, each with its evidence.
struct SwitchParams {
  Param<std::uint32_t> max_ports{"max_ports",
                                 64,
                                 "ports that the switch may have",
                                 {Evidence::kChosen, "models/net/switch/README.md#types"},
                                 Range<std::uint32_t>{2, 1024}};
  /// From a frame's last bit in to its preamble out, when the output is free.
  Param<sc_core::sc_time> latency{
      "latency",
      sc_core::sc_time(1, sc_core::SC_US),
      "from a frame's last bit in to its preamble out, when the output is free",
      {Evidence::kAssumed, "models/net/switch/README.md#open-numbers"}};
  /// "shared": one memory for all ports; "per_port": `buffer` bytes for each output.
  Param<std::string> buffer_mode{"buffer_mode",
                                 "shared",
                                 "one memory for all ports, or one for each output",
                                 {Evidence::kAssumed, "models/net/switch/README.md#open-numbers"}};
  Param<Bytes> buffer{"buffer",
                      units::MiB(1),
                      "frame memory, of the switch or of each output",
                      {Evidence::kAssumed, "models/net/switch/README.md#open-numbers"}};
  /// Largest frame with FCS. Longer frames are dropped.
  Param<std::uint32_t> max_frame{"max_frame",
                                 9216,
                                 "bytes of the largest frame with FCS; longer ones are dropped",
                                 {Evidence::kChosen, "models/net/switch/README.md#types"},
                                 Range<std::uint32_t>{1518, 16388}};
  Param<bool> pause_send{"pause_send",
                         true,
                         "sends PAUSE frames",
                         {Evidence::kChosen, "models/net/switch/README.md#timing"}};
  Param<bool> pause_honour{"pause_honour",
                           true,
                           "obeys PAUSE frames",
                           {Evidence::kChosen, "models/net/switch/README.md#timing"}};
  /// Stored bytes from one input port: XOFF at or above the high mark, XON at or below the low
  /// mark.
  Param<Bytes> pause_high{"pause_high",
                          units::KiB(64),
                          "stored bytes from one port at which XOFF is sent",
                          {Evidence::kAssumed, "models/net/switch/README.md#open-numbers"}};
  Param<Bytes> pause_low{"pause_low",
                         units::KiB(32),
                         "stored bytes from one port at which XON is sent",
                         {Evidence::kAssumed, "models/net/switch/README.md#open-numbers"}};
  Param<std::uint32_t> pause_quanta{
      "pause_quanta",
      65535,
      "pause time of an XOFF, units of 512 bit times",
      {Evidence::kAssumed, "models/net/switch/README.md#open-numbers"},
      Range<std::uint32_t>{1, 65535}};
  /// From the last bit of a received PAUSE frame to when it holds the output.
  Param<sc_core::sc_time> pause_response{
      "pause_response",
      sc_core::SC_ZERO_TIME,
      "from the last bit of a received PAUSE frame to when it holds the output",
      {Evidence::kAssumed, "models/net/mac/README.md#open-numbers"}};
  Param<std::uint32_t> table_size{"table_size",
                                  8192,
                                  "addresses that the forwarding table holds",
                                  {Evidence::kAssumed, "models/net/switch/README.md#open-numbers"},
                                  Range<std::uint32_t>{1, 1U << 20}};
  Param<sc_core::sc_time> ageing{
      "ageing",
      sc_core::sc_time(300, sc_core::SC_SEC),
      "time after which an address that is not heard is forgotten",
      {Evidence::kStandard, "IEEE 802.1D, table 7-5: recommended default"}};
  /// Port-based VLANs: one number for each port, such as "1,1,2,2". Empty puts all ports in one.
  Param<std::string> port_vlans{
      "port_vlans",
      "",
      "number of the VLAN of each port, such as 1,1,2,2; empty is one for all",
      {Evidence::kChosen, "models/net/switch/README.md#models"}};

  auto fields() {
    return std::tie(max_ports, latency, buffer_mode, buffer, max_frame, pause_send, pause_honour,
                    pause_high, pause_low, pause_quanta, pause_response, table_size, ageing,
                    port_vlans);
  }
};

/// A switch model with a name and its own set of numbers.
struct KnownSwitch {
  const char* name;
  const char* title;
  SwitchParams params;
};

/// All switch models; "generic" is the first.
const std::vector<KnownSwitch>& known_switches();

}  // namespace longhaul

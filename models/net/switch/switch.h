// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/eth.h"
#include "models/net/switch/mac_table.h"
#include "models/net/switch/switch_params.h"
#include "models/net/switch/switch_port.h"
#include "models/net/switch/switch_type.h"

namespace longhaul {

/// A store-and-forward Ethernet bridge: learns, forwards, floods, buffers, drops and pauses.
///
/// Ports are p0, p1, ...; frames queue at their output. A frame occupies the buffer from its last
/// bit in until the transmission of its last copy starts. For the same time it is charged to its
/// input port, whose fill decides on PAUSE. Errors: ConfigError for an illegal number of ports,
/// buffer mode, marks or VLANs.
class Switch final : public EthSwitch {
 public:
  Switch(const sc_core::sc_module_name& name, std::uint32_t ports, SwitchParams params = {});

  std::uint32_t ports() const override { return static_cast<std::uint32_t>(ports_.size()); }
  SwitchPort& at(std::uint32_t n) { return *ports_.at(n); }
  EthPort& port(std::uint32_t n) override { return at(n).mac.port; }
  nlohmann::json describe_params() const override;
  const MacTable& table() const { return table_; }
  const SwitchParams& params() const { return params_; }

  observe::Counter flooded{"flooded", "frame",
                           "frames sent to all ports of their VLAN: group or unknown address"};
  observe::Counter filtered{
      "filtered", "frame", "frames that had nowhere to go: same port, or a reserved group address"};
  observe::Counter table_full{"table_full", "frame",
                              "frames whose source found no room in the address table"};
  observe::Counter moved{"moved", "event", "stations that changed their port"};
  observe::Level buffer_fill{"buffer_fill", "byte",
                             "bytes of stored frames with FCS; in per_port mode, of all copies"};

 private:
  friend class SwitchPort;

  /// A frame in the buffer.
  struct Stored {
    FrameRef frame;
    std::uint64_t ready_ps = 0;
    std::uint32_t from = 0;
    std::uint32_t copies = 0;  // not yet sent
  };

  void forward(std::uint32_t from, const FrameRef& frame);
  bool admit(SwitchPort& in, const FrameRef& frame);
  std::uint32_t store(std::uint32_t from, const FrameRef& frame);
  bool offer(std::uint32_t slot, std::uint32_t to);
  void release_copy(std::uint32_t slot);
  void free_if_unused(std::uint32_t slot);

  const SwitchParams params_;
  const bool shared_;
  MacTable table_;
  std::vector<Stored> stored_;
  RingBuffer<std::uint32_t> free_slots_;
  std::vector<std::unique_ptr<SwitchPort>> ports_;
};

}  // namespace longhaul

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "models/common/ring_map.h"
#include "models/net/frame/frame_tap.h"
#include "models/pcix/config_space.h"
#include "models/pcix/pcix_bus.h"
#include "platform/observe/device_recorder.h"
#include "platform/observe/packets/receive_packets.h"
#include "platform/observe/packets/transmit_packets.h"

namespace longhaul::observe {

/// Follows the packets of one function of a bus, from the bus and from the wire. The function
/// itself is not asked, so RTL and TLM are followed in the same way.
///
/// It sees the driver's accesses in the first memory BAR, the function's reads and writes of
/// memory, and the frames on the link at its port.
class AdapterPackets final : public pcix::BusListener {
 public:
  /// Listens for its lifetime. Bus, `space` (that of the function) and book must outlive it.
  AdapterPackets(const RingMap& map, pcix::PcixBus& bus, DevicePlace place,
                 const pcix::ConfigSpace& space, PacketBook& book, const AdapterPlaces& places);
  AdapterPackets(const AdapterPackets&) = delete;
  AdapterPackets& operator=(const AdapterPackets&) = delete;
  ~AdapterPackets() override { bus_.ignore(this); }

  void on_tenure(const pcix::TenureRecord& tenure) override;
  void frame_leaves(const Frame& frame, std::uint64_t first_bit_ps) {
    transmit_.frame_leaves(frame, first_bit_ps);
  }
  void frame_comes(const Frame& frame, std::uint64_t last_bit_ps) {
    receive_.frame_comes(frame, last_bit_ps);
  }
  /// How many packets were followed and how many could not be: README.md#packetsbin.
  nlohmann::json counts() const;

 private:
  void put_register(const BusMove& move, bool is_read);
  void completions_come(const BusMove& move);

  const RingMap map_;
  pcix::PcixBus& bus_;
  const DevicePlace place_;
  const pcix::ConfigSpace& space_;
  TransmitPackets transmit_;
  ReceivePackets receive_;
  RingFollower completions_;
};

}  // namespace longhaul::observe

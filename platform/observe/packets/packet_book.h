// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/observe/packets/packet_stage.h"

namespace longhaul::observe {

/// The places of a run in which packets are seen, and those who want to know of their stages.
class PacketBook {
 public:
  /// A place, such as "sender.eth0 transmit"; its number is PacketStage::place.
  std::uint16_t add_place(std::string name) {
    places_.push_back(std::move(name));
    return static_cast<std::uint16_t>(places_.size() - 1);
  }
  const std::vector<std::string>& places() const { return places_; }
  void listen(PacketListener* listener) { listeners_.add(listener); }
  void ignore(PacketListener* listener) { listeners_.remove(listener); }
  void tell(const PacketStage& stage) {
    listeners_.tell([&](PacketListener& each) { each.on_stage(stage); });
  }
  void tell(std::uint64_t packet, const std::string& text) {
    listeners_.tell([&](PacketListener& each) { each.on_packet(packet, text); });
  }

 private:
  std::vector<std::string> places_;
  Listeners<PacketListener> listeners_;
};

}  // namespace longhaul::observe

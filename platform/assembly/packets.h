// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/net/link/link.h"
#include "platform/assembly/config.h"
#include "platform/assembly/frame_history.h"
#include "platform/assembly/machine.h"
#include "platform/observe/packets/adapter_packets.h"
#include "platform/observe/packets/packet_file.h"
#include "platform/observe/packets/wire_packets.h"

namespace longhaul::assembly {

/// The name of a port in rows of links: "sender_eth0" for "sender.eth0".
std::string row_name(std::string port);

/// `observe.packets`: each packet's way through descriptors, buses, buffers and links, by its
/// number, in packets.bin.
///
/// An adapter's rings are known if its type has a RingMap. So are those of a type with the PCI ids
/// of such a type: a driver tells adapters apart by ids. Of other adapters only links are seen.
class Packets {
 public:
  /// Watches a complete topology, which must outlive it. Throws SinkError.
  Packets(const SimulationConfig& config, const std::vector<std::unique_ptr<Machine>>& machines,
          const std::vector<std::unique_ptr<Link>>& links, const FrameHistory& frames);

  /// An adapter whose packets are followed.
  struct Followed {
    std::string name;  ///< "sender.eth0"
    observe::AdapterPlaces places;
    std::unique_ptr<observe::AdapterPackets> packets;
  };
  const std::vector<Followed>& followed() const { return followed_; }
  observe::PacketBook& book() { return book_; }
  void check() const { file_.check(); }
  void close() { file_.close(counts()); }
  /// Of the file, for `sim.json`: the stages that it has no room for, and adapters without rings.
  nlohmann::json json() const;

 private:
  void add_adapters(const SimulationConfig& config,
                    const std::vector<std::unique_ptr<Machine>>& machines);
  observe::AdapterPackets* at(const std::string& port) const;
  nlohmann::json counts() const;

  observe::PacketBook book_;
  observe::PacketTexts texts_;
  observe::PacketFile file_;
  std::vector<Followed> followed_;
  std::vector<std::string> unknown_;  // adapters whose rings are not known
  std::vector<std::unique_ptr<observe::WirePackets>> wires_;
  observe::LostPackets lost_;
};

}  // namespace longhaul::assembly

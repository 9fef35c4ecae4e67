// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "models/common/split_mix.h"
#include "models/tcp/wire.h"

namespace longhaul::host {

/// The two ends of a connection, as its host names them: local, then remote.
struct FlowKey {
  std::array<std::uint64_t, 2> local{};
  std::array<std::uint64_t, 2> remote{};
  std::uint32_t ports = 0;  ///< local << 16 | remote
  bool ipv6 = false;

  bool operator==(const FlowKey& other) const {
    return ports == other.ports && remote == other.remote && local == other.local &&
           ipv6 == other.ipv6;
  }
  struct Hash {
    std::size_t operator()(const FlowKey& key) const {
      return split_mix(key.remote[0] ^ split_mix(key.remote[1] ^ key.local[0]) ^ key.local[1] ^
                       key.ports);
    }
  };
};

/// The key of the connection that sends packets with these ends.
inline FlowKey outgoing_key(const tcp::Endpoints& endpoints) {
  FlowKey key;
  std::memcpy(key.local.data(), endpoints.source.data(), 16);
  std::memcpy(key.remote.data(), endpoints.destination.data(), 16);
  key.ports = static_cast<std::uint32_t>(endpoints.source_port) << 16U | endpoints.destination_port;
  key.ipv6 = endpoints.ipv6;
  return key;
}

/// The ends of an answer to packets with these ends.
inline tcp::Endpoints reversed(const tcp::Endpoints& endpoints) {
  return {endpoints.ipv6, endpoints.destination, endpoints.source, endpoints.destination_port,
          endpoints.source_port};
}

}  // namespace longhaul::host

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/net/frame/frame.h"
#include "models/tcp/segment.h"
#include "models/tcp/wire.h"
#include "models/toe/messages.h"
#include "models/toe/stations.h"

namespace longhaul::toe {

/// The Ethernet addresses and tag of a frame.
struct Origin {
  MacAddress destination{};
  MacAddress source{};
  bool tagged = false;
  std::uint16_t vlan = 0;
};

/// A frame from the wire as the engine's parser sees it.
struct Inbound {
  enum class Kind : std::uint8_t {
    kOther,    ///< not for the engine: not IPv4, IP options, a fragment, not TCP, malformed
    kDamaged,  ///< TCP over IPv4 with a wrong checksum
    kTcp,
  };
  Kind kind = Kind::kOther;
  Ends ends;
  tcp::Segment segment;
  std::uint32_t payload_at = 0;  ///< from the start of the frame
  std::uint8_t tos = 0;
  Origin origin;
};
Inbound parse(const Frame& frame);

/// The fields around a segment on the wire.
struct Envelope {
  const NextStation* next = nullptr;
  const MacAddress* source = nullptr;
  std::uint8_t tos = 0;
  std::uint8_t ttl = 64;
  std::uint16_t identification = 0;
};

/// Makes the frame of a segment. With `blank` its payload is zeros, which are elided.
FrameRef build(const tcp::Segment& segment, const Ends& ends, const Envelope& envelope,
               tcp::PayloadSource& payload, bool blank);

}  // namespace longhaul::toe

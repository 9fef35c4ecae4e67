// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/tcp/wire.h"

namespace longhaul::booster {

/// The first message on each connection between relays: the connection of the ends for which it is.
struct Greeting {
  static constexpr std::uint32_t kBytes = 48;

  tcp::Endpoints ends;        ///< those of the opener's packets
  std::uint32_t initial = 0;  ///< sequence number of its SYN, which tells connections with the same
                              ///< ends apart
  std::uint32_t index = 0;    ///< number of this connection
  std::uint32_t count = 0;    ///< number of connections
};

/// The messages that follow. Data follow their header.
struct Chunk {
  static constexpr std::uint32_t kBytes = 16;
  enum class Kind : std::uint32_t {
    kOpen = 1,  ///< the opener has acknowledged the handshake
    kData,      ///< `length` bytes of the stream from `offset` on
    kFin,       ///< the stream ends at `offset`
  };

  Kind kind = Kind::kData;
  std::uint32_t length = 0;
  std::uint64_t offset = 0;
};

void write(const Greeting& greeting, std::uint8_t* out);
void write(const Chunk& chunk, std::uint8_t* out);
/// Empty if the bytes are not such a message.
std::optional<Greeting> read_greeting(const std::uint8_t* bytes);
std::optional<Chunk> read_chunk(const std::uint8_t* bytes);

}  // namespace longhaul::booster

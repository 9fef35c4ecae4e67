// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/tcp/wire.h"

namespace longhaul::booster {

/// First on each connection between relays: which of the ends' connections it is for.
struct Greeting {
  static constexpr std::uint32_t kBytes = 48;

  tcp::Endpoints ends;        ///< as of the one who opened
  std::uint32_t initial = 0;  ///< sequence number of its SYN: which of several in a row
  std::uint32_t index = 0;    ///< of this connection
  std::uint32_t count = 0;    ///< of connections
};

/// What follows then, message by message. Data follow their header.
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
/// Nothing if the bytes are none.
std::optional<Greeting> read_greeting(const std::uint8_t* bytes);
std::optional<Chunk> read_chunk(const std::uint8_t* bytes);

}  // namespace longhaul::booster

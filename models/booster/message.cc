// SPDX-License-Identifier: Apache-2.0
#include "models/booster/message.h"

#include <algorithm>

#include "models/common/big_endian.h"

namespace longhaul::booster {
namespace {

constexpr std::uint32_t kMagic = 0x4c485250;  // "LHRP"

}  // namespace

void write(const Greeting& greeting, std::uint8_t* out) {
  write_be32(out, kMagic);
  write_be32(out + 4, greeting.initial);
  write_be16(out + 8, greeting.ends.source_port);
  write_be16(out + 10, greeting.ends.destination_port);
  write_be16(out + 12, static_cast<std::uint16_t>(greeting.index));
  write_be16(out + 14, static_cast<std::uint16_t>(greeting.count));
  std::copy(greeting.ends.source.begin(), greeting.ends.source.end(), out + 16);
  std::copy(greeting.ends.destination.begin(), greeting.ends.destination.end(), out + 32);
}

std::optional<Greeting> read_greeting(const std::uint8_t* bytes) {
  if (read_be32(bytes) != kMagic) return std::nullopt;
  Greeting greeting;
  greeting.initial = read_be32(bytes + 4);
  greeting.ends.source_port = read_be16(bytes + 8);
  greeting.ends.destination_port = read_be16(bytes + 10);
  greeting.index = read_be16(bytes + 12);
  greeting.count = read_be16(bytes + 14);
  std::copy_n(bytes + 16, greeting.ends.source.size(), greeting.ends.source.begin());
  std::copy_n(bytes + 32, greeting.ends.destination.size(), greeting.ends.destination.begin());
  if (greeting.count == 0 || greeting.index >= greeting.count) return std::nullopt;
  return greeting;
}

void write(const Chunk& chunk, std::uint8_t* out) {
  write_be32(out, static_cast<std::uint32_t>(chunk.kind));
  write_be32(out + 4, chunk.length);
  write_be32(out + 8, static_cast<std::uint32_t>(chunk.offset >> 32U));
  write_be32(out + 12, static_cast<std::uint32_t>(chunk.offset));
}

std::optional<Chunk> read_chunk(const std::uint8_t* bytes) {
  const std::uint32_t kind = read_be32(bytes);
  if (kind < static_cast<std::uint32_t>(Chunk::Kind::kOpen) ||
      kind > static_cast<std::uint32_t>(Chunk::Kind::kFin)) {
    return std::nullopt;
  }
  Chunk chunk;
  chunk.kind = static_cast<Chunk::Kind>(kind);
  chunk.length = read_be32(bytes + 4);
  chunk.offset = std::uint64_t{read_be32(bytes + 8)} << 32U | read_be32(bytes + 12);
  return chunk;
}

}  // namespace longhaul::booster

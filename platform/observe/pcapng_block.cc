// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/pcapng_block.h"

#include <algorithm>
#include <limits>

namespace longhaul::observe {

PcapngBlock::PcapngBlock(std::vector<std::uint8_t>& out, std::uint32_t type)
    : out_(out), start_(out.size()) {
  u32(type);
  u32(0);  // the length; finish() fills it in
}

void PcapngBlock::u16(std::uint16_t value) {
  u8(static_cast<std::uint8_t>(value));
  u8(static_cast<std::uint8_t>(value >> 8));
}

void PcapngBlock::u32(std::uint32_t value) {
  u16(static_cast<std::uint16_t>(value));
  u16(static_cast<std::uint16_t>(value >> 16));
}

void PcapngBlock::u64(std::uint64_t value) {
  u32(static_cast<std::uint32_t>(value));
  u32(static_cast<std::uint32_t>(value >> 32));
}

void PcapngBlock::timestamp(std::uint64_t units) {
  u32(static_cast<std::uint32_t>(units >> 32));
  u32(static_cast<std::uint32_t>(units));
}

void PcapngBlock::bytes(const void* data, std::size_t size) {
  const auto* first = static_cast<const std::uint8_t*>(data);
  out_.insert(out_.end(), first, first + size);
}

void PcapngBlock::pad() { out_.resize((out_.size() + 3) / 4 * 4, 0); }

void PcapngBlock::option_head(std::uint16_t code, std::uint16_t size) {
  has_options_ = true;
  u16(code);
  u16(size);
}

void PcapngBlock::option(std::uint16_t code, std::initializer_list<std::string_view> texts) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();
  std::size_t size = 0;
  for (const std::string_view text : texts) size += text.size();
  size = std::min(size, kMost);
  option_head(code, static_cast<std::uint16_t>(size));
  for (const std::string_view text : texts) {
    const std::size_t part = std::min(text.size(), size);
    bytes(text.data(), part);
    size -= part;
  }
  pad();
}

void PcapngBlock::option_u8(std::uint16_t code, std::uint8_t value) {
  option_head(code, 1);
  u8(value);
  pad();
}

void PcapngBlock::option_u32(std::uint16_t code, std::uint32_t value) {
  option_head(code, 4);
  u32(value);
}

void PcapngBlock::option_u64(std::uint16_t code, std::uint64_t value) {
  option_head(code, 8);
  u64(value);
}

void PcapngBlock::option_timestamp(std::uint16_t code, std::uint64_t units) {
  option_head(code, 8);
  timestamp(units);
}

void PcapngBlock::finish() {
  constexpr std::uint16_t kEndOfOptions = 0;
  if (has_options_) option_head(kEndOfOptions, 0);
  const auto length = static_cast<std::uint32_t>(out_.size() - start_ + 4);
  u32(length);
  for (int byte = 0; byte < 4; ++byte)
    out_[start_ + 4 + byte] = static_cast<std::uint8_t>(length >> (8 * byte));
}

}  // namespace longhaul::observe

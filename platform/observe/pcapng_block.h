// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace longhaul::observe {

/// Type, options and flags of an Enhanced Packet Block (draft-ietf-opsawg-pcapng, 3.5, 4.3). Any
/// block may have comments.
namespace pcapng {
inline constexpr std::uint32_t kEnhancedPacket = 6;
inline constexpr std::uint16_t kComment = 1;
inline constexpr std::uint16_t kPacketFlags = 2;
inline constexpr std::uint16_t kPacketId = 5;
inline constexpr std::uint32_t kFlagInbound = 1;
inline constexpr std::uint32_t kFlagOutbound = 2;
inline constexpr std::uint32_t kFlagDirection = 3;
}  // namespace pcapng

/// Appends one pcapng block to a vector of whole blocks: type and length, body, options, and the
/// length again.
///
/// Format: draft-ietf-opsawg-pcapng, sections 3.1 (block) and 3.5 (options). Little-endian; all
/// parts padded to 32 bits.
class PcapngBlock {
 public:
  /// Starts a block of `type` at the end of `out`, which must not change otherwise until finish().
  PcapngBlock(std::vector<std::uint8_t>& out, std::uint32_t type);

  void u8(std::uint8_t value) { out_.push_back(value); }
  void u16(std::uint16_t value);
  void u32(std::uint32_t value);
  void u64(std::uint64_t value);
  /// A time stamp in the format's order: the upper half first.
  void timestamp(std::uint64_t units);
  void bytes(const void* data, std::size_t size);
  /// Zeros up to a multiple of four bytes.
  void pad();

  /// An option whose value is the concatenation of the given texts, without terminator, cut at
  /// 65,535 bytes.
  void option(std::uint16_t code, std::initializer_list<std::string_view> texts);
  void option_u8(std::uint16_t code, std::uint8_t value);
  void option_u32(std::uint16_t code, std::uint32_t value);
  void option_u64(std::uint16_t code, std::uint64_t value);
  void option_timestamp(std::uint16_t code, std::uint64_t units);

  /// Ends the options, if there were any, and fills in both lengths.
  void finish();

 private:
  void option_head(std::uint16_t code, std::uint16_t size);

  std::vector<std::uint8_t>& out_;
  std::size_t start_;
  bool has_options_ = false;
};

}  // namespace longhaul::observe

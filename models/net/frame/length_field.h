// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/big_endian.h"
#include "models/net/frame/frame.h"

namespace longhaul::ethernet {

/// The meaning of a frame's length/type field (IEEE 802.3, 3.2.6 to 3.2.8).
enum class LengthField {
  kType,   ///< an EtherType, or the frame ends before the field
  kRight,  ///< the length of the data, which may be padded to 46 bytes
  kWrong,  ///< a length that the data do not have
};

/// `at` is the offset of the field. The frame is without its FCS.
inline LengthField length_field(const Frame& frame, std::uint32_t at) {
  constexpr std::uint32_t kLargestLength = 1500;
  constexpr std::uint32_t kLeastData = 46;
  if (frame.size() < at + 2) return LengthField::kType;
  const std::uint16_t field = read_be16(frame.head() + at);
  if (field > kLargestLength) return LengthField::kType;
  const std::uint32_t data = frame.size() - at - 2;
  const bool padded = field < data && data <= kLeastData;
  return field == data || padded ? LengthField::kRight : LengthField::kWrong;
}

}  // namespace longhaul::ethernet

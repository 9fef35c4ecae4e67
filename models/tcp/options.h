// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// The reason why bytes from a wire are not a TCP segment.
enum class Refusal : std::uint8_t {
  kNone,
  kShortIpHeader,
  kNotIp,
  kIpLength,
  kIpChecksum,
  kFragment,
  kExtensionHeader,
  kNotTcp,
  kShortTcpHeader,
  kDataOffset,
  kTcpChecksum,
  kOptionLength,
};
/// A sentence about the reason.
const char* to_text(Refusal refusal);

/// Most option bytes in a header (RFC 9293, 3.1: data offset of 15 words).
inline constexpr std::uint32_t kMaxOptionBytes = 40;

/// Bytes that the options take in a header, padded to whole words.
std::uint32_t option_bytes(const Options& options);

/// Writes the options and their padding. `out` has option_bytes(options) bytes, at most
/// kMaxOptionBytes. Order and padding are those of the common systems: MSS, SACK permitted,
/// timestamps, window scale, SACK (RFC 7323, appendix A: words aligned by NOPs).
void write_options(const Options& options, std::uint8_t* out);

/// Reads `length` bytes of options. Unknown kinds are skipped (RFC 9293, 3.1). An option with an
/// illegal length is refused.
Refusal read_options(const std::uint8_t* bytes, std::uint32_t length, Options& options);

}  // namespace longhaul::tcp

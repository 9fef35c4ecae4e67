// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// Why bytes from a wire are no TCP segment.
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
/// One sentence on it.
const char* to_text(Refusal refusal);

/// Most that a header has room for (RFC 9293, 3.1: data offset of 15 words).
inline constexpr std::uint32_t kMaxOptionBytes = 40;

/// Bytes that the options take in a header, padded to whole words.
std::uint32_t option_bytes(const Options& options);

/// Writes the options and their padding; `out` has option_bytes(options), which is at most
/// kMaxOptionBytes. Order and padding are those of the common systems: MSS, SACK permitted,
/// timestamps, window scale, SACK (RFC 7323, appendix A: words aligned by NOPs).
void write_options(const Options& options, std::uint8_t* out);

/// Reads `length` bytes of options. Unknown kinds are skipped (RFC 9293, 3.1); an option that says
/// a length it cannot have is refused.
Refusal read_options(const std::uint8_t* bytes, std::uint32_t length, Options& options);

}  // namespace longhaul::tcp

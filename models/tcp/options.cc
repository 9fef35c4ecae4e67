// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/options.h"

#include "models/common/big_endian.h"

namespace longhaul::tcp {
namespace {

enum Kind : std::uint8_t {
  kEnd = 0,
  kNop = 1,
  kMss = 2,
  kWindowScale = 3,
  kSackPermitted = 4,
  kSack = 5,
  kTimestamps = 8,
};
constexpr std::uint8_t kMssBytes = 4;
constexpr std::uint8_t kWindowScaleBytes = 3;
constexpr std::uint8_t kSackPermittedBytes = 2;
constexpr std::uint8_t kTimestampsBytes = 10;
constexpr std::uint8_t kSackBlockBytes = 8;

/// Takes one known option of `length` bytes, kind and length included; false if it cannot have that
/// length.
bool take(std::uint8_t kind, const std::uint8_t* bytes, std::uint8_t length, Options& options) {
  switch (kind) {
    case kMss:
      if (length != kMssBytes) return false;
      options.mss = read_be16(bytes + 2);
      return true;
    case kWindowScale:
      if (length != kWindowScaleBytes) return false;
      options.window_scale = bytes[2];
      return true;
    case kSackPermitted: options.sack_permitted = true; return length == kSackPermittedBytes;
    case kTimestamps:
      if (length != kTimestampsBytes) return false;
      options.timestamps = true;
      options.ts_value = read_be32(bytes + 2);
      options.ts_echo = read_be32(bytes + 6);
      return true;
    case kSack: {
      const std::uint32_t blocks = (length - 2U) / kSackBlockBytes;
      if (length != 2 + blocks * kSackBlockBytes || blocks == 0 || blocks > Options::kMaxSackBlocks)
        return false;
      options.sack_count = static_cast<std::uint8_t>(blocks);
      const std::uint8_t* at = bytes + 2;
      for (std::uint32_t i = 0; i < blocks; ++i, at += kSackBlockBytes)
        options.sack[i] = {read_be32(at), read_be32(at + 4)};
      return true;
    }
    default: return true;
  }
}

}  // namespace

const char* to_text(Refusal refusal) {
  switch (refusal) {
    case Refusal::kNone: return "accepted";
    case Refusal::kShortIpHeader: return "the packet ends within its IP header";
    case Refusal::kNotIp: return "the version is neither 4 nor 6";
    case Refusal::kIpLength: return "the IP length is less than the header or more than the packet";
    case Refusal::kIpChecksum: return "the IPv4 header's checksum is wrong";
    case Refusal::kFragment: return "the packet is a fragment";
    case Refusal::kExtensionHeader:
      return "an IPv6 extension header is malformed or not one to be skipped";
    case Refusal::kNotTcp: return "the protocol is not TCP";
    case Refusal::kShortTcpHeader: return "the packet ends within its TCP header";
    case Refusal::kDataOffset: return "the data offset is less than 5 words or beyond the packet";
    case Refusal::kTcpChecksum: return "the TCP checksum is wrong";
    case Refusal::kOptionLength: return "an option has a length that it cannot have";
  }
  return "";
}

std::uint32_t option_bytes(const Options& options) {
  std::uint32_t bytes = 0;
  if (options.mss) bytes += kMssBytes;
  if (options.timestamps) {
    bytes += 12;  // two NOPs, or SACK permitted in their place
  } else if (options.sack_permitted) {
    bytes += 4;
  }
  if (options.window_scale) bytes += 4;
  if (options.sack_count > 0)
    bytes += 4 + static_cast<std::uint32_t>(options.sack_count) * kSackBlockBytes;
  return bytes;
}

void write_options(const Options& options, std::uint8_t* out) {
  const auto put = [&out](std::uint8_t kind, std::uint8_t length) {
    *out++ = kind;
    *out++ = length;
  };
  const auto nops = [&out](int count) {
    while (count-- > 0) *out++ = kNop;
  };
  const auto word = [&out](std::uint32_t value) {
    write_be32(out, value);
    out += 4;
  };
  if (options.mss) {
    put(kMss, kMssBytes);
    write_be16(out, *options.mss);
    out += 2;
  }
  if (options.sack_permitted) {
    if (!options.timestamps) nops(2);
    put(kSackPermitted, kSackPermittedBytes);
  } else if (options.timestamps) {
    nops(2);
  }
  if (options.timestamps) {
    put(kTimestamps, kTimestampsBytes);
    word(options.ts_value);
    word(options.ts_echo);
  }
  if (options.window_scale) {
    nops(1);
    put(kWindowScale, kWindowScaleBytes);
    *out++ = *options.window_scale;
  }
  if (options.sack_count > 0) {
    nops(2);
    put(kSack, static_cast<std::uint8_t>(2 + options.sack_count * kSackBlockBytes));
    for (std::uint32_t i = 0; i < options.sack_count; ++i) {
      word(options.sack[i].begin);
      word(options.sack[i].end);
    }
  }
}

Refusal read_options(const std::uint8_t* bytes, std::uint32_t length, Options& options) {
  options = {};
  std::uint32_t at = 0;
  while (at < length && bytes[at] != kEnd) {
    if (bytes[at] == kNop) {
      ++at;
      continue;
    }
    if (at + 1 >= length) return Refusal::kOptionLength;
    const std::uint8_t size = bytes[at + 1];
    if (size < 2 || at + size > length || !take(bytes[at], bytes + at, size, options))
      return Refusal::kOptionLength;
    at += size;
  }
  return Refusal::kNone;
}

}  // namespace longhaul::tcp

// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/digest.h"

#include <cstring>

namespace longhaul::observe {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

constexpr std::uint64_t kPrime1 = 0x9e3779b185ebca87;
constexpr std::uint64_t kPrime2 = 0xc2b2ae3d27d4eb4f;
constexpr std::uint64_t kPrime3 = 0x165667b19e3779f9;
constexpr std::uint64_t kPrime4 = 0x85ebca77c2b2ae63;
constexpr std::uint64_t kPrime5 = 0x27d4eb2f165667c5;
constexpr std::size_t kStripe = 32;

constexpr std::uint64_t rotate(std::uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

template <class Word>
Word word_at(const std::uint8_t* at) {
  Word word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

constexpr std::uint64_t round(std::uint64_t lane, std::uint64_t input) {
  return rotate(lane + input * kPrime2, 31) * kPrime1;
}

constexpr std::uint64_t merge(std::uint64_t all, std::uint64_t lane) {
  return (all ^ round(0, lane)) * kPrime1 + kPrime4;
}

}  // namespace

std::uint64_t digest(const void* data, std::size_t size, std::uint64_t seed) {
  const auto* at = static_cast<const std::uint8_t*>(data);
  const std::uint8_t* const end = at + size;
  std::uint64_t all = seed + kPrime5;
  if (size >= kStripe) {
    std::uint64_t lane[4] = {seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1};
    for (; end - at >= static_cast<std::ptrdiff_t>(kStripe); at += kStripe) {
      for (std::size_t i = 0; i < 4; ++i)
        lane[i] = round(lane[i], word_at<std::uint64_t>(at + 8 * i));
    }
    all = rotate(lane[0], 1) + rotate(lane[1], 7) + rotate(lane[2], 12) + rotate(lane[3], 18);
    for (const std::uint64_t each : lane) all = merge(all, each);
  }
  all += size;
  for (; end - at >= 8; at += 8) {
    all = rotate(all ^ round(0, word_at<std::uint64_t>(at)), 27) * kPrime1 + kPrime4;
  }
  if (end - at >= 4) {
    all = rotate(all ^ word_at<std::uint32_t>(at) * kPrime1, 23) * kPrime2 + kPrime3;
    at += 4;
  }
  for (; at != end; ++at) all = rotate(all ^ *at * kPrime5, 11) * kPrime1;
  all = (all ^ all >> 33) * kPrime2;
  all = (all ^ all >> 29) * kPrime3;
  return all ^ all >> 32;
}

std::uint64_t digest(const Frame& frame) {
  const std::uint8_t* const bytes = frame.head();
  std::size_t size = frame.stored();
  while (size >= 8 && word_at<std::uint64_t>(bytes + size - 8) == 0) size -= 8;
  while (size > 0 && bytes[size - 1] == 0) --size;
  return digest(bytes, size, frame.size());
}

}  // namespace longhaul::observe

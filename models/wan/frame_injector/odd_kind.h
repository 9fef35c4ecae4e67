// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace longhaul::wan::frame_injector {

/// Kinds of odd frames, in the order of a round.
enum class OddKind : std::uint8_t {
  kRunt,
  kGiant,
  kBadFcs,
  kLateFragment,
  kVlanStack,
  kPriorityTag,
  kIpOptions,
  kBadIpLength,
  kBadIpChecksum,
  kLengthField,
  kPause,
  kMacControl,
  kForeign,
  kGroup,
  kOddSource,
  kSmallestBurst,
};

inline constexpr std::size_t kOddKinds = 16;

/// What is known of a kind.
struct OddKindInfo {
  const char* counter;      ///< name of its counter: "injected_" and the kind's name
  const char* description;  ///< of that counter

  /// Its name, as parameters and payloads have it.
  const char* name() const { return counter + sizeof "injected_" - 1; }
};

const OddKindInfo& info(OddKind kind);

/// The kinds that a list names, in the order of a round: "all", or names with commas between.
/// Throws ConfigError, which starts with `where`, for a name that is none, one that comes twice,
/// and an empty list.
std::vector<OddKind> odd_kinds_named(const std::string& list, const std::string& where);

}  // namespace longhaul::wan::frame_injector

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

/// Names of a kind.
struct OddKindInfo {
  const char* counter;      ///< name of its counter: "injected_" and the kind's name
  const char* description;  ///< description of that counter

  /// The kind's name, as in parameters and payloads.
  const char* name() const { return counter + sizeof "injected_" - 1; }
};

const OddKindInfo& info(OddKind kind);

/// The kinds in a list, in the order of a round. The list is "all", or names separated by commas.
/// Throws ConfigError whose message starts with `where` for an unknown or repeated name, and for an
/// empty list.
std::vector<OddKind> odd_kinds_named(const std::string& list, const std::string& where);

}  // namespace longhaul::wan::frame_injector

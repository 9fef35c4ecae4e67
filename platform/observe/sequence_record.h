// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace longhaul::observe {

/// The bytes of a TCP stream that have passed, by sequence number. It counts each byte once,
/// although bytes are repeated and out of order.
///
/// Sequence numbers wrap at 2^32. A segment must be within 2^31 of the furthest byte so far (RFC
/// 9293, 3.4: windows are smaller). Memory is one range for each open gap.
class SequenceRecord {
 public:
  /// Starts a stream whose next byte is `sequence`.
  explicit SequenceRecord(std::uint32_t sequence) : next_(kOrigin + sequence) {}

  /// Takes a segment. Returns how many of its bytes are new.
  std::uint32_t take(std::uint32_t sequence, std::uint32_t bytes);
  /// Number of open gaps.
  std::size_t gaps() const { return gaps_.size(); }

 private:
  /// Leaves room for bytes before the first one.
  static constexpr std::uint64_t kOrigin = std::uint64_t{1} << 33;
  struct Gap {
    std::uint64_t begin;
    std::uint64_t end;
  };
  std::uint32_t fill_gaps(std::uint64_t begin, std::uint64_t end);

  std::uint64_t next_;  // after the furthest byte, unwrapped
  std::vector<Gap> gaps_;
};

}  // namespace longhaul::observe

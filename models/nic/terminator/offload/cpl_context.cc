// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/offload/cpl_context.h"

#include <algorithm>

#include "models/common/register_field.h"

namespace longhaul::nic::terminator::cpl {
namespace {

constexpr RegisterField kUnread{"UNREAD", 0, 24};
constexpr RegisterField kDuplicates{"DUPLICATES", 24, 6};
constexpr RegisterField kTimedOut{"TIMED_OUT", 30, 1};
constexpr RegisterField kAckWaits{"ACK_WAITS", 31, 1};
constexpr std::uint64_t kMostUnread = (1U << 24U) - 1;
constexpr std::uint32_t kMostDuplicates = (1U << 6U) - 1;
constexpr RegisterField kRtt{"SRTT", 0, 16};  // in units of 64 us
constexpr RegisterField kRttVariance{"RTTVAR", 16, 16};
constexpr std::uint64_t kPsPerUnit = 64'000'000;
constexpr std::uint64_t kMostUnits = (1U << 16U) - 1;

std::uint32_t limited(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, ~0U));
}

std::uint32_t units(std::uint64_t ps) {
  return static_cast<std::uint32_t>(std::min((ps + kPsPerUnit - 1) / kPsPerUnit, kMostUnits));
}

/// The position `to`, whose distance from `from` is below 2^31.
tcp::Position beside(tcp::Position from, std::uint32_t from_word, std::uint32_t to_word) {
  return from + static_cast<std::uint64_t>(
                    static_cast<std::int64_t>(static_cast<std::int32_t>(to_word - from_word)));
}

}  // namespace

ContextWords to_words(const tcp::Context& context) {
  const auto sent = [&](tcp::Position at) { return tcp::to_wire(context.iss, at); };
  const auto received = [&](tcp::Position at) { return tcp::to_wire(context.irs, at); };
  const std::uint32_t flags =
      kUnread.put(static_cast<std::uint32_t>(std::min(context.unread, kMostUnread))) |
      kDuplicates.put(std::min(context.duplicates, kMostDuplicates)) |
      kTimedOut.put(context.timed_out ? 1 : 0) | kAckWaits.put(context.ack_waits ? 1 : 0);
  return {sent(context.una),
          sent(context.next),
          sent(context.peer_edge),
          received(context.received),
          received(context.offered),
          flags,
          limited(context.cwnd),
          limited(context.ssthresh),
          kRtt.put(units(context.srtt)) | kRttVariance.put(units(context.rttvar)),
          context.timestamp,
          context.peer_timestamp};
}

void from_words(const ContextWords& words, tcp::Context& context) {
  context.una = beside(context.una, tcp::to_wire(context.iss, context.una), words[0]);
  context.next = beside(context.una, words[0], words[1]);
  context.peer_edge = beside(context.una, words[0], words[2]);
  context.received =
      beside(context.received, tcp::to_wire(context.irs, context.received), words[3]);
  context.offered = beside(context.received, words[3], words[4]);
  context.unread = kUnread.get(words[5]);
  context.duplicates = kDuplicates.get(words[5]);
  context.timed_out = kTimedOut.get(words[5]) != 0;
  context.ack_waits = kAckWaits.get(words[5]) != 0;
  context.cwnd = words[6];
  context.ssthresh = words[7] == ~0U ? ~0ULL : words[7];
  context.srtt = kRtt.get(words[8]) * kPsPerUnit;
  context.rttvar = kRttVariance.get(words[8]) * kPsPerUnit;
  context.timestamp = words[9];
  context.peer_timestamp = words[10];
}

}  // namespace longhaul::nic::terminator::cpl

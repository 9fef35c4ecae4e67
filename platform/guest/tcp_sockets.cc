// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/tcp_sockets.h"

#include <algorithm>

namespace longhaul::guest {
namespace {

constexpr std::uint16_t kAfInet = 2;
constexpr std::uint16_t kAfInet6 = 10;
// States of include/net/tcp_states.h whose entries in the table are not whole sockets.
constexpr std::uint8_t kTimeWait = 6;
constexpr std::uint8_t kNewSynRecv = 12;
/// A longer chain counts as damaged.
constexpr int kLongestChain = 4096;
constexpr std::uint32_t kMostBuckets = 1U << 24;

std::uint16_t swapped(std::uint64_t value) {
  return static_cast<std::uint16_t>((value & 0xff) << 8 | (value >> 8 & 0xff));
}

}  // namespace

TcpSockets::TcpSockets(GuestMemory memory, const KernelLayout& layout)
    : memory_(std::move(memory)),
      physmem_symbol_(layout.symbol("uml_physmem")),
      hashinfo_symbol_(layout.symbol("tcp_hashinfo")),
      ehash_(layout.field("ehash")),
      ehash_mask_(layout.field("ehash_mask")),
      bucket_(layout.field("ehash_bucket")),
      node_(layout.field("skc_nulls_node")),
      family_(layout.field("skc_family")),
      sk_state_(layout.field("skc_state")),
      daddr_(layout.field("skc_daddr")),
      saddr_(layout.field("skc_rcv_saddr")),
      v6_daddr_(layout.field("skc_v6_daddr")),
      v6_saddr_(layout.field("skc_v6_rcv_saddr")),
      dport_(layout.field("skc_dport")),
      num_(layout.field("skc_num")) {
  const std::uint64_t tick_us = 1'000'000 / layout.hz();
  values_ = {{{sk_state_, 1, 1},
              {layout.field("icsk_ca_state"), 1, 1},
              {layout.field("snd_una"), 1, 1},
              {layout.field("snd_nxt"), 1, 1},
              {layout.field("rcv_nxt"), 1, 1},
              {layout.field("snd_wnd"), 1, 1},
              {layout.field("rcv_wnd"), 1, 1},
              {layout.field("snd_cwnd"), 1, 1},
              {layout.field("snd_ssthresh"), 1, 1},
              {layout.field("srtt_us"), 1, 8},  // kept times 8
              {layout.field("icsk_rto"), tick_us, 1},
              {layout.field("icsk_backoff"), 1, 1},
              {layout.field("packets_out"), 1, 1},
              {layout.field("sacked_out"), 1, 1},
              {layout.field("lost_out"), 1, 1},
              {layout.field("retrans_out"), 1, 1},
              {layout.field("total_retrans"), 1, 1}}};
  for (const KernelLayout::Field* field :
       {&node_, &family_, &daddr_, &saddr_, &v6_daddr_, &v6_saddr_, &dport_, &num_})
    bytes_ = std::max(bytes_, field->offset + field->bytes);
  for (const Value& value : values_)
    bytes_ = std::max(bytes_, value.field.offset + value.field.bytes);
}

bool TcpSockets::locate_table() {
  if (table_ != 0) return true;
  std::uint64_t base = 0;
  std::uint64_t table = 0;
  std::uint32_t mask = 0;
  if (!memory_.image(physmem_symbol_, &base, sizeof base) ||
      !memory_.image(hashinfo_symbol_ + ehash_.offset, &table, sizeof table) ||
      !memory_.image(hashinfo_symbol_ + ehash_mask_.offset, &mask, sizeof mask)) {
    return false;
  }
  memory_.set_base(base);
  if (table == 0 || mask >= kMostBuckets ||
      memory_.ram(table, std::size_t{mask + 1} * bucket_.bytes) == nullptr)
    return false;
  buckets_ = mask + 1;
  table_ = table;
  return true;
}

void TcpSockets::find(std::vector<std::uint64_t>& sockets) {
  sockets.clear();
  if (!locate_table()) return;
  const std::uint8_t* const table = memory_.ram(table_, std::size_t{buckets_} * bucket_.bytes);
  for (std::uint32_t i = 0; i < buckets_; ++i) {
    std::uint64_t node = load(table + std::size_t{i} * bucket_.bytes, 8);
    // An odd pointer ends a chain.
    for (int length = 0; (node & 1) == 0 && node != 0 && length < kLongestChain; ++length) {
      const std::uint8_t* const next = memory_.ram(node, 8);
      const std::uint64_t socket = node - node_.offset;
      const std::uint8_t* const bytes = memory_.ram(socket, node_.offset + node_.bytes);
      if (next == nullptr || bytes == nullptr) break;
      const std::uint8_t state = bytes[sk_state_.offset];
      if (state != kTimeWait && state != kNewSynRecv) sockets.push_back(socket);
      node = load(next, 8);
    }
  }
}

bool TcpSockets::ends(std::uint64_t socket, TcpEnds& ends) const {
  const std::uint8_t* const bytes = memory_.ram(socket, bytes_);
  if (bytes == nullptr) return false;
  static constexpr std::uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  const std::uint64_t family = load(bytes + family_.offset, family_.bytes);
  ends = {};
  ends.ipv6 =
      family == kAfInet6 && std::memcmp(bytes + v6_daddr_.offset, kMapped, sizeof kMapped) != 0;
  if (family != kAfInet && family != kAfInet6) return false;
  if (ends.ipv6) {
    std::memcpy(ends.local.data(), bytes + v6_saddr_.offset, 16);
    std::memcpy(ends.remote.data(), bytes + v6_daddr_.offset, 16);
  } else {
    std::memcpy(ends.local.data(), bytes + saddr_.offset, 4);
    std::memcpy(ends.remote.data(), bytes + daddr_.offset, 4);
  }
  ends.local_port = static_cast<std::uint16_t>(load(bytes + num_.offset, num_.bytes));
  ends.remote_port = swapped(load(bytes + dport_.offset, dport_.bytes));
  return true;
}

bool TcpSockets::state(std::uint64_t socket, TcpState& state) const {
  const std::uint8_t* const bytes = memory_.ram(socket, bytes_);
  if (bytes == nullptr) return false;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Value& value = values_[i];
    const KernelLayout::Field& field = value.field;
    std::uint64_t read = load(bytes + field.offset, field.bytes) & field.mask;
    if (field.mask != ~0ULL) read >>= __builtin_ctzll(field.mask);
    state.values[i] = static_cast<std::uint32_t>(read * value.multiply / value.divide);
  }
  return true;
}

}  // namespace longhaul::guest

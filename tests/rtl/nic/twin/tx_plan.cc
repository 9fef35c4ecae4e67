// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/nic/twin/tx_plan.h"

#include <algorithm>

#include "models/nic/ixgb/parts.h"

namespace longhaul::nic_twin {
namespace {

namespace tx = nic::intel::tx;
using longhaul::testing::PacketSpec;

constexpr std::uint32_t kTypeData = 1U << tx::kTypeShift;
constexpr std::uint32_t kIpSum = tx::kIxsm;
constexpr std::uint32_t kOtherSum = tx::kTxsm;

std::uint32_t header_bytes(const PacketSpec& spec) {
  return static_cast<std::uint32_t>(longhaul::testing::l4_at(spec)) +
         (spec.tcp ? 20 + spec.options : 8);
}

}  // namespace

void TxPlan::draw(std::uint32_t packets, std::uint32_t most) {
  for (std::uint32_t i = 0; i < packets; ++i) {
    const std::size_t whole = descriptors.size();
    const std::size_t stored = stores.size();
    packet();
    if (descriptors.size() <= most) {
      ends.push_back(descriptors.size());
      continue;
    }
    descriptors.resize(whole);
    stores.resize(stored);
    return;
  }
}

void TxPlan::packet() {
  const std::uint64_t kind = random_.below(20);
  if (kind < 8) return plain();
  if (kind < 12) return summed();
  if (kind < 17) return super();
  if (kind < 19) return damaged();
  context();
}

TxPlan::Options TxPlan::options() {
  Options made;
  if (random_.one_in(3)) {
    made.command |= tx::kVle;
    made.tag = random_.word() & 0xffff;
  }
  if (random_.coin()) made.command |= tx::kIde;
  return made;
}

PacketSpec TxPlan::spec(std::uint32_t most_payload) {
  PacketSpec made;
  made.v6 = random_.coin();
  made.tcp = !random_.one_in(3);
  made.payload = static_cast<std::uint32_t>(random_.below(most_payload));
  made.flags = static_cast<std::uint8_t>(random_.below(256));
  made.sequence = random_.word();
  made.id = random_.word() & 0xffff;
  made.options = static_cast<std::uint32_t>(4 * random_.below(11));
  if (random_.one_in(5)) made.vlan = static_cast<int>(random_.below(0x10000));
  if (random_.one_in(6)) made.to = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  if (random_.one_in(6)) made.to = {0x01, 0x00, 0x5e, 1, 2, 3};
  return made;
}

/// A frame of any bytes and of any length that the unit sends.
void TxPlan::plain() {
  const std::uint64_t length = random_.one_in(4)   ? random_.within(14, 64)
                               : random_.one_in(8) ? random_.within(9000, 16128)
                                                   : random_.within(60, 1600);
  Bytes bytes(length);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random_.below(256));
  fragments(bytes, options());
}

/// A frame whose sums the unit inserts.
void TxPlan::summed() {
  const PacketSpec made = spec(random_.one_in(6) ? 9000 : 1460);
  context_of(made, 0, 0);
  Options opts = options();
  opts.sums = (random_.coin() ? kOtherSum : 0) | (!made.v6 && random_.coin() ? kIpSum : 0);
  Bytes bytes = longhaul::testing::make_packet(made);
  if (random_.coin())
    longhaul::testing::write_be16(bytes, longhaul::testing::l4_field(made),
                                  longhaul::testing::pseudo_sum(made, bytes, true));
  fragments(bytes, opts);
}

/// A super-frame, with a context that tells the truth, or another length, or cannot be carried out.
void TxPlan::super() {
  PacketSpec made = spec(random_.one_in(6) ? 30000 : 9000);
  made.vlan = -1;
  ++made.payload;
  const std::uint64_t truth = random_.below(12);
  const std::uint32_t told =
      truth == 0   ? made.payload + static_cast<std::uint32_t>(random_.within(1, 2000))
      : truth == 1 ? 1 + static_cast<std::uint32_t>(random_.below(made.payload))
                   : made.payload;
  // Segments are not so many that the packet takes long.
  std::uint32_t mss = static_cast<std::uint32_t>(
      random_.one_in(4) ? random_.within(made.payload / 8 + 1, 9000) : random_.within(500, 1500));
  if (random_.one_in(12)) mss = random_.one_of({0U, 16100U, 0xffffU});
  context_of(made, told, mss);
  Options opts = options();
  opts.command |= tx::kTse;
  opts.sums = kOtherSum | (made.v6 ? 0 : kIpSum);
  if (random_.one_in(8)) opts.sums = static_cast<std::uint32_t>(random_.below(4));
  fragments(longhaul::testing::super_frame(made), opts);
}

/// A packet that the unit drops: too short, or longer than any frame.
void TxPlan::damaged() {
  Options opts = options();
  Bytes bytes(random_.one_in(3) ? random_.within(16129, 20000) : random_.below(14));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random_.below(256));
  fragments(bytes, opts);
}

/// A context that no packet may need.
void TxPlan::context() { context_of(spec(1000), random_.word() & 0xffff, random_.word() & 0xffff); }

void TxPlan::context_of(const PacketSpec& made, std::uint32_t payload, std::uint32_t mss) {
  const auto ip = static_cast<std::uint32_t>(longhaul::testing::ip_at(made));
  const auto other = static_cast<std::uint32_t>(longhaul::testing::l4_at(made));
  const auto field = static_cast<std::uint32_t>(longhaul::testing::l4_field(made));
  const std::uint32_t flags = (mss != 0 || payload != 0 ? tx::kTse : 0U) |
                              (made.v6 ? 0U : tx::kIp) | (made.tcp ? tx::kEop : 0U) |
                              (random_.coin() ? tx::kRs : 0U) | (random_.coin() ? tx::kIde : 0U);
  add(ip | (ip + 10) << 8 | (other - 1) << 16, other | field << 8, flags | payload,
      header_bytes(made) << 8 | mss << 16);
}

void TxPlan::fragments(const Bytes& bytes, const Options& opts) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::uint32_t done = 0;
  const std::uint64_t pieces = random_.coin() ? 1 : random_.within(1, 6);
  for (std::uint64_t piece = 1; done < size || piece == 1; ++piece) {
    const std::uint32_t left = size - done;
    std::uint32_t length = left;
    if (piece < pieces)
      length = static_cast<std::uint32_t>(random_.one_in(3) ? random_.below(std::min(left, 20U) + 1)
                                                            : random_.below(left + 1));
    const std::uint64_t address = place(length);
    stores.push_back({address, {bytes.begin() + done, bytes.begin() + done + length}});
    done += length;
    std::uint32_t command = random_.one_in(3) ? tx::kRs : 0U;
    if (done == size) command |= tx::kEop | (random_.one_in(6) ? 0U : tx::kRs);
    data(address, length, command, opts);
  }
}

void TxPlan::data(std::uint64_t address, std::uint32_t length, std::uint32_t command,
                  const Options& opts) {
  add(static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(address >> 32),
      kTypeData | opts.command | command | length, opts.sums << 8 | opts.tag << 16);
}

std::uint64_t TxPlan::place(std::uint32_t length) {
  const std::uint64_t at = next_;
  next_ += length + (random_.coin() ? 0 : random_.below(80));
  return next_ < end_ ? at : end_;  // beyond the end: draw() has been asked for too much
}

void TxPlan::add(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  Descriptor made;
  std::uint8_t* at = made.data();
  for (const std::uint32_t word : {a, b, c, d}) {
    nic::write_le32(at, word);
    at += 4;
  }
  descriptors.push_back(made);
}

}  // namespace longhaul::nic_twin

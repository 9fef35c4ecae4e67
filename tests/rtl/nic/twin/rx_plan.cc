// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/nic/twin/rx_plan.h"

#include <algorithm>
#include <cstddef>

#include "models/net/frame/frame.h"
#include "tests/unit/models/net/frame/packets.h"

namespace longhaul::nic_twin {
namespace {

constexpr std::uint32_t kFcs = Frame::kFcsBytes;
constexpr std::uint32_t kLeast = 64;
constexpr std::uint32_t kMost = Frame::kMaxBytes + kFcs;
constexpr MacAddress kBroadcast{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
constexpr MacAddress kPauseAddress{0x01, 0x80, 0xc2, 0, 0, 1};

}  // namespace

LineFrame RxPlan::any() {
  const std::uint64_t kind = random_.below(20);
  LineFrame made;
  if (kind < 8) {
    made = packet();
  } else if (kind < 15) {
    made = raw(static_cast<std::uint32_t>(random_.within(kLeast, 1700)));
  } else if (kind == 15) {
    made = raw(static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(limit_ + random_.below(12) - 4, kLeast, kMost)));
  } else if (kind == 16) {
    made = raw(static_cast<std::uint32_t>(random_.within(9000, kMost)));
  } else if (kind == 17) {
    made = raw(static_cast<std::uint32_t>(random_.within(18, kLeast - 1)));
  } else if (kind == 18) {
    made = control();
  } else {
    made = raw(kLeast);
  }
  if (random_.one_in(10))
    made.broken_bit = 1 + static_cast<std::uint32_t>(random_.below(8 * made.bytes.size()));
  return made;
}

LineFrame RxPlan::wanted(std::uint32_t octets) {
  LineFrame made = raw(octets);
  std::copy(exact_.front().begin(), exact_.front().end(), made.bytes.begin());
  made.bytes[12] = 0x88;
  made.bytes[13] = 0xb5;
  return made;
}

LineFrame RxPlan::pause(std::uint32_t quanta) {
  LineFrame made = raw(kLeast);
  const MacAddress& to = random_.one_in(4) ? exact_.front() : kPauseAddress;
  std::copy(to.begin(), to.end(), made.bytes.begin());
  longhaul::testing::write_be16(made.bytes, 12, 0x8808);
  longhaul::testing::write_be16(made.bytes, 14, 1);
  longhaul::testing::write_be16(made.bytes, 16, quanta);
  return made;
}

/// A MAC control frame with another opcode, or to another address.
LineFrame RxPlan::control() {
  LineFrame made = raw(kLeast);
  longhaul::testing::write_be16(made.bytes, 12, 0x8808);
  longhaul::testing::write_be16(made.bytes, 14, static_cast<std::uint32_t>(random_.within(2, 9)));
  return made;
}

/// Random bytes behind addresses that are often known. Often tagged; the type may be a length.
LineFrame RxPlan::raw(std::uint32_t octets) {
  LineFrame made;
  made.bytes.resize(octets - kFcs);
  for (std::uint8_t& byte : made.bytes) byte = static_cast<std::uint8_t>(random_.below(256));
  if (made.bytes.size() < 18) return made;
  address(made.bytes);
  if (random_.coin()) longhaul::testing::write_be16(made.bytes, 12, 0x88b5);
  if (random_.one_in(4))
    longhaul::testing::write_be16(made.bytes, 12, static_cast<std::uint32_t>(random_.below(1600)));
  if (random_.one_in(4)) longhaul::testing::write_be16(made.bytes, 12, 0x8100);
  return made;
}

/// An IP packet with right or wrong sums.
LineFrame RxPlan::packet() {
  longhaul::testing::PacketSpec spec;
  spec.v6 = random_.coin();
  spec.tcp = random_.coin();
  spec.payload = static_cast<std::uint32_t>(random_.below(random_.one_in(5) ? 9000 : 1460));
  spec.options = static_cast<std::uint32_t>(4 * random_.below(11));
  spec.sequence = random_.word();
  if (random_.one_in(3)) spec.vlan = static_cast<int>(random_.below(0x10000));
  LineFrame made;
  made.bytes = longhaul::testing::good_packet(spec);
  if (made.bytes.size() < Frame::kMinBytes) made.bytes.resize(Frame::kMinBytes);
  address(made.bytes);
  if (random_.one_in(3))  // sums and lengths that are wrong
    made.bytes[random_.within(14, made.bytes.size() - 1)] ^=
        static_cast<std::uint8_t>(1U << random_.below(8));
  return made;
}

void RxPlan::address(std::vector<std::uint8_t>& bytes) {
  MacAddress to = exact_[random_.below(exact_.size())];
  const std::uint64_t kind = random_.below(12);
  if (kind == 0) to = kBroadcast;
  if (kind == 1) to = {0x01, 0, 0x5e, bytes[3], bytes[4], bytes[5]};
  if (kind == 2) to = {0x02, 1, 2, 3, 4, 5};
  if (kind > 8) to = exact_.front();
  std::copy(to.begin(), to.end(), bytes.begin());
  const MacAddress& from = exact_[random_.below(exact_.size())];
  if (random_.one_in(4)) std::copy(from.begin(), from.end(), bytes.begin() + 6);
}

}  // namespace longhaul::nic_twin

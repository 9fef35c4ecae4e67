// SPDX-License-Identifier: Apache-2.0
#include "statistics.h"

#include <algorithm>
#include <utility>

#include "models/net/frame/ethernet_header.h"
#include "regs.h"

namespace tc9021 {
namespace {

using namespace longhaul;  // NOLINT: frames

constexpr std::uint32_t kLongestOctets = 1518;  // of a frame that is no jumbo frame
constexpr MacAddress kBroadcast{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

struct Place {
  std::uint32_t offset;
  std::uint32_t bytes;
};
/// Of each counter, in the order of its index. Offsets between them read as zero: what they count
/// (collisions, deferrals, loss of carrier) is of half duplex.
constexpr std::array<Place, 22> kPlaces{{
    {0xa8, 4}, {0xac, 4}, {0xb0, 4}, {0xb4, 4}, {0xb8, 4}, {0xbc, 2}, {0xbe, 2}, {0xc0, 2},
    {0xc2, 2}, {0xc4, 2}, {0xc6, 2}, {0xc8, 2}, {0xcc, 2}, {0xce, 2}, {0xd0, 4}, {0xd4, 4},
    {0xd8, 4}, {0xdc, 4}, {0xe0, 4}, {0xf4, 2}, {0xf6, 2}, {0xfa, 2},
}};

constexpr std::uint32_t largest(std::size_t index) {
  return kPlaces.at(index).bytes == 2 ? 0xffffU : 0xffff'ffffU;
}

}  // namespace

Statistics::Statistics(RegisterBank& bank, const EthMac& mac, const AccessCovers& covers,
                       std::function<void()> half_full)
    : covers_(covers), half_full_(std::move(half_full)) {
  static_assert(kPlaces.size() == kCounters);
  counters_[kControlRcvd].also = [&mac] {
    return mac.rx_control.value() + mac.rx_xon.value() + mac.rx_xoff.value();
  };
  counters_[kControlSent].also = [&mac] { return mac.tx_xon.value() + mac.tx_xoff.value(); };
  for (std::uint32_t word = regs::kStatisticsBegin; word < regs::kStatisticsEnd; word += 4)
    words_.emplace_back(bank, "Statistics", word, 0, Access::kReadOnly,
                        [this, word] { return read_word(word); });
}

void Statistics::count(Index index, std::uint32_t amount) {
  if (!enabled_) return;
  std::uint32_t& value = counters_.at(index).value;
  const std::uint32_t most = largest(index);
  const bool was_above = value > most / 2;
  value += std::min(amount, most - value);
  if (!was_above && value > most / 2) half_full_();
}

std::uint32_t Statistics::now(const Counter& counter) const {
  if (!counter.also) return counter.value;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(counter.also() - counter.seen, 0xffff));
}

std::uint32_t Statistics::read_word(std::uint32_t word) {
  std::uint32_t found = 0;
  for (std::size_t i = 0; i < kCounters; ++i) {
    if (kPlaces.at(i).offset / 4 != word / 4) continue;
    Counter& counter = counters_.at(i);
    found |= now(counter) << 8 * (kPlaces.at(i).offset - word);
    if (!covers_(kPlaces.at(i).offset)) continue;
    counter.value = 0;
    if (counter.also) counter.seen = counter.also();
  }
  return found;
}

void Statistics::received(const Frame& frame) {
  const MacAddress to = ethernet::destination(frame);
  count(kFramesRcvd);
  count(kOctetsRcvd, frame.size());
  if (to == kBroadcast) {
    count(kBcstFramesRcvd);
    count(kBcstOctetsRcvd, frame.size());
  } else if (ethernet::is_group(to)) {
    count(kMcstFramesRcvd);
    count(kMcstOctetsRcvd, frame.size());
  }
  if (frame.octets() > kLongestOctets) count(kRxJumbo);
}

void Statistics::sent(const Frame& frame) {
  const MacAddress to = ethernet::destination(frame);
  count(kFramesSent);
  count(kOctetsSent, frame.size());
  if (to == kBroadcast) {
    count(kBcstFramesSent);
    count(kBcstOctetsSent, frame.size());
  } else if (ethernet::is_group(to)) {
    count(kMcstFramesSent);
    count(kMcstOctetsSent, frame.size());
  }
  if (frame.octets() > kLongestOctets) count(kTxJumbo);
}

void Statistics::bad_sums(bool ip, bool tcp, bool udp) {
  if (ip) count(kIpErrors);
  if (tcp) count(kTcpErrors);
  if (udp) count(kUdpErrors);
}

void Statistics::reset() {
  enabled_ = false;
  for (Counter& counter : counters_) {
    counter.value = 0;
    if (counter.also) counter.seen = counter.also();
  }
}

}  // namespace tc9021

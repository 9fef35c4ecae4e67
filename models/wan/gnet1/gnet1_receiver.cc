// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_receiver.h"

#include <algorithm>
#include <cstring>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::wan {
namespace {

constexpr std::uint32_t kTenthsASecond = 10'000'000;
constexpr std::uint32_t kMostSecondsApart = 200;

/// Returns the first bytes of a frame that is too long, as a frame. Its last four bytes take the
/// place of the FCS.
FrameRef cut_to(const Frame& frame, std::uint32_t bytes) {
  const std::uint32_t fcs = frame.fcs();
  FrameRef ref = Frame::allocate(bytes - Frame::kFcsBytes);
  Frame& copy = ref.writable();
  std::memcpy(copy.data(), frame.data(), std::min(copy.size(), frame.size()));
  std::uint32_t tail = 0;
  for (std::uint32_t i = 0; i < Frame::kFcsBytes; ++i) {
    tail |= std::uint32_t{wire_byte(frame, fcs, copy.size() + i)} << (8 * i);
  }
  copy.set_fcs(tail);
  return ref;
}

}  // namespace

Gnet1Arrival Gnet1Receiver::arrive(const FrameRef& frame, std::uint64_t tick) {
  tick = std::max(tick, next_tick_);
  next_tick_ = tick + ethernet::kPreambleBytes + frame->octets() + kLeastGapBytes;
  // Pins are sampled one clock after they change. The delimiter is sampled at this edge.
  const std::uint64_t delimiter = tick + ethernet::kPreambleBytes;
  Gnet1Arrival arrival;
  // Two flip-flops bring the time into the receive clock. It is the time of two edges before the
  // delimiter was sampled.
  arrival.stamp = (delimiter - 2) / Gnet1Time::kTicksPerClock;
  // Register, state, first byte, FIFO; then two flip-flops of the other clock.
  arrival.take = (delimiter + 3) / Gnet1Time::kTicksPerClock + 3;
  arrival.bytes = frame->octets();
  arrival.errored = arrival.bytes > kMaxFrameBytes;
  if (arrival.errored) arrival.bytes = kMaxFrameBytes;
  arrival.frame = arrival.errored ? cut_to(*frame, kMaxFrameBytes) : frame;
  return arrival;
}

void Gnet1Oneway::measure(const Frame& frame, std::uint32_t offset, std::uint32_t magic,
                          Gnet1Timebase::Gps arrival) {
  const std::uint32_t fcs = frame.fcs();
  const std::uint32_t size = frame.octets();
  const auto field = [&](std::uint32_t at) {
    std::uint32_t value = 0;
    for (std::uint32_t i = at; i < at + 4; ++i)
      value = value << 8 | (i < size ? wire_byte(frame, fcs, i) : 0U);
    return value;
  };
  if (field(offset) != magic) return;
  const std::uint32_t sent_tenths = field(offset + 8);
  const std::uint32_t apart = arrival.seconds - field(offset + 4);
  const std::uint32_t latency = apart * kTenthsASecond + arrival.tenths - sent_tenths;
  if (apart >= kMostSecondsApart || sent_tenths >= kTenthsASecond || latency >> 31 != 0) return;
  ++count;
  last = latency;
  min = std::min(min, latency);
  max = std::max(max, latency);
  sum += latency;
}

}  // namespace longhaul::wan

// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/outbox.h"

namespace longhaul::tcp {

std::uint32_t Outbox::payload_limit() const {
  const std::uint32_t sack = receiver_.sack_option_bytes();
  return mss_ > sack ? mss_ - sack : 1;
}

Segment Outbox::segment(std::uint8_t flags, Position begin, std::uint32_t length) const {
  Segment segment;
  segment.flags = flags;
  segment.seq = to_wire(iss_, begin);
  segment.offset = begin == 0 ? 0 : begin - 1;
  segment.length = length;
  segment.mss = length == 0 ? 0 : payload_limit();
  if (timestamps_.on()) {
    segment.options.timestamps = true;
    segment.options.ts_value = timestamps_.value(environment_.now());
    segment.options.ts_echo = timestamps_.echo();
  }
  receiver_.complete(segment);
  return segment;
}

bool Outbox::send(std::uint8_t flags, Position begin, std::uint32_t length) {
  return send_data(flags, begin, length);
}

bool Outbox::send_data(std::uint8_t& flags, Position begin, std::uint32_t& length) {
  Segment sent = segment(flags, begin, length);
  if (!pass_on(sent)) return false;
  if (sent.length != length) {
    flags = sent.flags;
    length = sent.length;
  }
  return true;
}

bool Outbox::send_syn(std::uint8_t flags, const Options& offers) {
  Segment segment;
  segment.flags = static_cast<std::uint8_t>(flags | kSyn);
  segment.seq = iss_;
  segment.options = offers;
  if (offers.timestamps) {
    segment.options.ts_value = timestamps_.value(environment_.now());
    segment.options.ts_echo = segment.has(kAck) ? timestamps_.echo() : 0;
  }
  if (segment.has(kAck)) {
    receiver_.complete(segment);
  } else {
    // Counts from after the SYN that will come.
    segment.window = receiver_.window().offer(1, false);
  }
  return pass_on(segment);
}

bool Outbox::pass_on(Segment& segment) {
  if (!environment_.transmit(segment)) {
    ++stats_.refused;
    return false;
  }
  ++stats_.segments_sent;
  stats_.data_bytes_sent += segment.length;
  if (segment.has(kAck)) {
    if (segment.sequence_length() == 0) ++stats_.pure_acks_sent;
    receiver_.sent();
  }
  return true;
}

}  // namespace longhaul::tcp

// SPDX-License-Identifier: Apache-2.0
// What the TLM twin does to a frame's bytes, for Python (test_nic_tx_model.py).
#include <cstdint>

#include "models/nic/blocks/tso.h"

namespace {

/// A context as eleven numbers: IP span, TCP or UDP span, header and segment bytes, payload bytes,
/// IPv4, TCP. Two more are for segments: insert the IP sum, insert the other sum.
longhaul::nic::TsoContext context_of(const std::uint32_t* numbers) {
  const auto span = [numbers](int at) {
    return longhaul::ChecksumSpan{static_cast<std::uint16_t>(numbers[at]),
                                  static_cast<std::uint16_t>(numbers[at + 1]),
                                  static_cast<std::uint16_t>(numbers[at + 2])};
  };
  longhaul::nic::TsoContext context;
  context.ip = span(0);
  context.l4 = span(3);
  context.header_bytes = numbers[6];
  context.mss = numbers[7];
  context.payload_bytes = numbers[8];
  context.ipv4 = numbers[9] != 0;
  context.tcp = numbers[10] != 0;
  context.cwr_first_only = false;
  return context;
}

}  // namespace

extern "C" {

int twin_is_valid(const std::uint32_t* context) {
  return longhaul::nic::is_valid(context_of(context)) ? 1 : 0;
}

void twin_segment(const std::uint32_t* numbers, const std::uint8_t* header, std::uint32_t index,
                  std::uint32_t offset, std::uint32_t payload, int last, std::uint8_t* frame) {
  longhaul::nic::TsoContext context = context_of(numbers);
  context.insert_ip_checksum = numbers[11] != 0;
  context.insert_l4_checksum = numbers[12] != 0;
  longhaul::nic::write_segment_header(context, header, {index, offset, payload, last != 0}, frame);
}

void twin_checksum(std::uint8_t* frame, std::uint32_t size, const std::uint32_t* span, int udp) {
  longhaul::insert_checksum(
      frame, size,
      {static_cast<std::uint16_t>(span[0]), static_cast<std::uint16_t>(span[1]),
       static_cast<std::uint16_t>(span[2])},
      0, udp != 0);
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/nic/blocks/tso.h"
#include "models/nic/intel/descriptors.h"

namespace longhaul::nic::intel {

/// The contents of a transmit descriptor of any format.
struct TxCommand {
  bool context = false;  ///< sets checksum and segmentation contexts; has no data
  std::uint64_t address = 0;
  std::uint32_t length = 0;
  bool end = false;      ///< last descriptor of a packet
  bool segment = false;  ///< the packet is a super-frame
  bool insert_tag = false;
  std::uint16_t tag = 0;
  bool ip_checksum = false;  ///< insert it at the place that the context gives
  bool l4_checksum = false;
  bool own_checksum = false;  ///< insert one at the place that `span` gives
  ChecksumSpan span;
};

/// The context that a context descriptor sets for the packets after it.
inline TsoContext context_of(const std::uint8_t* descriptor, bool cwr_first_only) {
  const std::uint32_t command = read_le32(descriptor + 8);
  TsoContext context;
  context.ip = {descriptor[0], descriptor[1], read_le16(descriptor + 2)};
  context.l4 = {descriptor[4], descriptor[5], read_le16(descriptor + 6)};
  context.payload_bytes = command & tx::kLengthMask;
  context.tcp = (command & tx::kEop) != 0;
  context.ipv4 = (command & tx::kIp) != 0;
  context.header_bytes = descriptor[13];
  context.mss = read_le16(descriptor + 14);
  context.cwr_first_only = cwr_first_only;
  return context;
}

}  // namespace longhaul::nic::intel

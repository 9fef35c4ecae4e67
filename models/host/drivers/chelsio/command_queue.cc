// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/command_queue.h"

#include <algorithm>

#include "models/nic/terminator/cpl.h"

namespace longhaul::host::chelsio {
namespace {

// Flags of a descriptor (sge.c).
constexpr std::uint32_t kDataValid = 1U << 1;
constexpr std::uint32_t kSop = 1U << 2;
constexpr std::uint32_t kEop = 1U << 3;

// The second byte of CPL_TX_PKT (cpl5_cmd.h).
constexpr std::uint8_t kNoIpSum = 1U << 4;
constexpr std::uint8_t kNoL4Sum = 1U << 5;

}  // namespace

CommandQueue::CommandQueue(MemoryPool& memory, std::uint32_t entries)
    : memory_(memory), ring_(memory, entries, kDescriptorBytes), records_(entries) {}

bool CommandQueue::open(std::uint32_t node) {
  in_use_ = processed_ = cleaned_ = next_to_clean_ = cleaned_of_packet_ = 0;
  return ring_.open(node);
}

bool CommandQueue::fits(const TxPacket& packet) {
  return packet.extents[0].bytes + kHeaderBytes <= kMostBytes &&
         std::all_of(packet.extents.begin(), packet.extents.begin() + packet.count,
                     [](const Extent& extent) { return extent.bytes <= kMostBytes; });
}

void CommandQueue::write_header(const TxPacket& packet, Processor& cpu) {
  const std::uint64_t at = packet.extents[0].address - kHeaderBytes;
  std::uint8_t* const header = memory_.to_write(at, kHeaderBytes);
  std::fill_n(header, kHeaderBytes, std::uint8_t{0});
  header[0] = nic::terminator::cpl::kTxPkt;
  header[1] = static_cast<std::uint8_t>(kNoIpSum | (packet.checksum ? 0U : kNoL4Sum));
  cpu.touch_write(at, kHeaderBytes);
}

std::uint32_t CommandQueue::put(const TxPacket& packet, Processor& cpu) {
  write_header(packet, cpu);
  return put_pieces(packet, kHeaderBytes, packet.cookie, cpu);
}

/// `header` bytes in front of the packet belong to it.
std::uint32_t CommandQueue::put_pieces(const TxPacket& packet, std::uint32_t header,
                                       std::uint64_t cookie, Processor& cpu) {
  const std::uint32_t first = ring_.at();
  for (std::uint32_t i = 0; i < packet.count; ++i) {
    const std::uint32_t ahead = i == 0 ? header : 0;
    const bool ends = i + 1 == packet.count;
    records_[ring_.at()] = {cookie, ends};
    ring_.put({packet.extents[i].address - ahead, packet.extents[i].bytes + ahead},
              kDataValid | (i == 0 ? kSop : 0) | (ends ? kEop : 0));
  }
  const std::uint32_t straight = std::min(packet.count, ring_.entries() - first);
  cpu.touch_write(ring_.address_of(first), std::uint64_t{straight} * kDescriptorBytes);
  if (straight < packet.count) {
    cpu.touch_write(ring_.address(), std::uint64_t{packet.count - straight} * kDescriptorBytes);
  }
  in_use_ += packet.count;
  return packet.count;
}

void CommandQueue::clean() {
  if (++next_to_clean_ == ring_.entries()) next_to_clean_ = 0;
  --in_use_;
  ++cleaned_;
  ++cleaned_of_packet_;
}

std::uint32_t CommandQueue::reclaim(std::uint64_t& cookie) {
  while (reclaimable() != 0 && in_use_ != 0) {
    const Record& record = records_[next_to_clean_];
    clean();
    if (!record.ends) continue;
    cookie = record.cookie;
    const std::uint32_t descriptors = cleaned_of_packet_;
    cleaned_of_packet_ = 0;
    return descriptors;
  }
  return 0;
}

bool CommandQueue::abandon(std::uint64_t& cookie) {
  while (in_use_ != 0) {
    const Record& record = records_[next_to_clean_];
    clean();
    if (!record.ends) continue;
    cookie = record.cookie;
    cleaned_of_packet_ = 0;
    return true;
  }
  return false;
}

}  // namespace longhaul::host::chelsio

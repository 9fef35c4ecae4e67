// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/tx_ring.h"

#include <algorithm>
#include <cstring>

#include "models/net/frame/ethernet_header.h"
#include "models/nic/intel/descriptors.h"

namespace longhaul::host {
namespace {

namespace tx = nic::intel::tx;

constexpr std::uint32_t kTypeData = 1U << tx::kTypeShift;
constexpr std::uint32_t kTcpChecksum = 16;  // RFC 9293, 3.1
constexpr std::uint32_t kUdpChecksum = 6;   // RFC 768
constexpr std::uint32_t kIpChecksum = 10;   // RFC 791, 3.1

bool offloaded(const TxPacket& packet) { return packet.checksum || packet.mss != 0; }

void put_le64(std::uint8_t* to, std::uint64_t value) {
  for (std::uint32_t i = 0; i < 8; ++i) to[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

}  // namespace

TxRing::TxRing(MemoryPool& memory, std::uint32_t entries)
    : memory_(memory), entries_(entries), sent_(entries) {}

bool TxRing::open(std::uint32_t node) {
  address_ = memory_.allocate(bytes(), node);
  if (address_ == 0) return false;
  ring_ = memory_.to_write(address_, bytes());
  restart();
  return true;
}

void TxRing::close() {
  if (address_ == 0) return;
  memory_.free(address_, bytes());
  address_ = 0;
  ring_ = nullptr;
}

void TxRing::restart() {
  std::memset(ring_, 0, bytes());
  next_to_use_ = next_to_clean_ = used_ = 0;
  last_context_ = {};
}

std::uint32_t TxRing::needed(const TxFormat& format, const TxPacket& packet) {
  std::uint32_t count = offloaded(packet) ? 1 : 0;
  for (std::uint32_t i = 0; i < packet.count; ++i) {
    count += (packet.extents[i].bytes + format.most_bytes - 1) / format.most_bytes;
  }
  return count;
}

void TxRing::write(std::uint32_t index, std::uint64_t low, std::uint64_t high) {
  put_le64(slot(index), low);
  put_le64(slot(index) + 8, high);
}

TxRing::Context TxRing::context_of(const TxFormat& format, const TxPacket& packet) {
  const std::uint64_t l4 = packet.l4_offset;
  const std::uint64_t field = l4 + (packet.udp ? kUdpChecksum : kTcpChecksum);
  std::uint64_t low = l4 << 32 | field << 40;
  if (packet.mss == 0) return {low, format.context};
  const std::uint64_t ip = ethernet::kHeaderBytes;
  low |= ip | (ip + kIpChecksum) << 8 | (l4 - 1) << 16;
  const std::uint32_t command = format.context | tx::kTse | (packet.ipv6 ? 0U : tx::kIp) |
                                (packet.udp ? 0U : tx::kEop) | (packet.bytes - packet.header_bytes);
  return {low,
          command | std::uint64_t{packet.header_bytes} << 40 | std::uint64_t{packet.mss} << 48};
}

std::uint32_t TxRing::put(const TxFormat& format, const TxPacket& packet, Processor& cpu) {
  const std::uint32_t first = next_to_use_;
  std::uint32_t index = first;
  std::uint32_t count = 0;
  std::uint64_t high = kTypeData | format.plain;
  if (offloaded(packet)) {
    const Context context = context_of(format, packet);
    if (!format.context_reuse || context != last_context_) {
      write(index, context[0], context[1]);
      last_context_ = context;
      index = after(index, 1);
      ++count;
    }
    const std::uint64_t options = packet.mss != 0 ? tx::kIxsm | tx::kTxsm : tx::kTxsm;
    high = kTypeData | format.offload | (packet.mss != 0 ? tx::kTse : 0U) | options << 40;
  }
  std::uint32_t last = index;
  for (std::uint32_t i = 0; i < packet.count; ++i) {
    const Extent& extent = packet.extents[i];
    for (std::uint32_t at = 0; at < extent.bytes;) {
      const std::uint32_t length = std::min(extent.bytes - at, format.most_bytes);
      write(index, extent.address + at, high | length);
      last = index;
      index = after(index, 1);
      ++count;
      at += length;
    }
  }
  const std::uint64_t ended = nic::read_le64(slot(last) + 8) | format.last;
  put_le64(slot(last) + 8, ended);

  const std::uint32_t straight = std::min(count, entries_ - first);
  cpu.touch_write(address_ + std::uint64_t{first} * kDescriptorBytes,
                  std::uint64_t{straight} * kDescriptorBytes);
  if (straight < count)
    cpu.touch_write(address_, std::uint64_t{count - straight} * kDescriptorBytes);
  sent_[first] = {packet.cookie, count};
  next_to_use_ = index;
  used_ += count;
  return count;
}

std::uint32_t TxRing::take_done(Processor& cpu, std::uint64_t& cookie) {
  if (used_ == 0) return 0;
  const Sent& oldest = sent_[next_to_clean_];
  const std::uint32_t end = after(next_to_clean_, oldest.descriptors - 1);
  std::uint8_t* const status = slot(end) + 12;
  if ((*status & tx::kDd) == 0) return 0;
  *status = 0;
  cpu.touch_read(address_ + std::uint64_t{end} * kDescriptorBytes, kDescriptorBytes);
  cookie = oldest.cookie;
  next_to_clean_ = after(end, 1);
  used_ -= oldest.descriptors;
  return oldest.descriptors;
}

bool TxRing::abandon(std::uint64_t& cookie) {
  if (used_ == 0) return false;
  const Sent& oldest = sent_[next_to_clean_];
  cookie = oldest.cookie;
  next_to_clean_ = after(next_to_clean_, oldest.descriptors);
  used_ -= oldest.descriptors;
  return true;
}

}  // namespace longhaul::host

// SPDX-License-Identifier: Apache-2.0
// From a segment of the engine to a packet for the driver.
#include <algorithm>

#include "models/common/big_endian.h"
#include "models/host/net/stack.h"
#include "models/host/net/tcp_endpoint.h"
#include "models/net/frame/checksum.h"

namespace longhaul::host {
namespace {

constexpr std::uint32_t kChecksumAt = 16;  // in the TCP header

/// The payload is in the packet's other extents.
class Elsewhere final : public tcp::PayloadSource {
 public:
  void fill(std::uint64_t, std::uint8_t*, std::uint32_t) override {}
};

/// Ethernet header without the destination, IP and TCP headers at `out`; their checksum field has the pseudo header's sum.
void write_headers(const tcp::Segment& segment, const tcp::Endpoints& ends, const MacAddress& mac,
                   std::uint16_t identification, std::uint8_t* out) {
  std::copy(mac.begin(), mac.end(), out + 6);
  write_be16(out + 12, ends.ipv6 ? ethernet::kTypeIpv6 : ethernet::kTypeIpv4);
  tcp::IpFields ip;
  ip.identification = identification;
  const bool cut = segment.mss != 0 && segment.length > segment.mss;
  Elsewhere payload;
  constexpr std::uint32_t kAnything = 1U << 17U;
  tcp::write_packet(segment, ends, ip, cut ? tcp::TcpChecksum::kPseudoHeaderNoSize : tcp::TcpChecksum::kPseudoHeader,
                    payload, out + ethernet::kHeaderBytes, kAnything);
}

/// Adds up the packet from TCP's first byte on, wherever it lies, on top of the pseudo header's sum in the field, and puts
/// the checksum there.
void complete_checksum(TxSlot& slot, MemoryPool& pool) {
  std::uint32_t skip = slot.packet.l4_offset;
  OnesSum all;
  bool odd = false;
  for (std::uint32_t i = 0; i < slot.packet.count; ++i) {
    const Extent& part = slot.packet.extents[i];
    const std::uint32_t from = std::min(skip, part.bytes);
    skip -= from;
    OnesSum sum;
    sum.add(pool.at(part.address) + from, part.bytes - from);
    const std::uint32_t value = sum.folded();
    all.add_value(odd ? (value >> 8U | (value & 0xffU) << 8U) : value);
    odd = odd != ((part.bytes - from) % 2 != 0);
  }
  write_be16(pool.to_write(slot.header + slot.packet.l4_offset + kChecksumAt, 2), all.checksum());
}

void describe_slot(TxSlot& slot, const tcp::Segment& segment, bool ipv6, std::uint32_t header_bytes) {
  TxPacket& packet = slot.packet;
  packet.bytes = header_bytes + segment.length;
  packet.ipv6 = ipv6;
  packet.udp = false;
  packet.header_bytes = static_cast<std::uint16_t>(header_bytes);
  packet.l4_offset = ethernet::kHeaderBytes + (ipv6 ? 40 : 20);
  packet.mss = static_cast<std::uint16_t>(segment.mss != 0 && segment.length > segment.mss ? segment.mss : 0);
}

/// What TCP and IP execute for a segment that goes out.
std::uint32_t send_cycles(const tcp::Segment& segment, const NetParams& params) {
  return (segment.length != 0 ? params.tcp_send_cycles() : params.tcp_send_ack_cycles()) + params.ip_send_cycles();
}

void finish(TxSlot& slot, Interface& interface, MemoryPool& pool) {
  slot.packet.checksum = interface.device().features().checksum_tx;
  if (slot.packet.checksum) return;
  Processor& processor = *Processor::current();
  const std::uint32_t bytes = slot.packet.bytes - slot.packet.l4_offset;
  processor.charge(cpu::WorkKind::kByteChecksummed, bytes);
  for (std::uint32_t i = 0; i < slot.packet.count; ++i) {
    processor.touch_read(slot.packet.extents[i].address, slot.packet.extents[i].bytes);
  }
  complete_checksum(slot, pool);
}

}  // namespace

bool TcpEndpoint::transmit(const tcp::Segment& segment) {
  ++transmissions_;
  Processor& processor = *Processor::current();
  processor.execute(send_cycles(segment, stack_.params()));
  const std::uint32_t header_bytes = ethernet::kHeaderBytes + tcp::header_bytes(segment, ends_.ipv6);
  TxSlot& slot = interface_->take_slot();
  if (!fill_header(slot, segment, header_bytes)) {
    stack_.drop_no_memory.add();
    interface_->release(slot);
    interface_->promise_room(*this, true);
    return false;
  }
  describe_slot(slot, segment, ends_.ipv6, header_bytes);
  write_headers(segment, ends_, interface_->device().mac(), stack_.next_identification(),
                stack_.pool().to_write(slot.header, header_bytes));
  finish(slot, *interface_, stack_.pool());
  timestamps_ = timestamps_ || segment.options.timestamps;
  if (!interface_->send(slot, *neighbour_)) {
    interface_->promise_room(*this, false);
    return false;
  }
  stack_.segments_out.add();
  if (segment.length != 0) {
    stack_.data_bytes_out.add(segment.length);
    if (segment.offset < highest_sent_) stack_.retransmits.add();
    highest_sent_ = std::max(highest_sent_, segment.offset + segment.length);
  }
  return true;
}

/// Finds memory for the headers and adds the extents of headers and payload.
bool TcpEndpoint::fill_header(TxSlot& slot, const tcp::Segment& segment, std::uint32_t header_bytes) {
  if (segment.length != 0) {
    slot.endpoint = this;
    const bool whole = interface_->device().features().scatter_gather;
    walk(*Processor::current(), segment.offset - std::min(segment.offset, send_.begin()),
         stack_.params().send_page().count);
    if (!send_.locate(segment.offset, segment.length, header_bytes, slot.packet, slot.header, slot.hold)) {
      slot.endpoint = nullptr;
      return linearize(slot, segment, header_bytes);
    }
    if (!whole && (slot.packet.count > 1 || slot.header == 0)) {
      send_.released(slot.hold);
      slot.endpoint = nullptr;
      return linearize(slot, segment, header_bytes);
    }
    if (slot.header != 0) return true;
  }
  Processor::current()->execute(stack_.params().allocate_cycles());
  slot.memory = stack_.pool().allocate(header_bytes);
  if (slot.memory == 0) return false;
  slot.memory_bytes = header_bytes;
  slot.header = slot.memory;
  slot.packet.extents[0] = {slot.header, header_bytes};
  slot.packet.count = std::max(slot.packet.count, 1U);
  return true;
}

/// Copies payload that the adapter cannot gather behind the headers.
bool TcpEndpoint::linearize(TxSlot& slot, const tcp::Segment& segment, std::uint32_t header_bytes) {
  Processor& processor = *Processor::current();
  MemoryPool& pool = stack_.pool();
  processor.execute(stack_.params().allocate_cycles());
  slot.memory_bytes = header_bytes + segment.length;
  slot.memory = pool.allocate(slot.memory_bytes);
  if (slot.memory == 0) return false;
  stack_.linearized.add();
  send_.gather(segment.offset, segment.length, slot.memory + header_bytes,
               [&](std::uint64_t source, std::uint64_t target, std::uint32_t n) {
                 processor.copy(source, target, n);
                 pool.copy(source, target, n);
               });
  slot.header = slot.memory;
  slot.packet.extents[0] = {slot.memory, slot.memory_bytes};
  slot.packet.count = 1;
  return true;
}

void Stack::send_alone(const tcp::Endpoints& ends, const tcp::Segment& segment) {
  const Address to{ends.ipv6, ends.destination, ends.destination_port};
  Interface* const interface = route(to);
  if (interface == nullptr) return;
  Processor::current()->execute(send_cycles(segment, params_) + params_.allocate_cycles());
  const std::uint32_t header_bytes = ethernet::kHeaderBytes + tcp::header_bytes(segment, ends.ipv6);
  TxSlot* const slot = interface->take_frame(header_bytes);
  if (slot == nullptr) return drop_no_memory.add();
  describe_slot(*slot, segment, ends.ipv6, header_bytes);
  write_headers(segment, ends, interface->device().mac(), next_identification(),
                pool_.to_write(slot->header, header_bytes));
  finish(*slot, *interface, pool_);
  if (interface->send(*slot, interface->neighbour(to))) segments_out.add();
}

}  // namespace longhaul::host

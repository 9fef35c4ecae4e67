// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/tcp_output.h"

#include <algorithm>

#include "models/common/big_endian.h"
#include "models/host/net/pattern.h"
#include "models/host/net/stack.h"
#include "models/net/frame/checksum.h"

namespace longhaul::host {
namespace {

/// Writes Ethernet header without destination, IP and TCP headers to `out`; TCP's checksum field
/// gets the pseudo header's sum.
void write_headers(const tcp::Segment& segment, const tcp::Endpoints& ends, const MacAddress& mac,
                   std::uint16_t identification, std::uint8_t* out) {
  std::copy(mac.begin(), mac.end(), out + 6);
  write_be16(out + 12, ends.ipv6 ? ethernet::kTypeIpv6 : ethernet::kTypeIpv4);
  tcp::IpFields ip;
  ip.identification = identification;
  const bool cut = segment.mss != 0 && segment.length > segment.mss;
  tcp::NoPayload payload;  // it is in the packet's other extents
  constexpr std::uint32_t kAnything = 1U << 17U;
  tcp::write_packet(segment, ends, ip,
                    cut ? tcp::TcpChecksum::kPseudoHeaderNoSize : tcp::TcpChecksum::kPseudoHeader,
                    payload, out + ethernet::kHeaderBytes, kAnything);
}

/// Computes the checksum and writes it. It sums the packet's extents from the TCP header on. The
/// checksum field holds the pseudo header's sum.
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
  write_be16(pool.to_write(slot.header + slot.packet.l4_offset + tcp::kChecksumAt, 2),
             all.checksum());
}

void describe_slot(TxSlot& slot, const tcp::Segment& segment, bool ipv6,
                   std::uint32_t header_bytes) {
  TxPacket& packet = slot.packet;
  packet.bytes = header_bytes + segment.length;
  packet.ipv6 = ipv6;
  packet.udp = false;
  packet.header_bytes = static_cast<std::uint16_t>(header_bytes);
  packet.l4_offset = ethernet::kHeaderBytes + (ipv6 ? 40 : 20);
  packet.mss = static_cast<std::uint16_t>(
      segment.mss != 0 && segment.length > segment.mss ? segment.mss : 0);
}

/// Cycles that TCP and IP execute to send a segment.
std::uint32_t send_cycles(const tcp::Segment& segment, const NetParams& params) {
  return (segment.length != 0 ? params.tcp_send_cycles() : params.tcp_send_ack_cycles()) +
         params.ip_send_cycles();
}

/// Whether the adapter sums TCP's packets.
bool adapter_sums(const DeviceFeatures& features, bool ipv6) {
  return features.checksum_tx && (!ipv6 || features.checksum_tx_ipv6);
}

/// Charges the sums that the copy into the send buffer has not made.
void charge_sum(const TxSlot& slot, bool with_copy) {
  std::uint32_t skip = slot.packet.l4_offset;
  std::uint32_t left = with_copy ? slot.packet.header_bytes : slot.packet.bytes;
  for (std::uint32_t i = 0; i < slot.packet.count && left != 0; ++i) {
    const Extent& part = slot.packet.extents[i];
    const std::uint32_t end = std::min(part.bytes, left);
    const std::uint32_t from = std::min(skip, end);
    Processor::current()->sum(part.address + from, end - from);
    skip -= from;
    left -= end;
  }
}

void finish(TxSlot& slot, const DeviceFeatures& features, Stack& stack) {
  slot.packet.checksum = adapter_sums(features, slot.packet.ipv6);
  if (slot.packet.checksum) return;
  charge_sum(slot, stack.params().sum_with_copy());
  complete_checksum(slot, stack.pool());
}

}  // namespace

TcpOutput::TcpOutput(Stack& stack, TcpEndpoint& socket)
    : stack_(stack), socket_(socket), queue_(stack.pool(), stack.params()) {}

void TcpOutput::attach(Interface& interface, Neighbour& neighbour, const tcp::Endpoints& ends) {
  interface_ = &interface;
  neighbour_ = &neighbour;
  ends_ = ends;
}

void TcpOutput::established() {
  const DeviceFeatures& features = interface_->device().features();
  tcp::Connection& engine = socket_.engine();
  const std::uint32_t mss = engine.sender().mss();
  std::uint32_t payload = mss;
  const bool cuts = features.tso_bytes != 0 && (!ends_.ipv6 || features.tso_ipv6);
  if (stack_.params().tso() && cuts && features.scatter_gather && features.checksum_tx) {
    constexpr std::uint32_t kLargestIp = 65535;
    constexpr std::uint32_t kMostHeader = 40 + 60;
    // Other extents: the headers, the first buffer's linear part, and one more page, because both
    // ends are cut.
    constexpr std::uint32_t kMostPages = TxPacket::kMostExtents - 3;
    const auto pages = static_cast<std::uint32_t>(kMostPages * stack_.params().send_page().count);
    const std::uint32_t most = std::min({features.tso_bytes, kLargestIp - kMostHeader, pages});
    payload = std::max(most - most % mss, mss);
    engine.set_offload(payload);
  }
  // An adapter that will run the connection gets messages of its own size.
  if (TcpPlace* const place = socket_.place(); place != nullptr && features.scatter_gather)
    payload = place->offload().message_bytes();
  queue_.start(payload, features.scatter_gather);
}

/// Returns the stream offset up to which all data have been sent once, or are the adapter's.
std::uint64_t TcpOutput::sent_once() const {
  if (socket_.away()) return socket_.place()->handed();
  return std::max<tcp::Position>(socket_.connection().sender().next(), 1) - 1;
}

std::uint64_t TcpOutput::copy_in(Processor& processor, std::uint64_t user, std::uint64_t bytes,
                                 std::uint64_t room) {
  const SocketSettings& settings = socket_.settings();
  const std::uint64_t most = std::min(bytes, room);
  std::uint64_t filled = 0;
  bool full = false;
  while (!full && filled < most) {
    const SendQueue::Space space = queue_.space(sent_once());
    if (space.opens_buffer) processor.execute(stack_.params().allocate_cycles());
    if (space.bytes == 0) break;
    if (space.opens_page) {
      socket_.discipline().seek(processor, queue_.end() - queue_.begin(),
                                stack_.params().send_page().count);
    }
    const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(space.bytes, most - filled));
    copy(processor, user + filled, space.address, n);
    if (settings.verify) pattern::fill(queue_.end(), stack_.pool().to_write(space.address, n), n);
    if (settings.carries) stack_.pool().copy(user + filled, space.address, n);
    queue_.append(n);
    filled += n;
    full = space.completes && n == space.bytes;
  }
  return filled;
}

/// Copies payload, and sums it where the system does so and the adapter does not.
void TcpOutput::copy(Processor& processor, std::uint64_t source, std::uint64_t target,
                     std::uint32_t bytes) const {
  const bool sums = !adapter_sums(interface_->device().features(), ends_.ipv6);
  processor.copy(source, target, bytes, sums && stack_.params().sum_with_copy());
}

void TcpOutput::grow_buffer() {
  const std::uint64_t most = stack_.params().send_buffer_most().count;
  if (socket_.settings().send_limit_is_set || queue_.limit() >= most) return;
  constexpr std::uint64_t kLeastSegments = 4;  // more than may be reordered
  constexpr std::uint64_t kHeaders = 256;      // MAX_TCP_HEADER
  const tcp::Sender& sender = socket_.connection().sender();
  const std::uint64_t segments = std::max(sender.control().cwnd() / sender.mss(), kLeastSegments);
  const std::uint64_t wanted =
      2 * (sender.mss() + kHeaders + stack_.params().buffer_overhead()) * segments;
  if (wanted > queue_.limit()) queue_.set_limit(std::min(wanted, most));
}

bool TcpOutput::transmit(tcp::Segment& segment) {
  ++transmissions_;
  Processor& processor = *Processor::current();
  processor.execute(send_cycles(segment, stack_.params()));
  const std::uint32_t header_bytes =
      ethernet::kHeaderBytes + tcp::header_bytes(segment, ends_.ipv6);
  TxSlot& slot = interface_->take_slot();
  if (!fill(slot, segment, header_bytes)) {
    stack_.drop_no_memory.add();
    interface_->release(slot);
    interface_->promise_room(socket_, true);
    return false;
  }
  describe_slot(slot, segment, ends_.ipv6, header_bytes);
  write_headers(segment, ends_, interface_->device().mac(), stack_.next_identification(),
                stack_.pool().to_write(slot.header, header_bytes));
  finish(slot, interface_->device().features(), stack_);
  timestamps_ = timestamps_ || segment.options.timestamps;
  if (!interface_->send(slot, *neighbour_)) {
    interface_->promise_room(socket_, false);
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

/// Finds memory for headers and payload, and adds their extents. Without a block for a segment of
/// too many pieces, the segment is shortened to those that the adapter takes.
bool TcpOutput::fill(TxSlot& slot, tcp::Segment& segment, std::uint32_t header_bytes) {
  if (segment.length == 0) return fill_header(slot, header_bytes);
  socket_.discipline().seek(*Processor::current(),
                            segment.offset - std::min(segment.offset, queue_.begin()),
                            stack_.params().send_page().count);
  if (gather(slot, segment, header_bytes)) return fill_header(slot, header_bytes);
  if (linearize(slot, segment, header_bytes)) return true;
  const bool whole = interface_->device().features().scatter_gather;
  segment.shorten(queue_.bytes_in(segment.offset, whole ? TxPacket::kMostExtents - 1 : 1));
  if (gather(slot, segment, header_bytes)) return fill_header(slot, header_bytes);
  return linearize(slot, segment, header_bytes);
}

/// Adds the extents of the payload where it lies, with the headers if they fit in front of it.
/// Returns false if the adapter cannot take so many.
bool TcpOutput::gather(TxSlot& slot, const tcp::Segment& segment, std::uint32_t header_bytes) {
  if (!queue_.locate(segment.offset, segment.length, header_bytes, slot.packet, slot.header,
                     slot.hold))
    return false;
  slot.endpoint = &socket_;
  if (interface_->device().features().scatter_gather) return true;
  if (slot.packet.count == 1 && slot.header != 0) return true;
  queue_.released(slot.hold);
  slot.endpoint = nullptr;
  slot.packet.count = 0;
  slot.header = 0;
  return false;
}

/// Finds memory for headers that are not in front of the payload.
bool TcpOutput::fill_header(TxSlot& slot, std::uint32_t header_bytes) {
  if (slot.header != 0) return true;
  Processor::current()->execute(stack_.params().allocate_cycles());
  const std::uint32_t room = interface_->device().features().header_room;
  slot.memory_bytes = room + header_bytes;
  slot.memory = stack_.pool().allocate(slot.memory_bytes);
  if (slot.memory == 0) return false;
  slot.header = slot.memory + room;
  slot.packet.extents[0] = {slot.header, header_bytes};
  slot.packet.count = std::max(slot.packet.count, 1U);
  return true;
}

/// Copies headers and payload into one piece of memory, for an adapter that cannot gather them.
bool TcpOutput::linearize(TxSlot& slot, const tcp::Segment& segment, std::uint32_t header_bytes) {
  Processor& processor = *Processor::current();
  MemoryPool& pool = stack_.pool();
  processor.execute(stack_.params().allocate_cycles());
  const std::uint32_t room = interface_->device().features().header_room;
  slot.memory_bytes = room + header_bytes + segment.length;
  slot.memory = pool.allocate(slot.memory_bytes);
  if (slot.memory == 0) return false;
  stack_.linearized.add();
  slot.header = slot.memory + room;
  queue_.gather(segment.offset, segment.length, slot.header + header_bytes,
                [&](std::uint64_t source, std::uint64_t target, std::uint32_t n) {
                  copy(processor, source, target, n);
                  pool.copy(source, target, n);
                });
  slot.packet.extents[0] = {slot.header, header_bytes + segment.length};
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
  finish(*slot, interface->device().features(), *this);
  if (interface->send(*slot, interface->neighbour(to))) segments_out.add();
}

}  // namespace longhaul::host

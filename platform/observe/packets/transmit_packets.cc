// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/transmit_packets.h"

#include <algorithm>
#include <utility>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::observe {

void TransmitPackets::write_register(std::uint32_t offset, std::uint32_t value,
                                     const BusMove& move) {
  if (ring_.write_register(offset, value, move)) forget();
}

void TransmitPackets::reset() {
  ring_.reset();
  forget();
}

void TransmitPackets::forget() {
  packets_.clear();
  sent_.clear();
  unread_ = 0;
  completed_ = 0;
}

void TransmitPackets::adapter_reads(const BusMove& move) {
  if (ring_.contains(move.address)) {
    const RingFollower::Range range = ring_.fetched(move);
    for (std::uint64_t at = range.begin; at < range.end; ++at) take(at, move);
    return;
  }
  fill(move);
  while (unread_ < packets_.size() && packets_[unread_].whole &&
         packets_[unread_].filled == packets_[unread_].total)
    all_here();
}

/// The packet at `unread_` has all its bytes: takes off the message in front of its frame. A
/// message without a frame is forgotten.
void TransmitPackets::all_here() {
  Packet& packet = packets_[unread_];
  const std::uint32_t head = map_.head_bytes;
  if (head != 0 && (packet.total < head || packet.bytes.data()[0] != map_.head_opcode)) {
    packets_.erase(packets_.begin() + static_cast<std::ptrdiff_t>(unread_));
    return;
  }
  packet.bytes.drop_front(head);
  packet.total -= head;
  packet.filled -= head;
  ++unread_;
}

/// The packet whose descriptors are being fetched.
TransmitPackets::Packet& TransmitPackets::open() {
  if (packets_.empty() || packets_.back().whole) packets_.emplace_back();
  return packets_.back();
}

void TransmitPackets::take(std::uint64_t position, const BusMove& move) {
  while (!sent_.empty() && sent_.front().end + ring_.entries() <= position + 1)
    sent_.pop_front();  // its place in the ring is taken again: it is not written back
  const std::uint8_t* const descriptor = ring_.descriptor(position);
  Packet& packet = open();
  const BusMove& doorbell = ring_.doorbell(position);
  if (doorbell.bytes != 0 &&
      (packet.moves.empty() || packet.moves.front().stage.start_ps != doorbell.start_ps)) {
    packet.moves.push_back({{0, doorbell.start_ps, doorbell.end_ps, doorbell.address,
                             doorbell.bytes, 0, places_.bus, Stage::kDoorbell, Fault::kNone},
                            0,
                            0});
  }
  packet.moves.push_back(
      {{0, move.start_ps, move.end_ps, ring_.address_of(position), map_.registers.descriptor_bytes,
        0, places_.bus, Stage::kFetch, Fault::kNone},
       0,
       0});
  if (map_.kind.width != 0 && map_.kind.of(descriptor) == map_.context) return;
  const auto length = static_cast<std::uint32_t>(map_.length.of(descriptor));
  packet.pieces.push_back({map_.address.of(descriptor), length, packet.total, 0});
  packet.total += length;
  if (packet.total > kMostBytes) {
    ++packets_without_frame_;
    packet = Packet{};
    return;
  }
  packet.bytes.resize(packet.total);
  packet.segment = packet.segment || map_.segment.of(descriptor) != 0;
  packet.end = position + 1;
  packet.whole = map_.end.of(descriptor) != 0;
}

/// Gives bytes that the adapter has read to the descriptor with most of them, of several the
/// oldest. A read may begin and end at a word of its neighbour.
void TransmitPackets::fill(const BusMove& move) {
  Packet* packet = nullptr;
  Piece* piece = nullptr;
  std::uint64_t most = 0;
  const std::size_t end = std::min(packets_.size(), unread_ + kLookAhead);
  for (std::size_t i = unread_; i < end; ++i) {
    for (Piece& each : packets_[i].pieces) {
      const std::uint64_t shared = shared_bytes(move, each);
      if (each.filled >= each.length || shared <= most) continue;
      most = shared;
      packet = &packets_[i];
      piece = &each;
    }
  }
  if (piece == nullptr) return;
  const std::uint64_t begin = std::max(move.address, piece->address);
  const auto count = static_cast<std::uint32_t>(most);
  const auto offset = piece->offset + static_cast<std::uint32_t>(begin - piece->address);
  packet->bytes.store(offset, move.data + (begin - move.address), count);
  const std::uint32_t added = std::min(count, piece->length - piece->filled);
  piece->filled += added;
  packet->filled += added;
  packet->moves.push_back(
      {{0, move.start_ps, move.end_ps, begin, count, 0, places_.bus, Stage::kRead, Fault::kNone},
       offset,
       offset + count});
}

std::uint64_t TransmitPackets::shared_bytes(const BusMove& move, const Piece& piece) {
  const std::uint64_t begin = std::max(move.address, piece.address);
  const std::uint64_t end = std::min(move.end(), piece.address + piece.length);
  return begin < end ? end - begin : 0;
}

bool TransmitPackets::adapter_writes(const BusMove& move) {
  if (!ring_.contains(move.address)) return false;
  const RingFollower::Range range = ring_.written(move);
  if (range.begin != range.end) done(range.end, move);
  return true;
}

void TransmitPackets::completed(std::uint64_t count, const BusMove& entry) {
  completed_ += count;
  done(completed_, entry);
}

/// The adapter has said by `move` that it is done with the descriptors below `end`.
void TransmitPackets::done(std::uint64_t end, const BusMove& move) {
  const PacketStage stage{0, move.start_ps, move.end_ps,       move.address, move.bytes,
                          0, places_.bus,   Stage::kWriteBack, Fault::kNone};
  for (Packet& packet : packets_) {
    if (!packet.whole || packet.end > end) break;
    if (packet.is_written) continue;
    packet.is_written = true;
    packet.written = stage;
    for (const std::uint64_t number : packet.frames) {
      PacketStage own = stage;
      own.packet = number;
      book_.tell(own);
    }
  }
  while (!sent_.empty() && sent_.front().end <= end) {
    for (const std::uint64_t number : sent_.front().frames) {
      PacketStage own = stage;
      own.packet = number;
      book_.tell(own);
    }
    sent_.pop_front();
  }
}

TransmitPackets::Packet* TransmitPackets::packet_of(const Frame& frame) {
  const std::size_t most = std::min(packets_.size(), kLookAhead);
  for (std::size_t i = 0; i < most; ++i) {
    Packet& packet = packets_[i];
    if (!has_bytes_of(packet, frame)) break;
    if (!packet.bytes.has_headers_of(frame, packet.segment, packet.sent)) continue;
    const std::uint32_t size = std::max(packet.total, Frame::kMinBytes);
    const bool fits = frame.size() == size || frame.size() == size + 4;
    if (!packet.segment && !fits && i > 0) continue;
    packets_without_frame_ += i;
    packets_.erase(packets_.begin(), packets_.begin() + static_cast<std::ptrdiff_t>(i));
    unread_ -= std::min(unread_, i);
    return &packets_.front();
  }
  if (packets_.empty()) return nullptr;
  Packet& first = packets_.front();
  const bool is_first = has_bytes_of(first, frame) && !first.segment &&
                        frame.size() == std::max(first.total, Frame::kMinBytes);
  return is_first ? &first : nullptr;
}

/// Whether the adapter has read as many bytes of the packet as the frame would have of it. Segments
/// leave while the rest of their packet is still being read.
bool TransmitPackets::has_bytes_of(Packet& packet, const Frame& frame) const {
  constexpr std::uint32_t kHeaders = 128;  // more than all that are read
  const std::uint32_t least =
      map_.head_bytes != 0 ? packet.total : std::min(packet.total, kHeaders);
  if (!packet.whole || packet.filled < least) return false;
  if (!packet.has_headers) packet.bytes.read_headers();
  packet.has_headers = true;
  const std::uint32_t wanted = packet.sent + frame.size();
  return packet.filled >= (packet.segment ? std::min(packet.total, wanted) : packet.total);
}

void TransmitPackets::frame_leaves(const Frame& frame, std::uint64_t ps) {
  if (frame.size() >= ethernet::kHeaderBytes && ethernet::type(frame) == ethernet::kTypeMacControl)
    return;  // the MAC makes PAUSE itself
  Packet* const packet = packet_of(frame);
  if (packet == nullptr) {
    if (ring_.entries() != 0) ++strange_frames_;
    return;
  }
  ++matched_;
  left(*packet, frame, ps);
  const std::uint32_t data = packet->total - packet->bytes.header_bytes();
  if (packet->segment && packet->sent < data) return;
  if (!packet->is_written) sent_.push_back(std::move(*packet));
  packets_.pop_front();
  unread_ -= std::min<std::size_t>(unread_, 1);
}

/// Tells the stages of a packet's frame up to the wire.
void TransmitPackets::left(Packet& packet, const Frame& frame, std::uint64_t ps) {
  const std::uint32_t header = packet.bytes.header_bytes();
  const std::uint32_t differs = packet.bytes.first_difference(frame, packet.segment, packet.sent);
  const std::uint32_t data = frame.size() - std::min(frame.size(), header);
  const std::uint32_t from = packet.segment && packet.sent != 0 ? header + packet.sent : 0;
  const std::uint32_t until = packet.segment ? header + packet.sent + data : packet.total;
  std::uint64_t last_ps = 0;
  for (const Move& move : packet.moves) {
    if (move.until != 0 && (move.from >= until || move.until <= from)) continue;
    PacketStage stage = move.stage;
    stage.packet = frame.id();
    last_ps = std::max(last_ps, stage.end_ps);
    book_.tell(stage);
  }
  PacketStage buffer{
      frame.id(),     std::min(last_ps, ps), ps, 0, frame.size(), 0, places_.transmit,
      Stage::kBuffer, fault_of(frame)};
  if (differs != PacketBytes::kSame) {
    buffer.fault = Fault::kDiffers;
    buffer.fault_at = differs;
  }
  if (buffer.fault != Fault::kNone) ++faults_;
  book_.tell(buffer);
  if (packet.is_written) {
    PacketStage stage = packet.written;
    stage.packet = frame.id();
    book_.tell(stage);
  }
  packet.frames.push_back(frame.id());
  packet.sent += data;
}

}  // namespace longhaul::observe

// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/receive_packets.h"

#include <algorithm>
#include <utility>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::observe {

void ReceivePackets::write_register(std::uint32_t offset, std::uint32_t value,
                                    const BusMove& move) {
  if (offset == map_.size_register) buffer_bytes_ = map_.size_unit << map_.size_field.in(value);
  if (ring_.write_register(offset, value, move)) forget();
}

void ReceivePackets::reset() {
  ring_.reset();
  buffer_bytes_ = map_.size_unit;
  forget();
}

void ReceivePackets::forget() {
  buffers_.clear();
  moves_.clear();
  bytes_ = PacketBytes();
}

void ReceivePackets::causes_read(const BusMove& move) {
  for (const Told& told : untold_) {
    book_.tell({told.number, told.ps, std::max(told.ps, move.end_ps), move.address, move.bytes, 0,
                places_.receive, Stage::kInterrupt, Fault::kNone});
  }
  untold_.clear();
}

void ReceivePackets::adapter_reads(const BusMove& move) {
  if (!ring_.contains(move.address)) return;
  const RingFollower::Range range = ring_.fetched(move);
  if (buffers_.empty()) first_ = range.begin;
  for (std::uint64_t at = range.begin; at < range.end; ++at) {
    Buffer& buffer = buffers_.emplace_back();
    buffer.address = map_.address.of(ring_.descriptor(at));
    buffer.fetched = {
        0, move.start_ps, move.end_ps,   ring_.address_of(at), map_.registers.descriptor_bytes,
        0, places_.bus,   Stage::kFetch, Fault::kNone};
  }
}

void ReceivePackets::adapter_writes(const BusMove& move) {
  if (ring_.contains(move.address)) {
    const RingFollower::Range range = ring_.written(move);
    for (std::uint64_t at = range.begin; at < range.end; ++at) done(at, move);
    return;
  }
  for (Buffer& buffer : buffers_) {
    if (move.address < buffer.address || move.address - buffer.address >= buffer_bytes_) continue;
    const auto offset = static_cast<std::uint32_t>(move.address - buffer.address);
    const std::uint32_t count = std::min(move.bytes, buffer_bytes_ - offset);
    if (offset + count > buffer.bytes.size()) buffer.bytes.resize(offset + count);
    buffer.bytes.store(offset, move.data, count);
    buffer.moves.push_back({0, move.start_ps, move.end_ps, move.address, count, 0, places_.bus,
                            Stage::kWrite, Fault::kNone});
    return;
  }
}

/// The adapter has written back the descriptor at `position`.
void ReceivePackets::done(std::uint64_t position, const BusMove& move) {
  while (!buffers_.empty() && first_ < position) {
    buffers_.pop_front();
    ++first_;
  }
  if (buffers_.empty()) return;
  Buffer buffer = std::move(buffers_.front());
  buffers_.pop_front();
  ++first_;
  const std::uint8_t* const descriptor = ring_.descriptor(position);
  const auto length = static_cast<std::uint32_t>(map_.length.of(descriptor));
  bytes_.append(buffer.bytes.data(), std::min(length, buffer.bytes.size()));
  moves_.push_back(buffer.fetched);
  moves_.insert(moves_.end(), buffer.moves.begin(), buffer.moves.end());
  moves_.push_back({0, move.start_ps, move.end_ps, ring_.address_of(position),
                    map_.registers.descriptor_bytes, 0, places_.bus, Stage::kWriteBack,
                    Fault::kNone});
  if (map_.end.of(descriptor) != 0) finish();
}

std::size_t ReceivePackets::arrival_of(const PacketBytes& bytes) const {
  const std::size_t most = std::min(arrivals_.size(), kLookAhead);
  for (std::size_t i = 0; i < most; ++i) {
    if (bytes.first_difference(arrivals_[i].bytes) == PacketBytes::kSame) return i;
  }
  for (std::size_t i = 0; i < most; ++i) {
    if (bytes.size() == arrivals_[i].bytes.size()) return i;
  }
  return arrivals_.size();
}

/// All descriptors of a packet are written back: finds its frame and tells its stages.
void ReceivePackets::finish() {
  const PacketBytes bytes = std::exchange(bytes_, PacketBytes());
  const std::vector<PacketStage> moves = std::exchange(moves_, {});
  const std::size_t index = arrival_of(bytes);
  if (index == arrivals_.size()) {
    ++strange_packets_;
    return;
  }
  frames_without_packet_ += index;
  const Arrival arrival = std::move(arrivals_[index]);
  arrivals_.erase(arrivals_.begin(), arrivals_.begin() + static_cast<std::ptrdiff_t>(index + 1));
  ++matched_;
  std::uint64_t first_ps = ~0ULL;
  std::uint64_t last_ps = 0;
  for (PacketStage stage : moves) {
    stage.packet = arrival.number;
    if (stage.kind == Stage::kWrite) first_ps = std::min(first_ps, stage.start_ps);
    last_ps = std::max(last_ps, stage.end_ps);
    book_.tell(stage);
  }
  PacketStage buffer{arrival.number,
                     arrival.ps,
                     std::max(arrival.ps, first_ps),
                     0,
                     bytes.size(),
                     0,
                     places_.receive,
                     Stage::kBuffer,
                     Fault::kNone};
  if (first_ps == ~0ULL) buffer.end_ps = std::max(arrival.ps, last_ps);
  const std::uint32_t differs = bytes.first_difference(arrival.bytes);
  if (differs != PacketBytes::kSame) {
    ++faults_;
    buffer.fault = Fault::kDiffers;
    buffer.fault_at = differs;
  }
  book_.tell(buffer);
  untold_.push_back({arrival.number, last_ps});
}

void ReceivePackets::frame_comes(const Frame& frame, std::uint64_t ps) {
  if (frame.size() >= ethernet::kHeaderBytes && ethernet::type(frame) == ethernet::kTypeMacControl)
    return;  // the MAC keeps PAUSE for itself
  Arrival& arrival = arrivals_.emplace_back();
  arrival.number = frame.id();
  arrival.ps = ps;
  arrival.bytes.append(frame.data(), frame.size());
  if (arrivals_.size() <= kMostWaiting) return;
  arrivals_.pop_front();
  ++frames_without_packet_;
}

}  // namespace longhaul::observe

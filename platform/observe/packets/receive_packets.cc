// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/receive_packets.h"

#include <algorithm>
#include <utility>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::observe {
namespace {

/// The size of all buffers, by the field of their register.
std::uint32_t buffer_bytes_of(const ReceiveRing& map, std::uint64_t field) {
  return static_cast<std::uint32_t>(map.size_counts ? map.size_unit * field
                                                    : map.size_unit << field);
}

std::uint32_t buffer_bytes_after_reset(const ReceiveRing& map) {
  return map.size_reset != 0 ? map.size_reset : map.size_unit;
}

}  // namespace

ReceivePackets::List::List(const ReceiveRing& of)
    : map(of), ring(of.registers), buffer_bytes(buffer_bytes_after_reset(of)) {}

void ReceivePackets::write_register(std::uint32_t offset, std::uint32_t value,
                                    const BusMove& move) {
  for (List& list : lists_) {
    if (list.map.size_field.width != 0 && offset == list.map.size_register)
      list.buffer_bytes = buffer_bytes_of(list.map, list.map.size_field.in(value));
    if (list.ring.write_register(offset, value, move)) forget(list);
  }
}

void ReceivePackets::reset() {
  for (List& list : lists_) {
    list.ring.reset();
    list.buffer_bytes = buffer_bytes_after_reset(list.map);
    forget(list);
  }
}

void ReceivePackets::forget(List& list) {
  list.buffers.clear();
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
  for (List& list : lists_) {
    if (!list.ring.contains(move.address)) continue;
    const RingFollower::Range range = list.ring.fetched(move);
    if (list.buffers.empty()) list.first = range.begin;
    for (std::uint64_t at = range.begin; at < range.end; ++at) {
      const std::uint8_t* const descriptor = list.ring.descriptor(at);
      const BitField& size = list.map.buffer_size;
      Buffer& buffer = list.buffers.emplace_back();
      buffer.address = list.map.address.of(descriptor);
      buffer.size =
          size.width != 0 ? static_cast<std::uint32_t>(size.of(descriptor)) : list.buffer_bytes;
      buffer.fetched = {0,
                        move.start_ps,
                        move.end_ps,
                        list.ring.address_of(at),
                        list.map.registers.descriptor_bytes,
                        0,
                        places_.bus,
                        Stage::kFetch,
                        Fault::kNone};
    }
    return;
  }
}

void ReceivePackets::adapter_writes(const BusMove& move) {
  for (List& list : lists_) {
    if (list.ring.contains(move.address)) {
      const RingFollower::Range range = list.ring.written(move);
      for (std::uint64_t at = range.begin; at < range.end; ++at) done(list, at, move);
      return;
    }
  }
  for (List& list : lists_) {
    if (fill(list, move)) return;
  }
}

/// Stores what the adapter writes into a buffer. Returns false if the list has no such buffer.
bool ReceivePackets::fill(List& list, const BusMove& move) {
  for (Buffer& buffer : list.buffers) {
    if (move.address < buffer.address || move.address - buffer.address >= buffer.size) continue;
    const auto offset = static_cast<std::uint32_t>(move.address - buffer.address);
    const std::uint32_t count = std::min(move.bytes, buffer.size - offset);
    if (offset + count > buffer.bytes.size()) buffer.bytes.resize(offset + count);
    buffer.bytes.store(offset, move.data, count);
    buffer.moves.push_back({0, move.start_ps, move.end_ps, move.address, count, 0, places_.bus,
                            Stage::kWrite, Fault::kNone});
    return true;
  }
  return false;
}

/// The adapter has written back the descriptor at `position`.
void ReceivePackets::done(List& list, std::uint64_t position, const BusMove& move) {
  while (!list.buffers.empty() && list.first < position) {
    list.buffers.pop_front();
    ++list.first;
  }
  if (list.buffers.empty()) return;
  const std::uint8_t* const descriptor = list.ring.descriptor(position);
  take(list, static_cast<std::uint32_t>(list.map.length.of(descriptor)),
       {0, move.start_ps, move.end_ps, list.ring.address_of(position),
        list.map.registers.descriptor_bytes, 0, places_.bus, Stage::kWriteBack, Fault::kNone});
  if (list.map.end.of(descriptor) != 0) finish();
}

void ReceivePackets::completed(const Completion& completion, const BusMove& entry) {
  if (completion.list >= lists_.size()) return;
  List& list = lists_[completion.list];
  if (list.buffers.empty()) return;
  if (completion.is_message) {
    list.buffers.pop_front();
    ++list.first;
    return;
  }
  take(list, completion.length,
       {0, entry.start_ps, entry.end_ps, entry.address, entry.bytes, 0, places_.bus,
        Stage::kWriteBack, Fault::kNone});
  if (completion.is_last) finish();
}

/// Adds the list's oldest buffer, which has `length` bytes, to the packet. `told`: by this the
/// adapter told of it.
void ReceivePackets::take(List& list, std::uint32_t length, const PacketStage& told) {
  const Buffer buffer = std::move(list.buffers.front());
  list.buffers.pop_front();
  ++list.first;
  const std::uint32_t skip = list.map.skip_bytes;
  const std::uint32_t begin = skip + (bytes_.size() == 0 ? list.map.head_bytes : 0);
  const std::uint32_t end = std::min(skip + length, buffer.bytes.size());
  if (end > begin) bytes_.append(buffer.bytes.data() + begin, end - begin);
  moves_.push_back(buffer.fetched);
  moves_.insert(moves_.end(), buffer.moves.begin(), buffer.moves.end());
  moves_.push_back(told);
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

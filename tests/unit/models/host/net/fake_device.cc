// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/models/host/net/fake_device.h"

#include <algorithm>

#include "models/common/big_endian.h"
#include "models/common/units.h"
#include "models/net/frame/checksum.h"

namespace longhaul::host::testing {

using longhaul::read_be16;
using longhaul::read_be32;
using longhaul::write_be16;
using longhaul::write_be32;

FakeDevice::FakeDevice(const sc_core::sc_module_name& name, Processor& processor, MemoryPool& pool,
                       FakeDeviceParams the_params, std::uint8_t station)
    : sc_module(name), params(the_params), processor_(processor), pool_(pool), mac_{2, 0, 0,
                                                                                    0, 0, station} {
  processor.add_handler(kVector, *this);
  SC_HAS_PROCESS(FakeDevice);
  SC_METHOD(wire_method);
  sensitive << wire_event_;
  dont_initialize();
}

FakeDevice::Bytes FakeDevice::take_bytes() {
  if (spare_.empty()) return {};
  Bytes bytes = std::move(spare_.back());
  spare_.pop_back();
  return bytes;
}

bool FakeDevice::transmit(const TxPacket& packet) {
  Processor::current()->pay();
  if (in_ring_ >= params.ring) {
    ++refusals;
    full_ = true;
    return false;
  }
  ++in_ring_;
  ++packets_taken;
  last = packet;
  if (stuck) return true;
  Bytes frame = take_bytes();
  frame.clear();
  for (std::uint32_t i = 0; i < packet.count; ++i) {
    const std::uint8_t* const from = pool_.at(packet.extents[i].address);
    frame.insert(frame.end(), from, from + packet.extents[i].bytes);
  }
  if (packet.mss != 0) {
    cut(packet, frame);
    spare_.push_back(std::move(frame));
  } else {
    if (packet.checksum) {
      const std::uint16_t field = packet.l4_offset + 16;
      insert_checksum(frame.data(), static_cast<std::uint32_t>(frame.size()),
                      {packet.l4_offset, field, 0});
    }
    put_on_wire(std::move(frame));
  }
  leaving_.emplace(free_at_, packet.cookie);
  wire_event_.notify(from_ps(free_at_ - now_ps()));
  return true;
}

void FakeDevice::put_on_wire(Bytes frame) {
  constexpr std::uint64_t kOverhead = 24;  // preamble, FCS, gap
  free_at_ =
      std::max(free_at_, now_ps()) + transfer_ps(frame.size() + kOverhead, {params.bits_per_s});
  const std::uint64_t n = frames_sent++;
  if (on_sent) on_sent(frame);
  if (capture) captured.push_back(frame);
  const std::uint64_t at = free_at_ + params.delay_ps;
  if (!fate) {
    peer_->flying_.emplace_hint(peer_->flying_.end(), at, std::move(frame));
    peer_->wire_event_.notify(from_ps(at - now_ps()));
    return;
  }
  for (const std::uint64_t extra : fate(n, frame)) {
    peer_->flying_.emplace(at + extra, frame);
    peer_->wire_event_.notify(from_ps(at + extra - now_ps()));
  }
}

/// As an adapter does: headers again for each piece.
void FakeDevice::cut(const TxPacket& packet, const Bytes& whole) {
  const std::uint32_t payload = packet.bytes - packet.header_bytes;
  const std::uint32_t l4 = packet.l4_offset;
  for (std::uint32_t at = 0; at < payload; at += packet.mss) {
    const std::uint32_t n = std::min<std::uint32_t>(packet.mss, payload - at);
    Bytes frame = take_bytes();
    frame.assign(whole.begin(), whole.begin() + packet.header_bytes);
    frame.insert(frame.end(), whole.begin() + packet.header_bytes + at,
                 whole.begin() + packet.header_bytes + at + n);
    std::uint8_t* const ip = frame.data() + 14;
    std::uint8_t* const segment = frame.data() + l4;
    const std::uint32_t l4_bytes = packet.header_bytes - l4 + n;
    if (packet.ipv6) {
      write_be16(ip + 4, l4_bytes);
    } else {
      write_be16(ip + 2, 20 + l4_bytes);
      write_be16(ip + 4, read_be16(ip + 4) + at / packet.mss);
      write_be16(ip + 10, 0);
      OnesSum sum;
      sum.add(ip, 20);
      write_be16(ip + 10, sum.checksum());
    }
    write_be32(segment + 4, read_be32(segment + 4) + at);
    if (at + n < payload) segment[13] &= static_cast<std::uint8_t>(~0x09U);  // FIN, PSH
    insert_checksum(frame.data(), static_cast<std::uint32_t>(frame.size()),
                    {packet.l4_offset, static_cast<std::uint16_t>(l4 + 16), 0}, l4_bytes);
    put_on_wire(std::move(frame));
  }
}

void FakeDevice::wire_method() {
  bool news = false;
  while (!flying_.empty() && flying_.begin()->first <= now_ps()) {
    arrived_.push_back(std::move(flying_.begin()->second));
    flying_.erase(flying_.begin());
    news = true;
  }
  while (!leaving_.empty() && leaving_.begin()->first <= now_ps()) {
    done_.push_back(leaving_.begin()->second);
    leaving_.erase(leaving_.begin());
    news = true;
  }
  std::uint64_t next = ~std::uint64_t{0};
  if (!flying_.empty()) next = flying_.begin()->first;
  if (!leaving_.empty()) next = std::min(next, leaving_.begin()->first);
  if (next != ~std::uint64_t{0}) wire_event_.notify(from_ps(next - now_ps()));
  if (news) processor_.message(kVector);
}

bool FakeDevice::interrupt() {
  if (params.napi) {
    processor_.raise(*this);
  } else {
    while (work(64)) {
    }
  }
  return true;
}

bool FakeDevice::run() { return work(64); }

bool FakeDevice::work(std::uint32_t budget) {
  while (!done_.empty()) {
    --in_ring_;
    user_->sent(done_.pop_front());
  }
  if (full_ && in_ring_ < params.ring) {
    full_ = false;
    user_->has_room();
  }
  for (; budget > 0 && !arrived_.empty(); --budget) {
    Bytes frame = arrived_.pop_front();
    const auto bytes = static_cast<std::uint32_t>(frame.size());
    RxPacket packet;
    packet.buffer = bytes <= params.buffer_bytes ? pool_.allocate(params.buffer_bytes) : 0;
    if (packet.buffer == 0) {
      ++no_buffer;
      continue;
    }
    packet.address = packet.buffer;
    packet.bytes = bytes;
    packet.buffer_bytes = params.buffer_bytes;
    packet.checksum_good = params.features.checksum_rx;
    std::copy(frame.begin(), frame.end(), pool_.to_write(packet.address, frame.size()));
    spare_.push_back(std::move(frame));
    user_->received(packet);
    processor_.pay();
  }
  return !arrived_.empty();
}

}  // namespace longhaul::host::testing

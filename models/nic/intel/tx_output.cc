// SPDX-License-Identifier: Apache-2.0
// The output side of the transmit unit: packets that have arrived whole become frames and leave.
#include <algorithm>
#include <cstring>

#include "models/nic/intel/tx_unit.h"

namespace longhaul::nic::intel {
namespace {

constexpr std::uint32_t kUdpChecksumOffset = 6;  // RFC 768

}  // namespace

void TxUnit::finish_if_arrived(std::uint32_t place) {
  Packet& packet = fifo_.at(place);
  if (!packet.closed || packet.reads != 0 || packet.done) return;
  if (packet.job >= 0 && !jobs_[packet.job].header_arrived()) return;
  finish(packet);
}

void TxUnit::finish(Packet& packet) {
  packet.done = true;
  packet.ready_ps = now_ps() + to_ps(params_.speed.latency);
  const std::uint32_t size = packet.filled;
  std::uint8_t* const frame = packet.data + packet.start;
  if (size < ethernet::kHeaderBytes) packet.bad = true;
  const std::uint32_t end = packet.start + size;
  const std::uint32_t blank_from = packet.blanks.settle(packet.data, end);
  if (packet.bad)
    std::memset(packet.data + blank_from, 0,
                end - blank_from);  // whoever watches what is dropped may look
  const std::uint32_t stored = packet.bad ? size : trim(packet, blank_from);
  if (packet.job >= 0) {
    Job& job = jobs_[packet.job];
    packet.bad = packet.bad || job.bad;
    if (!packet.bad)
      write_segment_header(job.context, job.header.data(), packet.segment, frame, stored);
    --job.segments;
    free_job(job);
  } else if (!packet.bad) {
    if (packet.ip_checksum) insert_checksum(frame, size, packet.ip, 0, false, stored);
    // The context does not name the protocol; where its checksum lies does.
    const bool udp = packet.l4.field == packet.l4.start + kUdpChecksumOffset;
    if (packet.l4_checksum) insert_checksum(frame, size, packet.l4, 0, udp, stored);
  }
  if (packet.bad) return;
  if (packet.tagged) insert_tag(packet);
  const std::uint32_t reserved = size + packet.start;
  if (reserved != packet.reserved) {  // the room taken was a guess
    fifo_.release(packet.reserved);
    fifo_.reserve(reserved);
    packet.reserved = reserved;
  }
}

/// Gives the frame its size, zeros from `blank_from` on; returns how many bytes of the packet are
/// stored, the rest being zero.
std::uint32_t TxUnit::trim(Packet& packet, std::uint32_t blank_from) {
  Frame& whole = packet.frame.writable();
  whole.resize(packet.start + packet.filled);
  whole.leave_blank(blank_from);
  const std::uint32_t fields_end = std::max(packet.ip.field, packet.l4.field) + 2U;
  if (packet.start + fields_end > whole.stored()) whole.store();
  return whole.stored() - packet.start;
}

void TxUnit::insert_tag(Packet& packet) const {
  std::memmove(packet.data, packet.data + kVlanTagBytes, 12);
  write_be16(packet.data + 12, vlan_type_);
  write_be16(packet.data + 14, packet.tag);
}

void TxUnit::drop_bad() {
  while (!fifo_.empty() && fifo_.front().done && fifo_.front().bad) {
    const Packet packet = fifo_.pop();
    fifo_.release(packet.reserved);
    discarded.add();
    taps.report(now(), packet.frame, observe::FrameFate::kDropped, "bad descriptor or data");
  }
}

void TxUnit::complete(std::uint64_t position) {
  std::uint8_t* const bytes_of = ring_.slot(position);
  const bool report = (read_le32(bytes_of + 8) & tx::kRs) != 0;
  if (report) bytes_of[12] |= tx::kDd;
  ring_.complete(position, report);
  if (ring_.drained()) ring_emptied();
}

void TxUnit::written_back(std::uint64_t begin, std::uint64_t end) {
  bool with_delay = false;
  bool without = false;
  for (std::uint64_t position = begin; position < end; ++position) {
    const bool ide = (read_le32(ring_.slot(position) + 8) & tx::kIde) != 0;
    (ide ? with_delay : without) = true;
  }
  reported(with_delay, without);
}

std::uint64_t TxUnit::ready_ps() const {
  if (fifo_.empty() || !fifo_.front().done) return kNoFrame;
  return std::max(fifo_.front().ready_ps, paced_until_ps_);
}

FrameRef TxUnit::take_frame() {
  fifo_.release(draining_);  // the wire is free, so the last byte before has left
  Packet packet = fifo_.pop();
  const std::uint32_t size = packet.frame->octets();
  const std::uint32_t wire_bytes = std::max<std::uint32_t>(size, EthMac::kMinFrameBytes);
  frame_sent(*packet.frame, size, wire_bytes);
  frames.add();
  bytes.add(wire_bytes);
  taps.report(now(), packet.frame, observe::FrameFate::kSent);
  paced_until_ps_ = now_ps() + pace_ps(wire_bytes);

  // The buffer empties as the frame goes out; its room counts as free when the last byte has left.
  draining_ = packet.reserved;
  const BitRate rate = mac_.rate();
  drained_at_ps_ =
      now_ps() +
      (rate.bits_per_s == 0 ? 0 : transfer_ps(wire_bytes + ethernet::kPreambleBytes, rate));
  if (waits_for_room_) engine_.kick_in(drained_at_ps_ - now_ps());
  return std::move(packet.frame);
}

void TxUnit::settle_drain() {
  if (draining_ == 0) return;
  if (now_ps() < drained_at_ps_) {
    engine_.kick_in(drained_at_ps_ - now_ps());
    return;
  }
  fifo_.release(draining_);
  draining_ = 0;
}

}  // namespace longhaul::nic::intel

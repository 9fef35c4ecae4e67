// SPDX-License-Identifier: Apache-2.0
// The output side of the transmit unit: complete packets become frames and leave.
#include <algorithm>

#include "models/nic/intel/tx_reports.h"
#include "models/nic/intel/tx_unit.h"

namespace longhaul::nic::intel {

void TxUnit::finish_if_arrived(std::uint32_t place) {
  TxPacket& packet = fifo_.at(place);
  if (!packet.closed || packet.reads != 0 || packet.done) return;
  SuperFrame* const job = packet.job < 0 ? nullptr : &jobs_[packet.job];
  if (job != nullptr && !job->header_arrived()) return;
  packet.ready_ps = now_ps() + to_ps(params_.speed.latency);
  packet.finish(job, vlan_type_);
  if (job != nullptr) {
    --job->segments;
    job->free_if_done();
  }
  if (!packet.bad) room_.fit(packet);
}

void TxUnit::drop_bad() {
  bool dropped = false;
  while (!fifo_.empty() && fifo_.front().done && fifo_.front().bad) {
    const TxPacket packet = fifo_.pop();
    fifo_.release(packet.reserved);
    discarded.add();
    taps.report(now(), packet.frame, observe::FrameFate::kDropped, "bad descriptor or data");
    dropped = true;
  }
  if (dropped) engine_.kick();  // it may wait for the room
}

void TxUnit::complete(std::uint64_t position) {
  std::uint8_t* const bytes_of = ring_.slot(position);
  const bool report = (read_le32(bytes_of + 8) & tx::kRs) != 0;
  if (report) bytes_of[12] |= tx::kDd;
  const std::uint64_t before = ring_.done();
  ring_.complete(position, report);
  if (ring_.holds_back() && reports_of(ring_, before, ring_.done()).with_delay) {
    ring_.cover();
    reported(true, false);  // the write-back itself may wait for the timer
  }
  if (ring_.drained()) ring_emptied();
}

void TxUnit::written_back(std::uint64_t begin, std::uint64_t end) {
  const TxReports reports = reports_of(ring_, begin, end);
  const bool starts_timer = reports.with_delay && !ring_.holds_back();
  if (starts_timer || reports.without) reported(starts_timer, reports.without);
}

std::uint64_t TxUnit::ready_ps() const {
  if (fifo_.empty() || !fifo_.front().done) return kNoFrame;
  return std::max(fifo_.front().ready_ps, paced_until_ps_);
}

FrameRef TxUnit::take_frame() {
  room_.wire_is_free();
  TxPacket packet = fifo_.pop();
  const std::uint32_t size = packet.frame->octets();
  const std::uint32_t wire_bytes = std::max<std::uint32_t>(size, EthMac::kMinFrameBytes);
  frame_sent(*packet.frame, size, wire_bytes);
  frames.add();
  bytes.add(wire_bytes);
  taps.report(now(), packet.frame, observe::FrameFate::kSent);
  paced_until_ps_ = now_ps() + pace_ps(wire_bytes);
  room_.drain(packet.reserved, mac_.frame_ps(wire_bytes));
  drop_bad();  // the MAC may take the next one at once
  return std::move(packet.frame);
}

}  // namespace longhaul::nic::intel

// SPDX-License-Identifier: Apache-2.0
#include "models/nic/intel/tx_unit.h"

#include <algorithm>

namespace longhaul::nic::intel {

TxUnit::TxUnit(const sc_core::sc_module_name& name, const TxUnitParams& params,
               pcix::DmaEngine& dma, EthMac& mac)
    : sc_module(name),
      params_(params),
      dma_(dma),
      mac_(mac),
      ring_("ring", dma, *this, params.descriptor_cache, params.descriptor_burst),
      fifo_("fifo", params.fifo, params.fifo_granule,
            static_cast<std::uint32_t>(params.largest_fifo.count / EthMac::kMinFrameBytes)),
      engine_("engine", params.engine_clock, [this] { return step(); }),
      room_(fifo_, params.fifo, engine_, room_waits),
      reads_(params.descriptor_cache) {}

void TxUnit::reset() {
  ring_.reset();
  room_.reset();
  engine_.reset();
  context_ = {};
  descriptor_ = {};
  jobs_.reset();
  reads_.reset();
  open_ = kNoPacket;
  in_packet_ = false;
  discard_ = false;
  job_ = -1;
  paced_until_ps_ = 0;
}

void TxUnit::set_head(std::uint32_t index) {
  const bool at_rest = reads_.under_way() == 0 && !descriptor_.valid && !in_packet_;
  if (at_rest) ring_.set_head(index);
}

void TxUnit::enable(bool on) {
  ring_.enable(on);
  engine_.kick();
}

void TxUnit::ring_doorbell(std::uint32_t index) {
  ring_.set_tail(index);
  engine_.kick();
}

Step TxUnit::step() { return descriptor_.valid ? next_read() : next_descriptor(); }

Step TxUnit::next_descriptor() {
  if (!ring_.enabled() && !in_packet_)
    return Step::kIdle;  // a stopped unit finishes the present packet
  if (ring_.cached() == 0) return ring_.available() == 0 ? Step::kIdle : Step::kBlocked;
  const std::uint64_t position = ring_.take();
  const std::uint8_t* const bytes_of = ring_.slot(position);
  const TxCommand command = decode(bytes_of);
  engine_.spend(params_.speed.descriptor_clocks);
  if (command.context && !in_packet_) {
    context_ = context_of(bytes_of, params_.cwr_first_only);
    complete(position);
    return Step::kDone;
  }
  reads_.take(position);
  descriptor_ = {true, position, command.address, command.length, command.end};
  if (!in_packet_) begin_packet(command);
  return Step::kDone;
}

void TxUnit::begin_packet(const TxCommand& command) {
  engine_.spend(params_.speed.packet_clocks);
  in_packet_ = true;
  first_ = command;
  tagged_ = command.insert_tag && may_insert_tags();
  segment_ = {};
  discard_ = command.segment && (!is_valid(context_) ||
                                 context_.header_bytes + context_.mss > params_.max_frame_bytes);
  if (discard_) {
    super_frame_ended(false);
    discarded.add();
  }
}

Step TxUnit::next_read() {
  if (discard_) descriptor_.left = 0;
  if (descriptor_.left == 0) {
    end_descriptor();
    return Step::kDone;
  }
  if (reads_.under_way() >= params_.speed.ahead) return Step::kBlocked;
  return first_.segment ? next_segment_read() : next_plain_read();
}

Step TxUnit::next_segment_read() {
  if (job_ < 0) {
    job_ = jobs_.claim(context_, first_.ip_checksum, first_.l4_checksum);
    if (job_ < 0) return Step::kBlocked;
    segment_ = segment_at(jobs_[job_].context, 0, 0);
  }
  SuperFrame& job = jobs_[job_];
  if (job.header_got < job.context.header_bytes) {
    const std::uint32_t length =
        std::min(descriptor_.left, job.context.header_bytes - job.header_got);
    ++job.header_reads;
    read(job.header.data() + job.header_got, length, kHeaderTag | static_cast<std::uint32_t>(job_));
    job.header_got += length;
    return Step::kDone;
  }
  if (segment_.payload == 0) {  // data beyond the length in the context
    descriptor_.left = 0;
    return Step::kDone;
  }
  if (open_ == kNoPacket) {
    if (!open_packet(job.context.header_bytes + segment_.payload, segment_padding()))
      return Step::kBlocked;
    TxPacket& packet = fifo_.at(open_);
    packet.filled = job.context.header_bytes;
    packet.job = job_;
    packet.segment = segment_;
    ++job.segments;
  }
  const TxPacket& packet = fifo_.at(open_);
  read_into_packet(std::min(descriptor_.left, packet.limit - packet.filled));
  if (packet.filled == packet.limit) {
    segment_ = segment_at(job.context, segment_.index + 1, segment_.offset + segment_.payload);
    close_packet();
  }
  return Step::kDone;
}

Step TxUnit::next_plain_read() {
  if (open_ == kNoPacket) {
    if (!open_packet(packet_size(), 0)) return Step::kBlocked;
    TxPacket& packet = fifo_.at(open_);
    packet.ip_checksum = first_.ip_checksum;
    packet.l4_checksum = first_.l4_checksum || first_.own_checksum;
    packet.ip = context_.ip;
    packet.l4 = first_.own_checksum ? first_.span : context_.l4;
  }
  TxPacket& packet = fifo_.at(open_);
  if (packet.filled == packet.limit) {  // longer than any frame may be
    packet.bad = true;
    descriptor_.left = 0;
    return Step::kDone;
  }
  read_into_packet(std::min(descriptor_.left, packet.limit - packet.filled));
  return Step::kDone;
}

std::uint32_t TxUnit::packet_size() const {
  // The descriptors on chip tell the size if the last one is among them. Otherwise room for the
  // largest frame is taken.
  std::uint32_t size = descriptor_.left;
  bool end = descriptor_.end;
  for (std::uint32_t ahead = 0; !end; ++ahead) {
    if (ahead == ring_.cached()) return params_.max_frame_bytes;
    const TxCommand next = decode(ring_.peek(ahead));
    end = next.end;
    size += next.length;
  }
  return std::min(size, params_.max_frame_bytes);
}

bool TxUnit::open_packet(std::uint32_t size, std::uint32_t padding) {
  if (!room_.take(size + (tagged_ ? kVlanTagBytes : 0), padding)) return false;
  open_ = fifo_.push(TxPacket::open(size, tagged_, first_.tag));
  return true;
}

void TxUnit::read_into_packet(std::uint32_t length) {
  TxPacket& packet = fifo_.at(open_);
  ++packet.reads;
  read(packet.data + packet.start + packet.filled, length, open_);
  packet.filled += length;
}

void TxUnit::read(std::uint8_t* to, std::uint32_t length, std::uint32_t place) {
  reads_.begin(descriptor_.position);
  dma_.read(descriptor_.address, to, length, this, descriptor_.position << 16 | place);
  engine_.spend_bytes(length, params_.speed.kib_clocks);
  descriptor_.address += length;
  descriptor_.left -= length;
}

void TxUnit::end_descriptor() {
  descriptor_.valid = false;
  const std::uint64_t position = descriptor_.position;
  reads_.all_begun(position);
  if (descriptor_.end) end_packet();
  if (reads_.arrived(position)) complete(position);
}

void TxUnit::end_packet() {
  in_packet_ = false;
  discard_ = false;
  if (job_ >= 0) {
    end_super_frame();
  } else if (open_ != kNoPacket) {
    close_packet();
  }
}

void TxUnit::end_super_frame() {
  SuperFrame& job = jobs_[job_];
  const bool whole = segment_.payload == 0 && open_ == kNoPacket;
  // Fewer data than the context announced: the last segment has the data that came.
  if (open_ != kNoPacket) {
    TxPacket& packet = fifo_.at(open_);
    packet.segment.payload = packet.filled - job.context.header_bytes;
    packet.segment.last = true;
    close_packet();
  }
  if (whole) super_frames.add();
  super_frame_ended(whole);
  job.cut = true;
  job_ = -1;
  job.free_if_done();
}

void TxUnit::close_packet() {
  const std::uint32_t place = open_;
  open_ = kNoPacket;
  fifo_.at(place).closed = true;
  finish_if_arrived(place);  // its data may have been faster than the engine
  drop_bad();
  mac_.kick();
}

void TxUnit::dma_blank(std::uint64_t tag, std::uint8_t* data, std::uint32_t length) {
  const auto place = static_cast<std::uint32_t>(tag & 0xffff);
  if ((place & kHeaderTag) != 0) return pcix::DmaClient::dma_blank(tag, data, length);
  TxPacket& packet = fifo_.at(place);
  packet.blanks.add(packet.data, static_cast<std::uint32_t>(data - packet.data), length);
}

void TxUnit::dma_done(std::uint64_t tag, pcix::DmaStatus status) {
  const auto place = static_cast<std::uint32_t>(tag & 0xffff);
  const std::uint64_t position = tag >> 16;
  reads_.end(position);
  if (reads_.arrived(position)) complete(position);
  if ((place & kHeaderTag) != 0) {
    const auto job_index = static_cast<std::int32_t>(place & ~kHeaderTag);
    SuperFrame& job = jobs_[job_index];
    --job.header_reads;
    if (status != pcix::DmaStatus::kOk) job.bad = true;
    if (job.header_arrived()) {
      for (std::uint32_t i = 0; i < fifo_.size(); ++i) {
        const std::uint32_t at = fifo_.place_of(i);
        if (fifo_.at(at).job == job_index) finish_if_arrived(at);
      }
      drop_bad();
    }
    job.free_if_done();
  } else {
    TxPacket& packet = fifo_.at(place);
    --packet.reads;
    if (status != pcix::DmaStatus::kOk) packet.bad = true;
    finish_if_arrived(place);
    drop_bad();
  }
  mac_.kick();
  engine_.kick();
}

}  // namespace longhaul::nic::intel

// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/pcapng_sink.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "models/common/units.h"
#include "platform/observe/frame_notes.h"
#include "platform/observe/pcapng_block.h"
#include "platform/observe/pcapng_comments.h"

namespace longhaul::observe {
namespace {

// draft-ietf-opsawg-pcapng, sections 4.1 to 4.3 and 4.6.
constexpr std::uint32_t kSectionHeader = 0x0a0d0d0a;
constexpr std::uint32_t kByteOrderMagic = 0x1a2b3c4d;
constexpr std::uint64_t kLengthUnknown = ~std::uint64_t{0};
constexpr std::uint32_t kInterfaceDescription = 1;
constexpr std::uint32_t kInterfaceStatistics = 5;
constexpr std::uint16_t kLinkTypeEthernet = 1;

namespace option {
constexpr std::uint16_t kUserApplication = 4;
constexpr std::uint16_t kInterfaceName = 2;
constexpr std::uint16_t kInterfaceDescription = 3;
constexpr std::uint16_t kInterfaceSpeed = 8;
constexpr std::uint16_t kTimeResolution = 9;
constexpr std::uint16_t kStartTime = 2;
constexpr std::uint16_t kEndTime = 3;
constexpr std::uint16_t kFramesReceived = 4;
constexpr std::uint16_t kFramesDropped = 5;
}  // namespace option

constexpr std::uint8_t kNanoseconds = 9;  // negative power of ten
constexpr std::uint64_t kPsPerNs = 1000;

constexpr std::uint32_t kFlagFcsOctetsShift = 5;
constexpr std::uint32_t kFlagCrcError = 1U << 24;

std::uint32_t direction(FrameFate fate) {
  switch (fate) {
    case FrameFate::kSent: return pcapng::kFlagOutbound;
    case FrameFate::kReceived: return pcapng::kFlagInbound;
    case FrameFate::kDropped: break;
  }
  return 0;
}

}  // namespace

/// One interface of the file: listens to a tap and counts for the totals.
class PcapngSink::Interface final : public FrameListener {
 public:
  Interface(PcapngSink& sink, std::uint32_t id, FrameTap& tap) : sink_(sink), id_(id), tap_(&tap) {
    tap.listen(this);
  }
  ~Interface() override { stop(); }

  void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                const char* why) override {
    ++(fate == FrameFate::kDropped ? dropped_ : passed_);
    sink_.add(id_, to_ps(at), *frame, fate, why);
  }
  void stop() {
    if (tap_ != nullptr) tap_->ignore(this);
    tap_ = nullptr;
  }
  std::uint64_t passed() const { return passed_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  PcapngSink& sink_;
  const std::uint32_t id_;
  FrameTap* tap_;
  std::uint64_t passed_ = 0;
  std::uint64_t dropped_ = 0;
};

PcapngSink::PcapngSink(const std::string& path, std::uint32_t snaplen, FrameNotes* notes)
    : path_(path), file_(path), snaplen_(snaplen), notes_(notes) {
  std::vector<std::uint8_t> bytes;
  PcapngBlock block(bytes, kSectionHeader);
  block.u32(kByteOrderMagic);
  block.u16(1);  // version 1.0
  block.u16(0);
  block.u64(kLengthUnknown);
  block.option(option::kUserApplication, {"longhaul"});
  block.finish();
  file_.write(bytes.data(), bytes.size());
}

PcapngSink::~PcapngSink() = default;

void PcapngSink::watch(FrameTap& tap, const std::string& name, std::uint64_t bits_per_s) {
  std::vector<std::uint8_t> bytes;
  PcapngBlock block(bytes, kInterfaceDescription);
  block.u16(kLinkTypeEthernet);
  block.u16(0);
  block.u32(snaplen_);
  block.option(option::kInterfaceName, {name});
  block.option(option::kInterfaceDescription, {tap.description()});
  if (bits_per_s != 0) block.option_u64(option::kInterfaceSpeed, bits_per_s);
  block.option_u8(option::kTimeResolution, kNanoseconds);
  block.finish();
  file_.write(bytes.data(), bytes.size());
  interfaces_.push_back(
      std::make_unique<Interface>(*this, static_cast<std::uint32_t>(interfaces_.size()), tap));
}

void PcapngSink::add(std::uint32_t interface_id, std::uint64_t at_ps, const Frame& frame,
                     FrameFate fate, const char* why) {
  const std::size_t start = blocks_.size();
  const std::uint32_t length = frame.octets();
  const std::uint32_t kept = snaplen_ == 0 ? length : std::min(length, snaplen_);
  const bool damaged = !frame.fcs_matches();

  PcapngBlock block(blocks_, pcapng::kEnhancedPacket);
  block.u32(interface_id);
  block.timestamp(at_ps / kPsPerNs);
  block.u32(kept);
  block.u32(length);
  block.bytes(frame.data(), std::min(kept, frame.size()));
  // A short snapshot may end within the FCS.
  std::uint32_t fcs = frame.fcs();
  for (std::uint32_t i = frame.size(); i < kept; ++i, fcs >>= 8)
    block.u8(static_cast<std::uint8_t>(fcs));
  block.pad();
  block.option_u32(pcapng::kPacketFlags, direction(fate) | Frame::kFcsBytes << kFlagFcsOctetsShift |
                                             (damaged ? kFlagCrcError : 0));
  block.option_u64(pcapng::kPacketId, frame.id());
  if (fate == FrameFate::kDropped) block.option(pcapng::kComment, {"dropped: ", why});
  if (damaged) block.option(pcapng::kComment, {"damaged: FCS does not match"});
  block.finish();

  const auto size = static_cast<std::uint32_t>(blocks_.size() - start);
  pending_bytes_ += size;
  pending_.push_back({at_ps, sequence_++, blocks_offset_ + start, size});
  std::push_heap(pending_.begin(), pending_.end(), Later{});

  const std::uint64_t now = now_ps();
  if (now >= kReorderPs) write_until(now - kReorderPs);
}

void PcapngSink::write_until(std::uint64_t ps) {
  while (!pending_.empty() && pending_.front().at_ps <= ps) {
    const Pending& first = pending_.front();
    file_.write(blocks_.data() + (first.offset - blocks_offset_), first.size);
    pending_bytes_ -= first.size;
    std::pop_heap(pending_.begin(), pending_.end(), Later{});
    pending_.pop_back();
  }
  if (blocks_.size() > 2 * pending_bytes_ + OutputFile::kBufferBytes) drop_written_bytes();
}

void PcapngSink::drop_written_bytes() {
  std::uint64_t keep_from = blocks_offset_ + blocks_.size();
  for (const Pending& pending : pending_) keep_from = std::min(keep_from, pending.offset);
  blocks_.erase(blocks_.begin(),
                blocks_.begin() + static_cast<std::ptrdiff_t>(keep_from - blocks_offset_));
  blocks_offset_ = keep_from;
}

void PcapngSink::close() {
  for (const auto& interface : interfaces_) interface->stop();
  write_until(std::numeric_limits<std::uint64_t>::max());
  if (closed_) return file_.close();
  const std::uint64_t now_ns = now_ps() / kPsPerNs;
  for (std::size_t id = 0; id < interfaces_.size(); ++id) {
    std::vector<std::uint8_t> bytes;
    PcapngBlock block(bytes, kInterfaceStatistics);
    block.u32(static_cast<std::uint32_t>(id));
    block.timestamp(now_ns);
    block.option_timestamp(option::kStartTime, 0);
    block.option_timestamp(option::kEndTime, now_ns);
    block.option_u64(option::kFramesReceived, interfaces_[id]->passed());
    block.option_u64(option::kFramesDropped, interfaces_[id]->dropped());
    block.finish();
    file_.write(bytes.data(), bytes.size());
  }
  closed_ = true;
  file_.close();
  if (notes_ == nullptr || notes_->empty()) return;
  add_comments(path_, [this](std::uint64_t frame) { return notes_->comments(frame); });
}

}  // namespace longhaul::observe

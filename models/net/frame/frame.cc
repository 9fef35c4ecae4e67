// SPDX-License-Identifier: Apache-2.0
#include "models/net/frame/frame.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

namespace longhaul {
namespace {

// Capacities of the size classes, chosen so that the usual frames (ACKs, MTU 1500, jumbo, 16114)
// waste little.
constexpr std::array<std::uint32_t, 13> kCapacities{
    128, 256, 512, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 9344, 12288, Frame::kMaxBytes};
constexpr std::uint32_t kStep = 128;  // every capacity is a multiple of it

constexpr auto kClassOfStep = [] {
  std::array<std::uint8_t, Frame::kMaxBytes / kStep + 1> table{};
  std::uint8_t size_class = 0;
  for (std::uint32_t step = 0; step < table.size(); ++step) {
    if (step * kStep > kCapacities[size_class]) ++size_class;
    table[step] = size_class;
  }
  return table;
}();

std::uint8_t class_of(std::uint32_t size) { return kClassOfStep[(size + kStep - 1) / kStep]; }

}  // namespace

/// Free lists of frames by size class. Memory comes in slabs and is kept until the process ends.
class FramePool {
 public:
  static FramePool& instance() {
    static FramePool pool;
    return pool;
  }

  FrameRef take(std::uint32_t size) {
    const std::uint8_t size_class = class_of(size);
    Frame*& free_list = free_[size_class];
    if (free_list == nullptr) refill(size_class);
    Frame* frame = free_list;
    free_list = frame->next_free_;
    frame->size_ = size;
    frame->stored_ = Frame::kAll;
    frame->holders_ = 1;
    frame->fcs_is_stored_ = false;
    frame->id_ = next_id_++;
    ++stats_.live;
    return FrameRef(frame);
  }

  void give_back(Frame* frame) {
    frame->next_free_ = free_[frame->size_class_];
    free_[frame->size_class_] = frame;
    --stats_.live;
  }

  const FramePoolStats& stats() const { return stats_; }

 private:
  static constexpr std::size_t kSlabBytes = std::size_t{256} << 10;
  static constexpr std::size_t kAlign = 64;

  void refill(std::uint8_t size_class) {
    const std::size_t stride =
        (sizeof(Frame) + kCapacities[size_class] + kAlign - 1) / kAlign * kAlign;
    const std::size_t count = kSlabBytes / stride;
    auto* slab =
        static_cast<std::uint8_t*>(::operator new (count* stride, std::align_val_t{kAlign}));
    slabs_.emplace_back(slab);
    for (std::size_t i = count; i-- > 0;) {
      auto* frame = new (slab + i * stride) Frame;
      frame->bytes_ = slab + i * stride + sizeof(Frame);
      frame->capacity_ = kCapacities[size_class];
      frame->size_class_ = size_class;
      frame->next_free_ = free_[size_class];
      free_[size_class] = frame;
    }
    stats_.allocated += count;
    stats_.bytes += count * stride;
  }

  struct FreeSlab {
    void operator()(std::uint8_t* slab) const {
      ::operator delete (slab, std::align_val_t{kAlign});
    }
  };

  FramePool() = default;
  // The pool outlives every holder: static objects may still drop frames after main().
  ~FramePool() {
    if (stats_.live != 0) {
      for (auto& slab : slabs_) static_cast<void>(slab.release());
    }
  }

  std::array<Frame*, kCapacities.size()> free_{};
  std::vector<std::unique_ptr<std::uint8_t, FreeSlab>> slabs_;
  std::uint64_t next_id_ = 1;
  FramePoolStats stats_;
};

FramePoolStats frame_pool_stats() { return FramePool::instance().stats(); }

FrameRef Frame::allocate(std::uint32_t size) {
  if (size == 0 || size > kMaxBytes) {
    throw std::length_error(fmt::format("Frame::allocate: {} B, wants 1 to {} B", size, kMaxBytes));
  }
  return FramePool::instance().take(size);
}

void Frame::resize(std::uint32_t size) {
  if (size == 0 || size > capacity_) {
    throw std::length_error(fmt::format("Frame::resize: {} B, wants 1 to {} B", size, capacity_));
  }
  if (size > size_) store();  // elided bytes are zero, but bytes beyond the old size are undefined
  size_ = size;
  if (stored_ >= size_) stored_ = kAll;
}

void Frame::leave_blank(std::uint32_t from) {
  store();
  if (from >= size_) return;
  const std::uint32_t head = std::min(std::max(from, kHeadBytes), size_);
  std::memset(bytes_ + from, 0, head - from);
  if (head < size_) stored_ = head;
}

void Frame::store_zeros() const {
  std::memset(bytes_ + stored_, 0, size_ - stored_);
  stored_ = kAll;
}

void Frame::pad_to_minimum() {
  if (size_ >= kMinBytes) return;
  std::memset(bytes_ + size_, 0, kMinBytes - size_);
  size_ = kMinBytes;
}

std::uint32_t Frame::computed_fcs() const {
  return static_cast<std::uint32_t>(crc32_z(0, data(), size_));
}

std::uint32_t Frame::fcs() const { return fcs_is_stored_ ? stored_fcs_ : computed_fcs(); }

bool Frame::fcs_matches() const { return !fcs_is_stored_ || stored_fcs_ == computed_fcs(); }

void Frame::flip_bit(std::uint32_t bit) {
  if (bit / 8 >= octets()) {
    throw std::length_error(fmt::format("Frame::flip_bit: bit {} of {} B with FCS", bit, octets()));
  }
  if (!fcs_is_stored_) {
    stored_fcs_ = computed_fcs();
    fcs_is_stored_ = true;
  }
  if (bit < size_ * 8) {
    data()[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
  } else {
    stored_fcs_ ^= 1U << (bit - size_ * 8);
  }
}

void Frame::set_fcs(std::uint32_t fcs) {
  stored_fcs_ = fcs;
  fcs_is_stored_ = fcs != computed_fcs();
}

void FrameRef::give_back(Frame* frame) { FramePool::instance().give_back(frame); }

Frame& FrameRef::writable() {
  if (frame_->holders_ > 1) {
    // A copy keeps the size class, so it can be resized to the same capacity.
    FrameRef copy = FramePool::instance().take(frame_->capacity_);
    copy.frame_->size_ = frame_->size_;
    copy.frame_->stored_fcs_ = frame_->stored_fcs_;
    copy.frame_->fcs_is_stored_ = frame_->fcs_is_stored_;
    copy.frame_->stored_ = frame_->stored_;
    std::memcpy(copy.frame_->bytes_, frame_->bytes_, frame_->stored());
    *this = std::move(copy);
  }
  return *frame_;
}

}  // namespace longhaul

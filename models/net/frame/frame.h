// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace longhaul {

class FrameRef;

/// One Ethernet frame: from the destination address to the end of the payload, without preamble.
/// The FCS is kept beside these bytes.
///
/// Frames are reference-counted (FrameRef) and pooled: allocating and freeing do not touch the heap
/// once the pool has grown. A frame that has been sent is shared and must not change. Code that
/// alters bytes takes writable(), which copies the frame unless there is one holder only.
///
/// The FCS is computed only when it is needed: it is right by construction until a bit is flipped.
/// Payload that an adapter found to be zero in memory is elided: it is stored only when data() is
/// called. Modelled hosts send little else.
class Frame {
 public:
  /// Largest size without FCS: 16114 B of MTU, header and a VLAN tag, rounded up.
  static constexpr std::uint32_t kMaxBytes = 16384;
  static constexpr std::uint32_t kFcsBytes = 4;
  /// Smallest frame without FCS (IEEE 802.3, 4A.4.2: minFrameSize 64 octets with FCS).
  static constexpr std::uint32_t kMinBytes = 60;
  /// Bytes at the start of a frame that are always stored. More than all headers.
  static constexpr std::uint32_t kHeadBytes = 256;

  /// A frame of `size` bytes with undefined contents, 0 < size <= kMaxBytes. Throws
  /// std::length_error for another size.
  static FrameRef allocate(std::uint32_t size);

  std::uint8_t* data() {
    store();
    return bytes_;
  }
  const std::uint8_t* data() const {
    store();
    return bytes_;
  }
  /// The first stored() bytes: all of them, or at least kHeadBytes. The bytes that follow, up to
  /// size(), are zero.
  const std::uint8_t* head() const { return bytes_; }
  std::uint32_t stored() const { return stored_ < size_ ? stored_ : size_; }
  /// Makes the bytes from `from` on zero, whatever they were. Bytes beyond kHeadBytes are elided
  /// until data() is called.
  void leave_blank(std::uint32_t from);
  /// Loads the part of the frame that is read first into the host's caches. For a frame that was
  /// not used for long and is about to be read.
  void prefetch() const {
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(this);  // the bytes follow the
                                                                            // object
    for (std::uint32_t at = 0; at < sizeof *this + kHeadBytes / 2; at += 64)
      __builtin_prefetch(begin + at);
  }
  /// Stores elided bytes.
  void store() const {
    if (stored_ < size_) store_zeros();
  }
  std::uint32_t size() const { return size_; }
  /// Bytes on the wire between preamble and gap; includes the FCS.
  std::uint32_t octets() const { return size_ + kFcsBytes; }
  std::uint32_t capacity() const { return capacity_; }
  /// Changes the size; new bytes are undefined. The capacity is at least the allocated size and
  /// kMinBytes. Throws std::length_error for 0 or a size beyond the capacity.
  void resize(std::uint32_t size);
  /// Fills with zeros up to kMinBytes, as a MAC does.
  void pad_to_minimum();

  /// The number of the frame in order of allocation, for captures and traces. A copy gets its own
  /// number.
  std::uint64_t id() const { return id_; }

  /// The 32-bit FCS that travels with the frame (least significant byte first on the wire). It is
  /// the stored one if the frame was damaged, else the right one.
  std::uint32_t fcs() const;
  /// Whether the FCS is right for the bytes. It is computed at each call for a damaged frame.
  bool fcs_matches() const;
  /// Flips one bit of the bytes with FCS; the FCS stays as it was before the damage. Bits count in
  /// the order of sending (least significant bit of a byte first). Throws std::length_error unless
  /// 0 <= bit < 8 * octets().
  void flip_bit(std::uint32_t bit);
  /// Keeps the FCS that came with the bytes, right or wrong. For frames that are made from the
  /// bytes on a wire.
  void set_fcs(std::uint32_t fcs);

 private:
  friend class FrameRef;
  friend class FramePool;
  Frame() = default;
  std::uint32_t computed_fcs() const;
  void store_zeros() const;

  static constexpr std::uint32_t kAll = ~0U;
  std::uint8_t* bytes_ = nullptr;
  mutable std::uint32_t stored_ = kAll;  // bytes from here up to size_ are zero and elided
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
  std::uint32_t holders_ = 0;
  std::uint32_t stored_fcs_ = 0;
  bool fcs_is_stored_ = false;
  std::uint8_t size_class_ = 0;
  std::uint64_t id_ = 0;
  Frame* next_free_ = nullptr;
};

/// Shared ownership of a Frame. Not thread-safe: a simulation is one thread.
class FrameRef {
 public:
  FrameRef() = default;
  FrameRef(const FrameRef& other) : frame_(other.frame_) {
    if (frame_ != nullptr) ++frame_->holders_;
  }
  FrameRef(FrameRef&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  FrameRef& operator=(FrameRef other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~FrameRef() { reset(); }

  void reset() {
    if (frame_ == nullptr) return;
    if (--frame_->holders_ == 0) give_back(frame_);
    frame_ = nullptr;
  }
  explicit operator bool() const { return frame_ != nullptr; }
  const Frame& operator*() const { return *frame_; }
  const Frame* operator->() const { return frame_; }
  /// The frame, to be changed. If there are other holders, this reference gets a copy first, damage
  /// included.
  Frame& writable();

 private:
  friend class Frame;
  friend class FramePool;
  explicit FrameRef(Frame* frame) : frame_(frame) {}
  static void give_back(Frame* frame);

  Frame* frame_ = nullptr;
};

/// The contents of the pool, for tests and for the memory-growth probe.
struct FramePoolStats {
  std::uint64_t live = 0;       ///< frames that have a holder
  std::uint64_t allocated = 0;  ///< frames ever allocated from the heap
  std::uint64_t bytes = 0;      ///< heap bytes of those frames
};
FramePoolStats frame_pool_stats();

}  // namespace longhaul

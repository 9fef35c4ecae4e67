// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace longhaul {

class FrameRef;

/// One Ethernet frame: destination address to the end of the payload, without preamble; the FCS
/// beside it.
///
/// Reference-counted (FrameRef) and pooled: allocating and freeing touch no heap once the pool has
/// warmed up. A frame that has been sent is shared and must not change: whoever alters bytes takes
/// writable(), which copies unless it is the only holder. The FCS is computed only when somebody
/// needs it: until a bit is flipped it is right by construction. So are zeros at the end that an
/// adapter found in memory: they are stored when somebody asks for data(), and modelled hosts send
/// little else.
class Frame {
 public:
  /// Largest size without FCS: 16114 B of MTU, header and a VLAN tag, rounded up.
  static constexpr std::uint32_t kMaxBytes = 16384;
  static constexpr std::uint32_t kFcsBytes = 4;
  /// Smallest frame without FCS (IEEE 802.3, 4A.4.2: minFrameSize 64 octets with FCS).
  static constexpr std::uint32_t kMinBytes = 60;
  /// Bytes that are stored whatever was left blank: more than the headers that anybody reads.
  static constexpr std::uint32_t kHeadBytes = 256;

  /// A frame of `size` bytes with undefined contents, 0 < size <= kMaxBytes; std::length_error
  /// outside.
  static FrameRef allocate(std::uint32_t size);

  std::uint8_t* data() {
    store();
    return bytes_;
  }
  const std::uint8_t* data() const {
    store();
    return bytes_;
  }
  /// The first stored() bytes, kHeadBytes of them or all at least; those that follow up to size()
  /// are zero.
  const std::uint8_t* head() const { return bytes_; }
  std::uint32_t stored() const { return stored_ < size_ ? stored_ : size_; }
  /// The bytes from `from` on are zero, whatever lies there. Holds until one of them is asked for
  /// by data().
  void leave_blank(std::uint32_t from);
  /// Brings what its readers look at first into the host's caches, for one that has lain for long
  /// and is soon wanted.
  void prefetch() const {
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(this);  // its bytes follow it
    for (std::uint32_t at = 0; at < sizeof *this + kHeadBytes / 2; at += 64)
      __builtin_prefetch(begin + at);
  }
  /// Stores them now.
  void store() const {
    if (stored_ < size_) store_zeros();
  }
  std::uint32_t size() const { return size_; }
  /// Bytes on the wire between preamble and gap: with the FCS.
  std::uint32_t octets() const { return size_ + kFcsBytes; }
  std::uint32_t capacity() const { return capacity_; }
  /// Changes the size within the capacity, which is at least that of the allocation and kMinBytes;
  /// new bytes are undefined.
  void resize(std::uint32_t size);
  /// Zero-fills up to kMinBytes as a MAC does.
  void pad_to_minimum();

  /// Number of the frame in order of allocation, for captures and traces; a copy gets its own.
  std::uint64_t id() const { return id_; }

  /// The 32-bit FCS that travels with the frame (least significant byte first on the wire): the
  /// stored one if the frame was damaged, else the right one.
  std::uint32_t fcs() const;
  /// True unless a damaged frame's stored FCS disagrees with its bytes: computed, not remembered.
  bool fcs_matches() const;
  /// Flips one bit of bytes-with-FCS, 0 <= bit < 8 * octets(), counted as sent (least significant
  /// bit of a byte first); the FCS of the frame as it was before stays with it.
  void flip_bit(std::uint32_t bit);
  /// Keeps an FCS that came with the bytes, right or wrong; for frames that are made from what was
  /// on a wire.
  void set_fcs(std::uint32_t fcs);

 private:
  friend class FrameRef;
  friend class FramePool;
  Frame() = default;
  std::uint32_t computed_fcs() const;
  void store_zeros() const;

  static constexpr std::uint32_t kAll = ~0U;
  std::uint8_t* bytes_ = nullptr;
  mutable std::uint32_t stored_ = kAll;  // what lies behind, up to size_, is zero and is not stored
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
  std::uint32_t holders_ = 0;
  std::uint32_t stored_fcs_ = 0;
  bool fcs_is_stored_ = false;
  std::uint8_t size_class_ = 0;
  std::uint64_t id_ = 0;
  Frame* next_free_ = nullptr;
};

/// Shared ownership of a Frame; not thread-safe (a simulation is one thread).
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
  /// The frame to change: this one if nobody else holds it, else a copy (damage included) that
  /// replaces it here.
  Frame& writable();

 private:
  friend class Frame;
  friend class FramePool;
  explicit FrameRef(Frame* frame) : frame_(frame) {}
  static void give_back(Frame* frame);

  Frame* frame_ = nullptr;
};

/// What the pool holds; for tests and for the memory-growth probe.
struct FramePoolStats {
  std::uint64_t live = 0;       ///< frames held by someone
  std::uint64_t allocated = 0;  ///< frames ever carved from the heap
  std::uint64_t bytes = 0;      ///< heap bytes behind them
};
FramePoolStats frame_pool_stats();

}  // namespace longhaul

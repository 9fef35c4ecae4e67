// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/common/ring_map.h"

namespace longhaul::observe {

/// Bytes that one tenure of a bus moved.
struct BusMove {
  std::uint64_t start_ps = 0;
  std::uint64_t end_ps = 0;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  const std::uint8_t* data = nullptr;

  std::uint64_t end() const { return address + bytes; }
};

/// A descriptor ring as it shows on the bus: the driver's writes of its registers, and the
/// adapter's reads and writes of its memory. Positions count descriptors and only grow; a position
/// modulo entries() is the descriptor's index.
class RingFollower {
 public:
  /// The longest ring that is followed: 2^20 descriptors of 16 bytes.
  static constexpr std::uint32_t kMostBytes = 1U << 24;

  explicit RingFollower(const RingRegisters& registers) : registers_(registers) {}

  /// The driver writes a register of the adapter. Returns whether the ring begins again, empty.
  bool write_register(std::uint32_t offset, std::uint32_t value, const BusMove& move);
  void reset();
  bool contains(std::uint64_t address) const {
    return address >= base() && address - base() < bytes();
  }
  std::uint32_t entries() const { return entries_; }

  /// The adapter has read memory of the ring. Returns the positions [begin, end) that have become
  /// known: fetched in order, and offered by the driver.
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  Range fetched(const BusMove& move);
  /// The same of a ring with generation bits that the adapter writes: entries that have come.
  Range arrived(const BusMove& move) { return fetched(move); }
  /// The adapter has written memory of the ring. Returns the positions that it touched, of those
  /// that were fetched.
  Range written(const BusMove& move);
  std::uint64_t address_of(std::uint64_t position) const {
    return base() + position % entries_ * registers_.descriptor_bytes;
  }
  /// The descriptor's bytes, as they were last read or written.
  const std::uint8_t* descriptor(std::uint64_t position) const {
    return &image_[position % entries_ * registers_.descriptor_bytes];
  }
  /// The first write of the tail that offered this position, which was fetched last. With
  /// generation bits: the write that woke the adapter, for what it fetched first thereafter.
  const BusMove& doorbell(std::uint64_t position);

 private:
  struct Doorbell {
    std::uint64_t until;  // it offered the positions below
    BusMove move;
  };
  std::uint64_t base() const { return static_cast<std::uint64_t>(high_) << 32 | low_; }
  std::uint64_t bytes() const { return std::uint64_t{entries_} * registers_.descriptor_bytes; }
  void begin_again();
  std::uint64_t given_by(std::uint64_t tail) const;
  std::uint32_t entries_of(std::uint32_t value) const;
  bool is_offered(std::uint64_t position) const;
  /// Puts the bytes of the move that lie in the ring into the image. Returns the indices whose last
  /// byte is among them.
  Range store(const BusMove& move);

  const RingRegisters registers_;
  std::uint32_t low_ = 0;
  std::uint32_t high_ = 0;
  std::uint32_t head_ = 0;
  std::uint32_t entries_ = 0;
  std::uint64_t tail_ = 0;     // position
  std::uint64_t fetched_ = 0;  // positions below were fetched
  std::uint64_t written_ = 0;  // positions below were written back, or passed over
  std::vector<std::uint8_t> image_;
  std::deque<Doorbell> doorbells_;
  BusMove no_doorbell_;
  std::deque<BusMove> rung_;  // with generation bits: doorbells that nothing was fetched after
};

}  // namespace longhaul::observe

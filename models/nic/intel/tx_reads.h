// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace longhaul::nic::intel {

/// The reads of packet data that a transmit unit has in progress, in total and for each descriptor.
/// A descriptor is done when its last read has ended. It is known by its position in the ring; at
/// most `descriptors` are open at a time.
class TxReads {
 public:
  explicit TxReads(std::uint32_t descriptors) : open_(descriptors) {}

  void reset() { under_way_ = 0; }
  std::uint32_t under_way() const { return under_way_; }

  /// The unit begins to use a descriptor.
  void take(std::uint64_t position) { at(position) = {}; }
  /// A read for the descriptor begins or ends.
  void begin(std::uint64_t position) {
    ++under_way_;
    ++at(position).reads;
  }
  void end(std::uint64_t position) {
    --under_way_;
    --at(position).reads;
  }
  /// No more reads will begin for the descriptor.
  void all_begun(std::uint64_t position) { at(position).all_begun = true; }
  /// Whether all data of the descriptor are on chip.
  bool arrived(std::uint64_t position) {
    const Descriptor& descriptor = at(position);
    return descriptor.reads == 0 && descriptor.all_begun;
  }

 private:
  struct Descriptor {
    std::uint32_t reads = 0;  // in progress
    bool all_begun = false;
  };
  Descriptor& at(std::uint64_t position) { return open_[position % open_.size()]; }

  std::vector<Descriptor> open_;
  std::uint32_t under_way_ = 0;
};

}  // namespace longhaul::nic::intel

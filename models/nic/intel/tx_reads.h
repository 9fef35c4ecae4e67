// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace longhaul::nic::intel {

/// The reads of packets' data that a transmit unit has under way, in all and for each descriptor,
/// which is done when its last one has ended. A descriptor is known by its position in the ring;
/// no more than `descriptors` are open at a time.
class TxReads {
 public:
  explicit TxReads(std::uint32_t descriptors) : open_(descriptors) {}

  void reset() { under_way_ = 0; }
  std::uint32_t under_way() const { return under_way_; }

  /// A descriptor is taken in hand.
  void take(std::uint64_t position) { at(position) = {}; }
  /// A read for it begins, ends.
  void begin(std::uint64_t position) {
    ++under_way_;
    ++at(position).reads;
  }
  void end(std::uint64_t position) {
    --under_way_;
    --at(position).reads;
  }
  /// No more reads will begin for it.
  void all_begun(std::uint64_t position) { at(position).all_begun = true; }
  /// All its data are on chip.
  bool arrived(std::uint64_t position) {
    const Descriptor& descriptor = at(position);
    return descriptor.reads == 0 && descriptor.all_begun;
  }

 private:
  struct Descriptor {
    std::uint32_t reads = 0;  // under way
    bool all_begun = false;
  };
  Descriptor& at(std::uint64_t position) { return open_[position % open_.size()]; }

  std::vector<Descriptor> open_;
  std::uint32_t under_way_ = 0;
};

}  // namespace longhaul::nic::intel

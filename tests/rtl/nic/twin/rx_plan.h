// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/nic/blocks/mac_address.h"
#include "tests/rtl/nic/twin/random.h"
#include "tests/rtl/nic/twin/wire_end.h"

namespace longhaul::nic_twin {

/// Draws frames that come from the line.
class RxPlan {
 public:
  /// `limit` is the longest frame that the adapter takes, FCS included. `exact` are addresses that
  /// it may know.
  RxPlan(Random& random, std::uint32_t limit, std::vector<MacAddress> exact)
      : random_(random), limit_(limit), exact_(std::move(exact)) {}

  /// A frame of any kind, good or bad, or a frame that is wanted by address, size and FCS.
  LineFrame any();
  LineFrame wanted(std::uint32_t octets);
  /// A PAUSE frame.
  LineFrame pause(std::uint32_t quanta);

 private:
  void address(std::vector<std::uint8_t>& bytes);
  LineFrame packet();
  LineFrame raw(std::uint32_t octets);
  LineFrame control();

  Random& random_;
  const std::uint32_t limit_;
  const std::vector<MacAddress> exact_;
};

}  // namespace longhaul::nic_twin

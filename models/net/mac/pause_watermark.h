// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/net/mac/eth_mac.h"

namespace longhaul {

/// Sends PAUSE frames by the fill of a buffer: XOFF at or above a high mark, XON when the fill is
/// back at or below a low mark.
///
/// While the fill stays above the low mark, XOFF is repeated, usually after every half of its pause
/// time, so the far end does not resume by itself. Needs EthMac::set_flow_control(true, ...).
class PauseWatermark final : public sc_core::sc_module {
 public:
  PauseWatermark(const sc_core::sc_module_name& name, EthMac& mac);

  /// Marks in bytes, low <= high. quanta > 0 is the pause time of an XOFF, in units of 512 bit
  /// times. Without send_xon the pause runs out by itself. `interval` is the time, in the same
  /// unit, after which XOFF is repeated; 0 is half of the pause time.
  void set(std::uint64_t high, std::uint64_t low, std::uint16_t quanta, bool send_xon = true,
           std::uint16_t interval = 0);
  /// Sets the present fill in bytes.
  void update(std::uint64_t fill);
  /// Whether the last PAUSE frame told the far end to stop.
  bool holding() const { return holding_; }
  void reset();  ///< forgets the state, sends nothing

 private:
  void send_xoff();

  EthMac& mac_;
  std::uint64_t high_ = ~std::uint64_t{0};
  std::uint64_t low_ = ~std::uint64_t{0};
  std::uint16_t quanta_ = 0xffff;
  std::uint16_t interval_ = 0;
  bool send_xon_ = true;
  bool holding_ = false;
  Timer refresh_{[this] {
    if (holding_) send_xoff();
  }};
};

}  // namespace longhaul

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/common/register_bank.h"
#include "models/common/units.h"
#include "models/nic/genesis/bmu_regs.h"

namespace longhaul::nic::genesis {

/// One queue's part of the packet memory: its registers and its fill. The owner keeps the contents.
///
/// Sizes are in quadwords, as in the registers. The capacity is at most the memory, whatever START
/// and END say. Nothing fits while the buffer is off.
class RamBuffer final : public sc_core::sc_module {
 public:
  /// `block` is the offset of its registers. `changed` is called when it was switched on or off, or
  /// its bounds were set. `emptied` is called when it was reset and its contents are lost.
  RamBuffer(const sc_core::sc_module_name& name, RegisterBank& bank, std::uint32_t block,
            Bytes memory, std::function<void()> changed, std::function<void()> emptied);

  static std::uint32_t quadwords(std::uint32_t bytes) { return (bytes + 7) / 8; }

  bool enabled() const { return on_; }
  std::uint32_t capacity() const;
  bool fits(std::uint32_t quadwords) const { return on_ && fill.value() + quadwords <= capacity(); }
  /// Takes room; it must fit.
  void put(std::uint32_t quadwords);
  /// Gives room back.
  void take(std::uint32_t quadwords);
  void packet_in() { ++packets_; }
  void packet_out() { packets_ -= packets_ != 0 ? 1 : 0; }
  std::uint32_t packets() const { return packets_; }
  /// Whether the fill has passed UTPP and has not yet returned to LTPP.
  bool above_pause() const { return above_pause_; }
  /// Chip reset: off and empty. The bank resets the registers.
  void reset();

  observe::Level fill{"fill", "qword", "quadwords in use"};

 private:
  void control(std::uint32_t value);
  void bounds_changed();
  void empty();
  void advance(Reg32& pointer, std::uint32_t quadwords) const;
  void update_pause();
  std::uint32_t control_now() const;

  const std::uint32_t memory_;  // quadwords
  std::function<void()> changed_;
  std::function<void()> emptied_;
  bool held_ = true;  // in reset
  bool operates_ = false;
  bool stores_ = false;
  bool on_ = false;
  bool above_pause_ = false;
  std::uint32_t packets_ = 0;

  Reg32 start_;
  Reg32 end_;
  Reg32 wp_;
  Reg32 rp_;
  Reg32 utpp_;
  Reg32 ltpp_;
  Reg32 uthp_;
  Reg32 lthp_;
  Reg32 pc_;
  Reg32 lev_;
  Reg32 ctrl_;
};

}  // namespace longhaul::nic::genesis

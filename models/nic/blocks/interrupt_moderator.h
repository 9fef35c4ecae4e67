// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"

namespace longhaul::nic {

/// Cause and mask registers of an adapter, and its interrupt request. The request is high while any
/// cause is both latched and enabled. It rises at most once per gap.
class InterruptModerator final : public sc_core::sc_module {
 public:
  /// `drive` is called with the level at each change, in the process that caused it.
  InterruptModerator(const sc_core::sc_module_name& name, std::function<void(bool level)> drive);

  void post(std::uint32_t causes);  ///< latches causes
  std::uint32_t take();  ///< reads and clears all causes, for a cause register that clears on read
  /// Clears some causes, for a cause register that clears on a write of ones.
  void acknowledge(std::uint32_t causes);
  void enable(std::uint32_t causes);
  void disable(std::uint32_t causes);
  std::uint32_t causes() const { return causes_; }
  std::uint32_t mask() const { return mask_; }
  bool level() const { return level_; }
  /// Sets the least time from one rise of the request to the next; an earlier rise waits. Zero
  /// means no limit.
  void set_gap(const sc_core::sc_time& gap);
  void reset();  ///< no cause, no cause enabled, no gap

  observe::Counter held_back{"held_back", "1", "rises that had to wait for the gap"};

  observe::Counter raised{"raised", "1", "rises of the interrupt request"};
  /// A level-triggered interrupt that ends before the core looks is not taken. Example: a cause
  /// that comes between a handler's read of the causes and its write to the mask.
  observe::Counter withdrawn{"withdrawn", "1",
                             "falls of the interrupt request by its mask, with the cause unread"};
  observe::Signal request{"request", 1, "the interrupt request"};
  observe::SpanTap spans{"spans",
                         "from the rise of the interrupt request to its fall; arg0 causes at the "
                         "rise, arg1 enabled causes"};

 private:
  void update();

  std::function<void(bool)> drive_;
  std::uint32_t causes_ = 0;
  std::uint32_t mask_ = 0;
  bool level_ = false;
  std::uint64_t rose_ps_ = 0;
  std::uint32_t rose_causes_ = 0;
  std::uint64_t gap_ps_ = 0;
  bool rose_once_ = false;
  bool waiting_ = false;  // the request rises when the gap is over
  Timer gap_over_{[this] { update(); }};
};

}  // namespace longhaul::nic

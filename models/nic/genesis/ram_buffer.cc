// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/ram_buffer.h"

#include <algorithm>
#include <utility>

namespace longhaul::nic::genesis {
namespace {

using regs::rb::kPointerMask;

}  // namespace

RamBuffer::RamBuffer(const sc_core::sc_module_name& name, RegisterBank& bank, std::uint32_t block,
                     Bytes memory, std::function<void()> changed, std::function<void()> emptied)
    : sc_module(name),
      memory_(static_cast<std::uint32_t>(memory.count / 8)),
      changed_(std::move(changed)),
      emptied_(std::move(emptied)),
      start_(bank, "RB_START", block + regs::rb::kStart, 0, Access::kReadWrite, {},
             [this](std::uint32_t v) { bound(start_, v); }),
      end_(bank, "RB_END", block + regs::rb::kEnd, 0, Access::kReadWrite, {},
           [this](std::uint32_t v) { bound(end_, v); }),
      wp_(bank, "RB_WP", block + regs::rb::kWp, 0, Access::kReadWrite, {},
          [this](std::uint32_t v) { wp_.set(v & kPointerMask); }),
      rp_(bank, "RB_RP", block + regs::rb::kRp, 0, Access::kReadWrite, {},
          [this](std::uint32_t v) { rp_.set(v & kPointerMask); }),
      utpp_(bank, "RB_RX_UTPP", block + regs::rb::kUtpp, 0, Access::kReadWrite, {},
            [this](std::uint32_t v) { bound(utpp_, v); }),
      ltpp_(bank, "RB_RX_LTPP", block + regs::rb::kLtpp, 0, Access::kReadWrite, {},
            [this](std::uint32_t v) { bound(ltpp_, v); }),
      uthp_(bank, "RB_RX_UTHP", block + regs::rb::kUthp),
      lthp_(bank, "RB_RX_LTHP", block + regs::rb::kLthp),
      pc_(bank, "RB_PC", block + regs::rb::kPc, 0, Access::kReadOnly, [this] { return packets_; }),
      lev_(bank, "RB_LEV", block + regs::rb::kLev, 0, Access::kReadOnly,
           [this] { return static_cast<std::uint32_t>(fill.value()); }),
      ctrl_(
          bank, "RB_CTRL", block + regs::rb::kCtrl, 0, Access::kReadWrite,
          [this] { return control_now(); }, [this](std::uint32_t v) { control(v); }) {}

std::uint32_t RamBuffer::capacity() const {
  const std::uint32_t begin = start_.value();
  const std::uint32_t last = end_.value();
  return last < begin ? 0 : std::min(last - begin + 1, memory_);
}

void RamBuffer::bound(Reg32& reg, std::uint32_t value) {
  reg.set(value & kPointerMask);
  update_pause();
  changed_();
}

void RamBuffer::advance(Reg32& pointer, std::uint32_t quadwords) const {
  const std::uint32_t next = pointer.value() + quadwords;
  pointer.set((next > end_.value() ? next - capacity() : next) & kPointerMask);
}

void RamBuffer::put(std::uint32_t quadwords) {
  fill.add(quadwords);
  advance(wp_, quadwords);
  update_pause();
}

void RamBuffer::take(std::uint32_t quadwords) {
  fill.add(-static_cast<std::int64_t>(quadwords));
  advance(rp_, quadwords);
  update_pause();
}

void RamBuffer::update_pause() {
  // UTPP 0, as after a reset, is no threshold.
  if (utpp_.value() == 0 || fill.value() <= ltpp_.value()) above_pause_ = false;
  if (utpp_.value() != 0 && fill.value() >= utpp_.value()) above_pause_ = true;
}

void RamBuffer::control(std::uint32_t value) {
  ctrl_.set(0);  // commands: what is not written does nothing
  using namespace regs::rb;
  stores_ = regs::after(value, kEnaStfwd, kDisStfwd, stores_);
  operates_ = regs::after(value, kEnaOpMd, kDisOpMd, operates_);
  const bool held = !regs::after(value, kRstClr, kRstSet, !held_);
  const bool reset = held && !held_;
  held_ = held;
  on_ = operates_ && !held_;
  if (reset) {
    empty();
    emptied_();
  }
  changed_();
}

std::uint32_t RamBuffer::control_now() const {
  using namespace regs::rb;
  return (stores_ ? kEnaStfwd : kDisStfwd) | (operates_ ? kEnaOpMd : kDisOpMd) |
         (held_ ? kRstSet : kRstClr);
}

void RamBuffer::empty() {
  fill.set(0);
  packets_ = 0;
  update_pause();
}

void RamBuffer::reset() {
  held_ = true;
  operates_ = false;
  stores_ = false;
  on_ = false;
  above_pause_ = false;
  empty();
}

}  // namespace longhaul::nic::genesis

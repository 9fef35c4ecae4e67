// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/ram_buffer.h"

#include <algorithm>
#include <utility>

namespace longhaul::nic::genesis {
namespace {

/// A pointer into the adapter's RAM.
constexpr RegisterSpec pointer(const char* name, std::uint32_t offset) {
  return {
      name, offset, regs::kRbPointerFields, Access::kReadWrite, 0, regs::kRbPointerFields.mask()};
}

}  // namespace

RamBuffer::RamBuffer(const sc_core::sc_module_name& name, RegisterBank& bank, std::uint32_t block,
                     Bytes memory, std::function<void()> changed, std::function<void()> emptied)
    : sc_module(name),
      memory_(static_cast<std::uint32_t>(memory.count / 8)),
      changed_(std::move(changed)),
      emptied_(std::move(emptied)),
      start_(bank, pointer("RB_START", block + regs::rb::kStart), [this] { bounds_changed(); }),
      end_(bank, pointer("RB_END", block + regs::rb::kEnd), [this] { bounds_changed(); }),
      wp_(bank, pointer("RB_WP", block + regs::rb::kWp)),
      rp_(bank, pointer("RB_RP", block + regs::rb::kRp)),
      utpp_(bank, pointer("RB_RX_UTPP", block + regs::rb::kUtpp), [this] { bounds_changed(); }),
      ltpp_(bank, pointer("RB_RX_LTPP", block + regs::rb::kLtpp), [this] { bounds_changed(); }),
      uthp_(bank, "RB_RX_UTHP", block + regs::rb::kUthp),
      lthp_(bank, "RB_RX_LTHP", block + regs::rb::kLthp),
      pc_(bank, "RB_PC", block + regs::rb::kPc, 0, Access::kReadOnly, [this] { return packets_; }),
      lev_(bank, "RB_LEV", block + regs::rb::kLev, 0, Access::kReadOnly,
           [this] { return static_cast<std::uint32_t>(fill.value()); }),
      ctrl_(
          bank, RegisterSpec{"RB_CTRL", block + regs::rb::kCtrl, regs::kRbCtrlFields},
          [this] { return control_now(); }, [this](std::uint32_t v) { control(v); }) {}

std::uint32_t RamBuffer::capacity() const {
  const std::uint32_t begin = start_.value();
  const std::uint32_t last = end_.value();
  return last < begin ? 0 : std::min(last - begin + 1, memory_);
}

void RamBuffer::bounds_changed() {
  update_pause();
  changed_();
}

void RamBuffer::advance(Reg32& pointer, std::uint32_t quadwords) const {
  const std::uint32_t next = pointer.value() + quadwords;
  pointer.set((next > end_.value() ? next - capacity() : next) & regs::kRbPointerFields.mask());
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
  // UTPP is 0 after a reset, which means no threshold.
  if (utpp_.value() == 0 || fill.value() <= ltpp_.value()) above_pause_ = false;
  if (utpp_.value() != 0 && fill.value() >= utpp_.value()) above_pause_ = true;
}

void RamBuffer::control(std::uint32_t value) {
  ctrl_.set(0);  // commands: a bit that is not written has no effect
  constexpr const auto& kBits = regs::kRbCtrlFields;
  stores_ = regs::after(value, kBits.ena_stfwd, kBits.dis_stfwd, stores_);
  operates_ = regs::after(value, kBits.ena_op_md, kBits.dis_op_md, operates_);
  const bool held = !regs::after(value, kBits.rst_clr, kBits.rst_set, !held_);
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
  constexpr const auto& kBits = regs::kRbCtrlFields;
  return (stores_ ? kBits.ena_stfwd : kBits.dis_stfwd) |
         (operates_ ? kBits.ena_op_md : kBits.dis_op_md) | (held_ ? kBits.rst_set : kBits.rst_clr);
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

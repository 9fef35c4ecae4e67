// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/pm3393_interrupts.h"

#include <array>
#include <utility>

namespace longhaul::nic::terminator {
namespace {

struct BlockNames {
  const RegisterField& master;
  const char* status_name;
  std::uint32_t status;
  const char* enable_name;
  std::uint32_t enable;
};

using pm::kMasterInterruptFields;

constexpr std::array<BlockNames, 13> kBlocks{{
    {kMasterInterruptFields.xaui, "SERDES_3125_INTERRUPT_STATUS", 0x0104,
     "SERDES_3125_INTERRUPT_ENABLE", 0x0102},
    {kMasterInterruptFields.rxxg, "RXXG_INTERRUPT", 0x2043, "RXXG_CONFIG_3", 0x2042},
    {kMasterInterruptFields.xrf, "XRF_INTERRUPT_STATUS", 0x2089, "XRF_INTERRUPT_ENABLE", 0x2088},
    {kMasterInterruptFields.xrf, "XRF_DIAG_INTERRUPT_STATUS", 0x208c, "XRF_DIAG_INTERRUPT_ENABLE",
     0x208b},
    {kMasterInterruptFields.rxoam, "RXOAM_INTERRUPT_STATUS", 0x20c8, "RXOAM_INTERRUPT_ENABLE",
     0x20c7},
    {kMasterInterruptFields.iflx, "IFLX_FIFO_OVERFLOW_INTERRUPT", 0x220a,
     "IFLX_FIFO_OVERFLOW_ENABLE", 0x2209},
    {kMasterInterruptFields.pl4odp, "PL4ODP_INTERRUPT", 0x2283, "PL4ODP_INTERRUPT_MASK", 0x2282},
    {kMasterInterruptFields.pl4io, "PL4IO_LOCK_DETECT_CHANGE", 0x2301, "PL4IO_LOCK_DETECT_MASK",
     0x2302},
    {kMasterInterruptFields.txxg, "TXXG_INTERRUPT", 0x3043, "TXXG_CONFIG_3", 0x3042},
    {kMasterInterruptFields.xtef, "XTEF_INTERRUPT_STATUS", 0x3084, "XTEF_INTERRUPT_ENABLE", 0x3085},
    {kMasterInterruptFields.txoam, "TXOAM_INTERRUPT_STATUS", 0x30c7, "TXOAM_INTERRUPT_ENABLE",
     0x30c6},
    {kMasterInterruptFields.eflx, "EFLX_FIFO_OVERFLOW_ERROR_INDICATION", 0x320d,
     "EFLX_FIFO_OVERFLOW_ERROR_ENABLE", 0x320c},
    {kMasterInterruptFields.pl4idu, "PL4IDU_INTERRUPT", 0x3283, "PL4IDU_INTERRUPT_MASK", 0x3282},
}};

}  // namespace

Pm3393Interrupts::Pm3393Interrupts(RegisterBank& bank, std::function<void()> pin_changed)
    : pin_changed_(std::move(pin_changed)),
      master_(bank, pm::kMasterInterruptStatus, [this] { return master(); }),
      global_enable_(bank, pm::kGlobalInterruptEnable, [this] { update(); }) {
  for (const BlockNames& names : kBlocks) {
    const std::size_t at = blocks_.size();
    const pm::Spec status{names.status_name, names.status, Access::kReadOnly};
    const pm::Spec enable{names.enable_name, names.enable};
    blocks_.emplace_back(
        bank, names.master.mask(), status, [this, at] { return take(blocks_[at]); }, enable,
        [this](std::uint32_t) { update(); });
  }
}

std::uint32_t Pm3393Interrupts::take(Block& block) {
  const std::uint32_t seen = block.status.value();
  block.status.set(0);
  update();
  return seen;
}

void Pm3393Interrupts::raise(const RegisterField& block, std::uint32_t events) {
  for (Block& each : blocks_) {
    if (each.master != block.mask()) continue;
    each.status.set_bits(events);
    break;
  }
  update();
}

void Pm3393Interrupts::set_mstat(bool asks) {
  mstat_asks_ = asks;
  update();
}

std::uint32_t Pm3393Interrupts::master() const {
  std::uint32_t value = mstat_asks_ ? kMasterInterruptFields.mstat.mask() : 0U;
  for (const Block& each : blocks_)
    if ((each.status.value() & each.enable.value()) != 0) value |= each.master;
  return value;
}

void Pm3393Interrupts::update() {
  const bool level = global_enable_.has(pm::kInterruptEnableFields.inte) && master() != 0;
  if (std::exchange(pin_, level) != level) pin_changed_();
}

void Pm3393Interrupts::reset() {
  mstat_asks_ = false;
  update();
}

}  // namespace longhaul::nic::terminator

// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/espi_command.h"

namespace longhaul::nic::terminator {
namespace {

using mac_regs::kEspiCommandFields;
using mac_regs::kEspiGostatFields;

// Linux 6.1 cxgb/espi.c.
constexpr std::uint32_t kReadCommand = 0x11;
constexpr std::uint32_t kWriteCommand = 0x21;

}  // namespace

EspiCommand::EspiCommand(RegisterBank& bank, Frequency core_clock)
    : clock_ps_(core_clock.period_ps()),
      address_(bank, mac_regs::kEspiCmdAddr),
      gostat_(
          bank, mac_regs::kEspiGostat, [this] { return state(); },
          [this](std::uint32_t) { start(); }) {}

std::uint32_t EspiCommand::state() const {
  return result_ | (now_ps() < busy_until_ps_ ? kEspiGostatFields.busy.mask() : 0U);
}

void EspiCommand::start() {
  if (now_ps() < busy_until_ps_) return;
  busy_until_ps_ = now_ps() + kClocks * clock_ps_;
  const std::uint32_t module = address_.get(kEspiCommandFields.module);
  if (address_.get(kEspiCommandFields.bundle) != 0 || module >= kModules) {
    result_ = kEspiGostatFields.unmapped;
    return;
  }
  std::uint8_t& stored =
      registers_.at(module * kRegistersOfAModule + 16 * address_.get(kEspiCommandFields.channel) +
                    address_.get(kEspiCommandFields.reg));
  switch (address_.get(kEspiCommandFields.command)) {
    case kWriteCommand:
      stored = static_cast<std::uint8_t>(address_.get(kEspiCommandFields.data));
      result_ = 0;
      return;
    case kReadCommand: result_ = stored; return;
    default: result_ = kEspiGostatFields.error;
  }
}

void EspiCommand::reset() {
  busy_until_ps_ = 0;
  result_ = 0;
  registers_.fill(0);
}

}  // namespace longhaul::nic::terminator

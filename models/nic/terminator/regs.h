// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "models/nic/terminator/regs_mc.h"
#include "models/nic/terminator/regs_mc5.h"
#include "models/nic/terminator/regs_pl.h"
#include "models/nic/terminator/regs_sge.h"
#include "models/nic/terminator/regs_tp.h"
#include "models/nic/terminator/regs_tp_tcp.h"

namespace longhaul::nic::terminator::regs {

constexpr std::uint32_t kMemoryBytes = 4096;

/// Configuration space: Linux 6.1 cxgb/regs.h, PCICFG registers. Capabilities begin 4 B before the
/// power management register and 2 B before the VPD address.
namespace config {
constexpr std::uint8_t kPower = 0x40;
constexpr std::uint8_t kVpd = 0x48;
constexpr std::uint8_t kMsi = 0x50;  // not in any driver
constexpr std::uint8_t kPcix = 0x60;
constexpr std::uint8_t kIntrEnable = 0xf4;
constexpr std::uint8_t kIntrCause = 0xf8;
constexpr std::uint8_t kMode = 0xfc;

/// Registers that keep their values when the chip is reset by leaving D3hot: latency timer, BAR 0,
/// interrupt line, MSI, PCI-X command and command. cxgb's t1_sw_reset() restores none of them. The
/// command shares its DWORD with status bits that a write of ones clears.
constexpr std::uint8_t kCommand = 0x04;
constexpr std::uint32_t kCommandBits = 0xffff;
constexpr std::array<std::uint8_t, 9> kKept{0x0c,     0x10,      0x3c,  kMsi,    kMsi + 4,
                                            kMsi + 8, kMsi + 12, kPcix, kCommand};

/// INTR_ENABLE and INTR_CAUSE.
struct IntrFields : RegisterFields {
  RegisterField master_parity_err = unmodelled("MASTER_PARITY_ERR", 0);
  RegisterField sig_target_abort = unmodelled("SIG_TARGET_ABORT", 1);
  RegisterField rcv_target_abort = bit("RCV_TARGET_ABORT", 2, "a transfer met a target abort");
  RegisterField rcv_master_abort = bit("RCV_MASTER_ABORT", 3, "a transfer met a master abort");
  RegisterField sig_sys_err = unmodelled("SIG_SYS_ERR", 4);
  RegisterField det_parity_err = unmodelled("DET_PARITY_ERR", 5);
  RegisterField pio_parity_err = unmodelled("PIO_PARITY_ERR", 6);
  RegisterField wf_parity_err = unmodelled("WF_PARITY_ERR", 7);
  RegisterField rf_parity_err = unmodelled("RF_PARITY_ERR", 8, 2);
  RegisterField cf_parity_err = unmodelled("CF_PARITY_ERR", 10, 2);
};
inline constexpr IntrFields kIntrFields;

struct ModeFields : RegisterFields {
  RegisterField width_64 = bit("PCI_MODE_64BIT", 0, "the bus has 64 bits");
  RegisterField clock_66 = bit("PCI_MODE_66MHZ", 1, "the bus has 66 MHz or more");
  RegisterField initpat = unmodelled("PCI_MODE_PCIX_INITPAT", 2, 3);
  RegisterField pcix = bit("PCI_MODE_PCIX", 5, "the bus is PCI-X");
  RegisterField clk = bits("PCI_MODE_CLK", 6, 2, "0: 33, 1: 66, 2: 100, 3: 133 MHz");
};
inline constexpr ModeFields kModeFields;
}  // namespace config

}  // namespace longhaul::nic::terminator::regs

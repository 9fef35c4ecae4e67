// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/register_field.h"

namespace longhaul::nic::genesis::regs {

/// ISRC, SP_ISRC, IMSK and IRQM_MSK. Source: Linux 6.1 drivers/net/ethernet/marvell/skge.h. Names
/// as there, without IS_.
struct IsrcFields : RegisterFields {
  RegisterField of_mac2 = unmodelled("XA2_XS2", 0, 6);
  RegisterField xa1_c = bit("XA1_C", 6, "asynchronous transmit queue: bad descriptor, bus error");
  RegisterField xa1_f = bit("XA1_F", 7, "asynchronous transmit queue: end of frame");
  RegisterField xa1_b = bit("XA1_B", 8, "asynchronous transmit queue: end of buffer");
  RegisterField xs1 = unmodelled("XS1", 9, 3);
  RegisterField r2 = unmodelled("R2", 12, 3);
  RegisterField r1_c = bit("R1_C", 15, "receive queue: bad descriptor, bus error");
  RegisterField r1_f = bit("R1_F", 16, "receive queue: end of frame");
  RegisterField r1_b = bit("R1_B", 17, "receive queue: end of buffer");
  RegisterField lnk_sync_m2 = unmodelled("LNK_SYNC_M2", 18);
  RegisterField mac2 = unmodelled("MAC2", 19);
  RegisterField lnk_sync_m1 = unmodelled("LNK_SYNC_M1", 20);
  RegisterField mac1 = bit("MAC1", 21, "the XMAC's interrupt");
  RegisterField timint = bit("TIMINT", 22, "the timer TI got to zero");
  RegisterField ext_reg = unmodelled("EXT_REG", 23);
  RegisterField irq_sw = bit("IRQ_SW", 24, "software asked for it, by CTST");
  RegisterField i2c_ready = unmodelled("I2C_READY", 25);
  RegisterField pa_to = unmodelled("PA_TO", 26, 4);
  RegisterField hw_err = bit("HW_ERR", 31, "a cause of HWE_ISRC that HWE_IMSK lets through");
};
inline constexpr IsrcFields kIsrcFields;

}  // namespace longhaul::nic::genesis::regs

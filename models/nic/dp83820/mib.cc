// SPDX-License-Identifier: Apache-2.0
#include "models/nic/dp83820/mib.h"

namespace longhaul::nic::dp83820 {

Mib::Mib(RegisterBank& bank, const EthMac& mac)
    : block_(bank),
      errored_(block_.add_word("RXErroredPkts", 0x60)),
      bad_fcs_(block_.add_word("RXFCSErrors", 0x64)),
      missed_(block_.add_word("RXMsdPktErrors", 0x68)),
      too_long_(block_.add_word("RXFrameTooLong", 0x74)),
      mibc_(bank, regs::kMibc, this, &Mib::control_now, &Mib::control_written) {
  block_.add_zero("RXFAErrors", 0x6c);
  block_.add_zero("RXSymbolErrors", 0x70);
  block_.add_zero("RXIRLErrors", 0x78);
  block_.add_follower("RXBadOpcodes", 0x7c, [&mac] { return mac.rx_control.value(); });
  block_.add_follower("RXPauseFrames", 0x80,
                      [&mac] { return mac.rx_xon.value() + mac.rx_xoff.value(); });
  block_.add_follower("TXPauseFrames", 0x84,
                      [&mac] { return mac.tx_xon.value() + mac.tx_xoff.value(); });
  block_.add_zero("TXSQEErrors", 0x88);
}

void Mib::control_written(std::uint32_t value) {
  frozen_ = (value & regs::kMibcFields.frz) != 0;
  if ((value & regs::kMibcFields.aclr) != 0) block_.reset();
}

void Mib::reset() {
  frozen_ = true;
  block_.reset();
}

}  // namespace longhaul::nic::dp83820

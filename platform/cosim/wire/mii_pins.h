// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cosim/pin.h"

namespace longhaul::cosim {

/// One direction of MII (IEEE 802.3, clause 22): four bits, RX_DV or TX_EN, RX_ER or TX_ER; 2.5 MHz
/// at 10 Mb/s, 25 MHz at 100. The low nibble of a byte is first.
struct MiiPins {
  Pin data;
  Pin valid;
  Pin error;
};

}  // namespace longhaul::cosim

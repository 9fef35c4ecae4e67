// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cosim/wire/mii_pins.h"
#include "platform/cosim/wire/mii_player.h"

namespace longhaul::cosim {

/// Plays frames into a block's MII receiver.
using MiiRx = MiiPlayer<MiiPins>;

}  // namespace longhaul::cosim

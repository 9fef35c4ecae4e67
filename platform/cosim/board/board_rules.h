// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cosim/bus/rule.h"

/// The rules of the checkers of a block's pins to parts beside it on its board.
namespace longhaul::cosim {

namespace microwire_rules {
inline constexpr Rule kClock{"microwire.clock", "Atmel AT93C46 AC characteristics, tSKH and tSKL",
                             "While CS is high, SK is high and low for 250 ns at least."};
inline constexpr Rule kSelect{"microwire.select", "Atmel AT93C46 AC characteristics, tCSS",
                              "CS rises 50 ns before SK at least."};
inline constexpr Rule kDeselect{"microwire.deselect", "Atmel AT93C46 AC characteristics, tCS",
                                "Between two instructions CS is low for 250 ns at least."};
inline constexpr Rule kData{"microwire.data", "Atmel AT93C46 AC characteristics, tDIS and tDIH",
                            "While CS is high, DI does not change within 100 ns of a rise of SK."};
inline constexpr const Rule* kAll[] = {&kClock, &kSelect, &kDeselect, &kData};
}  // namespace microwire_rules

namespace mdio_rules {
inline constexpr Rule kClock{
    "mdio.clock", "IEEE 802.3 22.2.2.13",
    "MDC is high and low for 160 ns at least, and its period is 400 ns at least."};
inline constexpr Rule kStable{"mdio.stable", "IEEE 802.3 22.3.4",
                              "What the block drives on MDIO does not change within 10 ns of a "
                              "rise of MDC."};
inline constexpr Rule kPreamble{
    "mdio.preamble", "IEEE 802.3 22.2.4.5.2, 45.3.2",
    "A frame begins with 32 ones, unless each device on the bus takes fewer."};
inline constexpr Rule kOperation{"mdio.operation", "IEEE 802.3 22.2.4.5.4",
                                 "The operation of a frame of clause 22 is 01 or 10."};
inline constexpr Rule kDriven{
    "mdio.driven", "IEEE 802.3 22.2.4.5, 45.3",
    "The block drives MDIO from the start of a frame to its turn-around, and to the end of a frame "
    "that reads nothing."};
inline constexpr Rule kTurnAround{
    "mdio.turn_around", "IEEE 802.3 22.2.4.5.7, 45.3.7",
    "In a read the block leaves MDIO to the device from the turn-around on; else the turn-around "
    "is 10."};
inline constexpr const Rule* kAll[] = {&kClock,     &kStable, &kPreamble,
                                       &kOperation, &kDriven, &kTurnAround};
}  // namespace mdio_rules

}  // namespace longhaul::cosim

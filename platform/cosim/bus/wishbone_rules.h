// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cosim/bus/rule.h"

/// The rules of WishboneChecker. Clauses are the rules of Wishbone B4 (OpenCores, 2010).
namespace longhaul::cosim::wishbone_rules {

inline constexpr Rule kReset{"wishbone.reset", "Wishbone B4 RULE 3.20",
                             "CYC_O and STB_O are low in reset, from its second edge on."};
inline constexpr Rule kCycle{"wishbone.strobe_in_cycle", "Wishbone B4 RULE 3.25",
                             "STB_O is high only while CYC_O is."};
inline constexpr Rule kTermination{
    "wishbone.termination_without_request", "Wishbone B4 RULE 3.35",
    "ACK_O, ERR_O and RTY_O answer a request: CYC_I and STB_I, or one that was taken before and "
    "waits."};
inline constexpr Rule kOneTermination{"wishbone.one_termination", "Wishbone B4 RULE 3.45",
                                      "Only one of ACK_O, ERR_O and RTY_O is high."};
inline constexpr Rule kHeld{
    "wishbone.strobe_held", "Wishbone B4 3.1.3",
    "STB_O stays high until the request is terminated, or taken where the bus is pipelined."};
inline constexpr Rule kStable{"wishbone.stable", "Wishbone B4 RULE 3.60",
                              "ADR_O, DAT_O, SEL_O and WE_O do not change while a request waits."};

inline constexpr const Rule* kAll[] = {&kReset,          &kCycle, &kTermination,
                                       &kOneTermination, &kHeld,  &kStable};

}  // namespace longhaul::cosim::wishbone_rules

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cosim/bus/rule.h"

/// The rules of ApbChecker. Clauses are those of AMBA APB, ARM IHI 0024E.
namespace longhaul::cosim::apb_rules {

inline constexpr Rule kSetup{"apb.setup_first", "IHI 0024E 4.1",
                             "PENABLE rises one clock after PSEL, and falls after each transfer."};
inline constexpr Rule kAccess{
    "apb.access_follows", "IHI 0024E 4.1",
    "The setup phase lasts one clock: PENABLE is high in the next one, and PSEL still."};
inline constexpr Rule kHeld{"apb.select_held", "IHI 0024E 3.1.2",
                            "PSEL and PENABLE stay high until PREADY."};
inline constexpr Rule kStable{
    "apb.stable", "IHI 0024E 3.1.2",
    "PADDR, PWRITE, PWDATA, PSTRB and PPROT do not change from setup to the transfer's end."};
inline constexpr Rule kReadStrobes{"apb.read_strobes", "IHI 0024E 3.2",
                                   "PSTRB is low during a read."};

inline constexpr const Rule* kAll[] = {&kSetup, &kAccess, &kHeld, &kStable, &kReadStrobes};

}  // namespace longhaul::cosim::apb_rules

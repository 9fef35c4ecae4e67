// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::cosim {

/// The result of an access on a bus.
enum class BusStatus : std::uint8_t { kOk, kSlaveError, kDecodeError, kTimeout };

/// The first of the two that is not kOk; kOk if both are.
inline BusStatus first_error(BusStatus a, BusStatus b) { return a == BusStatus::kOk ? b : a; }

}  // namespace longhaul::cosim

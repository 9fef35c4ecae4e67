// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::cosim {

/// How an access of a bus ended.
enum class BusStatus : std::uint8_t { kOk, kSlaveError, kDecodeError, kTimeout };

/// The first that is not kOk.
inline BusStatus first_error(BusStatus a, BusStatus b) { return a == BusStatus::kOk ? b : a; }

}  // namespace longhaul::cosim

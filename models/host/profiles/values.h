// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "models/common/param_set.h"

namespace longhaul::host {

/// Printed by the maker of the system: its source code, its manual.
constexpr Source printed(const char* where) { return {Evidence::kDatasheet, where}; }
constexpr Source measured(const char* where) { return {Evidence::kMeasured, where}; }
constexpr Source assumed(const char* where) { return {Evidence::kAssumed, where}; }
constexpr Source chosen(const char* where) { return {Evidence::kChosen, where}; }

inline sc_core::sc_time ms(double n) { return {n, sc_core::SC_MS}; }
inline sc_core::sc_time sec(double n) { return {n, sc_core::SC_SEC}; }

}  // namespace longhaul::host

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <utility>

#include "models/common/param.h"

namespace longhaul::host {

template <class T>
struct Itself {
  using type = T;
};

/// Gives a parameter the value that a system has, and where it is known from.
template <class T>
void set(Param<T>& param, typename Itself<T>::type value, Source source) {
  param.value = std::move(value);
  param.source = source;
}

/// Printed by who made the system: its source, its manual.
constexpr Source printed(const char* where) { return {Evidence::kDatasheet, where}; }
constexpr Source measured(const char* where) { return {Evidence::kMeasured, where}; }
constexpr Source assumed(const char* where) { return {Evidence::kAssumed, where}; }
constexpr Source chosen(const char* where) { return {Evidence::kChosen, where}; }

inline sc_core::sc_time ms(double n) { return {n, sc_core::SC_MS}; }
inline sc_core::sc_time sec(double n) { return {n, sc_core::SC_SEC}; }

}  // namespace longhaul::host

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "models/common/param.h"

namespace longhaul {

/// Gives a parameter the value that a piece of hardware or a system has, and where it is known
/// from.
template <class T>
void set(Param<T>& param, decltype(Param<T>::value) value, Source source) {
  param.value = std::move(value);
  param.source = source;
}

/// The same, printed by who made it.
template <class T>
void set(Param<T>& param, decltype(Param<T>::value) value, const char* printed) {
  set(param, std::move(value), Source{Evidence::kDatasheet, printed});
}

}  // namespace longhaul

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "models/common/param.h"

namespace longhaul {

/// Sets a parameter to the value of a particular piece of hardware or system, with the source of
/// the value.
template <class T>
void set(Param<T>& param, decltype(Param<T>::value) value, Source source) {
  param.value = std::move(value);
  param.source = source;
}

/// Sets a parameter to a value that the maker prints in the document `printed`.
template <class T>
void set(Param<T>& param, decltype(Param<T>::value) value, const char* printed) {
  set(param, std::move(value), Source{Evidence::kDatasheet, printed});
}

}  // namespace longhaul

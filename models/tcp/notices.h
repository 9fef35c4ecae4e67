// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/tcp/environment.h"

namespace longhaul::tcp {

/// What a connection has to tell its environment at the end of a call.
struct Notices {
  bool established = false;
  bool finished = false;
  std::uint64_t acked = 0;     ///< bytes
  std::uint64_t readable = 0;  ///< bytes
  std::optional<End> ended;

  /// Each is taken before it is told: what the user does in answer may bring the next one.
  void tell(Environment& environment);
};

}  // namespace longhaul::tcp

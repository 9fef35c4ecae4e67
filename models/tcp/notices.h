// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/tcp/environment.h"

namespace longhaul::tcp {

/// Events that a connection reports to its environment at the end of a call.
struct Notices {
  bool established = false;
  bool finished = false;
  std::uint64_t acked = 0;     ///< bytes
  std::uint64_t readable = 0;  ///< bytes
  std::optional<End> ended;

  /// Reports the events. Each is cleared before its report, since the user's reaction may cause the
  /// next one.
  void tell(Environment& environment);
};

}  // namespace longhaul::tcp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <systemc>

#include "models/common/units.h"

namespace longhaul::guest {

/// A guest did what ends the run: it died, panicked, hung, or said that its workload failed. what()
/// is one line (and the last lines of its console below it) that names the guest and the simulated
/// time.
class GuestError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Simulated time now, for messages: "0.748788748 s".
inline std::string now_text() { return fmt::format("{:.9f} s", now().to_seconds()); }

}  // namespace longhaul::guest

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <systemc>

#include "models/common/units.h"

namespace longhaul::guest {

/// A failure of a guest that ends the run: it died, panicked, hung, or reported that its workload
/// failed. what() is one line that names the guest and the simulated time, followed by the last
/// lines of its console.
class GuestError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The present simulated time, for messages: "0.748788748 s".
inline std::string now_text() { return fmt::format("{:.9f} s", now().to_seconds()); }

}  // namespace longhaul::guest

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace longhaul::observe {

/// A sink cannot keep its file (disk full, no permission); what() is one line: the file, what failed, and the system's reason.
///
/// Thrown where the write failed. SystemC's kernel turns whatever leaves a process into an sc_report, so a sink that has
/// failed throws its SinkError again from every later call: close() after the run tells the cause with its type.
class SinkError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace longhaul::observe

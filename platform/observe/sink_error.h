// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace longhaul::observe {

/// A sink cannot keep its file (disk full, no permission). what() is one line: the file, what
/// failed, and the system's reason.
///
/// While the simulation runs nothing is thrown, since an exception would lose its type on its way
/// through SystemC's kernel. The first failed write stops the simulation (sc_stop()); then the
/// sink's check() and close() throw.
class SinkError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace longhaul::observe

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/common/control_socket.h"
#include "models/common/tunable.h"
#include "models/net/eth.h"

namespace longhaul::wan {

/// A port and its name in topologies.
struct NamedPort {
  std::string name;
  EthPort* port;
};

/// The interface of a box in a long path to its topology: its ports and its parameters. Boxes are
/// modules that implement it; their type describes itself (box_type.h).
class WanBox : public Tunable {
 public:
  virtual std::vector<NamedPort> ports() = 0;
  /// The socket of registers that are accessed while the box runs: words of 32 bits, blocking
  /// transport. nullptr if the box has none.
  ///
  /// A write returns at once and takes effect in order, some clocks of the box later. A write
  /// before the simulation starts takes effect before the first frame. A read sees all writes
  /// before it and may wait some clocks of the box, so call it from a thread process.
  virtual ControlSocket* control() { return nullptr; }
};

}  // namespace longhaul::wan

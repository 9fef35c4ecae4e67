// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/common/control_socket.h"
#include "models/common/tunable.h"
#include "models/net/eth.h"

namespace longhaul::wan {

/// A port and the name by which topologies know it.
struct NamedPort {
  std::string name;
  EthPort* port;
};

/// What a topology needs of any box that sits in a long path: its ports and its parameters. Boxes
/// are modules that implement this; their type describes itself (box_type.h).
class WanBox : public Tunable {
 public:
  virtual std::vector<NamedPort> ports() = 0;
  /// Registers that are written and read from outside while the box runs: words of 32 bits,
  /// blocking transport. A write returns at once and takes effect in order, some clocks of the box
  /// later (one before the simulation starts: before the first frame). A read sees all writes
  /// before it and may wait some clocks of the box: call it from a thread process. nullptr: the box
  /// has none.
  virtual ControlSocket* control() { return nullptr; }
};

}  // namespace longhaul::wan

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longhaul::observe {

/// Reads the software state of a machine, a guest or a modelled host, at instants at which the
/// state is consistent. It must not change anything.
class SoftwareWatcher {
 public:
  virtual ~SoftwareWatcher() = default;
  /// Called at each consistent instant. A guest is halted in an exchange, after its past work has
  /// been charged. A modelled TCP has handled a segment, a timer or a call, before the work for it
  /// is charged.
  virtual void on_step() = 0;
};

}  // namespace longhaul::observe

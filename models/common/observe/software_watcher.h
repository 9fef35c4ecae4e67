// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longhaul::observe {

/// Looks at what a machine runs, guest or model, at instants at which its state can be read. It
/// must not change anything.
class SoftwareWatcher {
 public:
  virtual ~SoftwareWatcher() = default;
  /// A guest stands still in an exchange, the work before it paid for; or a model's TCP has handled
  /// a segment, a timer or a call, whose work is paid for next.
  virtual void on_step() = 0;
};

}  // namespace longhaul::observe

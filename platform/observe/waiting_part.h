// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace longhaul::observe {

/// A part that can tell what it waits for, for the message of a run that does not end.
class WaitingPart {
 public:
  virtual ~WaitingPart() = default;
  /// One line, without the part's name.
  virtual std::string waiting() const = 0;
};

}  // namespace longhaul::observe

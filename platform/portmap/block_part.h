// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/observe/covered_part.h"
#include "platform/observe/traced_part.h"
#include "platform/portmap/mapped_block.h"

namespace longhaul::portmap {

/// A part that is implemented by a block of RTL, to waves and coverage.
class BlockPart : public observe::TracedPart, public observe::CoveredPart {
 public:
  /// `block` may be a member of the derived class, which is constructed later.
  explicit BlockPart(MappedBlock& block) : of_(block) {}

  void trace(const observe::WaveScope& scope) override { of_.trace(scope); }
  bool covered() const override { return of_.covered(); }
  std::string design() const override { return of_.map().name; }
  bool write_coverage(const std::string& path) const override { return of_.write_coverage(path); }
  nlohmann::json bus_coverage() const override { return of_.bus_coverage(); }

 private:
  MappedBlock& of_;
};

}  // namespace longhaul::portmap

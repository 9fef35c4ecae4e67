// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "models/memory/interconnect.h"
#include "models/memory/interconnect_params.h"
#include "models/memory/link_direction.h"

namespace longhaul::memory {

/// The one bus between all cores and a north bridge with memory. Every line of a core crosses its
/// data lines. Lines of devices do not, unless a cache supplies them. The bus is pipelined, so
/// address phases are hidden behind data.
class FrontSideBus final : public sc_core::sc_module, public Interconnect {
 public:
  FrontSideBus(const sc_core::sc_module_name& name, const InterconnectParams& params,
               std::uint64_t line_bytes, std::size_t flows);

  std::uint64_t one_way_ps(const Crossing&) const override { return 0; }
  std::uint64_t line_ps(const Crossing& crossing) const override {
    return crossing.device ? 0 : line_ps_;
  }
  std::uint64_t wait_ps(const Crossing& crossing, std::uint64_t at_ps) const override {
    return crossing.device ? 0 : data_.wait_ps(crossing.flow, at_ps, line_ps_);
  }
  std::uint64_t quote(const Crossing& crossing, std::uint64_t at_ps) const override;
  void book(const Crossing& crossing, std::uint64_t at_ps, std::uint64_t end_ps) override;
  /// Zero: caches snoop within the bus's own pipeline.
  std::uint64_t probe_ps(const Crossing&) const override { return 0; }
  bool supply_writes_back() const override { return true; }  // implicit write-back

 private:
  std::uint64_t work_ps(const Crossing& crossing) const {
    return crossing.lines * (line_ps_ + (crossing.write ? turn_ps_ : 0));
  }

  const std::uint64_t line_bytes_;
  const std::uint64_t line_ps_;
  const std::uint64_t turn_ps_;
  LinkDirection data_;
};

}  // namespace longhaul::memory

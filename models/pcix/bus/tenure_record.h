// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/pcix/bus/place.h"
#include "models/pcix/bus/tenure.h"
#include "models/pcix/bus_observer.h"

namespace longhaul::pcix {

/// What the timeline calls a tenure; static text.
const char* label_of(const Tenure& tenure, bool is_pcix);

/// Tells listeners of tenures in full.
class TenureReporter {
 public:
  /// `places`: all functions, by unit.
  TenureReporter(const BusTiming& timing, const std::vector<Place>& places)
      : timing_(timing), places_(places) {}
  void add(BusListener* listener) { listeners_.push_back(listener); }
  void remove(BusListener* listener);
  bool is_on() const { return !listeners_.empty(); }
  /// The tenure has ended. While is_on().
  void report(const Tenure& tenure);

 private:
  /// The data of a payload, with zeros that were not stored; until the next call.
  const std::uint8_t* all_data(tlm::tlm_generic_payload& payload);

  const BusTiming& timing_;
  const std::vector<Place>& places_;
  std::vector<BusListener*> listeners_;
  std::vector<std::uint8_t> whole_;
};

}  // namespace longhaul::pcix

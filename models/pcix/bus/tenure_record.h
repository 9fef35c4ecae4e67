// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/pcix/bus/place.h"
#include "models/pcix/bus/tenure.h"
#include "models/pcix/bus_observer.h"

namespace longhaul::pcix {

/// The name of a tenure on the timeline; static text.
const char* label_of(const Tenure& tenure, bool is_pcix);

/// Reports tenures with all their details to listeners.
class TenureReporter {
 public:
  /// `places` has all functions by their number on the bus.
  TenureReporter(const BusTiming& timing, const std::vector<Place>& places)
      : timing_(timing), places_(places) {}
  void add(BusListener* listener) { listeners_.push_back(listener); }
  void remove(BusListener* listener);
  bool is_on() const { return !listeners_.empty(); }
  /// Reports a tenure that has ended. Called only while is_on().
  void report(const Tenure& tenure);

 private:
  /// The data of a payload with elided zeros filled in. Valid until the next call.
  const std::uint8_t* all_data(tlm::tlm_generic_payload& payload);

  const BusTiming& timing_;
  const std::vector<Place>& places_;
  std::vector<BusListener*> listeners_;
  std::vector<std::uint8_t> whole_;
};

}  // namespace longhaul::pcix

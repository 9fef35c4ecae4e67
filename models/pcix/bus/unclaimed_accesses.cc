// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bus/unclaimed_accesses.h"

#include "models/common/units.h"

namespace longhaul::pcix {

namespace {

using Bar = UnclaimedAccesses::Bar;

/// Takes a base address register if it begins below the address, and above the one so far.
void take_nearer(std::optional<Bar>& nearest, std::uint64_t address, const Bar& bar) {
  const bool set = bar.begin != 0 && bar.begin <= address;
  if (set && (!nearest || bar.begin > nearest->begin)) nearest = bar;
}

std::optional<Bar> nearest_bar(const HostRequest& request, const std::vector<Place>& places) {
  std::optional<Bar> nearest;
  for (const Place& place : places) {
    if (place.config == nullptr) continue;
    const ConfigSpace& config = *place.config;
    if (request.is_io()) {
      take_nearer(nearest, request.address,
                  {place.slot, place.function, config.io_bar_index(), config.io_bar(),
                   config.io_bar_size()});
      continue;
    }
    for (std::size_t i = 0; i < config.memory_bars(); ++i)
      take_nearer(nearest, request.address,
                  {place.slot, place.function, config.memory_bar_index(i), config.memory_bar(i),
                   config.memory_size(i)});
  }
  return nearest;
}

}  // namespace

void UnclaimedAccesses::note(const HostRequest& request, const std::vector<Place>& places) {
  if (request.is_config()) return;
  if (count_++ == 0)
    first_ = {request.kind, request.address, request.length, now_ps(),
              nearest_bar(request, places)};
}

}  // namespace longhaul::pcix

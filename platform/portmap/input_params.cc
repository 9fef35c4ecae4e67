// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/input_params.h"

#include "models/common/low_bits.h"

namespace longhaul::portmap {

InputParams::InputParams(const std::vector<InputEntry>& entries) : entries_(&entries) {
  for (const InputEntry& entry : entries) {
    const std::uint32_t width = entry.pin.width;
    const std::uint64_t most = low_bits(width);
    list_.add({entry.name.c_str(),
               entry.value,
               entry.description.c_str(),
               {Evidence::kChosen, "its port map"},
               Range<std::uint64_t>{0, most}});
  }
}

std::vector<std::pair<PinPlace, std::uint64_t>> InputParams::values() const {
  std::vector<std::pair<PinPlace, std::uint64_t>> values;
  for (std::size_t i = 0; i < list_.params().size(); ++i)
    values.emplace_back((*entries_)[i].pin, list_.params()[i].value);
  return values;
}

}  // namespace longhaul::portmap

// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/notices.h"

#include <utility>

namespace longhaul::tcp {

void Notices::tell(Environment& environment) {
  if (std::exchange(established, false)) environment.established();
  if (const std::uint64_t bytes = std::exchange(acked, 0)) environment.writable(bytes);
  if (const std::uint64_t bytes = std::exchange(readable, 0)) environment.readable(bytes);
  if (std::exchange(finished, false)) environment.end_of_stream();
  if (const std::optional<End> why = std::exchange(ended, std::nullopt)) environment.ended(*why);
}

}  // namespace longhaul::tcp

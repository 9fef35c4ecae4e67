// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace longhaul::observe {

/// Adds comments to packets of a finished pcapng file of PcapngSink's: `comments` is asked for
/// those of each packet by its packet id.
///
/// What happens to a frame is known only after it was captured, so the file is written anew: it
/// takes its size on the disk twice until then. Packets that were dropped where they were captured
/// say so already and are left alone. Throws SinkError.
void add_comments(const std::string& path,
                  const std::function<std::vector<std::string>(std::uint64_t packet_id)>& comments);

}  // namespace longhaul::observe

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace longhaul::observe {

/// Adds comments to packets of a finished pcapng file of a PcapngSink. `comments` gives those of a
/// packet by its packet id.
///
/// The fate of a frame is known only after it was captured, so the file is rewritten. Until then it
/// takes twice its size on the disk. Packets that were dropped where they were captured have a
/// comment already and are not changed. Throws SinkError.
void add_comments(const std::string& path,
                  const std::function<std::vector<std::string>(std::uint64_t packet_id)>& comments);

}  // namespace longhaul::observe

// SPDX-License-Identifier: Apache-2.0
#include "models/common/plugin.h"

namespace longhaul {

PluginScope PluginScope::of_file(const std::string& file) {
  std::size_t begin = 0;  // skips "../" of paths that begin in a build folder
  while (file.compare(begin, 3, "../") == 0) begin += 3;
  return PluginScope({file.substr(begin), current().plugin});
}

Origin& PluginScope::current() {
  static Origin origin;
  return origin;
}

}  // namespace longhaul

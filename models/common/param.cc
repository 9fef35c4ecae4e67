// SPDX-License-Identifier: Apache-2.0
#include "models/common/param.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "models/common/echo.h"

namespace longhaul {

const char* to_text(Evidence evidence) {
  switch (evidence) {
    case Evidence::kDatasheet: return "datasheet";
    case Evidence::kStandard: return "standard";
    case Evidence::kMeasured: return "measured";
    case Evidence::kFitted: return "fitted";
    case Evidence::kAssumed: return "assumed";
    case Evidence::kChosen: return "chosen";
  }
  return "?";
}

std::string nearest(const std::string& text, const std::vector<std::string>& valid) {
  std::string best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string& candidate : valid) {
    std::vector<std::size_t> row(candidate.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= text.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const std::size_t above = row[j];
        row[j] = std::min(
            {above + 1, row[j - 1] + 1, diagonal + (text[i - 1] == candidate[j - 1] ? 0 : 1)});
        diagonal = above;
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

std::string nearest_hint(const std::string& text, const std::vector<std::string>& valid) {
  return valid.empty() ? "there is none" : fmt::format("nearest is '{}'", nearest(text, valid));
}

void fail_unknown_name(const char* kind, const std::string& name,
                       const std::vector<std::string>& valid, const std::string& where) {
  const std::string cure =
      valid.empty() ? "there is none"
                    : fmt::format("nearest is \"{}\" of {}", nearest(name, valid), echo(valid));
  throw ConfigError(fmt::format("{}: unknown {} \"{}\"; {}", where, kind, echo(name), cure));
}

}  // namespace longhaul

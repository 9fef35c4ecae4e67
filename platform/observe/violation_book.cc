// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/violation_book.h"

#include <algorithm>

namespace longhaul::observe {

ViolationBook::ViolationBook(std::vector<ViolationTap*> taps) : taps_(std::move(taps)) {
  for (ViolationTap* tap : taps_) tap->listen(this);
}

ViolationBook::~ViolationBook() {
  for (ViolationTap* tap : taps_) tap->ignore(this);
}

void ViolationBook::on_violation(const ViolationTap& tap, const Violation& violation) {
  const std::string part = tap.part();
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.part == part && entry.first.rule == violation.rule;
  });
  if (found != entries_.end()) {
    ++found->count;
  } else {
    entries_.push_back({part, violation, 1});
  }
}

nlohmann::json ViolationBook::json() const {
  nlohmann::json list = nlohmann::json::array();
  for (const Entry& entry : entries_) {
    list.push_back({{"part", entry.part},
                    {"rule", entry.first.rule},
                    {"assertion", entry.first.assertion},
                    {"count", entry.count},
                    {"first_ps", entry.first.ps},
                    {"first", entry.first.text}});
  }
  return list;
}

nlohmann::json ViolationBook::end() const {
  for (const Entry& entry : entries_) {
    if (entry.first.ends)
      return {{"part", entry.part}, {"rule", entry.first.rule}, {"ps", entry.first.ps}};
  }
  return nullptr;
}

}  // namespace longhaul::observe

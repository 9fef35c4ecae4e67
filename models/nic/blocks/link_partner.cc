// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/link_partner.h"

#include <array>

#include "models/nic/blocks/kinds.h"

namespace longhaul::nic {
namespace {

struct Named {
  const char* name;
  LinkPartner partner;
};
constexpr std::array<Named, 3> kPartners{{{"alike", LinkPartner::kAlike},
                                          {"no-pause", LinkPartner::kNoPause},
                                          {"silent", LinkPartner::kSilent}}};

}  // namespace

LinkPartner link_partner_named(const std::string& name, const std::string& where) {
  return kind_named(kPartners, name, where).partner;
}

std::vector<std::string> link_partner_names() { return names_of(kPartners); }

PauseModes resolve_pause(bool pause, bool asym, bool partner_pause, bool partner_asym) {
  if (pause && partner_pause) return {true, true};
  if (!asym || !partner_asym) return {};
  if (partner_pause) return {true, false};
  if (pause) return {false, true};
  return {};
}

}  // namespace longhaul::nic

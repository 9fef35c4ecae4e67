// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace longhaul::nic {

/// The behaviour of the far end during negotiation of the link. The modelled cables carry frames
/// and light, but no configuration words, so a parameter of the adapter sets it.
enum class LinkPartner {
  kAlike,    ///< an adapter with the same settings: it advertises the same
  kNoPause,  ///< negotiates, without PAUSE
  kSilent,   ///< sends idles and never negotiates
};

/// The partner of that name ("alike", "no-pause", "silent"). Throws ConfigError whose message
/// starts with `where` for another name.
LinkPartner link_partner_named(const std::string& name, const std::string& where);

/// The names of all partners.
std::vector<std::string> link_partner_names();

/// The directions of PAUSE after negotiation.
struct PauseModes {
  bool send = false;    ///< this end may send PAUSE
  bool honour = false;  ///< this end obeys PAUSE
};

/// The PAUSE modes of this end, from the PAUSE and ASM_DIR bits that each end advertises (IEEE
/// 802.3, table 28B-3; clause 37.2.4.2).
PauseModes resolve_pause(bool pause, bool asym, bool partner_pause, bool partner_asym);

}  // namespace longhaul::nic

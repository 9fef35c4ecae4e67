// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace longhaul::nic {

/// What the far end says while links are negotiated. Cables here carry frames and light, not
/// configuration words, so the adapter is told what it would hear.
enum class LinkPartner {
  kAlike,    ///< an adapter set up like this one: it advertises what this end does
  kNoPause,  ///< negotiates, without PAUSE
  kSilent,   ///< sends idles and never negotiates
};

/// The partner of that name ("alike", "no-pause", "silent"); ConfigError, which starts with
/// `where`, otherwise.
LinkPartner link_partner_named(const std::string& name, const std::string& where);

/// All names.
std::vector<std::string> link_partner_names();

/// Which directions PAUSE runs in after negotiation.
struct PauseModes {
  bool send = false;    ///< this end may send PAUSE
  bool honour = false;  ///< this end obeys PAUSE
};

/// What two ends agree on by the PAUSE and ASM_DIR bits that each advertises (IEEE 802.3, table
/// 28B-3; clause 37.2.4.2).
PauseModes resolve_pause(bool pause, bool asym, bool partner_pause, bool partner_asym);

}  // namespace longhaul::nic

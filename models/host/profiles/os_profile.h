// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/common/catalog.h"
#include "models/host/kernel/kernel_params.h"
#include "models/host/net/net_params.h"
#include "models/tcp/params.h"

namespace longhaul::host {

/// An operating system as the papers had it: its policies, and where each value is known from.
/// README.md argues what is assumed and says what these parameters cannot express.
struct OsProfile {
  std::string name;
  tcp::TcpParams tcp;
  NetParams net;
  KernelParams kernel;
};

/// A profile in the catalogue.
struct OsProfileType {
  const char* name;
  const char* title;
  OsProfile (*make)();
  Origin origin{};
};

/// All profiles. Those of this folder are in it from the beginning.
Catalog<OsProfileType>& os_profiles();

/// The profile of this name; throws ConfigError, which starts with `where`, when there is none.
OsProfile os_profile(const std::string& name, const std::string& where);
/// In alphabetical order.
std::vector<std::string> os_profile_names();

}  // namespace longhaul::host

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/common/catalog.h"
#include "models/host/kernel/kernel_params.h"
#include "models/host/net/net_params.h"
#include "models/tcp/params.h"

namespace longhaul::host {

/// An operating system of the papers: its policies, with the source of each value. README.md argues
/// the assumed values and tells the limits of these parameters.
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

/// All profiles. The profiles of this folder are always in it.
Catalog<OsProfileType>& os_profiles();

/// The profile of this name. Throws ConfigError whose message starts with `where` if there is none.
OsProfile os_profile(const std::string& name, const std::string& where);
/// The names of all profiles, in alphabetical order.
std::vector<std::string> os_profile_names();

}  // namespace longhaul::host

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/host/kernel/kernel_params.h"
#include "models/host/net/net_params.h"
#include "models/tcp/params.h"

namespace longhaul::host {

/// An operating system as the papers had it: its policies, and where each value is known from.
/// README.md argues what is assumed and says what these parameters cannot express.
struct OsProfile {
  std::string name;
  std::string description;
  tcp::TcpParams tcp;
  NetParams net;
  KernelParams kernel;
};

/// The profile of this name; throws ConfigError, which starts with `where`, when there is none.
OsProfile os_profile(const std::string& name, const std::string& where);
/// In alphabetical order.
std::vector<std::string> os_profile_names();

}  // namespace longhaul::host

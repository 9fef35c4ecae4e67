// SPDX-License-Identifier: Apache-2.0
#include "models/host/profiles/os_profile.h"

#include "models/host/builtin.h"

namespace longhaul::host {

Catalog<OsProfileType>& os_profiles() {
  static Catalog<OsProfileType> profiles("system");
  builtin::add_host();
  return profiles;
}

std::vector<std::string> os_profile_names() { return os_profiles().names(); }

OsProfile os_profile(const std::string& name, const std::string& where) {
  const OsProfileType* const type = os_profiles().look(name);
  if (type == nullptr) fail_unknown_name("operating system", name, os_profile_names(), where);
  OsProfile profile = type->make();
  profile.name = name;
  return profile;
}

}  // namespace longhaul::host

// SPDX-License-Identifier: Apache-2.0
#include "models/host/profiles/os_profile.h"

#include "models/host/profiles/systems.h"

namespace longhaul::host {
namespace {

struct ProfileEntry {
  const char* name;
  OsProfile (*make)();
};

constexpr ProfileEntry kProfiles[] = {
    {"freebsd-4.5", freebsd_4_5},   {"freebsd-5.1", freebsd_5_1},
    {"linux-2.4.18", linux_2_4_18}, {"linux-2.4.20", linux_2_4_20},
    {"linux-2.6.18", linux_2_6_18}, {"linux-2.6.6", linux_2_6_6},
    {"linux-6.1", linux_6_1},       {"solaris-9", solaris_9},
    {"windows-2000", windows_2000}, {"windows-vista", windows_vista},
    {"windows-xp", windows_xp},
};

}  // namespace

std::vector<std::string> os_profile_names() {
  std::vector<std::string> names;
  for (const ProfileEntry& entry : kProfiles) names.emplace_back(entry.name);
  return names;
}

OsProfile os_profile(const std::string& name, const std::string& where) {
  for (const ProfileEntry& entry : kProfiles) {
    if (name != entry.name) continue;
    OsProfile profile = entry.make();
    profile.name = name;
    return profile;
  }
  fail_unknown_name("operating system", name, os_profile_names(), where);
}

}  // namespace longhaul::host

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/profiles/os_profile.h"

namespace longhaul::host {

// One function per profile of the registry (os_profile.cc): policies and costs; the name is the
// registry's.
OsProfile freebsd_4_5();
OsProfile freebsd_5_1();
OsProfile linux_2_4_18();
OsProfile linux_2_4_20();
OsProfile linux_2_6_6();
OsProfile linux_2_6_18();
OsProfile linux_6_1();
OsProfile solaris_9();
OsProfile windows_2000();
OsProfile windows_xp();
OsProfile windows_vista();

/// What the three eras of Linux have in common; the profiles set the rest.
void linux_of_all_eras(OsProfile& profile);

}  // namespace longhaul::host

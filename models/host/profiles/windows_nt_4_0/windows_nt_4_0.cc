// SPDX-License-Identifier: Apache-2.0
// Windows NT 4.0 Server: NEC-TOE's parallel engine was measured in a host that ran it.
#include "models/host/profiles/os_profile.h"
#include "models/host/profiles/values.h"

namespace longhaul::host::windows_nt_4_0 {
namespace {

constexpr const char* kWindow =
    "Microsoft, TCP/IP implementation details of NT: 8192 rounded up to six segments of 1460";
constexpr const char* kNoLarge =
    "Microsoft KB 199947: NT 4.0 does not support the window scale option of RFC 1323";
constexpr const char* kNewOptions = "Microsoft KB 224829: new in Windows 2000";

/// Starts from the profile of Windows 2000, sources included, and changes the values that differ.
OsProfile make() {
  OsProfile profile = os_profile("windows-2000", "windows-nt-4.0");
  tcp::TcpParams& p = profile.tcp;
  set(p.sack, false, printed(kNewOptions));
  set(p.timestamps, false, printed(kNewOptions));
  set(p.window_scaling, false, printed(kNoLarge));
  set(p.dup_threshold, 2, printed("Microsoft KB 162179: TcpMaxDupAcks 2"));
  set(p.receive_buffer, {8760}, printed(kWindow));
  set(profile.net.receive_buffer, {8760}, printed(kWindow));
  return profile;
}

}  // namespace

LONGHAUL_PLUGIN(windows_nt_4_0) {
  os_profiles().add({"windows-nt-4.0", "Windows NT 4.0 Server (NEC-TOE's parallel engine)", make});
}

}  // namespace longhaul::host::windows_nt_4_0

// SPDX-License-Identifier: Apache-2.0
// Red Hat Linux 7.3: NEC-TOE's pipeline engine was measured in a host that ran it.
#include "models/host/profiles/os_profile.h"
#include "models/host/profiles/values.h"

namespace longhaul::host::redhat_7_3 {
namespace {

constexpr const char* kHz =
    "Linux 2.4.18, asm-i386/param.h: HZ 100; Red Hat's 512 came with 2.4.18-14";

/// Starts from the profile of 2.4.20, sources included, and changes the values that differ.
OsProfile make() {
  OsProfile profile = os_profile("linux-2.4.20", "redhat-7.3");
  for (auto* tick : {&profile.tcp.timer_tick, &profile.tcp.rtt_tick, &profile.tcp.timestamp_tick,
                     &profile.tcp.delayed_ack_tick, &profile.kernel.tick})
    set(*tick, ms(10), printed(kHz));
  NetParams& n = profile.net;
  set(n.send_buffer_most, units::KiB(128),
      printed("Linux 2.4.18, tcp.c: tcp_wmem[2]; tcp_new_space()"));
  set(n.napi, false, assumed("NEC-TOE's own driver is not known; none of 2.4.18 had NAPI"));
  set(profile.kernel.slice, ms(60), printed("Linux 2.4.18, sched.c: NICE_TO_TICKS(0) is 6 ticks"));
  return profile;
}

}  // namespace

LONGHAUL_PLUGIN(redhat_7_3) {
  os_profiles().add(
      {"redhat-7.3", "Linux 2.4.18-3 of Red Hat 7.3 (NEC-TOE's pipeline engine)", make});
}

}  // namespace longhaul::host::redhat_7_3

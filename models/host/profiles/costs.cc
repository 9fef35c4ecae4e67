// SPDX-License-Identifier: Apache-2.0
#include "models/host/profiles/costs.h"

#include <array>
#include <cstddef>

#include "models/host/profiles/values.h"

namespace longhaul::host {
namespace {

using Cycles = Param<std::uint32_t>;

/// Cycles on a K8 of one cost, for the code of Linux 6.1, 2.6 and 2.4.
struct Row {
  Cycles NetParams::*net;
  Cycles KernelParams::*kernel;
  std::array<std::uint32_t, 3> cycles;
  bool in_profile;  ///< false: the profile has no measurement of it
};

constexpr Row of_net(Cycles NetParams::*param, std::uint32_t v61, std::uint32_t v26,
                     std::uint32_t v24, bool in_profile = true) {
  return {param, nullptr, {v61, v26, v24}, in_profile};
}

constexpr Row of_kernel(Cycles KernelParams::*param, std::uint32_t v61, std::uint32_t v26,
                        std::uint32_t v24, bool in_profile = true) {
  return {nullptr, param, {v61, v26, v24}, in_profile};
}

constexpr Row kRows[] = {
    of_net(&NetParams::tcp_send_cycles, 2240, 1490, 1410),
    of_net(&NetParams::tcp_ack_cycles, 1320, 755, 700),
    of_net(&NetParams::tcp_send_ack_cycles, 520, 520, 520),
    of_net(&NetParams::tcp_receive_cycles, 1335, 1120, 1070),
    of_net(&NetParams::ip_send_cycles, 990, 815, 815),
    of_net(&NetParams::ip_receive_cycles, 725, 545, 545),
    of_net(&NetParams::driver_send_cycles, 110, 90, 90),
    of_net(&NetParams::driver_descriptor_cycles, 170, 165, 165),
    of_net(&NetParams::driver_receive_cycles, 140, 130, 130),
    of_net(&NetParams::driver_clean_cycles, 105, 105, 105),
    of_net(&NetParams::allocate_cycles, 560, 510, 510),
    of_net(&NetParams::socket_call_cycles, 520, 520, 520),
    of_net(&NetParams::tcp_open_cycles, 4000, 4000, 4000, false),
    of_kernel(&KernelParams::wakeup_cycles, 790, 510, 450),
    of_kernel(&KernelParams::schedule_cycles, 720, 700, 700),
    of_kernel(&KernelParams::irq_dispatch_cycles, 700, 450, 450),
    of_kernel(&KernelParams::softirq_cycles, 430, 380, 380),
    of_kernel(&KernelParams::tick_cycles, 2500, 2500, 2500, false),
};

Source source_of(CodeOf code, bool in_profile) {
  if (!in_profile) return assumed("models/host/profiles/README.md#not-in-the-profile");
  switch (code) {
    case CodeOf::kLinux61:
      return measured(
          "own guest, Linux 6.1, profile by function: models/host/profiles/README.md#costs");
    case CodeOf::kLinux26:
      return assumed("6.1's, of the functions that 2.6 has: models/host/profiles/README.md#costs");
    case CodeOf::kLinux24:
      return assumed("6.1's, of the functions that 2.4 has: models/host/profiles/README.md#costs");
    case CodeOf::kOther: break;
  }
  return assumed("Linux 2.4's: models/host/profiles/README.md#other-systems");
}

}  // namespace

/// Sets the factor on all of these costs. OPTERON-10G's sender of standard frames is limited by its
/// CPU; the factor is fitted to its rate.
void set_scale(Param<double>& scale, CodeOf code) {
  constexpr double kOfLinux266 = 1.6;
  switch (code) {
    case CodeOf::kLinux61: return set(scale, 1.0, measured("own guest: the costs are its own"));
    case CodeOf::kLinux26:
      return set(scale, kOfLinux266,
                 {Evidence::kFitted, "OPTERON-10G table 2, v6 1500, IXGB: 3.23 Gb/s"});
    case CodeOf::kLinux24:
    case CodeOf::kOther:
      return set(scale, kOfLinux266,
                 assumed("what fits Linux 2.6.6: models/host/profiles/README.md#costs"));
  }
}

void set_costs(OsProfile& profile, CodeOf code) {
  set_scale(profile.kernel.code_scale, code);
  const std::size_t column = code == CodeOf::kLinux61 ? 0 : code == CodeOf::kLinux26 ? 1 : 2;
  for (const Row& row : kRows) {
    Cycles& param = row.net != nullptr ? profile.net.*row.net : profile.kernel.*row.kernel;
    set(param, row.cycles[column], source_of(code, row.in_profile));
  }
}

}  // namespace longhaul::host

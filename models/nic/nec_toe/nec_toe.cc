// SPDX-License-Identifier: Apache-2.0
#include "models/nic/nec_toe/nec_toe.h"

#include "models/nic/blocks/mac_address.h"
#include "models/nic/terminator/regs.h"
#include "models/nic/terminator/vpd.h"

namespace longhaul::nic::nec_toe {
namespace {

constexpr std::uint32_t kClassEthernet = 0x020000;
constexpr std::uint8_t kIntA = 1;

pcix::ConfigIdentity identity(std::uint16_t device_id) {
  pcix::ConfigIdentity id{};
  id.vendor_id = kVendorNec;
  id.device_id = device_id;
  id.class_code = kClassEthernet;
  id.subsystem_vendor_id = kVendorNec;
  id.interrupt_pin = kIntA;
  id.power_capability_offset = terminator::regs::config::kPower;
  id.vpd_capability_offset = terminator::regs::config::kVpd;
  return id;
}

}  // namespace

NecToe::NecToe(const sc_core::sc_module_name& name, const NecToeParams& params,
               std::uint16_t device_id, unsigned index)
    : AdapterModule(name, regs::kMemoryBytes, identity(device_id), params),
      address_(station_address(params.mac(), {0x00, 0x00, 0x4c, 0x00}, index + 1,
                               std::string(this->name()) + ".mac")),
      core_(params_.core, bank(), dma(), true, tcp_params(),
            {[this] {
               constexpr const auto& kPl = terminator::regs::kPlIntrFields;
               return line_.cause() ? std::uint32_t{kPl.pl_intr_ext} : 0U;
             },
             [this](bool level, bool) { set_interrupt(level); }, [](pcix::DmaStatus) {}}),
      line_("line", bank(), mac_, params_.line, address_, [this] { core_.causes_changed(); }) {
  set_units(core_.tx(), core_.rx());
  config().set_vpd(
      {terminator::vpd_image(address_), params.core.vpd_read_time(), params.core.vpd_write_time()});
  config().set_listeners([] {}, [this] { reset(); });
  core_.attach(line_);
  line_.attach(core_.path(), core_.path());
}

/// Resets all but the VPD.
void NecToe::reset() {
  dma().abandon_all();
  bank().reset();
  core_.reset();
  line_.reset();
}

}  // namespace longhaul::nic::nec_toe

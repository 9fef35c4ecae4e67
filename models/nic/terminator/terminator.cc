// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/terminator.h"

#include <algorithm>

#include "models/common/param_json.h"
#include "models/nic/blocks/kinds.h"
#include "models/nic/blocks/mac_address.h"
#include "models/nic/terminator/vpd.h"

namespace longhaul::nic::terminator {
namespace {

constexpr std::uint32_t kClassEthernet = 0x020000;
constexpr std::uint8_t kIntA = 1;

const BoardKind& board_kind(const TerminatorParams& params, const std::string& where) {
  return kind_named(kBoards, params.board(), where + ".board");
}

pcix::ConfigIdentity identity(const TerminatorParams& params, const std::string& where) {
  pcix::ConfigIdentity id{};
  id.vendor_id = kVendorChelsio;
  id.device_id = board_kind(params, where).device_id;
  id.class_code = kClassEthernet;
  id.subsystem_vendor_id = kVendorChelsio;
  id.subsystem_id = 0;  // Linux 6.1 cxgb/subr.c, t1_pci_tbl
  id.interrupt_pin = kIntA;
  id.pcix_capability_offset = regs::config::kPcix;
  id.msi_capability_offset = regs::config::kMsi;
  id.power_capability_offset = regs::config::kPower;
  id.vpd_capability_offset = regs::config::kVpd;
  return id;
}

/// PCI-X status: 64-bit device, 133 MHz, reads of 4096 B, 8 outstanding (README.md#open-numbers).
constexpr std::uint32_t kPcixStatus = 1U << 16 | 1U << 17 | 3U << 21 | 4U << 23;

}  // namespace

Terminator::Terminator(const sc_core::sc_module_name& name, const TerminatorParams& params,
                       unsigned index)
    : AdapterModule(name, regs::kMemoryBytes,
                    identity(params, full_name(static_cast<const char*>(name))), params),
      address_(station_address(params.mac(), {0x00, 0x07, 0x43, 0x00}, index + 1,
                               std::string(this->name()) + ".mac")),
      core_(params_, bank(), dma(), board_kind(params, this->name()).offload, toe::t1_tcp_params(),
            {[this] { return part_requests(); },
             [this](bool level, bool message) { set_interrupts(level ? 1 : 0, message ? 1 : 0); },
             [this](pcix::DmaStatus status) { bus_error(status); }}),
      mc3_(bank(), regs::kMc3Strobe, regs::kMc3BistOp, params.memory_test_time()),
      mc4_(bank(), regs::kMc4Strobe, regs::kMc4BistOp, params.memory_test_time()),
      tcam_(bank()),
      line_("line", bank(), mac_, params_.line, board_kind(params, this->name()).board,
            params.core_clock(), [this] { core_.causes_changed(); }) {
  set_units(core_.tx(), core_.rx());
  config().set_vpd({vpd_image(address_), params.vpd_read_time(), params.vpd_write_time()});
  config().set_pcix_status(kPcixStatus);
  config().set_device_register(regs::config::kIntrEnable, 0, regs::config::kIntrFields.mask());
  clear_bus_causes();
  config().set_listeners([this] { core_.causes_changed(); }, [this] { reset(); });
  core_.attach(line_);
  line_.attach(core_.path(), core_.path());
}

void Terminator::start_of_simulation() {
  config().set_device_register(regs::config::kMode, bus_mode(), 0);
}

/// The bus as its slot describes it. Without a bus (a test) it is PCI-X at 133 MHz.
std::uint32_t Terminator::bus_mode() const {
  constexpr const auto& kMode = regs::config::kModeFields;
  constexpr std::uint32_t kWideBytes = 8;
  const bool wide = params_.target.width_bits() == kWideBytes * 8;
  if (bus() == nullptr) return kMode.width_64 | kMode.clock_66 | kMode.pcix | kMode.clk.put(3);
  // Periods of 133, 100 and 66 MHz in ps, rounded up.
  constexpr std::array<std::uint64_t, 3> kPeriods{15'152, 10'000, 7'520};
  const auto clk = static_cast<std::uint32_t>(
      std::count_if(kPeriods.begin(), kPeriods.end(),
                    [this](std::uint64_t period) { return bus()->period_ps() <= period; }));
  return (wide && bus()->width_bytes() == kWideBytes ? kMode.width_64 : 0U) |
         (clk > 0 ? kMode.clock_66 : 0U) | (bus()->is_pcix() ? kMode.pcix : 0U) |
         kMode.clk.put(clk);
}

void Terminator::append_rings(std::vector<std::pair<std::uint64_t, std::uint64_t>>& rings) const {
  core_.append_rings(rings);
}

/// Requests of the parts beside the core.
std::uint32_t Terminator::part_requests() {
  constexpr const auto& kPl = regs::kPlIntrFields;
  const std::uint32_t pci =
      config().read(regs::config::kIntrCause, 4) & config().read(regs::config::kIntrEnable, 4);
  return (pci != 0 ? kPl.pl_intr_pcix : 0U) | (line_.external_cause() ? kPl.pl_intr_ext : 0U) |
         (line_.espi_cause() ? kPl.pl_intr_espi : 0U);
}

void Terminator::bus_error(pcix::DmaStatus status) {
  constexpr const auto& kIntr = regs::config::kIntrFields;
  if (status == pcix::DmaStatus::kTargetAbort)
    config().note_device(regs::config::kIntrCause, kIntr.rcv_target_abort);
  if (status == pcix::DmaStatus::kMasterAbort)
    config().note_device(regs::config::kIntrCause, kIntr.rcv_master_abort);
}

void Terminator::clear_bus_causes() {
  config().set_device_register(regs::config::kIntrCause, 0, 0, regs::config::kIntrFields.mask());
}

/// Beside an access to configuration space: the registers of PCI and PCI-X outlive the reset of the
/// chip by leaving D3hot.
sc_core::sc_time Terminator::access_config(tlm::tlm_generic_payload& payload) {
  constexpr std::uint32_t kDword = 4;
  const bool slept = config().power_state() == pcix::power::kD3hot;
  if (payload.is_read() || !slept) return AdapterModule::access_config(payload);
  std::array<std::uint32_t, regs::config::kKept.size()> kept{};
  for (std::size_t i = 0; i < kept.size(); ++i)
    kept[i] = config().read(regs::config::kKept[i], kDword);
  kept.back() &= regs::config::kCommandBits;
  const sc_core::sc_time taken = AdapterModule::access_config(payload);
  if (config().power_state() == pcix::power::kD0) {
    for (std::size_t i = 0; i < kept.size(); ++i)
      config().write(regs::config::kKept[i], kDword, kept[i]);
  }
  return taken;
}

/// Resets all but the VPD and the far end.
void Terminator::reset() {
  resets.add();
  clear_bus_causes();
  dma().abandon_all();
  bank().reset();
  mc3_.reset();
  mc4_.reset();
  tcam_.reset();
  core_.reset();
  line_.reset();
}

std::vector<std::string> Terminator::changeable() const {
  return {params_.tx_descriptor_clocks.name, params_.tx_packet_clocks.name,
          params_.tx_kib_clocks.name,        params_.tx_reads_ahead.name,
          params_.tp_tx_latency.name,        params_.rx_packet_clocks.name,
          params_.rx_kib_clocks.name,        params_.tp_rx_latency.name};
}

std::unique_ptr<Terminator> make_terminator(const std::string& name, const nlohmann::json& params,
                                            unsigned index) {
  TerminatorParams values;
  configure(values, params, full_name(name));
  return std::make_unique<Terminator>(name.c_str(), values, index);
}

}  // namespace longhaul::nic::terminator

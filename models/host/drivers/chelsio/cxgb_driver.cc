// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/cxgb_driver.h"

#include "models/common/param_json.h"
#include "models/host/drivers/chelsio/sge_settings.h"
#include "models/host/drivers/chelsio/vpd.h"
#include "models/host/drivers/driver_type.h"
#include "models/nic/terminator/regs_pl.h"
#include "models/nic/terminator/regs_sge.h"

namespace longhaul::host::chelsio {
namespace {

constexpr std::uint32_t kSmallExtraBytes = 16;  // sge.c: struct cpl_rx_data
constexpr std::uint32_t kJumboBytes = 16384;    // sge.c, alloc_rx_resources()
constexpr std::uint32_t kOffloadBytes = 16224 + kSmallExtraBytes + kIpAlign;  // longest CPL_RX_DATA

/// Bytes of a 16 KiB buffer that are left beside struct skb_shared_info.
std::uint32_t jumbo_bytes(const NetParams& net) {
  return kJumboBytes - std::min(net.buffer_overhead(), kJumboBytes / 2);
}

DeviceFeatures features_of(const CxgbDriverParams& params) {
  DeviceFeatures features;
  features.scatter_gather = params.scatter_gather();
  features.checksum_tx = params.checksum_tx();
  features.checksum_tx_ipv6 = false;
  features.checksum_rx = params.checksum_rx();
  features.header_room = CommandQueue::kHeaderBytes;
  return features;
}

}  // namespace

CxgbDriver::CxgbDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
                       const CxgbDriverParams& params)
    : CxgbDriver(setup, params, name, Board::Kind::kN110, jumbo_bytes(setup.net)) {
  described_ = describe(params);
}

CxgbDriver::CxgbDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
                       const ToeDriverParams& params, Board::Kind board)
    : CxgbDriver(setup, params, name, board,
                 params.offload() ? kOffloadBytes : jumbo_bytes(setup.net)) {
  described_ = describe(params);
  if (!params.offload()) return;
  control_ = std::make_unique<CommandQueue>(setup.memory, params.control_descriptors());
  MessageSender::Chip& chip = *this;
  offload_ = std::make_unique<ToeOffload>("offload", this->setup(), params, chip);
}

CxgbDriver::CxgbDriver(const DriverSetup& setup, const CxgbDriverParams& params,
                       const sc_core::sc_module_name& name, Board::Kind board,
                       std::uint32_t jumbo_bytes)
    : PciDriver(name, setup, params.mtu(), params.reclaim_period(), features_of(params)),
      params_(params),
      board_(*this, board),
      commands_(setup.memory, params.tx_descriptors()),
      lists_{FreeList(setup.memory, params.rx_buffers(),
                      params.small_packet() + kSmallExtraBytes + kIpAlign, kIpAlign),
             FreeList(setup.memory, params.rx_jumbo_buffers(), jumbo_bytes, kIpAlign)},
      responses_(setup.memory, params.responses()) {}

CxgbDriver::~CxgbDriver() = default;

nlohmann::json CxgbDriver::describe_params() const { return described_; }

// ---- open and close

void CxgbDriver::reset_adapter() {
  board_.bring_up();
  write(regs::kSgControl, 0);
  read(regs::kSgControl);
  write(regs::kSgIntEnable, 0);
  write(regs::kPlEnable, 0);
  board_.disable_interrupts();
  board_.disable_mac();
}

MacAddress CxgbDriver::read_mac() {
  return mac_in_vpd(setup().bus.at(setup().slot, setup().function), *this);
}

bool CxgbDriver::open_rings() {
  running_ = last_rang_ = stopped_ = polling_ = control_running_ = false;
  link_changed_ = true;
  if (control_ != nullptr && !control_->open(setup().node)) return false;
  return commands_.open(setup().node) && lists_[0].open(setup().node) &&
         lists_[1].open(setup().node) && responses_.open(setup().node);
}

void CxgbDriver::close_rings() {
  if (offload_ != nullptr) offload_->forget();
  if (control_ != nullptr) control_->close();
  commands_.close();
  for (FreeList& list : lists_) list.close();
  responses_.close();
}

void CxgbDriver::configure_sge() {
  const auto place = [&](const GenerationRing& ring, std::uint32_t low, std::uint32_t high,
                         std::uint32_t size) {
    write(low, static_cast<std::uint32_t>(ring.address()));
    write(high, static_cast<std::uint32_t>(ring.address() >> 32));
    write(size, ring.entries());
  };
  place(commands_.ring(), regs::kSgCmd0baselwr, regs::kSgCmd0baseupr, regs::kSgCmd0size);
  if (control_ != nullptr)
    place(control_->ring(), regs::kSgCmd1baselwr, regs::kSgCmd1baseupr, regs::kSgCmd1size);
  place(lists_[0].ring(), regs::kSgFl0baselwr, regs::kSgFl0baseupr, regs::kSgFl0size);
  place(lists_[1].ring(), regs::kSgFl1baselwr, regs::kSgFl1baseupr, regs::kSgFl1size);
  write(regs::kSgFlthreshold, params_.small_packet() + 1);
  place(responses_.ring(), regs::kSgRspbaselwr, regs::kSgRspbaseupr, regs::kSgRspsize);
  write(regs::kSgRspqueuecredit, params_.responses() - 1);
  write(regs::kSgIntrtimer, hold_off_ticks(to_ps(params_.rx_coalesce())));
}

void CxgbDriver::start_adapter() {
  board_.configure_espi();
  if (offload_ != nullptr) {
    board_.start_tp_offload(mtu());
  } else {
    board_.start_tp();
  }
  configure_sge();
  board_.configure_mac(mac(), largest_frame());
  write(regs::kSgIntCause, ~0U);
  write(regs::kPlCause, ~0U);
}

void CxgbDriver::enable() {
  Processor& cpu = *Processor::current();
  for (FreeList& list : lists_) refill(list, cpu);
  write(regs::kSgControl,
        regs::kSgControlFields.cmdq0_enable | regs::kSgControlFields.fl0_enable |
            regs::kSgControlFields.fl1_enable | regs::kSgControlFields.cpl_enable |
            regs::kSgControlFields.response_queue_enable |
            regs::kSgControlFields.cmdq_priority.put(2) | regs::kSgControlFields.iscsi_coalesce |
            (offload_ != nullptr ? regs::kSgControlFields.cmdq1_enable
                                 : regs::kSgControlFields.disable_cmdq1_gts));
  write(regs::kSgDoorbell, kBothLists);
  write(regs::kSgIntEnable, kSgeErrors);
  board_.enable_interrupts();
  write(regs::kPlEnable, kAllCauses);
  board_.enable_mac(params_.flow_control());
  if (offload_ != nullptr) offload_->up(mac());
}

// ---- link and watchdog

bool CxgbDriver::find_link() {
  if (!link_changed_ && board_.phy_interrupts()) return link_;
  link_changed_ = false;
  if (board_.phy_interrupts()) board_.take_phy_interrupt();
  link_ = board_.link();
  if (is_open()) write(regs::kPlEnable, kAllCauses);
  return link_;
}

void CxgbDriver::nudge() {
  Processor& cpu = *Processor::current();
  reclaim(cpu);
  if (is_open() && offload_ != nullptr) {
    offload_->sender().room(Lane::kOrdered);
    offload_->sender().room(Lane::kControl);
  }
  if (is_open() && commands_.in_use() != 0)
    write(regs::kSgDoorbell, regs::kSgDoorbellFields.cmdq0_enable);
}

bool CxgbDriver::handle_slow_causes() {
  const std::uint32_t causes =
      read(regs::kPlCause) & (kSlowCauses | regs::kPlIntrFields.pl_intr_ext);
  if (causes == 0) return false;
  if ((causes & regs::kPlIntrFields.pl_intr_sge_err) != 0) {
    const std::uint32_t errors = read(regs::kSgIntCause);
    if ((errors & regs::kSgIntFields.fl_exhausted) != 0) refill_empty();
    write(regs::kSgIntCause, errors);
  }
  if ((causes & regs::kPlIntrFields.pl_intr_ext) != 0) {
    link_changed_ = true;
    write(regs::kPlEnable, kAllCauses & ~regs::kPlIntrFields.pl_intr_ext);
    look_at_link();
  }
  write(regs::kPlCause, causes);
  read(regs::kPlCause);
  return true;
}

// ---- transmit

bool CxgbDriver::fits(const TxPacket& packet) const {
  return CommandQueue::fits(packet) && packet.count < params_.tx_descriptors();
}

void CxgbDriver::reclaim(Processor& cpu) {
  std::uint64_t cookie = 0;
  while (const std::uint32_t descriptors = commands_.reclaim(cookie)) {
    if ((cookie & MessageSender::kMessage) == 0) {
      give_back(cookie, descriptors, cpu);
      continue;
    }
    cpu.execute(descriptors * std::uint64_t{setup().net.driver_clean_cycles()});
    offload_->sender().done(cookie);
  }
}

bool CxgbDriver::abandon(std::uint64_t& cookie) {
  while (control_ != nullptr && control_->abandon(cookie)) offload_->sender().done(cookie);
  while (commands_.abandon(cookie)) {
    if ((cookie & MessageSender::kMessage) == 0) return true;
    offload_->sender().done(cookie);
  }
  return false;
}

bool CxgbDriver::has_descriptors(const TxPacket& packet) {
  reclaim(*Processor::current());
  return !stopped_ && commands_.free() >= packet.count;
}

std::uint32_t CxgbDriver::put(const TxPacket& packet, Processor& cpu) {
  const std::uint32_t descriptors = commands_.put(packet, cpu);
  if (commands_.free() < params_.tx_stop()) stopped_ = true;
  return descriptors;
}

void CxgbDriver::ring_doorbell() {
  last_rang_ = !running_;
  if (running_) return;
  running_ = true;
  write(regs::kSgDoorbell, regs::kSgDoorbellFields.cmdq0_enable);
}

void CxgbDriver::update_tx(std::uint32_t sleeping, std::uint32_t credits) {
  commands_.processed(credits);
  if ((sleeping & kBothLists) != 0) refill_empty();
  if ((sleeping & regs::kSgDoorbellFields.cmdq0_enable) != 0) {
    running_ = false;
    // A packet that was put while the queue went to sleep did not ring.
    if (commands_.outstanding() && !last_rang_) {
      last_rang_ = running_ = true;
      write(regs::kSgDoorbell, regs::kSgDoorbellFields.cmdq0_enable);
    }
  }
  if (offload_ != nullptr && credits != 0) {
    reclaim(*Processor::current());
    offload_->sender().room(Lane::kOrdered);
  }
  if (!stopped_ || commands_.in_use() - commands_.reclaimable() >= params_.tx_descriptors() / 2)
    return;
  stopped_ = false;
  if (refused()) make_room();
}

// ---- TCP offload

void CxgbDriver::close() {
  constexpr std::uint64_t kWaitPs = 1'000'000'000;
  constexpr std::uint32_t kWaits = 100;
  if (is_open() && offload_ != nullptr) {
    offload_->down();
    for (std::uint32_t i = 0; i < kWaits && offload_->has_flows(); ++i) delay(kWaitPs);
    board_.reset_tp();
  }
  PciDriver::close();
}

CommandQueue* CxgbDriver::queue(Lane lane) {
  if (!is_open()) return nullptr;
  return lane == Lane::kOrdered ? &commands_ : control_.get();
}

void CxgbDriver::ring(Lane lane) {
  Processor::current()->pay();
  if (!is_open()) return;
  if (lane == Lane::kOrdered) return ring_doorbell();
  ring_control();
}

void CxgbDriver::ring_control() {
  if (control_running_) return;
  control_running_ = true;
  write(regs::kSgDoorbell, regs::kSgDoorbellFields.cmdq1_enable);
}

/// Responses tell of command queue 1.
void CxgbDriver::update_control(std::uint32_t sleeping, std::uint32_t credits) {
  if (control_ == nullptr) return;
  control_->processed(credits);
  Processor& cpu = *Processor::current();
  std::uint64_t cookie = 0;
  while (const std::uint32_t descriptors = control_->reclaim(cookie)) {
    cpu.execute(descriptors * std::uint64_t{setup().net.driver_clean_cycles()});
    offload_->sender().done(cookie);
  }
  if (credits != 0) offload_->sender().room(Lane::kControl);
  if ((sleeping & regs::kSgDoorbellFields.cmdq1_enable) == 0) return;
  control_running_ = false;
  // A message that was put while the queue went to sleep did not ring.
  if (control_->in_use() != 0) ring_control();
}

LONGHAUL_PLUGIN(cxgb_driver) {
  DriverType type{};
  type.name = "cxgb";
  type.title = "Chelsio's driver cxgb 2.1.1 of the N110";
  type.ids = {{0x1425, 0x0007}};  // subr.c: t1_pci_tbl
  type.make = [](const DriverRequest& request) -> std::unique_ptr<NetDevice> {
    return std::make_unique<CxgbDriver>(request.module_name.c_str(), request.setup,
                                        cxgb_driver_params(request.params, request.where));
  };
  type.describe_defaults = [] { return describe_defaults(CxgbDriverParams{}); };
  driver_types().add(std::move(type));
}

LONGHAUL_PLUGIN(cxgbtoe_driver) {
  DriverType type{};
  type.name = "cxgbtoe";
  type.title = "Chelsio's drivers cxgbtoe 2.1.1 and chtoe of the T110";
  type.ids = {{0x1425, 0x0006}, {0x1425, 0x0008}};  // illumos ch_subr.c, Linux subr.c
  type.make = [](const DriverRequest& request) -> std::unique_ptr<NetDevice> {
    const auto board =
        request.ids.device == 0x0006 ? Board::Kind::kT110Fibre : Board::Kind::kT110Cx4;
    return std::make_unique<CxgbDriver>(
        request.module_name.c_str(), request.setup,
        toe_driver_params(request.params, request.setup.net, request.where), board);
  };
  type.describe_defaults = [] { return describe_defaults(ToeDriverParams{}); };
  driver_types().add(std::move(type));
}

}  // namespace longhaul::host::chelsio

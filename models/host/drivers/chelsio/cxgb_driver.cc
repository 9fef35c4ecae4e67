// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/cxgb_driver.h"

#include "models/host/drivers/chelsio/sge_settings.h"
#include "models/host/drivers/chelsio/vpd.h"
#include "models/nic/terminator/regs_pl.h"
#include "models/nic/terminator/regs_sge.h"

namespace longhaul::host::chelsio {

CxgbDriver::CxgbDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
                       const CxgbDriverParams& params, const MakeBoard& board,
                       nlohmann::json described, std::uint32_t jumbo_bytes)
    : PciDriver(name, setup, params.mtu(), params.reclaim_period(), features_of(params)),
      params_(params),
      board_(board(*this)),
      commands_(setup.memory, params.tx_descriptors()),
      lists_{FreeList(setup.memory, params.rx_buffers(),
                      params.small_packet() + kSmallExtraBytes + kIpAlign, kIpAlign),
             FreeList(setup.memory, params.rx_jumbo_buffers(), jumbo_bytes, kIpAlign)},
      responses_(setup.memory, params.responses()),
      described_(std::move(described)) {}

void CxgbDriver::reset_adapter() {
  board_->bring_up();
  write(regs::kSgControl, 0);
  read(regs::kSgControl);
  write(regs::kSgIntEnable, 0);
  write(regs::kPlEnable, 0);
  board_->disable_interrupts();
  board_->disable_mac();
}

MacAddress CxgbDriver::read_mac() {
  return mac_in_vpd(setup().bus.at(setup().slot, setup().function), *this);
}

bool CxgbDriver::open_rings() {
  running_ = last_rang_ = stopped_ = polling_ = false;
  link_changed_ = true;
  return commands_.open(setup().node) && lists_[0].open(setup().node) &&
         lists_[1].open(setup().node) && responses_.open(setup().node);
}

void CxgbDriver::close_rings() {
  commands_.close();
  for (FreeList& list : lists_) list.close();
  responses_.close();
}

void CxgbDriver::place(const GenerationRing& ring, std::uint32_t low, std::uint32_t high,
                       std::uint32_t size) {
  write(low, static_cast<std::uint32_t>(ring.address()));
  write(high, static_cast<std::uint32_t>(ring.address() >> 32));
  write(size, ring.entries());
}

void CxgbDriver::configure_sge() {
  place(commands_.ring(), regs::kSgCmd0baselwr, regs::kSgCmd0baseupr, regs::kSgCmd0size);
  place(lists_[0].ring(), regs::kSgFl0baselwr, regs::kSgFl0baseupr, regs::kSgFl0size);
  place(lists_[1].ring(), regs::kSgFl1baselwr, regs::kSgFl1baseupr, regs::kSgFl1size);
  write(regs::kSgFlthreshold, params_.small_packet() + 1);
  place(responses_.ring(), regs::kSgRspbaselwr, regs::kSgRspbaseupr, regs::kSgRspsize);
  write(regs::kSgRspqueuecredit, params_.responses() - 1);
  write(regs::kSgIntrtimer, board_->hold_off_ticks(to_ps(params_.rx_coalesce())));
}

void CxgbDriver::start_adapter() {
  board_->configure_bus();
  board_->start_tp();
  configure_sge();
  board_->configure_mac(mac(), largest_frame());
  write(regs::kSgIntCause, ~0U);
  write(regs::kPlCause, ~0U);
}

void CxgbDriver::enable() {
  Processor& cpu = *Processor::current();
  for (FreeList& list : lists_) refill(list, cpu);
  write(regs::kSgControl, regs::kSgControlFields.cmdq0_enable | regs::kSgControlFields.fl0_enable |
                              regs::kSgControlFields.fl1_enable |
                              regs::kSgControlFields.cpl_enable |
                              regs::kSgControlFields.response_queue_enable |
                              regs::kSgControlFields.cmdq_priority.put(2) |
                              regs::kSgControlFields.iscsi_coalesce | more_control());
  write(regs::kSgDoorbell, kBothLists);
  write(regs::kSgIntEnable, kSgeErrors);
  board_->enable_interrupts();
  write(regs::kPlEnable, kAllCauses);
  board_->enable_mac(params_.flow_control());
}

std::uint32_t CxgbDriver::more_control() const { return regs::kSgControlFields.disable_cmdq1_gts; }

// ---- link and watchdog

bool CxgbDriver::find_link() {
  if (!link_changed_ && board_->link_interrupts()) return link_;
  link_changed_ = false;
  if (board_->link_interrupts()) board_->take_link_interrupt();
  link_ = board_->link();
  if (is_open()) write(regs::kPlEnable, kAllCauses);
  return link_;
}

void CxgbDriver::nudge() {
  Processor& cpu = *Processor::current();
  reclaim(cpu);
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
    if ((cookie & CommandQueue::kMessage) == 0) {
      give_back(cookie, descriptors, cpu);
    } else {
      cpu.execute(descriptors * std::uint64_t{setup().net.driver_clean_cycles()});
      other_done(cookie);
    }
  }
}

bool CxgbDriver::has_descriptors(const TxPacket& packet) {
  reclaim(*Processor::current());
  // Messages of TCP offload take descriptors, too, and do not stop the queue.
  if (commands_.free() < packet.count) stopped_ = true;
  return !stopped_;
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
  if (credits != 0) room_again();
  if (!stopped_ || commands_.in_use() - commands_.reclaimable() >= params_.tx_descriptors() / 2)
    return;
  stopped_ = false;
  if (refused()) make_room();
}

}  // namespace longhaul::host::chelsio

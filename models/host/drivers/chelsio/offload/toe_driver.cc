// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/offload/toe_driver.h"

#include <algorithm>

#include "models/host/drivers/chelsio/sge_settings.h"
#include "models/host/drivers/frame_copy.h"

namespace longhaul::host::chelsio {
namespace {

constexpr std::uint32_t kLongestData = 16224 + 16 + kIpAlign;  // CPL_RX_DATA: tp.h, cpl5_cmd.h

}  // namespace

ToeDriver::ToeDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
                     const ToeDriverParams& params, const MakeBoard& board,
                     nlohmann::json described)
    : CxgbDriver(name, setup, params, board, std::move(described), kLongestData),
      control_(setup.memory, params.control_descriptors()),
      offload_("offload", this->setup(), params, *this) {}

// ---- open and close

void ToeDriver::close() {
  constexpr std::uint64_t kWaitPs = 1'000'000'000;
  constexpr std::uint32_t kWaits = 100;
  if (is_open()) {
    offload_.down();
    for (std::uint32_t i = 0; i < kWaits && offload_.has_flows(); ++i) delay(kWaitPs);
    board().reset_tp();
  }
  CxgbDriver::close();
}

bool ToeDriver::open_rings() {
  control_running_ = false;
  return control_.open(setup().node) && CxgbDriver::open_rings();
}

void ToeDriver::close_rings() {
  offload_.forget();
  control_.close();
  CxgbDriver::close_rings();
}

void ToeDriver::start_adapter() {
  CxgbDriver::start_adapter();
  board().start_tp_offload(mtu());
  place(control_.ring(), regs::kSgCmd1baselwr, regs::kSgCmd1baseupr, regs::kSgCmd1size);
}

void ToeDriver::enable() {
  CxgbDriver::enable();
  offload_.up(mac());
}

std::uint32_t ToeDriver::more_control() const { return regs::kSgControlFields.cmdq1_enable; }

bool ToeDriver::abandon(std::uint64_t& cookie) {
  while (control_.abandon(cookie)) offload_.sender().done(cookie);
  while (CxgbDriver::abandon(cookie)) {
    if ((cookie & CommandQueue::kMessage) == 0) return true;
    offload_.sender().done(cookie);
  }
  return false;
}

// ---- messages to the chip

CommandQueue* ToeDriver::queue(Lane lane) {
  if (!is_open()) return nullptr;
  return lane == Lane::kOrdered ? &commands() : &control_;
}

void ToeDriver::ring(Lane lane) {
  Processor::current()->pay();
  if (!is_open()) return;
  if (lane == Lane::kOrdered) return ring_doorbell();
  ring_control();
}

void ToeDriver::ring_control() {
  if (control_running_) return;
  control_running_ = true;
  write(regs::kSgDoorbell, regs::kSgDoorbellFields.cmdq1_enable);
}

void ToeDriver::nudge() {
  CxgbDriver::nudge();
  if (!is_open()) return;
  offload_.sender().room(Lane::kOrdered);
  offload_.sender().room(Lane::kControl);
}

/// Command queue 0 has returned credits.
void ToeDriver::room_again() {
  reclaim(*Processor::current());
  offload_.sender().room(Lane::kOrdered);
}

/// A response tells of command queue 1.
void ToeDriver::take_credits(const Response& response) {
  control_.processed(response.control_credits());
  Processor& cpu = *Processor::current();
  std::uint64_t cookie = 0;
  while (const std::uint32_t descriptors = control_.reclaim(cookie)) {
    cpu.execute(descriptors * std::uint64_t{setup().net.driver_clean_cycles()});
    offload_.sender().done(cookie);
  }
  if (response.control_credits() != 0) offload_.sender().room(Lane::kControl);
  if ((response.sleeping() & regs::kSgDoorbellFields.cmdq1_enable) == 0) return;
  control_running_ = false;
  // A message that was put while the queue went to sleep did not ring.
  if (control_.in_use() != 0) ring_control();
}

// ---- messages of the chip

/// The chip has acknowledged received data, so they are never dropped.
bool ToeDriver::take_message(const Response& response, FreeList& list, Processor& cpu) {
  const std::uint32_t bytes = response.bytes;
  if (!response.whole() || bytes > list.buffer_bytes() - kIpAlign) return false;
  const std::uint64_t at = list.oldest();
  ToeOffload::Arrived arrived;
  CplMessage& message = arrived.message;
  message.size = std::min(bytes, CplMessage::kMostBytes);
  std::copy_n(setup().memory.at(at), message.size, message.bytes.begin());
  cpu.touch_read(at, message.size);
  const std::uint32_t least = least_bytes(message.opcode());
  if (least == 0 || bytes < least) {  // replies to writes of tables and fields
    list.recycle();
    return true;
  }
  RxPacket& packet = arrived.data;
  const bool leaves_buffer = message.opcode() != Opcode::kRxData ||
                             (bytes < params().copybreak() &&
                              copy_frame(at, bytes, 0, setup().node, setup().memory, cpu, packet));
  if (leaves_buffer) {
    cpu.execute(setup().net.allocate_cycles());
    list.recycle();
  } else {
    list.take(packet);
    packet.address = at;
  }
  packet.address += least;
  packet.bytes = bytes - least;
  offload_.arrived(arrived);
  cpu.pay();
  return true;
}

}  // namespace longhaul::host::chelsio

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/drivers/chelsio/cxgb_driver.h"
#include "models/host/drivers/chelsio/offload/toe_offload.h"

namespace longhaul::host::chelsio {

/// The driver of an adapter whose Terminator runs TCP, like cxgbtoe with chtoe of the T110. It has
/// both command queues, and messages of offload among frames.
class ToeDriver final : public CxgbDriver, private MessageSender::Chip {
 public:
  ToeDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
            const ToeDriverParams& params, const MakeBoard& board, nlohmann::json described);
  void close() override;
  TcpOffload* offload() override { return &offload_; }
  const ToeOffload* toe() const override { return &offload_; }

 private:
  // CxgbDriver
  bool open_rings() override;
  void close_rings() override;
  void start_adapter() override;
  void enable() override;
  void nudge() override;
  // Messages of offload go to the chip without a link, too.
  bool holds_packets() const override { return false; }
  bool abandon(std::uint64_t& cookie) override;
  std::uint32_t more_control() const override;
  void take_credits(const Response& response) override;
  bool take_message(const Response& response, FreeList& list, Processor& cpu) override;
  void other_done(std::uint64_t cookie) override { offload_.sender().done(cookie); }
  void room_again() override;

  // MessageSender::Chip
  CommandQueue* queue(Lane lane) override;
  void ring(Lane lane) override;

  void ring_control();

  CommandQueue control_;  // command queue 1
  ToeOffload offload_;
  bool control_running_ = false;  // the chip fetches control messages
};

}  // namespace longhaul::host::chelsio

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <systemc>

#include "models/host/drivers/chelsio/board.h"
#include "models/host/drivers/chelsio/command_queue.h"
#include "models/host/drivers/chelsio/cxgb_params.h"
#include "models/host/drivers/chelsio/free_list.h"
#include "models/host/drivers/chelsio/offload/toe_offload.h"
#include "models/host/drivers/chelsio/response_queue.h"
#include "models/host/drivers/pci_driver.h"

namespace longhaul::host::chelsio {

/// The driver of a Chelsio N110 or T110 (models/nic/terminator), like cxgb 2.1.1 of 2005, and of
/// the T110's TCP offload (ToeOffload).
///
/// Frames and returned credits come in one response queue. Without polling, all of it is handled in
/// the hard interrupt; the chip's hold-off timer starts when the handler has ended.
class CxgbDriver final : public PciDriver, private RegisterAccess, private MessageSender::Chip {
 public:
  CxgbDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
             const CxgbDriverParams& params);
  /// Of a T110, with its own parameters.
  CxgbDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
             const ToeDriverParams& params, Board::Kind board);
  ~CxgbDriver() override;
  void close() override;
  TcpOffload* offload() override { return offload_.get(); }
  /// Null without offload.
  const ToeOffload* toe() const { return offload_.get(); }
  void join(const MacAddress& group) override { board_.join(group); }
  nlohmann::json describe_params() const override;

  observe::Counter pure_responses{"pure_responses", "1", "responses without a frame"};
  observe::Counter rx_dropped{"rx_dropped", "1", "frames dropped because few buffers were free"};

 private:
  CxgbDriver(const DriverSetup& setup, const CxgbDriverParams& params,
             const sc_core::sc_module_name& name, Board::Kind board, std::uint32_t jumbo_bytes);

  // RegisterAccess
  std::uint32_t read_register(std::uint32_t offset) override { return read(offset); }
  void write_register(std::uint32_t offset, std::uint32_t value) override { write(offset, value); }
  void wait(std::uint64_t ps) override { delay(ps); }

  // PciDriver
  void reset_adapter() override;
  MacAddress read_mac() override;
  bool open_rings() override;
  void close_rings() override;
  void start_adapter() override;
  void enable() override;
  bool find_link() override;
  void nudge() override;
  bool fits(const TxPacket& packet) const override;
  bool has_descriptors(const TxPacket& packet) override;
  std::uint32_t put(const TxPacket& packet, Processor& cpu) override;
  void ring_doorbell() override;
  bool abandon(std::uint64_t& cookie) override;
  // Messages of offload go to the chip without a link, too.
  bool holds_packets() const override { return offload_ == nullptr && commands_.in_use() != 0; }
  bool interrupt() override;
  Polled poll(std::uint32_t most) override;

  // MessageSender::Chip
  CommandQueue* queue(Lane lane) override;
  void ring(Lane lane) override;

  void ring_control();
  void configure_sge();
  bool polled() const { return params_.polling() && setup().net.napi(); }
  std::uint32_t take_responses(Processor& cpu, std::uint32_t most);
  bool take_pure_responses(Processor& cpu);
  void count_response();
  void update_tx(std::uint32_t sleeping, std::uint32_t credits);
  void update_control(std::uint32_t sleeping, std::uint32_t credits);
  void receive_message(FreeList& list, std::uint32_t bytes, Processor& cpu);
  void reclaim(Processor& cpu);
  void receive(const Response& response, Processor& cpu);
  bool get_packet(FreeList& list, std::uint32_t bytes, RxPacket& packet, Processor& cpu);
  bool judged_good(const RxPacket& packet) const;
  void refill(FreeList& list, Processor& cpu);
  void refill_empty();
  bool handle_slow_causes();
  void sleep_until_next();

  const CxgbDriverParams params_;
  Board board_;
  CommandQueue commands_;
  std::array<FreeList, 2> lists_;
  ResponseQueue responses_;
  std::unique_ptr<CommandQueue> control_;  // command queue 1, of offload
  std::unique_ptr<ToeOffload> offload_;
  nlohmann::json described_;      // the parameters
  bool control_running_ = false;  // the chip fetches control messages
  bool running_ = false;          // the chip fetches commands
  bool last_rang_ = false;        // the last packet rang the doorbell
  bool stopped_ = false;          // no packet is taken until half of the queue is free
  bool polling_ = false;
  bool link_changed_ = true;
  bool link_ = false;
};

}  // namespace longhaul::host::chelsio

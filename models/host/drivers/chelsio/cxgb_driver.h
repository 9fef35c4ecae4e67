// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <systemc>

#include "models/host/drivers/chelsio/board.h"
#include "models/host/drivers/chelsio/command_queue.h"
#include "models/host/drivers/chelsio/cxgb_features.h"
#include "models/host/drivers/chelsio/cxgb_params.h"
#include "models/host/drivers/chelsio/free_list.h"
#include "models/host/drivers/chelsio/response_queue.h"
#include "models/host/drivers/pci_driver.h"

namespace longhaul::host::chelsio {

class ToeOffload;

/// The driver of an adapter with a Terminator's core, like cxgb 2.1.1 of 2005 (N110, T110).
///
/// Frames and returned credits come in one response queue. Without polling, all of it is handled in
/// the hard interrupt; the chip's hold-off timer starts when the handler has ended.
class CxgbDriver : public PciDriver, private RegisterAccess {
 public:
  CxgbDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
             const CxgbDriverParams& params, const MakeBoard& board, nlohmann::json described)
      : CxgbDriver(name, setup, params, board, std::move(described), jumbo_bytes(setup.net)) {}
  virtual const ToeOffload* toe() const { return nullptr; }  ///< null without TCP offload
  void join(const MacAddress& group) override { board_->join(group); }
  nlohmann::json describe_params() const override { return described_; }

  observe::Counter pure_responses{"pure_responses", "1", "responses without a frame"};
  observe::Counter rx_dropped{"rx_dropped", "1", "frames dropped because few buffers were free"};

 protected:
  CxgbDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
             const CxgbDriverParams& params, const MakeBoard& board, nlohmann::json described,
             std::uint32_t jumbo_bytes);
  bool open_rings() override;
  void close_rings() override;
  void start_adapter() override;
  void enable() override;
  void nudge() override;
  bool holds_packets() const override { return commands_.in_use() != 0; }
  bool abandon(std::uint64_t& cookie) override { return commands_.abandon(cookie); }
  void ring_doorbell() override;

  // Of a driver with TCP offload.
  virtual std::uint32_t more_control() const;  ///< bits of SG_CONTROL
  virtual void take_credits(const Response&) {}
  /// Takes the message of a response. Returns false for a frame.
  virtual bool take_message(const Response&, FreeList&, Processor&) { return false; }
  /// Entries with this cookie were processed.
  virtual void other_done(std::uint64_t /*cookie*/) {}
  virtual void room_again() {}

  void place(const GenerationRing& ring, std::uint32_t low, std::uint32_t high, std::uint32_t size);
  void reclaim(Processor& cpu);
  CommandQueue& commands() { return commands_; }
  Board& board() { return *board_; }
  const CxgbDriverParams& params() const { return params_; }

 private:
  // RegisterAccess
  std::uint32_t read_register(std::uint32_t offset) override { return read(offset); }
  void write_register(std::uint32_t offset, std::uint32_t value) override { write(offset, value); }
  void wait(std::uint64_t ps) override { delay(ps); }

  // PciDriver
  void reset_adapter() override;
  MacAddress read_mac() override;
  bool find_link() override;
  bool fits(const TxPacket& packet) const override;
  bool has_descriptors(const TxPacket& packet) override;
  std::uint32_t put(const TxPacket& packet, Processor& cpu) override;
  bool interrupt() override;
  Polled poll(std::uint32_t most) override;

  void configure_sge();
  bool polled() const { return params_.polling() && setup().net.napi(); }
  std::uint32_t take_responses(Processor& cpu, std::uint32_t most);
  bool take_pure_responses(Processor& cpu);
  void count_response();
  void update_tx(std::uint32_t sleeping, std::uint32_t credits);
  void receive(const Response& response, Processor& cpu);
  bool get_packet(FreeList& list, std::uint32_t bytes, RxPacket& packet, Processor& cpu);
  bool judged_good(const RxPacket& packet) const;
  void refill(FreeList& list, Processor& cpu);
  void refill_empty();
  bool handle_slow_causes();
  void sleep_until_next();

  const CxgbDriverParams params_;
  const std::unique_ptr<Board> board_;
  CommandQueue commands_;
  std::array<FreeList, 2> lists_;
  ResponseQueue responses_;
  const nlohmann::json described_;  // the parameters
  bool running_ = false;            // the chip fetches commands
  bool last_rang_ = false;          // the last packet rang the doorbell
  bool stopped_ = false;            // no packet is taken until half of the queue is free
  bool polling_ = false;
  bool link_changed_ = true;
  bool link_ = false;
};

}  // namespace longhaul::host::chelsio

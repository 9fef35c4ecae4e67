// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/common/param.h"
#include "models/common/ring_buffer.h"
#include "models/nic/adapter.h"
#include "models/pcix/pcix_device.h"
#include "platform/cosim/bus/block_memory.h"
#include "platform/cosim/bus/interrupt_pins.h"
#include "platform/cosim/bus/register_port.h"
#include "platform/cosim/object/rtl_object.h"
#include "platform/observe/covered_part.h"
#include "platform/observe/traced_part.h"
#include "platform/observe/waiting_part.h"
#include "platform/portmap/block_map.h"
#include "platform/portmap/bus_sides.h"
#include "platform/portmap/function_log.h"
#include "platform/portmap/mapped_block.h"
#include "platform/portmap/mapped_port.h"
#include "platform/portmap/memory_accesses.h"

namespace longhaul::portmap {

/// Numbers of an adapter that is implemented by RTL.
struct FunctionParams {
  Param<std::uint32_t> posted_writes{
      "posted_writes",
      16,
      "writes of the host that wait for the block; one more is answered with Retry",
      {Evidence::kAssumed, "docs/port_maps.md"},
      Range<std::uint32_t>{1, 4096}};
  auto fields() {
    return std::tie(block.rules, block.gating, dma.read_fifo_bytes, target.decode_clocks,
                    target.width_bits, posted_writes, stress.stalls, stress.delay, stress.seed);
  }
  BlockParams block;
  MemoryStress stress;
  pcix::DmaParams dma;
  pcix::TargetParams target;
};

/// A network adapter that is implemented by a block of RTL. Its registers are behind memory BARs,
/// its manager masters the bus, its interrupt requests are the function's, and its MAC is at the
/// wire.
///
/// A register read takes the block's clocks: it is answered by a Split Response, in conventional
/// PCI as a delayed read. Writes are posted, in order. When the function has no room for another
/// one, the next write is answered with Retry. After an error response of the block a read ends
/// with all ones and target abort.
class MappedFunction final : public pcix::PcixDevice,
                             public nic::Adapter,
                             public observe::TracedPart,
                             public observe::CoveredPart,
                             public observe::WaitingPart,
                             private cosim::RegisterClient,
                             private cosim::BlockMemory,
                             private cosim::InterruptClient,
                             private pcix::DmaClient {
 public:
  MappedFunction(const sc_core::sc_module_name& name, const BlockMap& map,
                 const cosim::RtlObject& object, const FunctionParams& params);

  // Adapter.
  pcix::PcixDevice* function() override { return this; }
  EthPort& port() override { return port_.port(); }
  observe::FrameTap& received_frames() override { return port_.received; }
  observe::FrameTap& sent_frames() override { return port_.sent; }
  /// Appends nothing: only the block's driver knows where its rings are.
  void append_rings(std::vector<std::pair<std::uint64_t, std::uint64_t>>&) const override {}
  nlohmann::json describe_params() const override;

  void trace(const observe::WaveScope& scope) override { block_.trace(scope); }
  bool covered() const override { return block_.covered(); }
  std::string design() const override { return block_.map().name; }
  bool write_coverage(const std::string& path) const override {
    return block_.write_coverage(path);
  }
  nlohmann::json bus_coverage() const override { return block_.bus_coverage(); }
  std::string waiting() const override { return log_.text() + "; " + port_.text(); }

  observe::Counter dma_failures{"dma_failures", "1",
                                "DMA accesses of the block that ended in an abort"};
  observe::Counter interrupts_lost{
      "interrupts_lost", "1", "interrupt pulses of the block that came while messages were off"};

 private:
  void start_of_simulation() override;
  sc_core::sc_time access_memory_bar(tlm::tlm_generic_payload& payload) override;
  void access_done(std::uint64_t tag, cosim::BusStatus status, const std::uint8_t* data) override;
  void read(std::uint64_t address, std::uint8_t* data, std::uint32_t length,
            cosim::MemoryClient& client, std::uint64_t tag) override;
  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
             cosim::MemoryClient& client, std::uint64_t tag) override;
  void dma_done(std::uint64_t tag, pcix::DmaStatus status) override;
  void interrupts_changed(std::uint64_t levels, std::uint64_t rises) override;
  bool takes_write() const override { return posted_ < params_.posted_writes(); }
  void connect_registers();
  void connect_interrupts();

  FunctionParams params_;
  MappedBlock block_;
  MappedPort port_;
  std::map<std::string, RegisterSide> registers_;  // by interface
  std::unique_ptr<cosim::Transactor> memory_;
  std::unique_ptr<cosim::Transactor> interrupts_;
  bool pulses_ = false;  // each rise of a line is a request
  struct Read {
    std::uint8_t* data = nullptr;
    std::uint32_t bytes = 0;
    bool done = false;
    tlm::tlm_response_status response = tlm::TLM_INCOMPLETE_RESPONSE;
  };
  RingBuffer<Read> reads_;        // reads without an answer, in order
  std::uint64_t first_read_ = 0;  // number of the first of these
  std::uint64_t writes_ = 0;      // number of writes so far
  std::uint32_t posted_ = 0;      // writes in progress
  FunctionLog log_;
  MemoryAccesses accesses_;
};

}  // namespace longhaul::portmap

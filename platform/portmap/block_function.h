// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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
#include "platform/cosim/object/rtl_object.h"
#include "platform/observe/waiting_part.h"
#include "platform/portmap/block_map.h"
#include "platform/portmap/block_part.h"
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

/// The common part of network adapters that are implemented by a block of RTL on the PCI-X bus: the
/// block and its MAC at the wire. Its accesses to memory go by the function's DMA engine.
class BlockFunction : public pcix::PcixDevice,
                      public nic::Adapter,
                      public BlockPart,
                      public observe::WaitingPart,
                      protected cosim::BlockMemory,
                      private pcix::DmaClient {
 public:
  BlockFunction(const sc_core::sc_module_name& name, const BlockMap& map,
                const cosim::RtlObject& object, const FunctionParams& params);

  // Adapter.
  pcix::PcixDevice* function() override { return this; }
  EthPort& port() override { return port_.port(); }
  observe::FrameTap& received_frames() override { return port_.received; }
  observe::FrameTap& sent_frames() override { return port_.sent; }
  /// Appends nothing: only the block's driver knows where its rings are.
  void append_rings(std::vector<std::pair<std::uint64_t, std::uint64_t>>&) const override {}
  nlohmann::json describe_params() const override;

  std::string waiting() const override { return log_.text() + "; " + port_.text(); }

  observe::Counter dma_failures{"dma_failures", "1",
                                "DMA accesses of the block that ended in an abort"};

 protected:
  /// Numbers an access of the host that close_access() ends. A posted write has no answer. The
  /// others are answered with later(), and keep the payload's data pointer.
  std::uint64_t open_access(const tlm::tlm_generic_payload& payload, bool posted);
  /// `data` are the bytes of a read; null for a write.
  void close_access(std::uint64_t tag, cosim::BusStatus status, const std::uint8_t* data);

  // BlockMemory.
  void read(std::uint64_t address, std::uint8_t* data, std::uint32_t length,
            cosim::MemoryClient& client, std::uint64_t tag) override;
  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
             cosim::MemoryClient& client, std::uint64_t tag) override;

  const FunctionParams& params() const { return params_; }
  MappedBlock& block() { return block_; }
  MappedPort& wire() { return port_; }
  FunctionLog& log() { return log_; }

 private:
  struct Access {
    std::uint8_t* data = nullptr;
    std::uint32_t bytes = 0;
    bool done = false;
    tlm::tlm_response_status response = tlm::TLM_INCOMPLETE_RESPONSE;
  };

  void dma_done(std::uint64_t tag, pcix::DmaStatus status) override;
  bool takes_write() const override { return posted_ < params_.posted_writes(); }

  const FunctionParams params_;
  MappedBlock block_;
  MappedPort port_;
  MemoryAccesses accesses_;
  FunctionLog log_;
  RingBuffer<Access> open_;       // accesses without an answer, in order
  std::uint64_t first_open_ = 0;  // number of the first of these
  std::uint64_t writes_ = 0;      // number of posted writes so far
  std::uint32_t posted_ = 0;      // posted writes in progress
};

}  // namespace longhaul::portmap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include "models/common/param.h"
#include "platform/observe/probe.h"

namespace longhaul::nic {

struct DmaParams {
  Param<std::uint32_t> read_fifo_bytes{"dma_read_fifo_bytes", 16384, {Evidence::kAssumed, "models/nic/blocks/README.md#open-numbers"}};
  auto fields() { return std::tie(read_fifo_bytes); }
};

/// How a DMA transfer ended.
enum class DmaStatus { kOk, kMasterAbort, kTargetAbort, kMasterDisabled };

/// Is told when a transfer that it asked for has ended.
class DmaClient {
 public:
  virtual ~DmaClient() = default;
  /// `tag` is the caller's. For a read, the data are in the caller's buffer now; for a write, the last byte has left on the
  /// bus (it is posted: memory order is the order of the writes).
  virtual void dma_done(std::uint64_t tag, DmaStatus status) = 0;
};

/// The bus-master part of an adapter: cuts transfers into PCI-X transactions and keeps several in flight.
///
/// Reads are cut at the maximum memory read byte count and at allowable disconnect boundaries (128 B), each piece a split
/// transaction, with as many outstanding as the configuration allows; pieces of one transfer may complete out of order, and
/// dma_done() comes when all have. Transfers of one queue start in the order in which they were asked for. Writes are
/// posted, in order, cut at 4096 B. Neither allocates per transfer once the pools have warmed up.
class DmaEngine final : public sc_core::sc_module {
 public:
  /// To the bus: TLM-2.0 base protocol, non-blocking (see models/pcix/README.md#protocol).
  tlm_utils::simple_initiator_socket<DmaEngine> dma_initiator{"dma_initiator"};

  /// What the engine must know of the configuration space at each transfer.
  struct Limits {
    bool master_enabled;
    std::uint32_t max_read_bytes;
    std::uint32_t max_outstanding;
  };
  using LimitsNow = std::function<Limits()>;

  DmaEngine(const sc_core::sc_module_name& name, DmaParams params, LimitsNow limits);

  /// Starts a transfer of length > 0 bytes between bus address `address` and `data`, which stays valid until dma_done().
  /// `client` may be null for writes that nobody waits for (their bytes, up to 16, are copied at once).
  void read(std::uint64_t address, std::uint8_t* data, std::uint32_t length, DmaClient* client, std::uint64_t tag);
  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length, DmaClient* client, std::uint64_t tag);

  /// Gives up all transfers (device reset): no dma_done() follows for them; what is on the bus ends unseen.
  void abandon_all();
  bool idle() const;

  observe::Counter read_bytes{"read_bytes", "B", "bytes read from memory"};
  observe::Counter written_bytes{"written_bytes", "B", "bytes written to memory"};
  observe::Counter transactions{"transactions", "1", "bus transactions started"};
};

}  // namespace longhaul::nic

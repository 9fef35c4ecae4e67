// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/param.h"
#include "models/pcix/transaction.h"

namespace longhaul::pcix {

struct DmaParams {
  Param<std::uint32_t> read_fifo_bytes{"dma_read_fifo_bytes",
                                       16384,
                                       "room for data of outstanding DMA reads, bytes",
                                       {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                                       Range<std::uint32_t>{4096, 1U << 20}};
  Param<std::uint32_t> engines{"dma_engines",
                               2,
                               "DMA engines: with one, reads and writes take turns",
                               {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                               Range<std::uint32_t>{1, 2}};
  Param<std::string> order{"dma_order",
                           "turns",
                           "when reads and writes wait: they take turns, or reads start first",
                           {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                           {"turns", "reads-first"}};
  auto fields() { return std::tie(read_fifo_bytes, engines); }
};

/// How a DMA transfer ended.
enum class DmaStatus { kOk, kMasterAbort, kTargetAbort, kMasterDisabled };

/// Receives the end of the transfers that it asked for.
class DmaClient {
 public:
  virtual ~DmaClient() = default;
  /// A transfer has ended; `tag` is the caller's. A read's data are in the caller's buffer. A
  /// write's last byte has left on the bus; writes are posted, and memory order is the order of the
  /// writes. Never called from inside read() or write(), but may call them.
  virtual void dma_done(std::uint64_t tag, DmaStatus status) = 0;
  /// Called before dma_done() of a read: `length` bytes at `data`, in the caller's buffer, are zero
  /// and were not stored. The default stores the zeros.
  virtual void dma_blank(std::uint64_t tag, std::uint8_t* data, std::uint32_t length);
};

/// The bus master of an adapter: cuts transfers into PCI-X transactions and keeps several in
/// flight.
///
/// Reads are cut at the maximum memory read byte count and at allowable disconnect boundaries (128
/// B); each piece is a split transaction. As many pieces are outstanding as the configuration
/// allows and the read FIFO holds. Pieces of one transfer may complete out of order; dma_done()
/// comes when all have.
///
/// Writes are posted, in order, and cut at 4096 B. Transfers of one queue (reads, writes) start in
/// the order in which they were asked for. If both queues wait, reads and writes take turns, or
/// reads start first (`order`). With one engine, no write starts while a read is outstanding, and
/// no read while a write is in progress or waits for its turn. A transfer that meets an abort
/// starts no further pieces. No transfer allocates memory once the pools have grown.
class DmaEngine final : public sc_core::sc_module {
 public:
  /// Socket to the bus: non-blocking calls of the TLM-2.0 base protocol (see
  /// models/pcix/README.md#protocol).
  tlm_utils::simple_initiator_socket<DmaEngine> dma_initiator{"dma_initiator"};

  /// Values of the configuration space that limit each transaction.
  struct Limits {
    bool master_enabled;
    std::uint32_t max_read_bytes;
    std::uint32_t max_outstanding;
  };
  using LimitsNow = std::function<void(Limits&)>;  ///< fills in the present values

  /// Largest byte count of one PCI-X transaction (PCI-X 1.0b, attribute phase: a 12-bit field, in
  /// which zero means 4096).
  static constexpr std::uint32_t kMaxTransactionBytes = 4096;
  /// Allowable disconnect boundary (PCI-X 1.0b, chapter 2).
  static constexpr std::uint32_t kAdbBytes = 128;
  /// Largest write without a client, in bytes.
  static constexpr std::uint32_t kCopiedBytes = 16;

  DmaEngine(const sc_core::sc_module_name& name, const DmaParams& params, LimitsNow limits);

  /// Starts a transfer of length > 0 bytes between bus address `address` and `data`. `data` must
  /// stay valid until dma_done().
  ///
  /// A write may have a null `client` if no end is awaited; then at most kCopiedBytes bytes, which
  /// are copied at once. Only the first `stored` bytes of a write need to be at `data`; the rest is
  /// zero. Throws std::logic_error for a length of 0, a read without client, or a longer write
  /// without client.
  void read(std::uint64_t address, std::uint8_t* data, std::uint32_t length, DmaClient* client,
            std::uint64_t tag);
  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
             DmaClient* client, std::uint64_t tag, std::uint32_t stored = ~0U);

  /// Drops all transfers (device reset). dma_done() is not called for them; transactions on the bus
  /// end without effect.
  void abandon_all();
  /// Drops the transfers of one client (reset of a queue). Other transfers continue.
  void abandon(const DmaClient& client);
  bool idle() const;
  const DmaParams& params() const { return params_; }

  observe::Counter read_bytes{"read_bytes", "B", "bytes read from memory"};
  observe::Counter written_bytes{"written_bytes", "B", "bytes written to memory"};
  observe::Counter transactions{"transactions", "1", "bus transactions started"};
  observe::Counter failures{"failures", "1",
                            "transfers that ended in an abort or found bus mastering disabled"};
  observe::Level outstanding_reads{"outstanding_reads", "1",
                                   "split reads waiting for their completion"};

 private:
  struct Transfer {
    std::uint64_t address;
    std::uint8_t* data;
    std::uint32_t length;
    std::uint32_t stored;   // of a write: bytes at `data`; the rest is zero
    std::uint32_t started;  // bytes given to the bus
    std::uint32_t pieces;   // transactions in flight
    DmaStatus status;
    DmaClient* client;
    std::uint64_t tag;
    Transfer* next;
    std::array<std::uint8_t, kCopiedBytes> copied;
  };
  struct Queue {
    Transfer* head = nullptr;
    Transfer* tail = nullptr;
    void push(Transfer* transfer);
    Transfer* pop();
  };
  struct Piece {
    tlm::tlm_generic_payload* payload = nullptr;  // null: the tag is free
    Transfer* transfer = nullptr;                 // null: abandoned
  };
  static constexpr std::uint32_t kTags = 32;  // a 5-bit field of the attributes
  static constexpr std::uint8_t kWriteTag = 0;
  /// Smaller reads always store their zeros: eliding them gains nothing.
  static constexpr std::uint32_t kLeastBlankBytes = 128;

  Transfer* new_transfer(std::uint64_t address, std::uint8_t* data, std::uint32_t length,
                         DmaClient* client, std::uint64_t tag);
  void pump();
  /// Whether one engine for both directions is free for a read or a write.
  bool is_turn_of_read() const;
  bool is_turn_of_write() const;
  bool start_read(const Limits& limits);
  bool start_write();
  void send(tlm::tlm_generic_payload& payload);
  tlm::tlm_sync_enum from_bus(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                              sc_core::sc_time& delay);
  void advance(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
  void complete(tlm::tlm_generic_payload& payload);
  void end_piece(Transfer* transfer, const tlm::tlm_generic_payload& payload);
  void retire(Transfer* transfer);
  void abandon_if(bool all, const DmaClient* client);
  void refuse_waiting();
  void refuse_queue(Queue& queue);
  void report_refused();

  const DmaParams params_;
  const bool reads_first_;
  LimitsNow limits_;
  TransactionPool pool_;
  std::vector<std::unique_ptr<Transfer>> owned_;
  std::vector<Transfer*> free_;
  Queue reads_;  // transfers with bytes still to start
  Queue writes_;
  Queue refused_;  // reported by report_refused()
  std::array<Piece, kTags> split_reads_;
  std::uint32_t split_count_ = 0;
  std::uint32_t split_bytes_ = 0;
  Piece write_;
  // The transaction that asks for the bus. One at a time, as there is one REQ#.
  tlm::tlm_generic_payload* requesting_ = nullptr;
  bool read_is_next_ = true;
  bool pumping_ = false;
  std::array<std::uint8_t, kMaxTransactionBytes> abandoned_reads_{};
  std::array<std::uint8_t, kMaxTransactionBytes> abandoned_write_{};
  Timer refusal_{[this] { report_refused(); }};
};

}  // namespace longhaul::pcix

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "models/common/ring_buffer.h"
#include "platform/cosim/bus/block_memory.h"
#include "platform/cosim/bus/pcix_initiator.h"
#include "platform/cosim/bus/pcix_target.h"
#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

/// Memory behind a host on a PCI-X bus: the device's writes, which are posted, and its reads, which
/// are answered by Split Completions.
///
/// A write goes to memory as the runs of its enabled bytes. A read, and an answer of the device to
/// the host, waits until the writes that the device has sent before are in memory. A failed read is
/// answered by a message of the class of bridge errors. A write has ended on the bus when it fails
/// in memory, so nobody is told.
class PcixMemory final : private MemoryClient {
 public:
  /// `writes`: writes that wait for memory. `ready` is called when a Split Completion may begin.
  PcixMemory(RtlBlock& block, BlockMemory& memory, std::uint32_t writes, std::uint16_t completer,
             std::function<void()> ready);

  // Called in the block's time.
  bool has_room(std::uint64_t edge_ps) const;
  bool tag_is_open(std::uint8_t tag) const { return reads_[tag].open; }
  void take_write(const PcixTaken& taken);
  void take_read(const PcixTaken& taken);
  /// `act` runs in SystemC's time, after the writes that have been taken are in memory.
  void after_writes(std::function<void()> act);
  /// The order of the Split Completion that is due, among numbers of next_order(); 0: none.
  std::uint64_t due(std::uint64_t edge_ps) const;
  /// Makes `work` the Split Completion that is due.
  void fill(PcixWork& work);
  /// How it ended. Returns false if the device did not take it.
  bool ended(const PcixWork& work);
  std::uint64_t next_order() { return ++order_; }

  /// Called in SystemC's time of an edge with a call of the take functions or of after_writes().
  void deliver();

 private:
  static constexpr std::uint32_t kTags = 32;
  static constexpr std::uint64_t kReadTag = 1ULL << 32U;

  struct Write {
    std::vector<std::uint8_t> data = std::vector<std::uint8_t>(kPcixMostBytes);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;  // offset, bytes
    std::uint64_t address = 0;
    std::uint64_t number = 0;
    std::uint32_t left = 0;  // runs that are not in memory
    std::uint64_t free_from_ps = 0;
    bool open = false;
  };
  struct Read {
    std::vector<std::uint8_t> data = std::vector<std::uint8_t>(kPcixMostBytes);
    std::uint64_t address = 0;
    std::uint32_t attributes = 0;
    std::uint32_t bytes = 0;
    std::uint32_t sent = 0;
    bool dword = false;
    bool open = false;
    BusStatus status = BusStatus::kOk;
    std::uint64_t order = 0;
    std::uint64_t from_ps = 0;
    std::array<std::uint8_t, 4> message{};
  };
  struct Event {
    enum class Kind : std::uint8_t { kWrite, kRead, kAct } kind;
    std::uint32_t index;  // of the write or the read
    std::function<void()> act;
    std::uint64_t after = 0;  // number of the last write before it
  };

  void memory_done(std::uint64_t tag, BusStatus status) override;
  void start_write(Write& write, std::uint32_t index);
  void end_write(Write& write);
  void run_waiting();

  RtlBlock& block_;
  BlockMemory& memory_;
  const std::uint16_t completer_;
  const std::function<void()> ready_;
  std::vector<Write> writes_;
  std::array<Read, kTags> reads_;
  std::deque<Event> events_;   // of the block's time
  std::deque<Event> waiting_;  // for writes
  std::deque<bool> ended_;     // of the writes after done_
  RingBuffer<std::uint32_t> due_;
  std::uint64_t number_ = 0;  // of the last write that was taken
  std::uint64_t done_ = 0;    // all up to this one are in memory
  std::uint64_t order_ = 0;
};

}  // namespace longhaul::cosim

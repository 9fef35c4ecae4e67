// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <systemc>
#include <utility>
#include <vector>

#include "models/common/divisor.h"
#include "models/common/observe/probe.h"
#include "models/nic/intel/flush_waits.h"
#include "models/pcix/dma_engine.h"

namespace longhaul::nic::intel {

/// Receives the events of a DescriptorRing.
class DescriptorUser {
 public:
  virtual ~DescriptorUser() = default;
  /// Descriptors have arrived on chip.
  virtual void descriptors_arrived() = 0;
  /// The write-backs of positions `begin` to `end` (exclusive) have left on the bus. Their slot()
  /// is still valid.
  virtual void written_back(std::uint64_t begin, std::uint64_t end) = 0;
  /// A flush has ended: all descriptors that a timer covered when it began have left on the bus.
  virtual void flushed() = 0;
};

/// One ring of 16-byte descriptors in host memory, and the on-chip cache in front of it.
///
/// Software owns the descriptors from tail on, hardware those from head to tail. Descriptors are
/// fetched in bursts, used in order, completed in any order and written back in order. Positions
/// count descriptors since the head was set; they only grow. One fetch is outstanding at a time. It
/// ends at the latest at the end of the ring or of the cache.
///
/// Fetching: at once if no unused descriptor is on chip. As a prefetch if at most `prefetch` unused
/// ones are left and the host offers at least `host` (`prefetch` zero: no prefetching).
///
/// Write-back: at once if `write_back` is 0 or 1. Otherwise when that many wait, at flush(), and
/// when the cache is full of descriptors that wait. All that are done then go, as soon as a
/// write-back is free. Source: Intel 8254x Software Developer's Manual, 3.2.4, 3.2.5, 3.4.
///
/// A threshold above 1 holds descriptors back, and a timer of the adapter bounds their wait. It
/// starts before their write-back, so it covers them: cover(). Its expiry is a flush(), and the
/// interrupt follows flushed().
class DescriptorRing final : public sc_core::sc_module, private pcix::DmaClient {
 public:
  static constexpr std::uint32_t kBytes = 16;
  struct Thresholds {
    std::uint32_t prefetch = 0;
    std::uint32_t host = 0;
    std::uint32_t write_back = 0;
  };

  /// `cache_entries` is the number of descriptors that fit on chip; `largest_fetch` is the largest
  /// burst in descriptors.
  DescriptorRing(const sc_core::sc_module_name& name, pcix::DmaEngine& dma, DescriptorUser& user,
                 std::uint32_t cache_entries, std::uint32_t largest_fetch);

  void set_base(std::uint64_t address) { base_ = address & ~std::uint64_t{kBytes - 1}; }
  /// Sets the length of the ring in bytes, rounded down to whole descriptors.
  void set_length(std::uint32_t bytes) {
    entries_ = bytes / kBytes;
    round_ = Divisor(std::max(entries_, 1U));
  }
  void set_thresholds(const Thresholds& thresholds);
  /// Sets the head to an index and drops the descriptors on chip. Ignored while the ring is
  /// enabled.
  void set_head(std::uint32_t index);
  /// The doorbell: hardware may use descriptors up to `index`, exclusive.
  void set_tail(std::uint32_t index);
  void enable(bool on);
  /// Device reset: disabled, head and tail 0, nothing on chip. Called after the DMA engine was told
  /// to abandon its transfers.
  void reset();

  /// The memory of the ring, [begin, end).
  std::pair<std::uint64_t, std::uint64_t> memory() const {
    return {base_, base_ + std::uint64_t{entries_} * kBytes};
  }
  bool enabled() const { return enabled_; }
  std::uint32_t head() const { return index_of(freed()); }
  std::uint32_t tail() const { return tail_; }
  std::uint32_t entries() const { return entries_; }

  /// Unused descriptors on chip; and all unused descriptors that hardware owns, on chip or not yet
  /// fetched.
  std::uint32_t cached() const { return static_cast<std::uint32_t>(arrived_ - taken_); }
  std::uint32_t available() const {
    return tail_position_ > taken_ ? static_cast<std::uint32_t>(tail_position_ - taken_) : 0;
  }
  /// Whether the threshold holds descriptors back.
  bool holds_back() const { return thresholds_.write_back > 1; }
  /// The position after the last descriptor that is completed with all before it.
  std::uint64_t done() const { return done_; }
  /// Whether all descriptors that hardware owns are completed.
  bool drained() const { return done_ >= tail_position_; }

  /// The bytes of a descriptor on chip: of the one that take() returned, or of the `ahead`-th that
  /// it will return.
  std::uint8_t* slot(std::uint64_t position) {
    return &cache_[capacity_.remainder(position) * kBytes];
  }
  const std::uint8_t* peek(std::uint32_t ahead) const {
    return &cache_[capacity_.remainder(taken_ + ahead) * kBytes];
  }
  std::uint64_t take();
  /// Completes a descriptor that was taken. With `write_back`, slot() holds the bytes to be written
  /// back.
  void complete(std::uint64_t position, bool write_back);
  /// A timer has started that tells of all descriptors up to done().
  void cover() { covered_ = done_; }
  /// Writes back the descriptors that the threshold holds back. The user's flushed() comes when
  /// those that are covered have left on the bus: before the call returns, if they have already.
  void flush();

  observe::Counter fetched{"fetched", "descriptor", "descriptors fetched from memory"};
  observe::Counter fetches{"fetches", "1", "bursts that fetched descriptors"};
  observe::Counter written{"written", "descriptor", "descriptors written back to memory"};
  observe::Counter doorbells{"doorbells", "1", "writes of the tail register"};
  observe::Counter dma_errors{"dma_errors", "1",
                              "fetches and write-backs that ended in an error on the bus"};
  observe::Signal head_index{"head", 16, "index of the first descriptor that hardware owns"};
  observe::Signal tail_index{"tail", 16,
                             "index after the last descriptor that hardware owns: the doorbell"};
  observe::Level on_chip{"on_chip", "descriptor", "unused descriptors in the cache"};

 private:
  enum class Slot : std::uint8_t { kOpen, kDone, kDoneWriteBack };
  struct Run {
    std::uint64_t begin;
    std::uint64_t end;
  };
  static constexpr std::uint32_t kMaxRuns = 16;  // write-backs in progress

  void dma_done(std::uint64_t tag, pcix::DmaStatus status) override;
  void fetch();
  void fetch_done(pcix::DmaStatus status);
  void write_back();
  void start_write_backs();
  bool write_back_due() const;
  void forget();
  std::uint64_t freed() const { return run_count_ == 0 ? handled_ : runs_[first_run_].begin; }
  Slot& state_of(std::uint64_t position) { return state_[capacity_.remainder(position)]; }
  std::uint32_t index_of(std::uint64_t position) const {
    return entries_ == 0 ? 0 : static_cast<std::uint32_t>(round_.remainder(origin_ + position));
  }
  std::uint32_t contiguous(std::uint64_t position, std::uint64_t wanted) const;

  pcix::DmaEngine& dma_;
  DescriptorUser& user_;
  const Divisor capacity_;
  const std::uint32_t largest_fetch_;
  std::vector<std::uint8_t> cache_;
  std::vector<Slot> state_;
  Thresholds thresholds_;
  std::uint64_t base_ = 0;
  std::uint32_t entries_ = 0;
  Divisor round_{1};  // divides by entries_
  std::uint32_t origin_ = 0;
  std::uint32_t tail_ = 0;
  bool enabled_ = false;
  bool fetching_ = false;
  bool halted_ = false;      // a fetch failed; the next doorbell tries again
  std::uint32_t epoch_ = 0;  // transfers of an earlier epoch are stale

  // Positions, in the order in which a descriptor passes them.
  std::uint64_t requested_ = 0;  // fetch started
  std::uint64_t arrived_ = 0;    // on chip
  std::uint64_t taken_ = 0;      // in use
  std::uint64_t done_ = 0;       // completed, with all before it
  std::uint64_t waiting_ = 0;    // number of completed descriptors that wait for their write-back
  std::uint64_t handled_ = 0;    // write-back started, or none needed
  std::uint64_t goal_ = 0;       // of the present reason to write back
  std::uint64_t covered_ = 0;    // a timer tells of all before it
  std::uint64_t tail_position_ = 0;

  std::array<Run, kMaxRuns> runs_{};
  std::uint32_t first_run_ = 0;
  std::uint32_t run_count_ = 0;
  FlushWaits flushes_;
};

}  // namespace longhaul::nic::intel

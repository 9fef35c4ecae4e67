// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <systemc>
#include <utility>

#include "models/common/observe/probe.h"
#include "models/common/register_bank.h"
#include "models/nic/genesis/bmu_regs.h"
#include "models/pcix/dma_engine.h"

namespace longhaul::nic::genesis {

/// The unit that a bus management unit serves. It moves the data of the descriptors.
class BmuUser {
 public:
  virtual ~BmuUser() = default;
  /// A descriptor is loaded, or another transfer can start. The user looks for work.
  virtual void bmu_ready() = 0;
  /// A transfer of data has ended without error.
  virtual void data_moved() {}
  /// `length` bytes at `data`, in a buffer that is being read, are zero and were not stored
  /// (DmaClient::dma_blank()).
  virtual void data_blank(std::uint8_t* data, std::uint32_t length) = 0;
  /// The control word that finish() wrote is in memory.
  virtual void descriptor_returned() {}
  /// The queue was reset, or stopped by an error. The present descriptor and all transfers are
  /// dropped.
  virtual void bmu_aborted(const char* why) = 0;
};

/// One queue's bus management unit (BMU). It follows the list of descriptors in memory, one at a
/// time, and moves data for its user.
///
/// START reads the descriptor at DA. If the chip does not own it (OWN = 0), the queue becomes idle;
/// a START that came during the read reads it again. The user takes a loaded descriptor, moves its
/// data and finishes it. Then status words and control word are written, DA becomes the address of
/// the next descriptor, and that is read once the control word has left on the bus.
///
/// STOP stops the queue after the present descriptor. A control word of another encoding, or an
/// error on the bus, stops the queue with the check cause. While any of its machines is in reset
/// the queue does nothing. A reset drops its transfers and clears its causes; a transaction on the
/// bus ends without effect.
class Bmu final : public sc_core::sc_module, private pcix::DmaClient {
 public:
  struct Place {
    std::uint32_t block;       ///< offset of the queue's registers
    std::uint32_t csr_mirror;  ///< offset of the second address of CSR
    std::uint32_t end_of_buffer;
    std::uint32_t end_of_frame;
    std::uint32_t check;  ///< these three are bits of ISRC
  };
  struct Descriptor {
    std::uint32_t control = 0;
    std::uint32_t next = 0;
    std::uint64_t address = 0;  ///< address of the buffer
    std::uint32_t bytes() const { return control & regs::bmu::kBytesMask; }
  };
  /// Words 4 to 6 of a receive descriptor, which are written with its control word.
  struct Status {
    std::uint32_t status = 0;
    std::uint32_t timestamp = 0;
    std::uint32_t sums = 0;
  };

  Bmu(const sc_core::sc_module_name& name, const Place& place, RegisterBank& bank,
      pcix::DmaEngine& dma, BmuUser& user, std::function<void()> causes_changed,
      std::function<void(pcix::DmaStatus)> bus_error);

  /// Whether a descriptor waits to be taken.
  bool loaded() const { return state_ == State::kLoaded; }
  /// Whether a descriptor was taken and is not finished.
  bool taken() const { return state_ == State::kTaken; }
  /// Whether the queue gets a descriptor without another START, unless the list ends.
  bool active() const { return state_ != State::kIdle && !held(); }
  /// The descriptor that is loaded or taken.
  const Descriptor& descriptor() const { return descriptor_; }
  void take() { state_ = State::kTaken; }
  /// Read or write `length` > 0 bytes, at offset `done` of the taken descriptor's buffer.
  void fetch(std::uint32_t done, std::uint8_t* data, std::uint32_t length);
  void store(std::uint32_t done, const std::uint8_t* data, std::uint32_t length,
             std::uint32_t stored);
  /// Transfers of data in progress.
  std::uint32_t transfers() const { return transfers_; }
  /// Gives the taken descriptor back, after its data. The EOF and IRQ bits of `control` select the
  /// causes.
  void finish(std::uint32_t control, const std::optional<Status>& status = {});
  /// The present descriptor is illegal: stops the queue with the check cause. Does not call the
  /// user.
  void refuse();

  /// The queue's bits of ISRC.
  std::uint32_t causes() const { return causes_; }
  /// The watermark of the flag register, in bytes.
  std::uint32_t watermark() const { return flag_.get(regs::kFlagFields.water_mark); }
  /// The memory from the lowest to the end of the highest descriptor that was read since DA was
  /// written.
  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return {lowest_, highest_}; }
  /// Chip reset. The caller has told the DMA engine to abandon all transfers.
  void reset();

  observe::Counter descriptors{"descriptors", "1", "descriptors given back"};
  observe::Counter idle_reads{"idle_reads", "1", "descriptors read that the chip did not own"};
  observe::Counter errors{"errors", "1",
                          "bad descriptors, and transfers that ended in an error on the bus"};

 private:
  enum class State { kIdle, kReading, kLoaded, kTaken, kReturning };
  enum Tag : std::uint64_t { kDescriptor, kData, kStatus, kControl };

  void dma_done(std::uint64_t tag, pcix::DmaStatus status) override;
  void dma_blank(std::uint64_t tag, std::uint8_t* data, std::uint32_t length) override;

  bool held() const { return held_ != 0; }
  void command(std::uint32_t value);
  void start();
  void stop();
  void abort(const char* why);
  void read_descriptor();
  void descriptor_read();
  void returned();
  void add_causes(std::uint32_t causes);
  std::uint32_t csr_now() const;
  std::uint64_t buffer_now() const { return descriptor_.address + moved_; }

  const Place place_;
  pcix::DmaEngine& dma_;
  BmuUser& user_;
  std::function<void()> causes_changed_;
  std::function<void(pcix::DmaStatus)> bus_error_;
  State state_ = State::kIdle;
  std::uint32_t held_ = regs::kCsrFields.rst;  // machines in reset, by their reset bits
  bool stop_ = false;                          // stop after the present descriptor
  bool again_ = false;                         // START came while a descriptor was being read
  std::uint32_t causes_ = 0;
  std::uint32_t transfers_ = 0;
  std::uint32_t moved_ = 0;  // bytes of the taken descriptor's buffer whose transfer was started
  Descriptor descriptor_;
  std::uint64_t at_ = 0;          // address of the descriptor
  std::uint32_t given_back_ = 0;  // control word that finish() got
  std::uint64_t lowest_ = 0;
  std::uint64_t highest_ = 0;
  std::array<std::uint8_t, regs::bmu::kDescriptorBytes> words_{};
  std::array<std::uint8_t, regs::bmu::kStatusBytes> status_out_{};
  std::array<std::uint8_t, 4> control_out_{};

  std::deque<Reg32> current_;  // the descriptor's words
  Reg32 da_l_;
  Reg32 da_h_;
  Reg32 ac_l_;
  Reg32 ac_h_;
  Reg32 bc_;
  Reg32 csr_;
  Reg32 csr_mirror_;
  Reg32 flag_;
};

}  // namespace longhaul::nic::genesis

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

/// What a bus management unit serves: it moves the data that descriptors speak of.
class BmuUser {
 public:
  virtual ~BmuUser() = default;
  /// There is a descriptor, or room for another transfer: look again.
  virtual void bmu_ready() = 0;
  /// A transfer of data has ended well.
  virtual void data_moved() {}
  /// `length` bytes at `data` of a buffer that is being read are zero and have not been stored
  /// (DmaClient::dma_blank()).
  virtual void data_blank(std::uint8_t* data, std::uint32_t length) = 0;
  /// The control word of the descriptor that finish() gave back is in memory.
  virtual void descriptor_returned() {}
  /// The queue was reset, or stopped by an error: the descriptor in hand and all transfers are
  /// gone.
  virtual void bmu_aborted(const char* why) = 0;
};

/// One queue's bus management unit (BMU): follows the list of descriptors in memory, one at a time,
/// and moves data for its user.
///
/// START reads the descriptor at DA; one that the chip does not own (OWN = 0) idles the queue, and
/// a START that came meanwhile reads it again. The user takes a loaded descriptor, moves its data
/// and finishes it: status words, then control word are written, DA becomes the next one's address,
/// and that is read once the control word has left on the bus. STOP lets the descriptor in hand
/// end. A control word of another encoding, or an error on the bus, stops the queue with the check
/// cause. While any of its machines is in reset the queue does nothing; going into reset gives up
/// its transfers, of which only what is on the bus ends, unseen, and clears its causes.
class Bmu final : public sc_core::sc_module, private pcix::DmaClient {
 public:
  struct Place {
    std::uint32_t block;       ///< offset of its registers
    std::uint32_t csr_mirror;  ///< of CSR's second place
    std::uint32_t end_of_buffer;
    std::uint32_t end_of_frame;
    std::uint32_t check;  ///< bits of ISRC
  };
  struct Descriptor {
    std::uint32_t control = 0;
    std::uint32_t next = 0;
    std::uint64_t address = 0;  ///< of the buffer
    std::uint32_t bytes() const { return control & regs::bmu::kBytesMask; }
  };
  /// What a receive descriptor gets beside its control word: words 4 to 6.
  struct Status {
    std::uint32_t status = 0;
    std::uint32_t timestamp = 0;
    std::uint32_t sums = 0;
  };

  Bmu(const sc_core::sc_module_name& name, const Place& place, RegisterBank& bank,
      pcix::DmaEngine& dma, BmuUser& user, std::function<void()> causes_changed,
      std::function<void(pcix::DmaStatus)> bus_error);

  /// A descriptor waits to be taken.
  bool loaded() const { return state_ == State::kLoaded; }
  /// One has been taken, and not finished.
  bool taken() const { return state_ == State::kTaken; }
  /// It will have one without another START, unless the list ends.
  bool active() const { return state_ != State::kIdle && !held(); }
  /// The one that is loaded or taken.
  const Descriptor& descriptor() const { return descriptor_; }
  void take() { state_ = State::kTaken; }
  /// Fetches, or stores, `length` > 0 bytes, `done` bytes into the taken descriptor's buffer.
  void fetch(std::uint32_t done, std::uint8_t* data, std::uint32_t length);
  void store(std::uint32_t done, const std::uint8_t* data, std::uint32_t length,
             std::uint32_t stored);
  /// Transfers of data under way.
  std::uint32_t transfers() const { return transfers_; }
  /// Gives the taken descriptor back, behind its data. EOF and IRQ bits of `control` say which
  /// causes that is.
  void finish(std::uint32_t control, const std::optional<Status>& status = {});
  /// The descriptor in hand cannot be: stops the queue with the check cause. The user is not told.
  void refuse();

  /// Its bits of ISRC.
  std::uint32_t causes() const { return causes_; }
  /// Flag register's watermark, in bytes.
  std::uint32_t watermark() const { return flag_.get(regs::kFlagFields.water_mark); }
  /// From the lowest descriptor that it has seen since DA was written to the end of the highest.
  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return {lowest_, highest_}; }
  /// Chip reset. The DMA engine was told to abandon all.
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
  bool stop_ = false;                          // when the descriptor in hand has ended
  bool again_ = false;                         // START came while a descriptor was being read
  std::uint32_t causes_ = 0;
  std::uint32_t transfers_ = 0;
  std::uint32_t moved_ = 0;  // bytes of the taken descriptor's buffer, asked for
  Descriptor descriptor_;
  std::uint64_t at_ = 0;          // where it lies
  std::uint32_t given_back_ = 0;  // the control word that finish() gave
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

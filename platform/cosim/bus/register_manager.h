// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/common/ring_buffer.h"
#include "platform/cosim/bus/bus_width.h"
#include "platform/cosim/bus/register_port.h"
#include "platform/cosim/bus/rule.h"
#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

/// The rule that all register buses of a block share.
inline constexpr Rule kRegisterAnswered{
    "register.answered", "Longhaul",
    "An access to a register is answered within the clocks that the port map allows."};

struct RegisterManagerParams {
  std::string prefix;  ///< of the signals' names in messages: "s_axil_"
  std::uint32_t timeout_clocks = 1024;
};

/// The common part of register managers: cuts accesses into words of the bus. A derived class for
/// each protocol drives the pins.
///
/// An access without an answer in time ends with kTimeout and a violation of kRegisterAnswered,
/// which names its address. The bus stays occupied, since no protocol can withdraw a request. A
/// late answer is dropped, and then the next access begins; without an answer the next accesses
/// wait and time out, too. While the block is in reset accesses wait; an access on the bus ends
/// with kSlaveError.
class RegisterManager : public Transactor, public RegisterPort {
 public:
  void read(std::uint64_t address, std::uint32_t bytes, std::uint64_t tag) final;
  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes,
             std::uint64_t tag) final;
  /// Whether all accesses are over.
  bool idle() const { return queue_.empty() && !open_; }
  void deliver() final;

 protected:
  /// A part of an access: a word of the bus, or eight bytes of a wider word.
  struct Word {
    std::uint64_t address = 0;  // aligned to the word's bytes
    std::uint64_t data = 0;     // byte i belongs to address + i
    std::uint32_t strobes = 0;  // bit i: byte i is part of the access
    bool write = false;
  };

  /// `word_bytes` is 1, 2, 4 or 8. `sink` may be nullptr.
  RegisterManager(RtlBlock& block, ClockDomain& clock, RegisterClient& client,
                  std::uint32_t word_bytes, RegisterManagerParams params, CheckerSink* sink);

  /// Whether no access is in progress and none is to be reported. Then count_clock() and
  /// begin_word() do nothing.
  bool rests() const { return !held_ && over_.empty(); }
  /// Counts a clock of the access that waits longest. Called from clocked(), but not in reset.
  void count_clock(std::uint64_t edge_ps);
  /// Whether a word begins at this edge. word() gives it until end_word().
  bool begin_word(std::uint64_t edge_ps);
  bool word_open() const { return open_; }
  /// Whether its access has timed out, so its answer is not needed.
  bool word_dropped() const { return dropped_; }
  const Word& word() const { return word_; }
  /// The answer has come, with `data` of a read as in Word.
  void end_word(BusStatus status, std::uint64_t data);
  /// The block is in reset.
  void reset_word();

  RtlBlock& block() { return block_; }
  /// Ends sleeps of clocked() at the next access.
  Watcher& watcher() { return watcher_; }
  const std::string& prefix() const { return params_.prefix; }
  CheckerSink* sink() { return sink_; }

 private:
  struct Access {
    std::uint64_t address = 0;
    std::array<std::uint8_t, 8> data{};
    std::uint32_t bytes = 0;
    std::uint32_t done = 0;  // bytes that are done
    bool write = false;
    BusStatus status = BusStatus::kOk;
    std::uint64_t tag = 0;
    std::uint64_t from_ps = 0;
  };

  void queue(Access access);
  void end_access(BusStatus status);

  RtlBlock& block_;
  ClockDomain& clock_;
  Watcher& watcher_;
  RegisterClient& client_;
  const std::uint32_t word_bytes_;
  const RegisterManagerParams params_;
  CheckerSink* const sink_;
  RingBuffer<Access> queue_;
  RingBuffer<Access> over_;  // to be reported in SystemC's time
  Word word_;
  bool open_ = false;
  bool dropped_ = false;  // the open word belongs to an access that timed out
  bool held_ = false;
  std::uint32_t patience_ = 0;
};

}  // namespace longhaul::cosim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/ring_buffer.h"

namespace longhaul::portmap {

/// The last accesses to and by a function of RTL, and those without an answer, for the message of a
/// run that does not end. Times are SystemC's.
class FunctionLog {
 public:
  /// A driver's access to a register, by a unique tag. Accesses to different interfaces may be
  /// answered in another order.
  void register_asked(std::uint64_t tag, std::uint64_t address, std::uint64_t bytes, bool write);
  void register_answered(std::uint64_t tag);
  /// The block's access to memory, by a number that may be reused after the answer.
  void memory_asked(std::uint32_t number, std::uint64_t address, std::uint32_t bytes, bool write);
  void memory_answered(std::uint32_t number) { memory_[number].open = false; }
  void interrupt_set(bool level);

  /// One line without the function's name.
  std::string text() const;

 private:
  struct Access {
    std::uint64_t tag = 0;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::uint64_t since_ps = 0;
    bool write = false;
    bool open = false;
  };
  std::string registers_text() const;
  std::string memory_text() const;

  RingBuffer<Access> registers_;  // in order; the first one has no answer
  Access last_register_;          // open: there was an access
  std::vector<Access> memory_;    // by number
  std::uint64_t memory_accesses_ = 0;
  std::uint64_t last_memory_ps_ = 0;
  bool level_ = false;
  std::uint64_t rises_ = 0;
  std::uint64_t last_rise_ps_ = 0;
};

}  // namespace longhaul::portmap

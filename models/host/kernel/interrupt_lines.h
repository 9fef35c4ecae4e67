// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace longhaul::host {

/// The handler of an interrupt line or message, in hard interrupt context.
class InterruptHandler {
 public:
  virtual ~InterruptHandler() = default;
  /// May charge work and access registers; must not block. Returns false if the interrupt was not
  /// its own (lines are shared).
  virtual bool interrupt() = 0;
};

/// The interrupt vectors of a processor: their handlers, the asserted lines, the received messages,
/// and the vectors that are being served or wait for the GiantLock. Lines are level-triggered; a
/// message is taken once. A vector without a handler is masked, and its messages are lost.
class InterruptLines {
 public:
  static constexpr std::uint32_t kVectors = 32;

  void add_handler(std::uint32_t vector, InterruptHandler& handler);
  /// Returns true if the vector waited for the GiantLock and has stopped waiting.
  bool set_line(std::uint32_t vector, bool asserted);
  void message(std::uint32_t vector) { messages_ |= bit(vector) & handled_; }

  // Sets of vectors, one bit each.
  std::uint32_t pending() const { return ((lines_ & ~masked_) | messages_) & handled_; }
  std::uint32_t waiting() const { return waiting_; }
  /// Lines that were masked because no handler claimed their interrupts.
  std::uint32_t masked() const { return masked_; }
  /// Whether a handler of the vector runs or is about to run, or a message waits for it.
  bool engaged(std::uint32_t vector) const {
    return ((serving_ | waiting_ | messages_) & bit(vector)) != 0;
  }

  enum class Turn : std::uint8_t {
    kGone,   ///< a shared cause that another handler has cleared
    kFirst,  ///< a new interrupt
    kAgain,  ///< an interrupt that has waited for the GiantLock
  };
  /// Begins the vector's turn. Unless it is kGone, put_off(), or call() and end(), must follow.
  Turn begin(std::uint32_t vector);
  /// The GiantLock is taken, so the vector waits for it.
  void put_off(std::uint32_t vector);
  /// Calls handlers until one claims the interrupt. Returns false if none does.
  bool call(std::uint32_t vector);
  /// Ends the turn. Returns true if the line is masked from now on, since no handler claimed
  /// `limit` interrupts in a row.
  bool end(std::uint32_t vector, bool claimed, std::uint32_t limit);

 private:
  static constexpr std::uint32_t bit(std::uint32_t vector) {
    return vector < kVectors ? 1U << vector : 0U;
  }

  std::array<std::vector<InterruptHandler*>, kVectors> handlers_;
  std::array<std::uint32_t, kVectors> unclaimed_{};  // in a row, while the line was asserted
  std::uint32_t handled_ = 0;
  std::uint32_t lines_ = 0;
  std::uint32_t masked_ = 0;
  std::uint32_t messages_ = 0;
  std::uint32_t serving_ = 0;
  std::uint32_t waiting_ = 0;  // found the GiantLock taken
};

}  // namespace longhaul::host

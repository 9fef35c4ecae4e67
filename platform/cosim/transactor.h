// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::cosim {

/// Logic outside of a block, in one of its clock domains, between pins and SystemC.
class Transactor {
 public:
  virtual ~Transactor() = default;
  /// Called just before a rising edge of its clock, with the block's outputs settled on all inputs
  /// that were set since the last one. These are the values that a flip-flop samples at the edge.
  /// clocked() of the same edge follows.
  ///
  /// Called only if the transactor is attached by ClockDomain::watch() and requests it. May read
  /// pins and must set none.
  virtual void sample() {}
  /// Called just after a rising edge of its clock at `edge_ps` (the block's time). Outputs are
  /// those that the block drives from this edge on; the block samples inputs that are set here at
  /// the next edge. SystemC's time may be earlier than the edge, so use only pins and own state.
  /// RtlBlock::call_at_edge() requests deliver().
  virtual void clocked(std::uint64_t edge_ps) = 0;
  /// Called in SystemC's time of the edge at which it was requested.
  virtual void deliver() {}
};

}  // namespace longhaul::cosim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::cosim {

/// Logic outside of a block, in one of its clock domains: what stands between pins and SystemC.
class Transactor {
 public:
  virtual ~Transactor() = default;
  /// Just before a rising edge of its clock, with the block's outputs settled on all inputs that
  /// were set since the last one: what a flip-flop samples at the edge. clocked() of the same edge
  /// follows. Called if the transactor is attached by ClockDomain::watch() and asks for it; reads
  /// pins and sets none.
  virtual void sample() {}
  /// Just after a rising edge of its clock at `edge_ps` (the block's time). Outputs are what the
  /// block drives from this edge on; inputs that are set here are what the block samples at the
  /// next edge. SystemC's time may be earlier than the edge: nothing but pins and own state may be
  /// touched; RtlBlock::call_at_edge() asks for deliver().
  virtual void clocked(std::uint64_t edge_ps) = 0;
  /// In SystemC's time of the edge at which it was asked for.
  virtual void deliver() {}
};

}  // namespace longhaul::cosim

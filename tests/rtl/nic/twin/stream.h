// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tests/rtl/nic/twin/machine.h"
#include "tests/rtl/nic/twin/phase.h"

namespace longhaul::nic_twin {

struct Seen;

/// A stream of equal frames in one direction: as many as the adapter can send, or as the line has.
struct Stream {
  bool sends = true;
  std::uint32_t bytes = 1514;  ///< of a frame, without its FCS
  std::uint32_t frames = 300;
};

/// The phase of a stream: a frame has one descriptor, and its data begin at a multiple of 64.
Phase phase_of(const Stream& stream);

/// The bits of frames a second, in Gb/s, from the first frame to the last: on the wire if it sends,
/// else by the write-backs of their descriptors.
double goodput_of(const Stream& stream, const Machine& machine, const Seen& seen);

}  // namespace longhaul::nic_twin

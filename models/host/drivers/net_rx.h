// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/ring_buffer.h"
#include "models/host/kernel/processor.h"
#include "models/host/net/net_params.h"

namespace longhaul::host {

/// A device that is polled for received frames while its interrupts are off (NAPI).
class PolledDevice {
 public:
  virtual ~PolledDevice() = default;
  struct Polled {
    std::uint32_t frames;
    bool more;  ///< false: its interrupts are on again
  };
  /// Takes at most `most` frames.
  virtual Polled poll(std::uint32_t most) = 0;

 private:
  friend class NetRx;
  std::uint32_t quota_ = 0;
  bool listed_ = false;
};

/// The receive softirq of a processor. It polls its devices in turn, napi_weight frames each, until
/// all are empty, napi_budget frames are taken, or time is up. Source: Linux 2.6.6, net/core/dev.c,
/// net_rx_action().
class NetRx final : public Softirq {
 public:
  /// `tick_ps` is the tick of the kernel's clock. A turn ends when the clock has advanced twice.
  NetRx(Processor& processor, const NetParams& params, std::uint64_t tick_ps)
      : processor_(processor), params_(params), tick_ps_(tick_ps) {}

  Processor& processor() { return processor_; }
  /// Called from an interrupt. The device is polled until it reports that it has no more frames.
  void schedule(PolledDevice& device);
  bool run() override;

 private:
  Processor& processor_;
  const NetParams& params_;
  const std::uint64_t tick_ps_;
  RingBuffer<PolledDevice*> devices_;
};

}  // namespace longhaul::host

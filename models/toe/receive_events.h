// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/packet_fifo.h"
#include "models/toe/engine_core.h"

namespace longhaul::toe {

/// The receive FIFO of an offload engine, and its events: who owns a packet, and what becomes of
/// it.
class ReceiveEvents {
 public:
  explicit ReceiveEvents(EngineCore& core)
      : core_(core),
        fifo_("rx_fifo", core.params().rx_fifo(), kWord, core.params().fifo_frames()) {}

  /// Takes a frame. Returns false, and counts it, if there is no room.
  bool add(const FrameRef& frame);
  bool has_room(std::uint32_t bytes) const { return fifo_.fits(bytes); }
  bool waits() const { return !fifo_.empty(); }
  std::uint64_t fill() const { return fifo_.fill.value(); }
  /// Handles the first frame; the event.
  void run();
  void clear() { fifo_.clear(); }
  void enable(bool on) { enabled_ = on; }

 private:
  static constexpr std::uint32_t kWord = 8;  // bytes

  void to_host(const FrameRef& frame);
  void connection(Tcb& tcb, const Inbound& in, const FrameRef& frame);
  void passive_open(const Tcam::Server& server, const Inbound& in);

  EngineCore& core_;
  PacketFifo<FrameRef> fifo_;
  bool enabled_ = true;
};

}  // namespace longhaul::toe

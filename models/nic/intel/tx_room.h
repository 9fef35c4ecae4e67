// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/engine.h"
#include "models/common/observe/probe.h"
#include "models/common/packet_fifo.h"
#include "models/common/units.h"
#include "models/nic/intel/tx_packet.h"

namespace longhaul::nic::intel {

/// The room in a transmit unit's packet buffer. The engine takes room for a packet, and waits if
/// there is too little. The frame on the wire gives room back.
///
/// The buffer empties while a frame is sent, but its room counts as free only when the last byte
/// has left. Then a waiting engine is kicked.
class TxRoom {
 public:
  /// Waits of the engine are reported on `waits`.
  TxRoom(PacketFifo<TxPacket>& fifo, Bytes capacity, Engine& engine, observe::SpanTap& waits)
      : fifo_(fifo), engine_(engine), waits_(waits), next_capacity_(capacity) {}

  /// Empties the buffer and gives it the size that was last set.
  void reset();
  /// Sets the buffer's size, from the next reset on.
  void set_capacity(Bytes capacity) { next_capacity_ = capacity; }

  /// Called from inside a step of the engine. Takes room for `bytes`; `padding` more bytes must be
  /// free. Returns false if the engine must wait.
  bool take(std::uint32_t bytes, std::uint32_t padding);
  /// The packet is complete: releases the room that it does not fill.
  void fit(TxPacket& packet) {
    const std::uint32_t filled = packet.filled + packet.start;
    if (filled == packet.reserved) return;
    fifo_.release(packet.reserved);  // the room taken was a guess
    fifo_.reserve(filled);
    packet.reserved = filled;
  }

  /// The wire is free, so the last byte of the frame before has left.
  void wire_is_free() { fifo_.release(draining_); }
  /// Called after that: a frame with `reserved` bytes of room starts on the wire and takes
  /// `lasts_ps`.
  void drain(std::uint32_t reserved, std::uint64_t lasts_ps);

 private:
  void settle();

  PacketFifo<TxPacket>& fifo_;
  Engine& engine_;
  observe::SpanTap& waits_;
  Bytes next_capacity_;
  bool waiting_ = false;
  std::uint64_t waits_since_ps_ = 0;
  std::uint64_t drained_at_ps_ = 0;
  std::uint32_t draining_ = 0;  // bytes of the frame on the wire that are still in the buffer
};

}  // namespace longhaul::nic::intel

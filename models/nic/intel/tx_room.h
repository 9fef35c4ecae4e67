// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/observe/probe.h"
#include "models/common/units.h"
#include "models/nic/blocks/engine.h"
#include "models/nic/blocks/packet_fifo.h"
#include "models/nic/intel/tx_packet.h"

namespace longhaul::nic::intel {

/// The room in a transmit unit's packet buffer: the engine takes it for a packet and waits when
/// there is too little; the frame on the wire gives it back.
///
/// The buffer empties as a frame goes out; its room counts as free when the last byte has left. An
/// engine that waits is kicked then.
class TxRoom {
 public:
  /// Waits are reported to `waits`.
  TxRoom(PacketFifo<TxPacket>& fifo, Bytes capacity, Engine& engine, observe::SpanTap& waits)
      : fifo_(fifo), engine_(engine), waits_(waits), next_capacity_(capacity) {}

  /// Empties the buffer and gives it the size that was set last.
  void reset();
  /// The buffer's size, from the next reset on.
  void set_capacity(Bytes capacity) { next_capacity_ = capacity; }

  /// From inside a step of the engine: takes room for `bytes`, beyond which `padding` must be free;
  /// false: the engine has to wait.
  bool take(std::uint32_t bytes, std::uint32_t padding);
  /// A packet is whole: it keeps no more room than it fills.
  void fit(TxPacket& packet) {
    const std::uint32_t filled = packet.filled + packet.start;
    if (filled == packet.reserved) return;
    fifo_.release(packet.reserved);  // the room taken was a guess
    fifo_.reserve(filled);
    packet.reserved = filled;
  }

  /// The wire is free, so the last byte of the frame before has left.
  void wire_is_free() { fifo_.release(draining_); }
  /// After that: a frame that has `reserved` bytes of room goes out, which takes `lasts_ps`.
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
  std::uint32_t draining_ = 0;  // bytes of the frame on the wire, still in the buffer
};

}  // namespace longhaul::nic::intel

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/host/kernel/processor.h"
#include "models/host/net/send_queue.h"
#include "models/tcp/segment.h"
#include "models/tcp/wire.h"

namespace longhaul::host {

class Interface;
class Neighbour;
class Stack;
class TcpEndpoint;
struct TxSlot;

/// The sending half of a TCP socket: its send buffer, and the packets for the engine's segments.
class TcpOutput {
 public:
  TcpOutput(Stack& stack, TcpEndpoint& socket);

  void attach(Interface& interface, Neighbour& neighbour, const tcp::Endpoints& ends);
  Interface& interface() { return *interface_; }
  /// Null before attach().
  const Neighbour* neighbour() const { return neighbour_; }
  const tcp::Endpoints& ends() const { return ends_; }
  /// The handshake has fixed the segment size: sets the size of buffers, and TSO.
  void established();
  /// Continues behind an adapter, which has sent all data below `offset`.
  void resume(std::uint64_t offset) { highest_sent_ = offset; }

  /// Builds a packet for a segment and passes it to the interface. A segment of many pieces, for
  /// which there is no block of memory, is shortened. Returns false if there is no room or no
  /// memory; then the interface will call the socket's has_room().
  bool transmit(tcp::Segment& segment);
  /// Calls of transmit() so far.
  std::uint64_t transmissions() const { return transmissions_; }
  /// Whether the connection has timestamps.
  bool timestamps() const { return timestamps_; }
  void set_timestamps(bool on) { timestamps_ = on; }

  /// Copies from a program's memory into one send buffer, `room` bytes at most. Returns how many; 0
  /// if no memory is left.
  std::uint64_t copy_in(Processor& processor, std::uint64_t user, std::uint64_t bytes,
                        std::uint64_t room);
  /// Raises a limit that no program has set to twice the congestion window (Linux,
  /// tcp_new_space()).
  void grow_buffer();
  SendQueue& queue() { return queue_; }
  const SendQueue& queue() const { return queue_; }

 private:
  bool fill(TxSlot& slot, tcp::Segment& segment, std::uint32_t header_bytes);
  bool gather(TxSlot& slot, const tcp::Segment& segment, std::uint32_t header_bytes);
  bool fill_header(TxSlot& slot, std::uint32_t header_bytes);
  bool linearize(TxSlot& slot, const tcp::Segment& segment, std::uint32_t header_bytes);
  void copy(Processor& processor, std::uint64_t source, std::uint64_t target,
            std::uint32_t bytes) const;
  std::uint64_t sent_once() const;

  Stack& stack_;
  TcpEndpoint& socket_;
  SendQueue queue_;
  Interface* interface_ = nullptr;
  Neighbour* neighbour_ = nullptr;
  tcp::Endpoints ends_;
  std::uint64_t transmissions_ = 0;
  std::uint64_t highest_sent_ = 0;
  bool timestamps_ = false;
};

}  // namespace longhaul::host

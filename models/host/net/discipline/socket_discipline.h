// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/host/kernel/process.h"
#include "models/host/net/arrival.h"

namespace longhaul::host {

class TcpEndpoint;
struct NetParams;

/// Received payload that the engine has accepted: its memory, and its place in the stream.
struct Payload {
  std::uint64_t offset = 0;   ///< of the stream
  std::uint64_t address = 0;  ///< of its first byte, physical
  std::uint32_t bytes = 0;
  std::uint32_t charge = 0;  ///< bytes that its buffer counts against the socket's memory
  bool sum_due = false;      ///< nobody has summed it; the reader's copy does
};

/// How one family of operating systems connects send and receive calls to TCP: when calls block and
/// return, who handles a segment, and how large the window is. One object per socket. registry.cc
/// has the classes, and the parameters by which a system's profile selects each.
///
/// The socket is locked in every call except send(), receive() and prequeue().
class SocketDiscipline {
 public:
  virtual ~SocketDiscipline() = default;

  // Calls of a program, in process context. TcpSocket tells what they return.
  virtual std::uint64_t send(Process& process, std::uint64_t user, std::uint64_t bytes) = 0;
  virtual std::uint64_t receive(Process& process, std::uint64_t user, std::uint64_t bytes) = 0;

  // From TCP.
  /// Leaves a segment to a waiting reader. Returns false if the softirq must handle it.
  virtual bool prequeue(const Arrival& /*arrival*/) { return false; }
  /// The handshake has fixed the segment size.
  virtual void established() {}
  /// Sets the window for the next segment sent, with `unread` bytes in order and `charged` bytes of
  /// memory in use.
  virtual void update_window(std::uint64_t unread, std::uint64_t charged) = 0;
  /// Whether ACKs wait for the reader's call while `unread` bytes are in order.
  virtual bool holds_acks(std::uint64_t /*unread*/) const { return false; }
  /// Whether a reader copies the next segment straight into its memory. With the segment, `unread`
  /// bytes would be in order.
  virtual bool takes_at_once(std::uint64_t /*unread*/) const { return false; }
  /// Stores the payload of a segment, and takes over its packet.
  virtual void store(const Arrival& arrival, const Payload& payload) = 0;
  /// More bytes are in order.
  virtual void readable() = 0;
  /// The peer has acknowledged more bytes.
  virtual void writable() = 0;
  /// Charges the search for a place `bytes` into a socket's memory, which is in pieces of `piece`
  /// bytes.
  virtual void seek(Processor& /*processor*/, std::uint64_t /*bytes*/,
                    std::uint64_t /*piece*/) const {}
};

using MakeSocketDiscipline = std::unique_ptr<SocketDiscipline> (*)(TcpEndpoint&);

/// The class that a system's parameters select. Throws ConfigError whose message starts with
/// `where` if no class has their combination.
MakeSocketDiscipline socket_discipline(const NetParams& params, const std::string& where);
/// The name of that class; throws likewise.
std::string socket_discipline_name(const NetParams& params, const std::string& where);
/// All names, in alphabetical order.
std::vector<std::string> socket_disciplines();

}  // namespace longhaul::host

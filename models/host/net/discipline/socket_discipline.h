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

/// Received payload that the engine has taken: where it lies, and which part of the stream it is.
struct Payload {
  std::uint64_t offset = 0;   ///< of the stream
  std::uint64_t address = 0;  ///< of its first byte
  std::uint32_t bytes = 0;
  std::uint32_t charge = 0;  ///< bytes that its buffer counts against the socket's memory
};

/// How one family of operating systems joins send and receive calls to TCP: when calls block and
/// return, who handles a segment, and what the window is. One object per socket; registry.cc has
/// the classes and the parameters by which a system's profile asks for each.
///
/// Except send(), receive() and prequeue(), every call comes with the socket locked.
class SocketDiscipline {
 public:
  virtual ~SocketDiscipline() = default;

  // Calls of a program; process context. TcpSocket says what they return.
  virtual std::uint64_t send(Process& process, std::uint64_t user, std::uint64_t bytes) = 0;
  virtual std::uint64_t receive(Process& process, std::uint64_t user, std::uint64_t bytes) = 0;

  // From TCP.
  /// Leaves a segment to a waiting reader. False: the softirq handles it.
  virtual bool prequeue(const Arrival& /*arrival*/) { return false; }
  /// The handshake has settled the segment size.
  virtual void established() {}
  /// Sets the window that the next answer offers, with `unread` bytes in order and `charged` bytes
  /// of memory in use.
  virtual void update_window(std::uint64_t unread, std::uint64_t charged) = 0;
  /// Whether ACKs wait for the reader's call while `unread` bytes are in order.
  virtual bool holds_acks(std::uint64_t /*unread*/) const { return false; }
  /// Keeps the payload of a segment, and takes its packet.
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

/// The class that a system's parameters ask for. Throws ConfigError, which starts with `where`,
/// when none has their combination.
MakeSocketDiscipline socket_discipline(const NetParams& params, const std::string& where);
/// Its name; throws likewise.
std::string socket_discipline_name(const NetParams& params, const std::string& where);
/// All names, in alphabetical order.
std::vector<std::string> socket_disciplines();

}  // namespace longhaul::host

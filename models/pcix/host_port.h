// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/common/fiber.h"
#include "models/pcix/bus_timing.h"
#include "models/pcix/protocol.h"

namespace longhaul::pcix {

/// A transaction that the host bridge masters for a core.
struct HostRequest {
  enum class Kind { kMmioRead, kMmioWrite, kConfigRead, kConfigWrite, kIoRead, kIoWrite };
  Kind kind = Kind::kMmioRead;
  /// Memory: bus address. I/O: port. Configuration: AD[10:0], function and register.
  std::uint64_t address = 0;
  std::uint32_t slot = 0;    ///< configuration only
  std::uint32_t length = 0;  ///< 1 to 8 bytes within one aligned quad-word
  std::array<std::uint8_t, 8> data{};
  Condition done;  ///< notified by the bridge when the core may continue

  bool is_config() const { return kind == Kind::kConfigRead || kind == Kind::kConfigWrite; }
  bool is_io() const { return kind == Kind::kIoRead || kind == Kind::kIoWrite; }
  bool is_read() const {
    return kind == Kind::kMmioRead || kind == Kind::kConfigRead || kind == Kind::kIoRead;
  }
};

/// Calls of the host bridge to the bus: the forward path of its socket.
class HostBus : public virtual sc_core::sc_interface {
 public:
  using protocol_types = PcixProtocol;
  /// The bridge asks for the bus from `ready_ps` on. Requests keep the order of the calls.
  virtual void request(HostRequest& request, std::uint64_t ready_ps) = 0;
  /// From `ready_ps` on, the bridge has the data of a read that it got by take_read(), or an error.
  /// The response status tells which.
  virtual void complete(tlm::tlm_generic_payload& payload, std::uint64_t ready_ps) = 0;
  /// Number of places for functions. Function f of slot n has number n + f * slots.
  virtual std::uint32_t units() const = 0;
  /// The interrupt pin of a function by that number, active high.
  virtual sc_core::sc_signal<bool>& interrupt(std::uint32_t unit) = 0;
  /// The line of that pin: INTA# of slot n is on line n, INTB# of slot n on line n + 1.
  virtual std::uint32_t interrupt_line(std::uint32_t unit) const = 0;
  virtual const BusTiming& timing() const = 0;
};

/// Calls of the bus to the host bridge: the backward path of the socket. The bridge is the target
/// of transactions that devices master, and learns how its own transactions ended.
class HostPort : public virtual sc_core::sc_interface {
 public:
  using protocol_types = PcixProtocol;
  enum class Answer { kNotClaimed, kRetry, kAccept };
  struct Decode {
    Answer answer;
    /// Bytes from `offset` on that the bridge takes (write) or will fetch (read): all, or up to a
    /// disconnect boundary.
    std::uint32_t bytes;
  };
  /// The bridge's answer to the rest (from byte `offset`) of a device's transaction that starts at
  /// `start_ps`. Changes nothing, so the bus may ask again.
  virtual Decode decode(const tlm::tlm_generic_payload& payload, std::uint32_t offset,
                        std::uint64_t start_ps) = 0;
  /// `bytes` of a device's write have crossed the bus. Returns OK, or an error that the bus signals
  /// as target abort.
  virtual tlm::tlm_response_status take_write(tlm::tlm_generic_payload& payload,
                                              std::uint32_t offset, std::uint32_t bytes) = 0;
  /// A device's read got its Split Response, or its first Retry as a delayed read. The bridge
  /// fetches `bytes` from `offset` on and answers by HostBus::complete().
  virtual void take_read(tlm::tlm_generic_payload& payload, std::uint32_t offset,
                         std::uint32_t bytes) = 0;
  /// The last fetched byte of a device's read has crossed the bus, or the rest is not wanted. The
  /// buffer is free.
  virtual void completion_gone(const tlm::tlm_generic_payload& payload) = 0;
  /// A transaction of the bridge has ended. A read's data are in the request.
  virtual void host_done(HostRequest& request) = 0;
  /// Whether the bridge's latency timer makes its completions take turns with each other, too, not
  /// only with other masters.
  virtual bool completions_take_turns() const = 0;
};

/// Sockets of the bridge and of the bus: `bridge.bus_socket.bind(bus.host_socket)`.
using HostInitiatorSocket = tlm::tlm_base_initiator_socket<kSocketBits, HostBus, HostPort>;
using HostTargetSocket =
    tlm::tlm_base_target_socket<kSocketBits, HostBus, HostPort, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

}  // namespace longhaul::pcix

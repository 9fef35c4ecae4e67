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
  std::uint64_t address =
      0;  ///< memory: bus address; I/O: port; configuration: AD[10:0], function and register
  std::uint32_t slot = 0;    ///< configuration only
  std::uint32_t length = 0;  ///< 1 to 8 bytes within one aligned quad-word
  std::array<std::uint8_t, 8> data{};
  Condition done;  ///< the bridge's: the core may go on

  bool is_config() const { return kind == Kind::kConfigRead || kind == Kind::kConfigWrite; }
  bool is_io() const { return kind == Kind::kIoRead || kind == Kind::kIoWrite; }
  bool is_read() const {
    return kind == Kind::kMmioRead || kind == Kind::kConfigRead || kind == Kind::kIoRead;
  }
};

/// What the host bridge asks of the bus: the forward path of its socket.
class HostBus : public virtual sc_core::sc_interface {
 public:
  using protocol_types = PcixProtocol;
  /// The bridge asks for the bus from `ready_ps` on. Requests go in the order of the calls.
  virtual void request(HostRequest& request, std::uint64_t ready_ps) = 0;
  /// The bridge has the data (or the error) that take_read() asked for from `ready_ps` on; the
  /// response status says which.
  virtual void complete(tlm::tlm_generic_payload& payload, std::uint64_t ready_ps) = 0;
  /// Functions are numbered: function f of slot n is unit n + f * slots.
  virtual std::uint32_t units() const = 0;
  /// The interrupt pin of a unit, active high.
  virtual sc_core::sc_signal<bool>& interrupt(std::uint32_t unit) = 0;
  /// The line that it is wired to: INTA# of slot n to line n, INTB# of slot n to line n + 1.
  virtual std::uint32_t interrupt_line(std::uint32_t unit) const = 0;
  virtual const BusTiming& timing() const = 0;
};

/// The host bridge as the bus sees it, the backward path: target of what devices master, and told
/// how its own transactions ended.
class HostPort : public virtual sc_core::sc_interface {
 public:
  using protocol_types = PcixProtocol;
  enum class Answer { kNotClaimed, kRetry, kAccept };
  struct Decode {
    Answer answer;
    /// How many bytes from `offset` on it takes (write) or will fetch (read): all, or up to a
    /// disconnect boundary.
    std::uint32_t bytes;
  };
  /// What the bridge would answer to the rest (from byte `offset`) of a device's transaction that
  /// starts at `start_ps`. Changes nothing: the bus may ask again.
  virtual Decode decode(const tlm::tlm_generic_payload& payload, std::uint32_t offset,
                        std::uint64_t start_ps) = 0;
  /// `bytes` of a device's write have crossed the bus. The response is OK, or an error that the bus
  /// signals as target abort.
  virtual tlm::tlm_response_status take_write(tlm::tlm_generic_payload& payload,
                                              std::uint32_t offset, std::uint32_t bytes) = 0;
  /// A device's read got its Split Response, or its first Retry as a delayed read: the bridge
  /// fetches `bytes` from `offset` on and answers with PcixBus::complete().
  virtual void take_read(tlm::tlm_generic_payload& payload, std::uint32_t offset,
                         std::uint32_t bytes) = 0;
  /// The last byte of what was fetched for a device's read has crossed the bus, or nobody wants it;
  /// its buffer is free.
  virtual void completion_gone(const tlm::tlm_generic_payload& payload) = 0;
  /// A transaction of the bridge's own has ended; a read's data are in the request.
  virtual void host_done(HostRequest& request) = 0;
  /// Whether the bridge's latency timer makes its completions take turns with each other too, not
  /// with other masters only.
  virtual bool completions_take_turns() const = 0;
};

/// Sockets of the bridge and of the bus: `bridge.bus_socket.bind(bus.host_socket)`.
using HostInitiatorSocket = tlm::tlm_base_initiator_socket<kSocketBits, HostBus, HostPort>;
using HostTargetSocket =
    tlm::tlm_base_target_socket<kSocketBits, HostBus, HostPort, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

}  // namespace longhaul::pcix

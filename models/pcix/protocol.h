// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <systemc>
#include <tlm>

namespace longhaul::pcix {

class PcixBus;
class PcixDevice;

/// PCI-X's protocol traits. Payloads and phases are those of TLM-2.0; README.md#protocol gives
/// their sequence and the extension Attributes.
struct PcixProtocol {
  using tlm_payload_type = tlm::tlm_generic_payload;
  using tlm_phase_type = tlm::tlm_phase;
};

/// Calls of a bus segment to a function in one of its slots: the forward path of a slot's socket.
/// All calls act at once; the bus accounts the time of a transaction.
class FunctionInterface : public virtual sc_core::sc_interface {
 public:
  using protocol_types = PcixProtocol;
  static sc_core::sc_time later() {
    return sc_core::sc_max_time();
  }  ///< a return value of
     ///< access_memory()
  /// Whether the function has room for a write to its memory. If not, it answers with Retry. The
  /// bus asks when it begins the write.
  virtual bool takes_write() const { return true; }
  /// An access to memory BAR `bar`: 1 to 8 bytes; the payload's address is the offset in the BAR.
  /// The bus calls it at the data phase.
  ///
  /// Returns the time from now until a read's data are available; a device with
  /// TargetParams::split_reads may take time. With later() the time is not yet known: the function
  /// keeps the payload's data pointer and calls SlotInterface::read_answered().
  virtual sc_core::sc_time access_memory(tlm::tlm_generic_payload& payload, std::size_t bar) = 0;
  /// An access to the I/O BAR: 1 to 4 bytes of one DWORD; the address is the offset in the BAR.
  virtual void access_io(tlm::tlm_generic_payload& payload) = 0;
  /// Whether the function answers configuration accesses by Split Responses (PCI-X only).
  virtual bool splits_config() const { return false; }
  /// A configuration access of 1, 2 or 4 bytes; the address is the offset in configuration space.
  /// A function that splits them may return a time, or later(), as of access_memory(), for writes,
  /// too.
  virtual sc_core::sc_time access_config(tlm::tlm_generic_payload& payload) = 0;
  /// The bus's response to a transaction that the function masters (README.md#protocol).
  virtual tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload,
                                             tlm::tlm_phase& phase, sc_core::sc_time& delay) = 0;
};

/// Calls of a function to its slot: the backward path of the socket.
class SlotInterface : public virtual sc_core::sc_interface {
 public:
  using protocol_types = PcixProtocol;
  /// A read or write that the function masters (README.md#protocol). Payloads have Attributes.
  virtual tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload,
                                             tlm::tlm_phase& phase, sc_core::sc_time& delay) = 0;
  /// The data of the oldest read that was answered with later() are at its data pointer. A response
  /// other than OK is an error, which ends the read with all ones. Reads are answered in the order
  /// in which they came.
  virtual void read_answered(tlm::tlm_response_status response) = 0;
};

/// PCI-X's own sockets, which do not bind to those of another protocol. Both sides may stay
/// unbound: a slot may be empty, and a device may be tested without a bus.
constexpr unsigned kSocketBits = 64;
using SlotSocketBase = tlm::tlm_base_initiator_socket<kSocketBits, FunctionInterface, SlotInterface,
                                                      1, sc_core::SC_ZERO_OR_MORE_BOUND>;
using FunctionSocketBase =
    tlm::tlm_base_target_socket<kSocketBits, FunctionInterface, SlotInterface, 1,
                                sc_core::SC_ZERO_OR_MORE_BOUND>;

/// A function's socket: `bus.slot(1).bind(device.bus_socket)`.
class FunctionSocket final : public FunctionSocketBase {
 public:
  FunctionSocket(const char* name, PcixDevice& device)
      : FunctionSocketBase(name), device_(device) {}
  PcixDevice& device() { return device_; }
  const char* kind() const override { return "longhaul::pcix::FunctionSocket"; }

 private:
  PcixDevice& device_;
};

/// The bus's socket of a slot. Binding puts the function into the slot and wires its interrupt pin.
/// Throws ConfigError for a slot that is taken, a second function without a first one, or a device
/// that the bus cannot take.
class SlotSocket final : public SlotSocketBase {
 public:
  SlotSocket(const char* name, PcixBus& bus, std::uint32_t unit)
      : SlotSocketBase(name), bus_(bus), unit_(unit) {}
  using SlotSocketBase::bind;
  void bind(base_target_socket_type& function) override;
  const char* kind() const override { return "longhaul::pcix::SlotSocket"; }

 private:
  PcixBus& bus_;
  const std::uint32_t unit_;
};

}  // namespace longhaul::pcix

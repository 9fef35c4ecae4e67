// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <systemc>
#include <tlm>

namespace longhaul::pcix {

class PcixBus;
class PcixDevice;

/// PCI-X's protocol traits: payloads and phases are TLM-2.0's own, their sequence and the extension
/// Attributes are README.md#protocol.
struct PcixProtocol {
  using tlm_payload_type = tlm::tlm_generic_payload;
  using tlm_phase_type = tlm::tlm_phase;
};

/// What a bus segment asks of a function in one of its slots: the forward path of a slot's socket.
/// All calls act at once; the time of a transaction is the bus's.
class FunctionInterface : public virtual sc_core::sc_interface {
 public:
  using protocol_types = PcixProtocol;
  static sc_core::sc_time later() { return sc_core::sc_max_time(); }  ///< of access_memory()
  /// Whether the function has room for a write to its memory now; else it answers with Retry. Asked
  /// when the bus begins the write.
  virtual bool takes_write() const { return true; }
  /// An access that hits memory BAR `bar`: 1 to 8 bytes at the payload's address from the BAR on.
  /// The bus calls it at the data phase. Returns how long after that a read's data are there: a
  /// device that does not answer reads at once (TargetParams::split_reads) may take time. later():
  /// it does not know yet, keeps the payload's data pointer, and calls
  /// SlotInterface::read_answered().
  virtual sc_core::sc_time access_memory(tlm::tlm_generic_payload& payload, std::size_t bar) = 0;
  /// An I/O access that hits the I/O BAR: 1 to 4 bytes of one DWORD, address from the BAR on.
  virtual void access_io(tlm::tlm_generic_payload& payload) = 0;
  /// A configuration access: 1, 2 or 4 bytes, the address is the offset in configuration space.
  virtual void access_config(tlm::tlm_generic_payload& payload) = 0;
  /// How the bus answers what the function masters (README.md#protocol).
  virtual tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload,
                                             tlm::tlm_phase& phase, sc_core::sc_time& delay) = 0;
};

/// What a function asks of its slot: the backward path of the socket.
class SlotInterface : public virtual sc_core::sc_interface {
 public:
  using protocol_types = PcixProtocol;
  /// A read or write that the function masters (README.md#protocol). Payloads have Attributes.
  virtual tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload,
                                             tlm::tlm_phase& phase, sc_core::sc_time& delay) = 0;
  /// The data of the oldest read that access_memory() left for later are at its data pointer now;
  /// any other response than OK is an error, which ends the read in all ones. Reads are answered in
  /// the order in which they came.
  virtual void read_answered(tlm::tlm_response_status response) = 0;
};

/// PCI-X's own sockets: those of another protocol do not bind to them. Optional on both sides: a
/// slot may be empty, and a device may be tested without a bus.
constexpr unsigned kSocketBits = 64;
using SlotSocketBase = tlm::tlm_base_initiator_socket<kSocketBits, FunctionInterface, SlotInterface,
                                                      1, sc_core::SC_ZERO_OR_MORE_BOUND>;
using FunctionSocketBase =
    tlm::tlm_base_target_socket<kSocketBits, FunctionInterface, SlotInterface, 1,
                                sc_core::SC_ZERO_OR_MORE_BOUND>;

/// A function's side: `bus.slot(1).bind(device.bus_socket)`.
class FunctionSocket final : public FunctionSocketBase {
 public:
  FunctionSocket(const char* name, PcixDevice& device)
      : FunctionSocketBase(name), device_(device) {}
  PcixDevice& device() { return device_; }
  const char* kind() const override { return "longhaul::pcix::FunctionSocket"; }

 private:
  PcixDevice& device_;
};

/// The bus's side. Binding puts the function into the slot: its interrupt pin is wired, too. Throws
/// ConfigError for a slot that is taken, a second function without a first one, and a device that
/// the bus cannot take.
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

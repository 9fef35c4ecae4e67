// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>

#include "models/common/register_bank.h"
#include "models/pcix/bus_timing.h"
#include "models/pcix/config_space.h"
#include "models/pcix/dma_engine.h"
#include "models/pcix/msix_table.h"
#include "models/pcix/protocol.h"

namespace longhaul::pcix {

/// A device's timing as a target: clocks that its own logic adds to those of the bus protocol.
struct TargetParams {
  Param<std::uint32_t> decode_clocks{"decode_clocks",
                                     1,
                                     "clocks after which the device answers with DEVSEL#",
                                     {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                                     Range<std::uint32_t>{1, 3}};
  Param<std::uint32_t> read_wait_clocks{"mmio_read_wait_clocks",
                                        6,
                                        "wait states before a register's value, clocks",
                                        {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                                        Range<std::uint32_t>{0, 12}};
  Param<bool> split_reads{"mmio_split_reads",
                          false,
                          "register reads are answered by a Split Response, or as delayed reads of "
                          "conventional PCI",
                          {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}};
  Param<sc_core::sc_time> split_latency{
      "mmio_split_latency",
      {150, sc_core::SC_NS},
      "from a Split Response to the completion's request, or to a delayed read's data",
      {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}};
  Param<std::uint32_t> width_bits{"width_bits",
                                  64,
                                  "width of the device's data lines, bits",
                                  {Evidence::kStandard, "PCI-X 1.0b, chapter 1: 64 or 32 bit"},
                                  Range<std::uint32_t>{32, 64}};
  Param<bool> relaxed_ordering{"relaxed_ordering",
                               false,
                               "sets the Relaxed Ordering attribute",
                               {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}};
  auto fields() {
    return std::tie(decode_clocks, read_wait_clocks, split_reads, split_latency, width_bits,
                    relaxed_ordering);
  }
};

/// The ports behind a device's I/O BAR, in DWORDs. Accesses act at the instant of the call.
class IoPorts {
 public:
  virtual ~IoPorts() = default;
  /// The DWORD at `offset` (a multiple of 4) in the I/O BAR.
  virtual std::uint32_t io_read(std::uint32_t offset) = 0;
  /// `byte_mask` has 0xff in each byte lane whose byte enable is asserted.
  virtual void io_write(std::uint32_t offset, std::uint32_t value, std::uint32_t byte_mask) = 0;
};

/// A PCI-X function: the parts that all adapters share.
///
/// Sockets act at the instant of the call and never wait; the bus calls them at the data phase and
/// accounts the bus time. Payload addresses are offsets.
///
/// - mmio_target takes reads and writes of memory, 1 to 8 bytes, offset in the first memory BAR.
/// - io_target takes reads and writes of ports, 1 to 4 bytes of one DWORD, offset in the I/O BAR;
///   set_io_ports() names their model.
/// - config_target takes configuration accesses of 1, 2 or 4 bytes, offset in configuration space.
/// - inta_o is INTA#, active high here, level sensitive.
/// - bus_socket joins all of these to a bus: `bus.slot(n).bind(device.bus_socket)`. Without a bus
///   they are bound one by one, as in unit tests.
///
/// dma() masters the bus. With MSI enabled, an interrupt is a posted memory write through dma(),
/// behind every write that was asked for before. set_interrupt() and set_interrupts() choose the
/// way by the configuration space. A function with MSI-X keeps its table and pending bits in a BAR
/// of their own. A device has one memory BAR of `memory_size` bytes unless `identity.bars` names
/// several.
class PcixDevice : public sc_core::sc_module, public FunctionInterface {
 public:
  FunctionSocket bus_socket{"bus_socket", *this};
  tlm_utils::simple_target_socket_optional<PcixDevice> mmio_target{"mmio_target"};
  tlm_utils::simple_target_socket_optional<PcixDevice> io_target{"io_target"};
  tlm_utils::simple_target_socket_optional<PcixDevice> config_target{"config_target"};
  sc_core::sc_out<bool> inta_o{"inta_o"};

  PcixDevice(const sc_core::sc_module_name& name, std::uint32_t memory_size,
             const ConfigIdentity& identity, const DmaParams& dma_params,
             const TargetParams& target_params = {});

  ConfigSpace& config() { return config_; }
  RegisterBank& bank() { return bank_; }
  DmaEngine& dma() { return dma_; }
  const TargetParams& target_params() const { return target_params_; }
  /// The interface that the bus calls; joins dma() to bus_socket. Called once, by the slot that the
  /// device is bound to. `bus` is the timing of that bus.
  FunctionInterface& on_bus(const BusTiming& bus);

  observe::Counter interrupts{"interrupts", "1",
                              "interrupt requests: rises of INTA#'s level, or messages sent"};

 protected:
  /// An access to a memory BAR that was checked: the address is the offset, 1 to 8 bytes within the
  /// BAR, no byte enables. Sets the response. The default accesses the registers of bank().
  ///
  /// Returns the time until a read's data are available, zero if at once, or later() (see
  /// FunctionInterface).
  virtual sc_core::sc_time access_memory_bar(tlm::tlm_generic_payload& payload);
  /// A configuration access: of configuration space here, at once.
  sc_core::sc_time access_config(tlm::tlm_generic_payload& payload) override;
  /// The data, or an error, of the oldest access that was answered with later().
  void answer_read(tlm::tlm_response_status response) { bus_socket->read_answered(response); }
  /// Drives the interrupt request. INTA# follows `level`; with MSI or MSI-X each rise sends one
  /// message, with vector 0. Call it from one process or from register callbacks. A repeated level
  /// does nothing.
  void set_interrupt(bool level);
  /// Drives several requests, bit i for vector i. INTA# is asserted while any of `levels` is set;
  /// with messages each bit of `rises` sends one. If software has granted fewer vectors than there
  /// are requests, requests share vectors: request i uses vector i modulo their number.
  void set_interrupts(std::uint64_t levels, std::uint64_t rises);
  /// Whether interrupts are sent as messages.
  bool sends_messages() const { return config_.msi_enabled() || config_.messages().msix_enabled(); }
  /// The timing of the bus that the device is on; null without a bus.
  const BusTiming* bus() const { return bus_; }
  /// The number of the memory BAR that the present access hits, as in config(): 0 is the first.
  std::size_t accessed_bar() const { return access_bar_; }
  /// Sets the model of the ports behind the I/O BAR. With null (initially) an access ends in target
  /// abort.
  void set_io_ports(IoPorts* ports) { io_ports_ = ports; }
  /// Bytes of the present register or port access, and whether it covers the byte at an offset in
  /// its BAR. For registers whose behaviour depends on how much of them is read.
  std::uint32_t access_bytes() const { return access_bytes_; }
  bool access_covers(std::uint32_t offset) const {
    return offset >= access_offset_ && offset - access_offset_ < access_bytes_;
  }

 private:
  // FunctionInterface.
  sc_core::sc_time access_memory(tlm::tlm_generic_payload& payload, std::size_t bar) override;
  void access_io(tlm::tlm_generic_payload& payload) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return dma_way_->nb_transport_bw(payload, phase, delay);
  }
  tlm::tlm_sync_enum to_bus(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                            sc_core::sc_time& delay) {
    return bus_socket->nb_transport_fw(payload, phase, delay);
  }
  void mmio_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void io_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void config_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void drive_inta_method();  // the only writer of inta_o
  void access_msix(tlm::tlm_generic_payload& payload);
  void send_vector(std::uint32_t vector);
  void write_message(std::uint64_t address, std::uint32_t data);

  const TargetParams target_params_;
  ConfigSpace config_;
  RegisterBank bank_;
  DmaEngine dma_;
  tlm_utils::simple_target_socket_optional<PcixDevice> dma_way_{"dma_way"};  // to bus_socket
  const BusTiming* bus_ = nullptr;
  IoPorts* io_ports_ = nullptr;
  std::unique_ptr<MsixTable> msix_;
  std::size_t msix_bar_ = 0;  // number of the memory BAR of the MSI-X table
  std::size_t access_bar_ = 0;
  std::uint32_t access_offset_ = 0;
  std::uint32_t access_bytes_ = 0;
  bool interrupt_level_ = false;
  sc_core::sc_event interrupt_event_{"interrupt_event"};
};

}  // namespace longhaul::pcix

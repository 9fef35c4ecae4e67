// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm>

#include <cstdint>
#include <systemc>

#include "models/common/control_socket.h"
#include "models/common/ring_buffer.h"
#include "platform/cosim/pins.h"
#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

/// The register bus of the RTL in this tree: select with address, direction and data, held until
/// acknowledge.
struct RegisterBusPins {
  BitPin select;
  BitPin write;
  WordPin address;
  WordPin write_data;
  WordPin read_data;
  BitPin acknowledge;
};

/// TLM registers before a block's register bus.
///
/// A write returns at once and reaches the block in order, some clocks of the bus later. A write
/// before the simulation starts reaches it at power-up. A read waits for the writes before it and
/// for its own answer. It must come from a thread process (else TLM_COMMAND_ERROR_RESPONSE).
///
/// Accesses are whole aligned words of 32 bits (else TLM_BURST_ERROR_RESPONSE) within the block's
/// map (else TLM_ADDRESS_ERROR_RESPONSE). A block that does not acknowledge within kPatienceClocks
/// is reported as an error.
class RegisterBus final : public sc_core::sc_module, public Transactor {
 public:
  static constexpr std::uint32_t kPatienceClocks = 1024;

  RegisterBus(const sc_core::sc_module_name& name, RtlBlock& block, std::uint32_t map_bytes);
  /// Sets the pins of the bus and their clock, before the simulation starts.
  void connect(ClockDomain& clock, RegisterBusPins pins);

  ControlSocket target{"target"};

  /// The block is out of its reset, so accesses may begin. Earlier accesses have waited.
  void open() { open_ = true; }
  /// A write, as through the socket.
  void post(std::uint32_t address, std::uint32_t value);
  /// Whether all writes have been acknowledged.
  bool idle() const { return queue_.empty() && !busy_; }

  void clocked(std::uint64_t edge_ps) override;
  void deliver() override { read_done_event_.notify(); }

 private:
  struct Access {
    std::uint32_t address = 0;
    std::uint32_t value = 0;
    bool write = false;
    std::uint64_t from_ps = 0;
    std::uint64_t number = 0;
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_response_status refusal(const tlm::tlm_generic_payload& payload) const;
  std::uint32_t read(std::uint32_t address, std::uint64_t from_ps);
  std::uint64_t queue(bool write, std::uint32_t address, std::uint32_t value,
                      std::uint64_t from_ps);
  void attach();
  void finish();

  class Forwarder final : public tlm::tlm_fw_transport_if<> {
   public:
    explicit Forwarder(RegisterBus& bus) : bus_(bus) {}
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
      bus_.b_transport(payload, delay);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                       sc_core::sc_time&) override {
      payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

   private:
    RegisterBus& bus_;
  };

  RtlBlock& block_;
  ClockDomain* clock_ = nullptr;
  RegisterBusPins pins_;
  const std::uint32_t map_bytes_;
  Forwarder forwarder_{*this};
  RingBuffer<Access> queue_;
  bool open_ = false;
  bool attached_ = false;
  bool busy_ = false;
  std::uint32_t patience_ = 0;
  std::uint64_t asked_ = 0;
  std::uint64_t read_number_ = 0;  // number of the last answered read, and its value
  std::uint32_t read_value_ = 0;
  sc_core::sc_event read_done_event_{"read_done_event_"};
};

}  // namespace longhaul::cosim

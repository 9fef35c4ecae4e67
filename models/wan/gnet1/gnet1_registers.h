// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "models/common/control_socket.h"
#include "models/common/register_bank.h"
#include "models/wan/gnet1/gnet1_regs_info.h"
#include "models/wan/gnet1/gnet1_twin.h"

namespace longhaul::wan {

/// The twin's registers, as in rtl/gnet1/gnet1.rdl, behind a TLM target.
///
/// Accesses are whole aligned words of 32 bits. Others answer TLM_BURST_ERROR_RESPONSE,
/// TLM_BYTE_ENABLE_ERROR_RESPONSE (with byte enables) or TLM_ADDRESS_ERROR_RESPONSE (outside of the
/// map). Accesses take no time; Gnet1Twin::post_write() tells when a write takes effect.
class Gnet1Registers final : private tlm::tlm_fw_transport_if<> {
 public:
  explicit Gnet1Registers(Gnet1Twin& box);
  ~Gnet1Registers() override;

  ControlSocket target{"control"};

  /// A write that takes effect at the edge of `clock`. The box has been advanced to that clock.
  void write(std::uint32_t offset, std::uint32_t value, std::uint64_t clock) {
    clock_ = clock;
    bank_.write(offset, value);
  }
  std::uint32_t read(std::uint32_t offset, std::uint64_t clock) {
    clock_ = clock;
    return bank_.read(offset);
  }

 private:
  /// The registers of one port.
  class PortRegisters;

  Gnet1Twin& box_;
  RegisterBank bank_;
  std::uint64_t clock_ = 0;  // of the present access

  using Value = std::uint32_t;
  void write_ctrl(Value value);
  void write_sample_ctrl(Value value);
  Value read_sample_frames();
  void write_mac_entry(Value value);
  /// Clears the bits that do not keep the written value.
  static void mask(Reg32& reg, const RegisterInfo& info) { reg.set(reg.value() & info.kept); }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  Reg32 id_;
  Reg32 version_;
  Reg32 ctrl_;
  Reg32 time_;
  Reg32 gps_seconds_;
  Reg32 gps_tenths_;
  Reg32 pps_ticks_;
  Reg32 magic_;
  Reg32 sample_ctrl_;
  Reg32 sample_period_;
  Reg32 sample_total_;
  Reg32 sample_index_;
  Reg32 sample_words_;
  Reg32 sample_frames_;
  Reg32 obs_select_;
  Reg32 mac_low_;
  Reg32 mac_high_;
  Reg32 mac_entry_;
  Reg32 mac_flush_;
  Reg32 mac_age_;
  Reg32 mac_valid_;
  std::array<std::unique_ptr<PortRegisters>, Gnet1::kPorts> ports_;
};

}  // namespace longhaul::wan

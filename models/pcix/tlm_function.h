// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/pcix/pcix_device.h"

namespace longhaul::pcix {

/// A PCI-X function whose logic is a plain TLM-2.0 module.
///
/// bar_initiator carries accesses to the memory BAR (b_transport; the address is the offset in the
/// BAR; 1 to 8 bytes within a quad-word). The bus makes the call at the data phase, so the target
/// must not wait. The bus takes the clocks of TargetParams for the access. An error response ends
/// the access in target abort.
///
/// With TargetParams::split_reads, the annotated delay of a read is the time until the Split
/// Completion is asked for. In all other cases a delay is not modelled; a warning tells so once.
///
/// dma_target takes reads and writes of any length from threads (b_transport; the address is the
/// bus address). The call returns when a read's last byte has arrived or a write's last byte has
/// left on the bus. Several calls may overlap. Byte enables and streaming are refused. The response
/// is OK; ADDRESS_ERROR after a master abort; GENERIC_ERROR after a target abort; COMMAND_ERROR
/// while bus mastering is disabled.
///
/// In a simulation with such a function no model runs ahead of SystemC's kernel: sc_time_stamp() is
/// right in every call (EventQueue::stay_with_kernel()).
///
/// interrupt_i drives INTA#, or sends one message at each rise while MSI is enabled.
class TlmFunction final : public PcixDevice {
 public:
  tlm_utils::simple_initiator_socket_optional<TlmFunction> bar_initiator{"bar_initiator"};
  tlm_utils::simple_target_socket_optional<TlmFunction> dma_target{"dma_target"};
  sc_core::sc_in<bool> interrupt_i{"interrupt_i"};

  /// `identity.memory_size` is a power of two. Throws std::logic_error if the identity is illegal.
  TlmFunction(const sc_core::sc_module_name& name, const ConfigIdentity& identity,
              const DmaParams& dma_params = {}, const TargetParams& target_params = {});

 private:
  sc_core::sc_time access_memory_bar(tlm::tlm_generic_payload& payload) override;
  void dma_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void interrupt_method();

  tlm::tlm_generic_payload bar_payload_;
  bool warned_ = false;
};

}  // namespace longhaul::pcix

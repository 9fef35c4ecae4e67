// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/tlm_function.h"

#include "models/common/event_queue.h"
#include "models/common/payload.h"
#include "models/common/units.h"

namespace longhaul::pcix {
namespace {

/// A transfer whose end a thread waits for.
class Transfer final : public DmaClient {
 public:
  void dma_done(std::uint64_t, DmaStatus status) override {
    status_ = status;
    ended_ = true;
    notify_in(event_, 0);
  }
  DmaStatus wait() {
    while (!ended_) sc_core::wait(event_);
    return status_;
  }

 private:
  DmaStatus status_ = DmaStatus::kOk;
  bool ended_ = false;
  sc_core::sc_event event_;
};

tlm::tlm_response_status response_of(DmaStatus status) {
  switch (status) {
    case DmaStatus::kOk: return tlm::TLM_OK_RESPONSE;
    case DmaStatus::kMasterAbort: return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case DmaStatus::kTargetAbort: return tlm::TLM_GENERIC_ERROR_RESPONSE;
    case DmaStatus::kMasterDisabled: break;
  }
  return tlm::TLM_COMMAND_ERROR_RESPONSE;
}

/// The error response for a payload that DMA does not support; OK if it does.
tlm::tlm_response_status refusal(const tlm::tlm_generic_payload& payload) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_data_length() == 0 || payload.get_streaming_width() < payload.get_data_length()) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace

TlmFunction::TlmFunction(const sc_core::sc_module_name& name, const ConfigIdentity& identity,
                         const DmaParams& dma_params, const TargetParams& target_params)
    : PcixDevice(name, identity.memory_size, identity, dma_params, target_params) {
  dma_target.register_b_transport(this, &TlmFunction::dma_b_transport);
  EventQueue::get().stay_with_kernel();
  SC_HAS_PROCESS(TlmFunction);
  SC_METHOD(interrupt_method);
  sensitive << interrupt_i;
}

sc_core::sc_time TlmFunction::access_memory_bar(tlm::tlm_generic_payload& payload) {
  if (bar_initiator.get_base_port().size() == 0) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return sc_core::SC_ZERO_TIME;
  }
  set_access(bar_payload_, payload.get_command(), payload.get_address(), payload.get_data_ptr(),
             payload.get_data_length());
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  bar_initiator->b_transport(bar_payload_, delay);
  payload.set_response_status(bar_payload_.get_response_status());
  if (delay == sc_core::SC_ZERO_TIME) return delay;
  if (payload.is_read() && target_params().split_reads()) return delay;
  if (!warned_) {
    warned_ = true;
    SC_REPORT_WARNING(name(),
                      ("the target's delay of " + delay.to_string() +
                       " is not modelled: set mmio_split_reads for reads, or mmio_read_wait_clocks")
                          .c_str());
  }
  return sc_core::SC_ZERO_TIME;
}

void TlmFunction::dma_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  payload.set_response_status(refusal(payload));
  if (!payload.is_response_ok()) return;
  Transfer transfer;
  if (payload.is_read()) {
    dma().read(payload.get_address(), payload.get_data_ptr(), payload.get_data_length(), &transfer,
               0);
  } else {
    dma().write(payload.get_address(), payload.get_data_ptr(), payload.get_data_length(), &transfer,
                0);
  }
  payload.set_response_status(response_of(transfer.wait()));
}

void TlmFunction::interrupt_method() { set_interrupt(interrupt_i.read()); }

}  // namespace longhaul::pcix

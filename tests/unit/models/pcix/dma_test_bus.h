// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <tlm_utils/simple_target_socket.h>
#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/units.h"
#include "models/pcix/transaction.h"

namespace longhaul::testing {

/// A memory behind a bus of nothing but delays: requests end after `request_delay`, reads complete
/// after a delay that `read_delay` draws, so completions overtake each other. Checks the base
/// protocol's rules on the way.
class DmaTestBus final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<DmaTestBus> dma_target{"dma_target"};
  std::vector<std::uint8_t> memory;

  struct Seen {
    bool is_read;
    std::uint64_t address;
    std::uint32_t bytes;
    std::uint8_t tag;
  };
  std::vector<Seen> seen;
  std::uint32_t most_outstanding = 0;
  sc_core::sc_time request_delay{40, sc_core::SC_NS};
  std::function<sc_core::sc_time()> read_delay = [] {
    return sc_core::sc_time(300, sc_core::SC_NS);
  };
  /// Addresses from here on answer with `hole_response`.
  std::uint64_t hole_begin = ~0ULL;
  tlm::tlm_response_status hole_response = tlm::TLM_ADDRESS_ERROR_RESPONSE;

  DmaTestBus(const sc_core::sc_module_name& name, std::size_t memory_bytes)
      : sc_module(name), memory(memory_bytes) {
    dma_target.register_nb_transport_fw(this, &DmaTestBus::from_master);
    SC_HAS_PROCESS(DmaTestBus);
    SC_METHOD(step_method);
    sensitive << step_event_;
    dont_initialize();
  }

 private:
  enum class What { kRequestEnds, kReadCompletes };

  tlm::tlm_sync_enum from_master(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                 sc_core::sc_time&) {
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    EXPECT_FALSE(requesting_) << "a second request before the first was taken";
    const pcix::Attributes* attributes = pcix::attributes_of(payload);
    EXPECT_NE(attributes, nullptr);
    requesting_ = true;
    seen.push_back(
        {payload.is_read(), payload.get_address(), payload.get_data_length(), attributes->tag});
    payload.acquire();
    plan(sc_core::sc_time_stamp() + request_delay, What::kRequestEnds, payload);
    return tlm::TLM_ACCEPTED;
  }

  void plan(const sc_core::sc_time& at, What what, tlm::tlm_generic_payload& payload) {
    pending_.emplace(at, std::make_pair(what, &payload));
    step_event_.notify(pending_.begin()->first - sc_core::sc_time_stamp());
  }

  void step_method() {
    while (!pending_.empty() && pending_.begin()->first <= sc_core::sc_time_stamp()) {
      const auto [what, payload] = pending_.begin()->second;
      pending_.erase(pending_.begin());
      if (what == What::kReadCompletes || payload->is_write()) {
        if (what == What::kReadCompletes) --outstanding_;
        if (what == What::kRequestEnds) requesting_ = false;
        move(*payload);
        tell(*payload, tlm::BEGIN_RESP, tlm::TLM_COMPLETED);
        payload->release();
      } else {
        requesting_ = false;
        most_outstanding = std::max(most_outstanding, ++outstanding_);
        plan(sc_core::sc_time_stamp() + read_delay(), What::kReadCompletes, *payload);
        tell(*payload, tlm::END_REQ, tlm::TLM_ACCEPTED);
      }
    }
    if (!pending_.empty()) step_event_.notify(pending_.begin()->first - sc_core::sc_time_stamp());
  }

  void tell(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase, tlm::tlm_sync_enum wanted) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(dma_target->nb_transport_bw(payload, phase, delay), wanted);
  }

  void move(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    const std::uint32_t bytes = payload.get_data_length();
    if (address + bytes > hole_begin || address + bytes > memory.size()) {
      payload.set_response_status(hole_response);
      return;
    }
    pcix::Attributes& attributes = *pcix::attributes_of(payload);
    if (payload.is_read()) {
      const auto begin = memory.begin() + static_cast<std::ptrdiff_t>(address);
      attributes.stored = bytes;
      while (attributes.takes_blank && attributes.stored > 0 && begin[attributes.stored - 1] == 0)
        --attributes.stored;
      std::copy_n(begin, attributes.stored, payload.get_data_ptr());
    }
    if (payload.is_write()) {
      const std::uint32_t stored = std::min(attributes.stored, bytes);
      std::memcpy(&memory[address], payload.get_data_ptr(), stored);
      std::fill_n(&memory[address] + stored, bytes - stored, std::uint8_t{0});
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  bool requesting_ = false;
  std::uint32_t outstanding_ = 0;
  std::multimap<sc_core::sc_time, std::pair<What, tlm::tlm_generic_payload*>> pending_;
  sc_core::sc_event step_event_{"step_event"};
};

}  // namespace longhaul::testing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/payload.h"
#include "models/common/units.h"
#include "models/net/eth.h"
#include "tests/unit/models/net/frame/packets.h"

namespace longhaul::testing {

/// A wire that records what is sent and when.
class FakeWire final : public EthTransmitter {
 public:
  struct Sent {
    std::uint64_t at_ps;
    ByteVector bytes;
    std::uint32_t stored;  ///< bytes that the frame had stored, of all that it says
  };
  std::vector<Sent> sent;
  bool has_carrier = true;
  bool lit = true;  ///< the adapter's own laser

  explicit FakeWire(BitRate rate = {10'000'000'000ULL}) : rate_(rate) {}

  sc_core::sc_time transmit(const FrameRef& frame) override {
    const std::uint32_t stored = frame->stored();
    sent.push_back({now_ps(), ByteVector(frame->data(), frame->data() + frame->size()), stored});
    EXPECT_TRUE(frame->fcs_matches());
    return from_ps((frame->size() + 24ULL) * 8 * (1'000'000'000'000ULL / rate_.bits_per_s));
  }
  bool carrier() const override { return has_carrier; }
  void enable(bool on) override { lit = on; }
  BitRate mac_rate() const override { return rate_; }

 private:
  const BitRate rate_;
};

/// The processor's side of the sockets.
class FakeHost final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<FakeHost> mmio{"mmio"};
  tlm_utils::simple_initiator_socket_optional<FakeHost> io{"io"};
  tlm_utils::simple_initiator_socket<FakeHost> config{"config"};
  sc_core::sc_signal<bool> inta{"inta"};
  explicit FakeHost(const sc_core::sc_module_name& name) : sc_module(name) {}

  std::uint32_t access(bool to_config, bool read, std::uint32_t address, std::uint32_t size,
                       std::uint32_t value) {
    return access(to_config ? config.get_base_port() : mmio.get_base_port(), read, address, size,
                  value);
  }
  std::uint32_t access_io(bool read, std::uint32_t offset, std::uint32_t size,
                          std::uint32_t value) {
    return access(io.get_base_port(), read, offset, size, value);
  }

 private:
  using Port = sc_core::sc_port_b<tlm::tlm_fw_transport_if<>>;
  static std::uint32_t access(Port& port, bool read, std::uint32_t address, std::uint32_t size,
                              std::uint32_t value) {
    tlm::tlm_generic_payload payload;
    set_access(payload, read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, address, &value,
               size);
    sc_core::sc_time delay;
    port->b_transport(payload, delay);
    EXPECT_TRUE(payload.is_response_ok());
    return value;
  }
};

}  // namespace longhaul::testing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "models/common/payload.h"
#include "models/net/link/link.h"
#include "models/wan/gnet1/gnet1.h"
#include "models/wan/gnet1/gnet1_regs.h"
#include "tests/unit/support/ethernet.h"

namespace longhaul::wan::gnet1_test {

/// A frame that came out of a box: the end of its last byte on the wire.
struct Left {
  std::uint64_t end_ps;
  FrameRef frame;
};

/// The far end of one port's link: bare wire, no MAC, so that runts and bad frames pass.
class WireEnd final : public sc_core::sc_module, private EthReceiver {
 public:
  explicit WireEnd(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    port.eth_rx.bind(*this);
  }
  EthPort port{"port"};
  std::vector<Left> arrivals;
  void send(const FrameRef& frame) { port.eth_tx->transmit(frame); }

 private:
  void receive(const FrameRef& frame) override { arrivals.push_back({now_ps(), frame}); }
  void carrier_changed(bool) override {}
};

/// A box between four bare wires, and the means to write its registers.
class BoxFixture final : public sc_core::sc_module {
 public:
  BoxFixture(Gnet1& box, const sc_core::sc_module_name& name) : sc_module(name) {
    LinkParams params;
    params.phy.value = "1000base-x";
    params.length_m.value = 0;
    for (std::size_t i = 0; i < Gnet1::kPorts; ++i) {
      ends_[i] = std::make_unique<WireEnd>(("end" + std::to_string(i)).c_str());
      links_[i] = std::make_unique<Link>(("link" + std::to_string(i)).c_str(), params);
      links_[i]->connect(ends_[i]->port, box.port(i));
    }
    control_.bind(*box.control());
  }

  WireEnd& end(std::size_t port) { return *ends_[port]; }
  const std::vector<Left>& out(std::size_t port) const { return ends_[port]->arrivals; }

  tlm::tlm_response_status write(std::uint32_t offset, std::uint32_t value) {
    return access(tlm::TLM_WRITE_COMMAND, offset, value);
  }
  /// From a thread process: a box may take its time.
  std::uint32_t read(std::uint32_t offset) {
    std::uint32_t value = 0;
    access(tlm::TLM_READ_COMMAND, offset, value);
    return value;
  }
  std::uint32_t read(std::size_t port, std::uint32_t offset) {
    return read(gnet1_regs::port_base(port) + offset);
  }
  void write(std::size_t port, std::uint32_t offset, std::uint32_t value) {
    write(gnet1_regs::port_base(port) + offset, value);
  }
  /// All counters, latched now.
  std::array<std::array<std::uint32_t, gnet1_regs::kCounterCount>, Gnet1::kPorts> counters() {
    write(gnet1_regs::kCtrl, read(gnet1_regs::kCtrl) | gnet1_regs::kCtrlLatch);
    std::array<std::array<std::uint32_t, gnet1_regs::kCounterCount>, Gnet1::kPorts> all{};
    for (std::size_t port = 0; port < Gnet1::kPorts; ++port) {
      for (std::uint32_t i = 0; i < gnet1_regs::kCounterCount; ++i) {
        all[port][i] = read(port, gnet1_regs::kCounters + 4 * i);
      }
    }
    return all;
  }

 private:
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint32_t offset,
                                  std::uint32_t& value) {
    tlm::tlm_generic_payload payload;
    set_access(payload, command, offset, &value, sizeof value);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    control_->b_transport(payload, delay);
    return payload.get_response_status();
  }

  tlm_utils::simple_initiator_socket<BoxFixture> control_{"control"};
  std::array<std::unique_ptr<WireEnd>, Gnet1::kPorts> ends_;
  std::array<std::unique_ptr<Link>, Gnet1::kPorts> links_;
};

/// A frame to send into a box.
struct Sending {
  std::uint64_t at_ps;
  std::size_t port;
  FrameRef frame;
};

/// Random bytes behind two addresses; `octets` with FCS.
inline FrameRef random_frame(std::mt19937_64& random, std::uint32_t octets, const MacAddress& to,
                             const MacAddress& from) {
  FrameRef ref = Frame::allocate(octets - Frame::kFcsBytes);
  Frame& frame = ref.writable();
  for (std::uint32_t i = 0; i < frame.size(); ++i)
    frame.data()[i] = static_cast<std::uint8_t>(random());
  std::memcpy(frame.data(), to.data(), std::min<std::size_t>(6, frame.size()));
  if (frame.size() >= 12) std::memcpy(frame.data() + 6, from.data(), 6);
  return ref;
}

/// The bytes of a frame as they are on the wire, FCS included.
inline std::string on_the_wire(const Frame& frame) {
  std::string bytes(reinterpret_cast<const char*>(frame.data()), frame.size());
  const std::uint32_t fcs = frame.fcs();
  for (std::uint32_t i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(fcs >> (8 * i)));
  return bytes;
}

}  // namespace longhaul::wan::gnet1_test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/host/drivers/driver_type.h"
#include "models/host/drivers/pci_driver.h"
#include "models/host/kernel/process.h"
#include "models/host/kernel/tick_timers.h"
#include "models/memory/memory_system.h"
#include "models/net/link/link.h"
#include "models/nic/adapter_type.h"
#include "models/nic/e1000/e1000.h"
#include "models/nic/ixgb/ixgb.h"
#include "models/nic/terminator/terminator.h"
#include "models/pcix/bridges/bridge_kind.h"
#include "models/pcix/host_bridge.h"
#include "models/pcix/pcix_bus.h"
#include "models/tcp/wire.h"
#include "tests/unit/times.h"

namespace longhaul::host::driver_testing {

using Bytes8 = std::vector<std::uint8_t>;

/// A program that is a function.
class Program final : public Process {
 public:
  using Body = std::function<void(Program&)>;
  Program(const sc_core::sc_module_name& name, Processor& processor, Body body)
      : Process(name, processor), body_(std::move(body)) {}
  void sleep_ps(std::uint64_t ps) {
    const Syscall call(*this);
    sleep(ps);
  }

 private:
  void main() override { body_(*this); }
  Body body_;
};

/// The protocol stack's place: keeps what arrives, frees its memory, and remembers notices.
struct Recorder final : DeviceUser {
  MemoryPool* memory = nullptr;
  bool keep = true;  ///< the bytes
  std::vector<Bytes8> frames;
  std::vector<bool> good;
  std::vector<std::uint64_t> cookies;
  std::vector<bool> links;
  std::uint64_t received_frames = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t sent_packets = 0;
  std::uint32_t rooms = 0;
  std::uint32_t in_hardirq = 0;
  std::function<void()> on_room;
  std::function<void()> on_received;
  std::function<void(std::uint32_t bytes)> on_buffer;  ///< allocated for a frame that came

  void received(const RxPacket& packet) override {
    ++received_frames;
    received_bytes += packet.bytes;
    if (Processor::current()->in_hardirq()) ++in_hardirq;
    if (keep) {
      const std::uint8_t* const bytes = memory->at(packet.address);
      frames.emplace_back(bytes, bytes + packet.bytes);
      good.push_back(packet.checksum_good);
    }
    memory->free(packet.buffer, packet.buffer_bytes);
    if (on_buffer) on_buffer(packet.buffer_bytes);
    if (on_received) on_received();
  }
  void sent(std::uint64_t cookie) override {
    ++sent_packets;
    if (keep) cookies.push_back(cookie);
  }
  void has_room() override {
    ++rooms;
    if (on_room) on_room();
  }
  void link_changed(bool up) override { links.push_back(up); }
};

inline bool is_nec(const std::string& nic) { return nic.rfind("nec-", 0) == 0; }

/// NEC-TOE's adapters are of conventional PCI.
inline nlohmann::json bus_for(const std::string& nic) {
  return is_nec(nic) ? nlohmann::json{{"protocol", "pci"}, {"clock", "33.333333MHz"}}
                     : nlohmann::json::object();
}

/// What a host of the rig is made of.
struct RigOptions {
  std::string nic = "ixgb";  ///< or n110, nec-parallel, nec-pipeline, or a board of e1000
  nlohmann::json nic_params = nlohmann::json::object();
  nlohmann::json driver = nlohmann::json::object();
  NetParams net;
  std::uint64_t memory_mib = 128;
  std::uint32_t ports = 1;
  std::uint32_t processors = 1;  ///< the last one takes the adapter's interrupts
};

/// Joins the accesses of cores in front of a bridge.
struct Joint final : sc_core::sc_module {
  using Side = tlm_utils::simple_target_socket_optional<Joint>;
  std::vector<std::unique_ptr<Side>> sides;
  tlm_utils::simple_initiator_socket<Joint> out{"out"};
  Joint(const sc_core::sc_module_name& name, std::uint32_t cores) : sc_module(name) {
    for (std::uint32_t i = 0; i < cores; ++i) {
      sides.push_back(std::make_unique<Side>(("side" + std::to_string(i)).c_str()));
      sides.back()->register_b_transport(this, &Joint::pass);
    }
  }
  void pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    out->b_transport(payload, delay);
  }
};

inline memory::MemorySystemParams memory_for(std::uint32_t cores) {
  memory::MemorySystemParams params = memory::memory_params_from({}, "rig");
  params.cores.value = cores;
  return params;
}

/// A PC with one adapter, its driver, and a program: everything between a packet and the wire, and
/// nothing above.
class RigHost final : public sc_core::sc_module {
 public:
  static constexpr std::uint32_t kSlots = 4;
  static constexpr std::uint32_t kSlot = 2;
  static constexpr std::uint64_t kKernelEnd = 1 << 20;

  RigHost(const sc_core::sc_module_name& name, const RigOptions& options, unsigned index)
      : sc_module(name),
        options_(options),
        core("core", cpu::core_params_from({}, "rig"), units::MiB(options.memory_mib)),
        memory("memory", memory_for(options.processors), units::MiB(options.memory_mib)),
        bridge_kind_(pcix::configured_bridge({}, bus_for(options.nic), "rig")),
        pcix("pcix", bridge_kind_.bus, kSlots),
        bridge("bridge", bridge_kind_.host),
        joint("joint", options.processors),
        processor("cpu", core, kernel_),
        others_(make_others(*this)),
        timers("timers", processors()),
        router("router", processors()),
        net_rx(processor, options_.net, to_ps(kernel_.tick())),
        pool(memory.mapping(), kKernelEnd, memory.nodes()),
        pci(std::string(basename()) + ".pci", kSlots) {
    bridge.set_intx_receiver(&router);
    bridge.bus_socket.bind(pcix.host_socket);
    bridge.memory_initiator.bind(memory.dma_target);
    joint.out.bind(bridge.core_target);
    core.core_initiator.bind(*joint.sides[0]);
    core.memory_port.bind(memory);
    memory.observe_dma(0, core.cache());
    for (std::uint32_t i = 1; i < options.processors; ++i) {
      Other& other = *others_[i - 1];
      other.core.core_initiator.bind(*joint.sides[i]);
      other.core.memory_port.bind(memory.core(i));
      memory.observe_dma(i, other.core.cache());
    }
    if (!others_.empty()) router.set_affinity(kSlot, options.processors - 1);
    users.resize(options.ports);
    for (std::uint32_t port = 0; port < options.ports; ++port) add_port(port, index + port);
    core.cache().watch([this](cpu::LineCache::Ranges& rings) {
      for (const auto& nic : nics) nic->append_rings(rings);
    });
  }

  NetDevice& device(std::uint32_t port = 0) { return *devices[port]; }
  PciDriver& driver(std::uint32_t port = 0) { return dynamic_cast<PciDriver&>(*devices[port]); }
  Recorder& user(std::uint32_t port = 0) { return *users[port]; }
  EthPort& port(std::uint32_t number = 0) { return nics[number]->port(); }
  /// A program on one of the processors.
  Program& run(Program::Body body, std::uint32_t on = 0) {
    const std::string name =
        std::string(basename()) + "_program" + std::to_string(programs_.size());
    programs_.push_back(
        std::make_unique<Program>(name.c_str(), *processors()[on], std::move(body)));
    return *programs_.back();
  }

  /// Sends bytes in pieces of memory that it allocates; they are freed by free_sent().
  TxPacket packet(const Bytes8& bytes, const std::vector<std::uint32_t>& pieces = {}) {
    TxPacket packet;
    std::uint32_t at = 0;
    for (std::size_t i = 0; at < bytes.size(); ++i) {
      const auto left = static_cast<std::uint32_t>(bytes.size()) - at;
      const std::uint32_t size = i < pieces.size() ? std::min(left, pieces[i]) : left;
      const std::uint32_t before = device().features().header_room + 3;  // odd, as a stack's may be
      const std::uint64_t memory_at = pool.allocate(before + size);
      held_.emplace_back(memory_at, before + size);
      std::memcpy(pool.to_write(memory_at + before, size), bytes.data() + at, size);
      packet.extents[packet.count++] = {memory_at + before, size};
      at += size;
    }
    packet.bytes = at;
    packet.cookie = ++cookies_;
    return packet;
  }
  void free_sent() {
    for (const auto& [address, bytes] : held_) pool.free(address, bytes);
    held_.clear();
  }

  cpu::Core& core_of(std::uint32_t number) {
    return number == 0 ? core : others_[number - 1]->core;
  }

  RigOptions options_;

 private:
  KernelParams kernel_;

 public:
  cpu::Core core;
  memory::MemorySystem memory;

 private:
  pcix::BridgeKind bridge_kind_;

 public:
  pcix::PcixBus pcix;
  pcix::HostBridge bridge;
  Joint joint;
  Processor processor;

 private:
  struct Other {
    Other(RigHost& host, const std::string& number)
        : core(("core" + number).c_str(), cpu::core_params_from({}, "rig"),
               units::MiB(host.options_.memory_mib)),
          processor(("cpu" + number).c_str(), core, host.kernel_),
          net_rx(processor, host.options_.net, to_ps(host.kernel_.tick())) {}
    cpu::Core core;
    Processor processor;
    NetRx net_rx;
  };
  static std::vector<std::unique_ptr<Other>> make_others(RigHost& host) {
    std::vector<std::unique_ptr<Other>> made;
    for (std::uint32_t i = 1; i < host.options_.processors; ++i)
      made.push_back(std::make_unique<Other>(host, std::to_string(i)));
    return made;
  }
  const std::vector<std::unique_ptr<Other>> others_;
  std::vector<Processor*> processors() {
    std::vector<Processor*> all{&processor};
    for (const auto& other : others_) all.push_back(&other->processor);
    return all;
  }

 public:
  TickTimers timers;
  InterruptRouter router;
  NetRx net_rx;
  MemoryPool pool;
  PciBus pci;
  std::vector<std::unique_ptr<nic::Adapter>> nics;
  std::vector<std::unique_ptr<NetDevice>> devices;
  std::vector<std::unique_ptr<Recorder>> users;

 private:
  void add_port(std::uint32_t port, unsigned index) {
    const std::string name = "eth" + std::to_string(port);
    if (options_.nic == "ixgb") {
      nics.push_back(nic::ixgb::make_ixgb(name, options_.nic_params, index));
    } else if (options_.nic == "n110") {
      nics.push_back(nic::terminator::make_terminator(name, options_.nic_params, index));
    } else if (is_nec(options_.nic)) {
      const nic::AdapterType& type = nic::adapter_types().find(options_.nic, "rig");
      nics.push_back(type.make({name.c_str(), options_.nic_params, "rig." + name, index, 1}));
    } else {
      options_.nic_params["board"] = options_.nic;
      auto* const first =
          port == 0 ? nullptr : dynamic_cast<nic::e1000::E1000*>(nics.front().get());
      nics.push_back(nic::e1000::make_e1000(name, options_.nic_params, index, first));
    }
    pcix::PcixDevice& device = *nics.back()->function();
    pcix.slot(kSlot, port).bind(device.bus_socket);
    const pcix::FunctionIds ids{static_cast<std::uint16_t>(device.config().read(0, 2)),
                                static_cast<std::uint16_t>(device.config().read(2, 2))};
    std::vector<NetRx*> softirqs{&net_rx};
    for (const auto& other : others_) softirqs.push_back(&other->net_rx);
    const DriverSetup setup{pci, kSlot, port, router, softirqs, pool, timers, options_.net, 0};
    devices.push_back(make_driver({name + "_driver", setup, ids, options_.driver, "rig." + name}));
    users[port] = std::make_unique<Recorder>();
    users[port]->memory = &pool;
    devices.back()->attach(*users[port]);
  }

  std::vector<std::unique_ptr<Program>> programs_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> held_;
  std::uint64_t cookies_ = 0;
};

/// Two hosts and a cable.
struct Rig {
  Rig(const RigOptions& a_options, const RigOptions& b_options)
      : a("a", a_options, 0), b("b", b_options, 8), link("link", link_params(a_options)) {
    link.connect(a.port(), b.port());
  }
  explicit Rig(const RigOptions& options) : Rig(options, options) {}

  static LinkParams link_params(const RigOptions& options) {
    LinkParams params;
    if (options.nic != "ixgb" && options.nic != "n110") {
      const bool fibre = options.nic.find("fiber") != std::string::npos || is_nec(options.nic);
      params.phy.value = fibre ? "1000base-x" : "1000base-t";
    }
    return params;
  }
  static void run_until(std::uint64_t ps) { sc_core::sc_start(from_ps(ps - now_ps())); }
  static void run_for(std::uint64_t ps) { sc_core::sc_start(from_ps(ps)); }
  /// Opens both, and runs `body` on a, and `peer` on b, when the link is up.
  void when_up(
      Program::Body body, Program::Body peer = [](Program&) {}) {
    b.run([this, peer = std::move(peer)](Program& program) {
      b.device().open();
      while (!(a.device().link_up() && b.device().link_up())) program.sleep_ps(kMs);
      peer(program);
    });
    a.run([this, body = std::move(body)](Program& program) {
      a.device().open();
      while (!(a.device().link_up() && b.device().link_up())) program.sleep_ps(kMs);
      body(program);
    });
  }

  RigHost a;
  RigHost b;
  Link link;
};

/// A TCP stream whose byte at an offset is a function of it.
struct Pattern final : tcp::PayloadSource {
  static std::uint8_t at(std::uint64_t offset) {
    return static_cast<std::uint8_t>(offset * 31 + (offset >> 8));
  }
  void fill(std::uint64_t offset, std::uint8_t* out, std::uint32_t length) override {
    for (std::uint32_t i = 0; i < length; ++i) out[i] = at(offset + i);
  }
};

constexpr std::uint32_t kFirstSequence = 0xffff'f000;  // wraps within 64 KiB

/// A packet of a stream from a to b, `payload` bytes of it from offset 0, with time stamps; 66
/// bytes of header, 86 with IPv6.
inline Bytes8 tcp_frame(const MacAddress& to, const MacAddress& from, std::uint32_t payload,
                        bool ipv6, tcp::TcpChecksum checksum) {
  tcp::Segment segment;
  segment.seq = kFirstSequence;
  segment.ack = 77;
  segment.flags = tcp::kAck | tcp::kPsh;
  segment.window = 1000;
  segment.options.timestamps = true;
  segment.length = payload;
  tcp::Endpoints endpoints;
  endpoints.ipv6 = ipv6;
  endpoints.source = {10, 0, 0, 1, 5, 6, 7, 8};
  endpoints.destination = {10, 0, 0, 2, 9, 9, 200, 201};
  endpoints.source_port = 40000;
  endpoints.destination_port = 5001;
  Pattern pattern;
  Bytes8 frame(14 + 66 + 65536);
  const std::uint32_t bytes =
      tcp::write_packet(segment, endpoints, {}, checksum, pattern, frame.data() + 14,
                        static_cast<std::uint32_t>(frame.size()) - 14);
  frame.resize(14 + bytes);
  std::copy(to.begin(), to.end(), frame.begin());
  std::copy(from.begin(), from.end(), frame.begin() + 6);
  write_be16(frame.data() + 12, ipv6 ? 0x86dd : 0x0800);
  return frame;
}

/// An Ethernet frame without FCS of so many bytes from a to b, with a pattern in it.
inline Bytes8 plain_frame(const MacAddress& to, const MacAddress& from, std::uint32_t bytes,
                          std::uint32_t seed) {
  Bytes8 frame(bytes);
  std::copy(to.begin(), to.end(), frame.begin());
  std::copy(from.begin(), from.end(), frame.begin() + 6);
  frame[12] = 0x88;
  frame[13] = 0xb5;  // local experiments (IEEE 802)
  for (std::uint32_t i = 14; i < bytes; ++i)
    frame[i] = static_cast<std::uint8_t>(i * 7 + seed * 13 + (i >> 8));
  return frame;
}

}  // namespace longhaul::host::driver_testing

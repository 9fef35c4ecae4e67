// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/common/ring_buffer.h"
#include "models/host/kernel/processor.h"
#include "models/host/kernel/timers.h"
#include "models/host/net/address.h"
#include "models/host/net/neighbours.h"
#include "models/host/net/net_device.h"
#include "models/host/net/send_queue.h"

namespace longhaul::host {

class Stack;
class TcpEndpoint;

/// The addresses of an interface on the network.
struct InterfaceAddresses {
  std::optional<Address> ipv4;
  std::uint32_t ipv4_prefix = 24;
  std::optional<Address> ipv6;
  std::uint32_t ipv6_prefix = 64;
  std::optional<Address> gateway;  ///< for all destinations that are not on this network; of either
                                   ///< family
};

/// A packet from its making until the adapter has sent it.
struct TxSlot {
  TxPacket packet;
  std::uint64_t header = 0;         ///< address of the Ethernet header
  TcpEndpoint* endpoint = nullptr;  ///< whose send memory it refers to
  SendQueue::Hold hold;
  std::uint64_t memory = 0;  ///< allocated for this packet alone
  std::uint32_t memory_bytes = 0;
  std::uint32_t index = 0;
};

/// A network device with its addresses, its neighbours, and the queue before its ring (FIFO,
/// NetParams::qdisc_packets).
class Interface final : public DeviceUser {
 public:
  Interface(Stack& stack, const InterfaceAddresses& addresses);
  ~Interface() override;

  /// Sets the driver, whose DeviceUser is this interface. Before any packet is sent.
  void attach(NetDevice& device);
  NetDevice& device() { return *device_; }
  const InterfaceAddresses& addresses() const { return addresses_; }
  /// Whether a packet to this address is for this interface.
  bool owns(bool ipv6, const HostBytes& host) const;
  /// Whether a packet to this address is for this interface or for one of its IPv6 groups. IPv4
  /// broadcasts are ignored (Linux: icmp_echo_ignore_broadcasts).
  bool takes(bool ipv6, const HostBytes& host) const;
  /// Whether packets to this address leave by this interface; and the neighbour to which they go.
  bool reaches(const Address& to) const;
  Neighbour& neighbour(const Address& to);
  Neighbours& neighbours() { return neighbours_; }
  Stack& stack() { return stack_; }
  /// Payload of a full TCP segment without options.
  std::uint16_t mss(bool ipv6) const {
    return static_cast<std::uint16_t>(device_->mtu() - (ipv6 ? 60 : 40));
  }

  // Sending. A slot is taken, filled, and handed over once.
  TxSlot& take_slot();
  void release(TxSlot& slot);
  /// A slot with its own memory of `bytes`, which is the packet's only extent. Null if there is no
  /// memory.
  TxSlot* take_frame(std::uint32_t bytes);
  /// Sends to the neighbour as soon as its address is known. Returns false if the queue is full;
  /// then the slot has been released.
  bool send(TxSlot& slot, Neighbour& to);
  /// Sends to the ring or the queue; the Ethernet header is complete.
  bool send(TxSlot& slot);
  /// Calls the endpoint's on_room() when there may be room. `soon`: no packet that is being sent
  /// will report it.
  void promise_room(TcpEndpoint& endpoint, bool soon);
  void forget(TcpEndpoint& endpoint);
  std::size_t queued() const { return queue_.size(); }
  std::uint32_t slots_in_use() const { return in_use_; }

  // DeviceUser.
  void received(const RxPacket& packet) override;
  void sent(std::uint64_t cookie) override;
  void has_room() override;
  void link_changed(bool up) override;

 private:
  class Drain final : public Softirq {
   public:
    explicit Drain(Interface& owner) : owner_(owner) {}
    bool run() override;

   private:
    Interface& owner_;
  };
  class Retry final : public KernelTimer {
   public:
    explicit Retry(Interface& owner) : owner_(owner) {}
    void expired() override;

   private:
    Interface& owner_;
  };

  bool enqueue(TxSlot& slot);
  bool to_device(TxSlot& slot);
  void drain();
  bool queue_has_room() const;
  void tell_of_room();

  Stack& stack_;
  const InterfaceAddresses addresses_;
  NetDevice* device_ = nullptr;
  Neighbours neighbours_;
  std::deque<TxSlot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::uint32_t in_use_ = 0;
  RingBuffer<std::uint32_t> queue_;
  bool busy_ = false;     // the driver is being called
  bool stopped_ = false;  // the ring is full
  bool room_seen_ = false;
  std::vector<TcpEndpoint*> refused_;
  std::vector<TcpEndpoint*> told_;
  Drain drain_{*this};
  Retry retry_{*this};
};

}  // namespace longhaul::host

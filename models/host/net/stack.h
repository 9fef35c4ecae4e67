// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/common/observe/software_watcher.h"
#include "models/host/kernel/memory_pool.h"
#include "models/host/kernel/processor.h"
#include "models/host/kernel/timers.h"
#include "models/host/net/flow_key.h"
#include "models/host/net/input_queue.h"
#include "models/host/net/interface.h"
#include "models/host/net/net_params.h"
#include "models/host/net/offloaded_sockets.h"
#include "models/host/net/receive_queue.h"
#include "models/host/net/socket.h"
#include "models/host/net/tcp_endpoint.h"
#include "models/host/net/time_wait.h"
#include "models/tcp/config.h"
#include "models/tcp/params.h"

namespace longhaul::host {

class Echo;
class TcpListener;

/// Handles packets that only pass through the host: a relay between its interfaces.
class Passage {
 public:
  virtual ~Passage() = default;
  /// Takes an undamaged TCP segment that is for another station and belongs to no connection here.
  virtual void segment(Interface& from, const RxPacket& packet, const tcp::Packet& parsed) = 0;
  /// Takes any other IPv4 packet for another station.
  virtual void other(Interface& from, const RxPacket& packet) = 0;
  /// An ARP message for another station.
  virtual void arp(Interface& from, const std::uint8_t* frame) = 0;
  /// The interface where a passing station was seen; null if it was not seen.
  virtual Interface* side_of(const Address& station) = 0;
};

/// The network stack of a modelled host: interfaces, IPv4 and IPv6, ICMP echo, TCP sockets.
///
/// All code runs on Processor::current(), in the context of the caller, and is charged there. It
/// may run on several processors at once. Packet memory is the pool's.
class Stack final : public sc_core::sc_module {
 public:
  Stack(const sc_core::sc_module_name& name, const NetParams& params, const tcp::TcpParams& tcp,
        MemoryPool& pool, Timers& timers);
  ~Stack() override;

  Interface& add_interface(const InterfaceAddresses& addresses);
  Interface& interface(std::size_t i) { return *interfaces_[i]; }
  std::size_t interfaces() const { return interfaces_.size(); }
  std::unique_ptr<TcpSocket> tcp_socket();
  /// Packets that are not for this host go there. Set before any packet is received.
  void set_passage(Passage& passage) { passage_ = &passage; }
  Passage* passage() const { return passage_; }

  const NetParams& params() const { return params_; }
  const tcp::TcpConfig& tcp_config() const { return tcp_; }
  MemoryPool& pool() { return pool_; }
  Timers& timers() { return timers_; }
  ReceiveBuffers& receive_buffers() { return receive_buffers_; }
  std::size_t endpoints() const { return endpoints_in_use_; }
  /// The connection in a slot below endpoint_slots(); null if the slot is empty.
  const TcpEndpoint* endpoint(std::size_t slot) const { return endpoints_[slot].get(); }
  std::size_t endpoint_slots() const { return endpoints_.size(); }
  /// Calls `watcher` whenever TCP has done something; null for none.
  void watch(observe::SoftwareWatcher* watcher) { watcher_ = watcher; }
  std::size_t time_wait() const { return time_wait_.size(); }

  // For its parts.
  /// The engine of a connection has returned.
  void stepped() {
    if (watcher_ != nullptr) watcher_->on_step();
  }
  /// A driver received a packet. It goes to the protocols at once in a softirq, or into the input
  /// queue in a hard interrupt.
  void received(Interface& interface, const RxPacket& packet);
  /// Parses a packet and delivers it; in softirq context.
  void input(Interface& interface, const RxPacket& packet);
  /// The interface that reaches an address; null if none does.
  Interface* route(const Address& to);
  Interface* owner_of(bool ipv6, const HostBytes& host);
  /// Sends a segment without a connection: a RST, an ACK in TIME-WAIT.
  void send_alone(const tcp::Endpoints& ends, const tcp::Segment& segment);
  std::uint32_t initial_sequence(const tcp::Endpoints& ends) const;
  std::uint16_t free_port(const tcp::Endpoints& ends);
  std::uint16_t next_identification() { return ++identification_; }

  TcpEndpoint& make_endpoint(const SocketSettings& settings);
  std::unique_ptr<SocketDiscipline> make_discipline(TcpEndpoint& socket) const {
    return make_discipline_(socket);
  }
  void destroy(TcpEndpoint& endpoint);
  /// Gives an endpoint both its ends, with a free port. Returns false if the peer cannot be
  /// reached, or no port is left.
  bool prepare_connect(TcpEndpoint& endpoint, const Address& to);
  bool bind(TcpEndpoint& endpoint, const tcp::Endpoints& ends);  ///< false: the flow is taken
  void unbind(TcpEndpoint& endpoint);
  void to_time_wait(const TimeWait::Bucket& bucket) { time_wait_.add(bucket); }
  bool add_listener(TcpListener& listener);  ///< false: the port is taken
  void remove_listener(TcpListener& listener);
  /// Lets adapters that run TCP take connections for a listener.
  void offer_to_adapters(TcpListener& listener);
  /// Both ends of a connection to an address, with a free port. Nothing if no port is left.
  std::optional<tcp::Endpoints> ends_to(Interface& interface, const Address& to);
  /// The connections that adapters run.
  OffloadedSockets& offloaded() { return offloaded_; }
  void unreachable(Neighbour& neighbour);
  void add_echo(std::uint16_t id, Echo& echo) { echoes_[id] = &echo; }
  void remove_echo(std::uint16_t id) { echoes_.erase(id); }
  void freed(const RxPacket& packet) { pool_.free(packet.buffer, packet.buffer_bytes); }

  observe::Counter segments_in{"segments_in", "1", "TCP segments received, undamaged"};
  observe::Counter segments_out{"segments_out", "1",
                                "TCP segments sent; one that the adapter cuts counts once"};
  observe::Counter out_of_order{"out_of_order", "1",
                                "TCP segments of data that came before an earlier one"};
  observe::Counter data_bytes_in{"data_bytes_in", "B", "TCP payload received"};
  observe::Counter data_bytes_out{"data_bytes_out", "B",
                                  "TCP payload sent, retransmissions included"};
  observe::Counter written_bytes{"written_bytes", "B",
                                 "user data that programs have written into TCP sockets"};
  observe::Counter retransmits{"retransmits", "1", "TCP segments sent again"};
  observe::Counter resets_out{"resets_out", "1", "RST sent to segments of no connection"};
  observe::Counter connections{"connections", "1", "handshakes completed"};
  observe::Counter connections_failed{"connections_failed", "1",
                                      "connections that ended by a reset or a timeout"};
  observe::Counter drop_malformed{
      "drop_malformed", "1", "packets that contradict themselves, or are of no known protocol"};
  observe::Counter drop_checksum{"drop_checksum", "1", "packets with a wrong checksum"};
  observe::Counter drop_address{"drop_address", "1",
                                "packets to an address that is not this host's"};
  observe::Counter drop_input_queue{"drop_input_queue", "1",
                                    "packets that the input queue had no room for"};
  observe::Counter drop_qdisc{"drop_qdisc", "1", "packets that the sending queue had no room for"};
  observe::Counter drop_socket_memory{"drop_socket_memory", "1",
                                      "segments that a socket's receive memory had no room for"};
  observe::Counter collapsed{
      "collapsed", "1", "pages that received data were copied together into, for lack of memory"};
  observe::Counter drop_syn{"drop_syn", "1", "SYNs that a listener's queue had no room for"};
  observe::Counter drop_no_memory{"drop_no_memory", "1", "packets that no memory was left for"};
  observe::Counter drop_neighbour{"drop_neighbour", "1",
                                  "packets whose next station did not answer in time"};
  observe::Counter backlogged{"backlogged", "1", "segments that waited for a socket's owner"};
  observe::Counter prequeued{"prequeued", "1", "segments left to a waiting reader"};
  observe::Counter linearized{"linearized", "1",
                              "packets copied together because the adapter could not gather them"};
  observe::Counter verify_errors{"verify_errors", "1",
                                 "reads of a socket in verify mode that found a wrong byte"};
  observe::Counter echo_requests{"echo_requests", "1", "ICMP and ICMPv6 echo requests answered"};
  observe::Level qdisc{"qdisc", "1", "packets in the sending queues"};
  observe::Level input_backlog{"input_backlog", "1", "packets in the input queues"};
  observe::Level open_connections{"open_connections", "1",
                                  "connections, from their first SYN to their end"};
  observe::Level time_wait_level{"time_wait", "1", "connections in TIME-WAIT without a socket"};
  observe::Level cwnd{"cwnd", "B", "congestion windows of all connections together"};
  observe::Level flight{"flight", "B",
                        "TCP payload sent and not acknowledged, of all connections together"};

 private:
  void input_tcp(Interface& interface, const RxPacket& packet);
  void input_icmp(Interface& interface, const RxPacket& packet, bool ipv6);
  void answer_echo(Interface& interface, const RxPacket& packet, bool ipv6, std::uint32_t at,
                   std::uint32_t bytes);
  bool passes(const RxPacket& packet) const;
  void sum(const RxPacket& packet, std::uint32_t size);
  bool leaves_sum(std::uint32_t bytes) const;
  InputQueue& input_queue();
  TcpEndpoint* find(const FlowKey& key);

  const NetParams params_;
  const tcp::TcpConfig tcp_;
  const MakeSocketDiscipline make_discipline_;
  Passage* passage_ = nullptr;
  MemoryPool& pool_;
  Timers& timers_;
  ReceiveBuffers receive_buffers_;
  std::vector<std::unique_ptr<Interface>> interfaces_;
  std::vector<std::pair<Processor*, std::unique_ptr<InputQueue>>> input_queues_;
  std::vector<std::unique_ptr<TcpEndpoint>> endpoints_;  // by slot
  std::vector<std::uint32_t> free_endpoints_;
  std::size_t endpoints_in_use_ = 0;
  std::unordered_map<FlowKey, TcpEndpoint*, FlowKey::Hash> flows_;
  TcpEndpoint* last_found_ = nullptr;
  OffloadedSockets offloaded_{open_connections};
  observe::SoftwareWatcher* watcher_ = nullptr;
  std::unordered_map<std::uint16_t, TcpListener*> listeners_;
  TimeWait time_wait_;
  std::unordered_map<std::uint16_t, Echo*> echoes_;
  std::uint16_t identification_ = 0;
  std::uint16_t next_port_ = 32768;
};

}  // namespace longhaul::host

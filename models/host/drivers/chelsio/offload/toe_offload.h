// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/host/drivers/chelsio/offload/message_sender.h"
#include "models/host/drivers/chelsio/offload/toe_params.h"
#include "models/host/kernel/softirq.h"
#include "models/host/net/tcp_offload.h"

namespace longhaul::host::chelsio {

class ToeFlow;

/// TCP offload of a Terminator, as its driver does it: the chip's tables, and messages both ways.
///
/// Messages of the chip are handled one after the other in a softirq, by one processor at a time,
/// like a tasklet.
class ToeOffload final : public sc_core::sc_module, public TcpOffload, private Softirq {
 public:
  /// Counters of connections that the host opens (host_opens()).
  struct Moves {
    observe::Counter given{"given", "1", "connections that the host has given to the chip"};
    observe::Counter returned{"returned", "1", "connections that the chip has given back"};
    observe::Counter timed_out{"returned_timed_out", "1",
                               "of these: the peer had not answered in time"};
  };
  /// A received message, and its buffer if it has data.
  struct Arrived {
    CplMessage message;
    RxPacket data;
  };

  ToeOffload(const sc_core::sc_module_name& name, const DriverSetup& setup,
             const ToeDriverParams& params, MessageSender::Chip& chip);
  ~ToeOffload() override;

  // TcpOffload.
  std::uint32_t header_bytes() const override { return nic::terminator::cpl::kTxDataBytes; }
  std::uint32_t message_bytes() const override { return message_bytes_; }
  const OffloadCosts& costs() const override { return costs_; }
  std::uint32_t credit_bytes() const override { return credit_bytes_; }
  std::uint64_t receive_buffer() const override { return receive_buffer_; }
  OffloadFlow* connect(OffloadUser& user, const tcp::Endpoints& ends, const MacAddress& station,
                       const OffloadOptions& options) override;
  bool host_opens() const override { return moves_ != nullptr; }
  bool window_moves() const override { return window_moves_; }
  OffloadFlow* take(OffloadUser& user, const tcp::Endpoints& ends, const MacAddress& station,
                    const OffloadOptions& options, const tcp::Context& first) override;
  void listen(OffloadServer& server, std::uint16_t port) override;
  void stop_listening(OffloadServer& server) override;

  // For the driver.
  MessageSender& sender() { return sender_; }
  /// The chip takes messages. `mac` is the interface's.
  void up(const MacAddress& mac);
  /// The chip will take none, but still does: programs get an error, peers a RST.
  void down();
  /// The chip has forgotten everything.
  void forget();
  bool has_flows() const { return !tids_.empty() || !atids_.empty(); }
  std::size_t flows() const { return flows_.size(); }
  /// Null unless the host opens the connections.
  const Moves* moves() const { return moves_.get(); }
  /// A message has come, in softirq or hardirq context.
  void arrived(const Arrived& arrived);

  observe::Counter opened{"opened", "1", "connections that the chip runs, by either end"};
  observe::Counter refused{"refused", "1", "SYNs refused: no listener, or no room in its queue"};
  observe::Counter no_room{"no_room", "1",
                           "connections left to the host's TCP, because a table was full"};
  observe::Counter messages_in{"messages_in", "1", "messages of the chip"};
  observe::Counter data_messages_in{"data_messages_in", "1", "messages of the chip with data"};
  observe::Counter data_messages_out{"data_messages_out", "1", "messages to the chip with data"};
  observe::Counter unknown{"unknown", "1", "messages of the chip that contradict themselves"};

 private:
  friend class ToeFlow;
  static constexpr std::uint32_t kServers = 256;   // of the TCAM's region of servers
  static constexpr std::uint32_t kStations = 256;  // entries of the L2T that the driver uses
  static constexpr std::uint32_t kAtids = 65536;

  struct Server {
    OffloadServer* user = nullptr;
    std::uint16_t port = 0;
  };

  bool run() override;
  bool drain(std::uint32_t most);
  void handle(const Arrived& arrived);
  void handle_open_reply(const CplMessage& message);
  void handle_take_reply(const CplMessage& message);
  void handle_established(const CplMessage& message);
  void handle_accept_request(const CplMessage& message);
  void handle_data(ToeFlow& flow, const Arrived& arrived);
  void handle_aborted(ToeFlow& flow, const CplMessage& message);
  bool find_station(const MacAddress& address, std::uint32_t& index);
  ToeFlow& make(const tcp::Endpoints& ends, const OffloadOptions& options);
  /// A new flow of a user that opens, with its atid. Null if the chip takes none now; `settings`
  /// gets the next station.
  ToeFlow* make_active(OffloadUser& user, const tcp::Endpoints& ends, const MacAddress& station,
                       CplConnection& settings);
  ToeFlow* find(std::uint32_t tid) const;
  void set_tid(ToeFlow& flow, std::uint32_t tid);
  /// The chip has let go of it.
  void erase(ToeFlow& flow);
  void freed(const RxPacket& data);

  const DriverSetup& setup_;
  const OffloadCosts costs_;
  const std::uint32_t message_bytes_;
  const std::uint32_t credit_bytes_;
  const std::uint64_t receive_buffer_;
  const bool window_moves_;
  const bool credits_wait_;
  const std::unique_ptr<Moves> moves_;
  MessageSender sender_;
  bool on_ = false;
  std::array<Server, kServers> servers_;
  std::vector<MacAddress> stations_;
  std::unordered_map<const ToeFlow*, std::unique_ptr<ToeFlow>> flows_;
  std::unordered_map<std::uint32_t, ToeFlow*> tids_;
  std::unordered_map<std::uint32_t, ToeFlow*> atids_;
  std::uint32_t next_atid_ = 0;
  std::deque<Arrived> waiting_;
  bool draining_ = false;
};

}  // namespace longhaul::host::chelsio

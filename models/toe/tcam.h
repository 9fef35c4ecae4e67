// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/toe/messages.h"

namespace longhaul::toe {

/// The associative memory that finds the owner of a packet: connections by both ends, servers by
/// local port and address. The index of a connection's entry is its tid; a new one takes the lowest
/// free index.
class Tcam {
 public:
  /// `connections` and `servers` are numbers of entries.
  Tcam(std::uint32_t connections, std::uint32_t servers);

  /// Returns the connection with these ends.
  std::optional<Tid> find(const Ends& ends) const;
  /// Enters a connection, which must not be there, and returns its tid. Nothing if the memory is
  /// full.
  std::optional<Tid> insert(const Ends& ends);
  /// Packets find a connection until it is forgotten; its entry stays taken.
  void forget(Tid tid) { by_ends_.erase(ends_[tid]); }
  /// Frees the entry of a connection that was forgotten.
  void free(Tid tid);
  /// Whether an entry is in use.
  bool holds(Tid tid) const { return tid < ends_.size() && used(tid); }
  bool full() const { return in_use.value() == ends_.size(); }

  struct Server {
    Stid stid = 0;
    Ipv4Address address{};  ///< zeros: any
    std::uint16_t port = 0;
    Policy policy = Policy::kAsk;
    ConnectionOptions options;
  };
  /// Returns the server for a SYN to these ends. One with the address goes before one for all.
  const Server* find_server(const Ends& ends) const;
  /// Enters a server. kInUse if its port or stid is taken, kTableFull without a free entry.
  Error add_server(const Server& server);
  /// Returns false if there is no such server.
  bool remove_server(Stid stid);
  void clear_servers();

  static std::uint64_t hash(const Ends& ends);

  observe::Level in_use{"tcam_connections", "1", "entries of connections"};
  observe::Level servers_in_use{"tcam_servers", "1", "entries of servers"};

 private:
  struct Hash {
    std::size_t operator()(const Ends& ends) const { return hash(ends); }
  };
  bool used(Tid tid) const { return (taken_[tid / 64] >> (tid % 64) & 1U) != 0; }
  Tid lowest_free();

  std::vector<Ends> ends_;            // by tid
  std::vector<std::uint64_t> taken_;  // bits by tid
  std::size_t first_word_ = 0;        // no free entry below this word
  std::unordered_map<Ends, Tid, Hash> by_ends_;
  std::vector<Server> servers_;
  const std::uint32_t most_servers_;
};

}  // namespace longhaul::toe

// SPDX-License-Identifier: Apache-2.0
#include "models/toe/tcam.h"

#include <algorithm>
#include <cstring>

namespace longhaul::toe {

std::uint64_t Tcam::hash(const Ends& ends) {
  std::uint32_t local = 0;
  std::uint32_t peer = 0;
  std::memcpy(&local, ends.local.data(), sizeof local);
  std::memcpy(&peer, ends.peer.data(), sizeof peer);
  std::uint64_t mixed = std::uint64_t{local} << 32U | peer;
  mixed ^= (std::uint64_t{ends.local_port} << 16U | ends.peer_port) * 0x9e3779b97f4a7c15ULL;
  mixed ^= mixed >> 29U;
  mixed *= 0xbf58476d1ce4e5b9ULL;
  return mixed ^ mixed >> 32U;
}

Tcam::Tcam(std::uint32_t connections, std::uint32_t servers)
    : ends_(connections), taken_((connections + 63) / 64, 0), most_servers_(servers) {
  // The bits behind the last entry are never free.
  if (connections % 64 != 0) taken_.back() = ~0ULL << (connections % 64);
}

std::optional<Tid> Tcam::find(const Ends& ends) const {
  const auto found = by_ends_.find(ends);
  if (found == by_ends_.end()) return std::nullopt;
  return found->second;
}

Tid Tcam::lowest_free() {
  while (taken_[first_word_] == ~0ULL) ++first_word_;
  return static_cast<Tid>(first_word_ * 64 +
                          static_cast<std::size_t>(__builtin_ctzll(~taken_[first_word_])));
}

std::optional<Tid> Tcam::insert(const Ends& ends) {
  if (full()) return std::nullopt;
  const Tid tid = lowest_free();
  taken_[tid / 64] |= 1ULL << (tid % 64);
  ends_[tid] = ends;
  by_ends_.emplace(ends, tid);
  in_use.add(1);
  return tid;
}

void Tcam::free(Tid tid) {
  taken_[tid / 64] &= ~(1ULL << (tid % 64));
  first_word_ = std::min<std::size_t>(first_word_, tid / 64);
  in_use.add(-1);
}

const Tcam::Server* Tcam::find_server(const Ends& ends) const {
  const Server* any = nullptr;
  for (const Server& server : servers_) {
    if (server.port != ends.local_port) continue;
    if (server.address == ends.local) return &server;
    if (server.address == Ipv4Address{}) any = &server;
  }
  return any;
}

Error Tcam::add_server(const Server& server) {
  const bool clash = std::any_of(servers_.begin(), servers_.end(), [&](const Server& each) {
    return each.stid == server.stid || (each.port == server.port && each.address == server.address);
  });
  if (clash) return Error::kInUse;
  if (servers_.size() >= most_servers_) return Error::kTableFull;
  servers_.push_back(server);
  servers_in_use.add(1);
  return Error::kNone;
}

bool Tcam::remove_server(Stid stid) {
  const auto found = std::find_if(servers_.begin(), servers_.end(),
                                  [&](const Server& server) { return server.stid == stid; });
  if (found == servers_.end()) return false;
  servers_.erase(found);
  servers_in_use.add(-1);
  return true;
}

void Tcam::clear_servers() {
  servers_.clear();
  servers_in_use.set(0);
}

}  // namespace longhaul::toe

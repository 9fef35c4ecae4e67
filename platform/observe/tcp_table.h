// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/observe/wave_scope.h"

namespace longhaul::observe {

/// A system's state of a TCP connection, in the units of Linux' structures: sending windows in
/// segments, times in microseconds, sequence numbers as on the wire. States have the numbers of
/// include/net/tcp_states.h and enum tcp_ca_state.
struct TcpState {
  enum Field : std::size_t {
    kSkState,
    kCaState,
    kSndUna,
    kSndNxt,
    kRcvNxt,
    kSndWnd,
    kRcvWnd,
    kCwnd,
    kSsthresh,
    kSrttUs,
    kRtoUs,
    kBackoff,
    kPacketsOut,
    kSackedOut,
    kLostOut,
    kRetransOut,
    kTotalRetrans,
    kFields
  };
  static constexpr std::size_t kOwn = 3;
  std::array<std::uint32_t, kFields> values{};
  std::array<std::uint32_t, kOwn> own{};  ///< of TcpTable::own_rows()
};

/// A row that only some systems have. Without names it is a number.
struct TcpRow {
  const char* name;
  std::uint32_t width;
  WaveStates names;
};

/// The two ends of a connection, seen from its host. IPv4 addresses are in the first four bytes.
struct TcpEnds {
  bool ipv6 = false;
  std::array<std::uint8_t, 16> local{};
  std::array<std::uint8_t, 16> remote{};
  std::uint16_t local_port = 0;
  std::uint16_t remote_port = 0;

  bool operator==(const TcpEnds& other) const {
    return ipv6 == other.ipv6 && local == other.local && remote == other.remote &&
           local_port == other.local_port && remote_port == other.remote_port;
  }
  /// The remote end as part of a name: "10_0_0_2_5001".
  std::string remote_text() const;
};

/// The TCP connections of a host, of a real kernel or a model. Reading costs the host nothing.
class TcpTable {
 public:
  virtual ~TcpTable() = default;
  /// Handles, never 0, of the present connections, without those in TIME-WAIT and half-open
  /// requests.
  virtual void find(std::vector<std::uint64_t>& sockets) = 0;
  /// Reads a connection's ends. Returns false if there is none.
  virtual bool ends(std::uint64_t socket, TcpEnds& ends) const = 0;
  /// Reads a connection's state. Returns false if there is none.
  virtual bool state(std::uint64_t socket, TcpState& state) const = 0;
  /// The rows of TcpState::own, at most TcpState::kOwn.
  virtual std::vector<TcpRow> own_rows() const { return {}; }
};

}  // namespace longhaul::observe

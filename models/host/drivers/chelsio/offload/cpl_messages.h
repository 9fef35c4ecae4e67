// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/common/big_endian.h"
#include "models/host/net/address.h"
#include "models/host/net/tcp_offload.h"
#include "models/nic/terminator/offload/cpl_context.h"
#include "models/nic/terminator/offload/cpl_fields.h"

/// CPL5's messages of TCP offload as the driver writes and reads them. Structs are those of Linux
/// 6.1 cxgb/cpl5_cmd.h; the bits of their words are in models/nic/terminator/README.md.
namespace longhaul::host::chelsio {

using nic::terminator::cpl::Opcode;

/// A message without data.
struct CplMessage {
  static constexpr std::uint32_t kMostBytes = 48;
  std::array<std::uint8_t, kMostBytes> bytes{};
  std::uint32_t size = 0;

  Opcode opcode() const { return static_cast<Opcode>(bytes[0]); }
  std::uint8_t byte(std::uint32_t at) const { return bytes.at(at); }
  std::uint16_t half(std::uint32_t at) const { return read_be16(&bytes.at(at)); }
  std::uint32_t word(std::uint32_t at) const { return read_be32(&bytes.at(at)); }
  std::uint32_t tid() const { return nic::terminator::cpl::kTidField.get(word(0)); }
  /// The ends of the connection in it, as the host sees them: local first.
  tcp::Endpoints ends() const;
  template <std::size_t N>
  std::array<std::uint8_t, N> get(std::uint32_t at) const {
    std::array<std::uint8_t, N> out{};
    for (std::uint32_t i = 0; i < N; ++i) out.at(i) = byte(at + i);
    return out;
  }
};

/// Bytes that a message from the chip has at least; 0 if the driver does not use the message.
std::uint32_t least_bytes(Opcode opcode);

/// Settings of a connection in the chip.
struct CplConnection {
  OffloadOptions options;
  std::uint32_t station = 0;  ///< entry of the L2T
};

/// The largest window of opt0l; a larger one is written into the TCB (toe::TcbField).
constexpr std::uint64_t kLargestOpt0Window = 16383ULL << 10U;

CplMessage l2t_write(std::uint32_t index, const MacAddress& station);
CplMessage smt_write(const MacAddress& source);
CplMessage act_open(std::uint32_t atid, const tcp::Endpoints& ends, const CplConnection& settings);
CplMessage pass_open(std::uint32_t stid, std::uint16_t port);
CplMessage close_server(std::uint32_t stid);
CplMessage pass_accept(std::uint32_t tid, const HostBytes& peer, const CplConnection& settings);
CplMessage pass_reject(std::uint32_t tid, const HostBytes& peer);
CplMessage close_connection(std::uint32_t tid);
CplMessage abort_request(std::uint32_t tid);
CplMessage abort_reply(std::uint32_t tid);
CplMessage credits(std::uint32_t tid, std::uint32_t bytes);
CplMessage set_window(std::uint32_t tid, std::uint64_t bytes);
// Of a connection that the host has opened (../../nec).
CplMessage take_request(std::uint32_t atid, const tcp::Endpoints& ends,
                        const CplConnection& settings, const tcp::Context& first);
CplMessage take_context(std::uint32_t tid, const tcp::Context& context);
CplMessage return_request(std::uint32_t tid);
/// The context in a kReturned, near `known`.
tcp::Context context_in(const CplMessage& message, const tcp::Context& known);

/// CPL_TX_DATA, to which `bytes` of data belong.
CplMessage tx_data(std::uint32_t tid, std::uint32_t bytes, bool push);

}  // namespace longhaul::host::chelsio

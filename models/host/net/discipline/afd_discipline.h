// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/ring_buffer.h"
#include "models/host/net/discipline/socket_discipline.h"

namespace longhaul::host {

/// Windows: the kernel part of Winsock (AFD) above TDI (models/host/profiles/README.md#afd).
///
/// A send call has its own buffer, which is copied whole and freed when all of it is acknowledged.
/// The call returns at once while the earlier calls hold less than the send buffer, or there is
/// only one.
///
/// A waiting receive call is posted to TCP. Segments fill its buffer, and it returns when that is
/// full or a segment was pushed. Data without a waiting call are copied into AFD's memory; up to
/// `receive_ahead` bytes of them do not close the window.
class AfdDiscipline final : public SocketDiscipline {
 public:
  explicit AfdDiscipline(TcpEndpoint& socket) : socket_(socket) {}

  std::uint64_t send(Process& process, std::uint64_t user, std::uint64_t bytes) override;
  std::uint64_t receive(Process& process, std::uint64_t user, std::uint64_t bytes) override;
  void established() override;
  void update_window(std::uint64_t unread, std::uint64_t charged) override;
  void store(const Arrival& arrival, const Payload& payload) override;
  void readable() override {}  // store() wakes the reader
  void writable() override;

 private:
  bool send_may_return() const;
  bool receive_may_return() const;
  void fill_posted(bool pushed);
  RxPacket set_aside(const RxPacket& packet, std::uint64_t& address, std::uint32_t bytes);
  std::uint64_t posted_room() const { return posted_.bytes - posted_.filled; }
  std::uint64_t receive_ahead() const;

  /// A receive call that waits.
  struct Posted {
    std::uint64_t user = 0;
    std::uint64_t bytes = 0;  // 0: no call waits
    std::uint64_t filled = 0;
    bool pushed = false;
  };

  TcpEndpoint& socket_;
  Posted posted_;
  /// Stream offsets at which send calls end that are not wholly acknowledged.
  RingBuffer<std::uint64_t> sends_;
  std::uint64_t sends_begin_ = 0;  // where the first of these calls begins
};

}  // namespace longhaul::host

// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/discipline/disciplines.h"
#include "models/host/net/discipline/stream_discipline.h"
#include "models/host/net/stack.h"

namespace longhaul::host {
namespace {

/// Linux 2.6, up to 4.13: a waiting reader gets the segments that the softirq receives, up to the
/// socket's memory, and handles them itself (tcp_prequeue()).
class Linux26Discipline : public StreamDiscipline {
 public:
  using StreamDiscipline::StreamDiscipline;

  bool prequeue(const Arrival& arrival) final {
    SocketLock& lock = socket().lock();
    if (!reader_waits_ || lock.prequeued_bytes() >= socket().input().memory().limit()) return false;
    socket().stack().prequeued.add();
    const bool first = !lock.has_backlog();
    lock.prequeue(arrival);
    if (first) socket().readers().wake_all();
    return true;
  }

 protected:
  void wait_readable(Process& process) final {
    reader_waits_ = true;
    StreamDiscipline::wait_readable(process);
    reader_waits_ = false;
  }

 private:
  bool reader_waits_ = false;
};

/// Linux 2.4 and early 2.6: segments that fit into the reader's buffer are acknowledged once, when
/// the reader has copied them (tcp_rcv_established() delays the ACK, tcp_recvmsg() sends it).
class Linux24Discipline final : public Linux26Discipline {
 public:
  using Linux26Discipline::Linux26Discipline;

  bool holds_acks(std::uint64_t unread) const override {
    return reader_room_ != 0 && unread <= reader_room_;
  }

 private:
  void process_backlog(std::uint64_t room) override {
    socket().input().report_read();
    reader_room_ = room;
    socket().lock().process_segments();
    reader_room_ = 0;
  }

  std::uint64_t reader_room_ = 0;
};

}  // namespace

std::unique_ptr<SocketDiscipline> make_linux_26_discipline(TcpEndpoint& socket) {
  return std::make_unique<Linux26Discipline>(socket);
}

std::unique_ptr<SocketDiscipline> make_linux_24_discipline(TcpEndpoint& socket) {
  return std::make_unique<Linux24Discipline>(socket);
}

}  // namespace longhaul::host

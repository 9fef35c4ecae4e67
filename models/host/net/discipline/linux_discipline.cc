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

  bool takes_at_once(std::uint64_t unread) const final { return unread <= reader_room_; }

 protected:
  void wait_readable(Process& process) final {
    reader_waits_ = true;
    StreamDiscipline::wait_readable(process);
    reader_waits_ = false;
  }
  void process_backlog(std::uint64_t room) final {
    reader_room_ = room;
    handle_backlog();
    reader_room_ = 0;
  }
  bool reads_backlog() const { return reader_room_ != 0; }
  virtual void handle_backlog() { socket().lock().process_backlog(); }

 private:
  bool reader_waits_ = false;
  std::uint64_t reader_room_ = 0;
};

/// Linux 2.4 and early 2.6: segments that fit into the reader's buffer are acknowledged once, when
/// the reader has copied them (tcp_rcv_established() delays the ACK, tcp_recvmsg() sends it).
class Linux24Discipline final : public Linux26Discipline {
 public:
  using Linux26Discipline::Linux26Discipline;

  bool holds_acks(std::uint64_t unread) const override {
    return reads_backlog() && takes_at_once(unread);
  }

 private:
  void handle_backlog() override {
    socket().input().report_read();
    socket().lock().process_segments();
  }
};

}  // namespace

std::unique_ptr<SocketDiscipline> make_linux_26_discipline(TcpEndpoint& socket) {
  return std::make_unique<Linux26Discipline>(socket);
}

std::unique_ptr<SocketDiscipline> make_linux_24_discipline(TcpEndpoint& socket) {
  return std::make_unique<Linux24Discipline>(socket);
}

}  // namespace longhaul::host

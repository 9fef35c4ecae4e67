// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/models/host/drivers/chelsio/offload/random_connection.h"

#include <fmt/format.h>

#include <algorithm>

namespace longhaul::host::offload_testing {
namespace {

std::unique_ptr<TcpSocket> socket_of(ToeHost& host, const EndPlan& plan) {
  auto socket = make_socket(host, plan.buffer);
  socket->set_nodelay(plan.nodelay);
  return socket;
}

}  // namespace

void RandomConnection::start(ToeHost& client, ToeHost& server, std::uint8_t server_number,
                             const bool& up) {
  ends_[0].plan = &plan_.client;
  ends_[0].host = &client;
  ends_[1].plan = &plan_.server;
  ends_[1].host = &server;
  for (End& end : ends_) {
    end.to_write = end.host->allocate(end.plan->write);
    end.to_read = end.host->allocate(end.plan->read);
    ++programs_;
    end.host->machine.run(
        [this, &end, server_number, &up](Program& self) {
          while (!up) self.sleep_ps(kMs);
          run(self, end, server_number);
          ++ended_;
        },
        end.plan->processor);
    if (aborts(end)) continue;
    ++programs_;
    end.host->machine.run(
        [this, &end](Program& self) {
          while (!end.open) self.sleep_ps(10 * kMs);
          read(self, end);
          end.reader_done = true;
          ++ended_;
        },
        end.plan->reading_processor);
  }
}

std::string RandomConnection::describe() const {
  const auto text = [](const End& end) {
    return fmt::format("{}{} sent {} of {}, received {}{}", end.open ? "open" : "not open",
                       end.offloaded ? " (offloaded)" : "", end.sent, end.plan->bytes, end.received,
                       end.reader_done ? ", read all" : "");
  };
  return fmt::format("port {}, upset {}, {} attempts: client {}; server {}", port_,
                     static_cast<int>(plan_.upset), attempts_, text(ends_[0]), text(ends_[1]));
}

bool RandomConnection::aborts(const End& end) const {
  return plan_.upset == (&end == ends_.data() ? ConnectionPlan::Upset::kClientAborts
                                              : ConnectionPlan::Upset::kServerAborts);
}

void RandomConnection::run(Program& self, End& end, std::uint8_t server_number) {
  if (&end == ends_.data()) {
    self.sleep_ps(plan_.start_ps);
    while (!open_client(self, end, server_number)) self.sleep_ps(500 * kMs);
  } else {
    open_server(self, end);
  }
  end.offloaded = is_offloaded(*end.socket);
  end.open = true;
  if (aborts(end)) return abort(self, end, server_number);
  write(self, end);
  while (end.plan->closes_last && !end.reader_done) self.sleep_ps(10 * kMs);
  end.socket->shutdown(self);
  while (!end.reader_done) self.sleep_ps(10 * kMs);
  check(end);
  close(self, end);
}

bool RandomConnection::open_client(Program& self, End& end, std::uint8_t server_number) {
  ++attempts_;
  end.socket = socket_of(*end.host, *end.plan);
  if (end.socket->connect(self, ToeHost::address(server_number, port_))) return true;
  if (!end.socket->error()) fail("connect() failed without a reason");
  close(self, end);
  return false;
}

void RandomConnection::open_server(Program& self, End& end) {
  const auto listener = socket_of(*end.host, *end.plan);
  listener->listen(self, port_, 3);
  end.socket = listener->accept(self);
  // Connections whose client has heard of them are served, so the listener ends last.
  listener->close(self);
}

void RandomConnection::write(Program& self, End& end) {
  while (end.sent < end.plan->bytes) {
    const std::uint64_t wanted = std::min(end.plan->write, end.plan->bytes - end.sent);
    const std::uint64_t n = end.socket->send(self, end.to_write, wanted);
    end.sent += n;
    if (n < wanted) break;
    if (end.plan->write_pause_ps != 0) self.sleep_ps(end.plan->write_pause_ps);
  }
}

void RandomConnection::read(Program& self, End& end) {
  while (const std::uint64_t n = end.socket->receive(self, end.to_read, end.plan->read)) {
    end.received += n;
    if (end.plan->read_pause_ps != 0) self.sleep_ps(end.plan->read_pause_ps);
  }
}

void RandomConnection::abort(Program& self, End& end, std::uint8_t server_number) {
  while (end.sent < plan_.upset_after) {
    const std::uint64_t n = end.socket->send(self, end.to_write, end.plan->write);
    end.sent += n;
    if (n < end.plan->write) break;
  }
  if (plan_.upset_by_close) self.sleep_ps(30 * kMs);
  check(end);
  if (plan_.upset_by_close) {
    end.socket->close(self);
  } else {
    const Process::Syscall call(self);
    end.socket.reset();
  }
  // The last ACK of the handshake and the data may be lost. Then the RST ends a connection that
  // was never accepted, and the server waits for another one.
  while (!ends_[1].open) {
    self.sleep_ps(2000 * kMs);
    if (ends_[1].open) break;
    const auto again = make_socket(*end.host, 65536);
    again->connect(self, ToeHost::address(server_number, port_));
    again->close(self);
  }
}

void RandomConnection::close(Program& self, End& end) {
  end.socket->close(self);
  end.socket.reset();
}

void RandomConnection::check(const End& end) {
  if (end.socket->mismatch()) fail(fmt::format("wrong byte at {}", *end.socket->mismatch()));
  if (plan_.upset != ConnectionPlan::Upset::kNone) return;
  const End& peer = &end == ends_.data() ? ends_[1] : ends_[0];
  if (end.sent != end.plan->bytes) fail("a call sent less than it was asked to");
  if (end.received != peer.plan->bytes) fail("the stream ended early");
  if (end.socket->error()) fail(fmt::format("error {}", static_cast<int>(*end.socket->error())));
}

void RandomConnection::fail(const std::string& text) {
  if (failure_.empty()) failure_ = describe() + ": " + text;
}

}  // namespace longhaul::host::offload_testing

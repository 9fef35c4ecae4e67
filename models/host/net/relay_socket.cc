// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/relay_socket.h"

#include <algorithm>
#include <utility>

#include "models/host/net/stack.h"

namespace longhaul::host {

RelaySocket RelaySocket::release() { return std::exchange(*this, {}); }

bool RelaySocket::connect(Stack& stack, const SocketSettings& settings, const Address& to,
                          SocketWatcher& watcher) {
  endpoint_ = &stack.make_endpoint(settings);
  if (!stack.prepare_connect(*endpoint_, to)) return false;
  endpoint_->set_watcher(&watcher);
  endpoint_->start_connect(*Processor::current(), stack.initial_sequence(endpoint_->ends()));
  return true;
}

bool RelaySocket::take_over(Interface& interface, const SocketSettings& settings,
                            const tcp::Endpoints& ends, const tcp::Handover& handover,
                            SocketWatcher& watcher) {
  Stack& stack = interface.stack();
  TcpEndpoint& endpoint = stack.make_endpoint(settings);
  endpoint.attach(interface,
                  interface.neighbour({ends.ipv6, ends.destination, ends.destination_port}), ends);
  if (!stack.bind(endpoint, ends)) {
    endpoint.abandon();
    return false;
  }
  endpoint_ = &endpoint;
  endpoint.set_watcher(&watcher);
  endpoint.take_over(*Processor::current(), handover);
  return true;
}

void RelaySocket::watch(SocketWatcher* watcher) { endpoint_->set_watcher(watcher); }

std::uint64_t RelaySocket::splice(Process& process, std::uint64_t bytes, RelaySocket& to) {
  Processor& processor = process.processor();
  TcpEndpoint& source = *endpoint_;
  TcpEndpoint& target = *to.endpoint_;
  source.lock().acquire(processor);
  target.lock().acquire(processor);
  ReceiveQueue& received = source.input().queue();
  TcpOutput& output = target.output();
  // Data is written in batches, so that full segments leave, and long ones if the adapter segments.
  constexpr std::uint64_t kBatch = 65536;
  std::uint64_t done = 0;
  std::uint64_t unwritten = 0;
  while (done < bytes && target.may_send()) {
    const Extent front = received.front();
    if (front.bytes == 0) {
      if (!source.lock().has_backlog()) break;
      source.lock().process_backlog();
      continue;
    }
    const std::uint64_t space = output.queue().room();
    const std::uint64_t want = std::min<std::uint64_t>(front.bytes, bytes - done);
    const std::uint64_t filled =
        space == 0 ? 0 : output.copy_in(processor, front.address, want, space);
    if (filled == 0) break;
    received.consume(static_cast<std::uint32_t>(filled));
    done += filled;
    unwritten += filled;
    if (unwritten >= kBatch) target.write(std::exchange(unwritten, 0));
    processor.pay();
  }
  if (unwritten != 0) target.write(unwritten);
  target.lock().release();
  source.input().report_read();
  source.lock().release();
  return done;
}

bool RelaySocket::take(Process& process, std::uint64_t user, std::uint64_t bytes) {
  Processor& processor = process.processor();
  endpoint_->lock().acquire(processor);
  const bool there = available() >= bytes;
  if (there) {
    endpoint_->input().copy_out(processor, user, bytes);
    endpoint_->input().report_read();
  }
  endpoint_->lock().release();
  return there;
}

bool RelaySocket::put(Process& process, std::uint64_t user, std::uint64_t bytes) {
  Processor& processor = process.processor();
  endpoint_->lock().acquire(processor);
  const bool fits = room() >= bytes && endpoint_->may_send();
  std::uint64_t filled = 0;
  while (fits && filled < bytes) {
    const std::uint64_t n =
        endpoint_->output().copy_in(processor, user + filled, bytes - filled, bytes - filled);
    if (n == 0) {  // no memory is left; some is freed sooner or later
      endpoint_->stack().drop_no_memory.add();
      processor.pay();
    }
    filled += n;
  }
  if (fits) endpoint_->write(bytes);
  endpoint_->lock().release();
  return fits;
}

void RelaySocket::push(Process& process) {
  endpoint_->lock().acquire(process.processor());
  endpoint_->engine().set_nodelay(true);
  endpoint_->engine().set_nodelay(endpoint_->settings().nodelay);
  endpoint_->engine_returned();
  endpoint_->lock().release();
}

void RelaySocket::shutdown(Process& process) { endpoint_->shutdown(process); }

void RelaySocket::close(Process& process) { std::exchange(endpoint_, nullptr)->close(process); }

void RelaySocket::reset() { endpoint_->reset(); }

void RelaySocket::abandon() { std::exchange(endpoint_, nullptr)->abandon(); }

void RelaySocket::deliver(const Arrival& arrival) { endpoint_->deliver(arrival); }

std::uint64_t RelaySocket::available() const {
  const ReceiveQueue& queue = endpoint_->receive_queue();
  return queue.end() - queue.read_offset();
}

std::uint64_t RelaySocket::room() const {
  const SendQueue& queue = endpoint_->send_queue();
  return queue.limit() > queue.charged() ? queue.limit() - queue.charged() : 0;
}

bool RelaySocket::is_established() const { return endpoint_->is_established(); }

bool RelaySocket::stream_ended() const { return endpoint_->stream_ended(); }

bool RelaySocket::is_over() const { return endpoint_->is_over(); }

std::optional<SocketError> RelaySocket::error() const { return endpoint_->error(); }

}  // namespace longhaul::host

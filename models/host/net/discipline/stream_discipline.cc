// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/discipline/stream_discipline.h"

#include <algorithm>

#include "models/host/net/discipline/disciplines.h"
#include "models/host/net/stack.h"

namespace longhaul::host {

bool StreamDiscipline::may_write(std::uint64_t left) const {
  const SendQueue& queue = socket_.send_queue();
  const std::uint64_t room = queue.room();
  const std::uint64_t low =
      std::min(socket_.stack().params().send_low_water().count, queue.limit());
  return room != 0 && room >= std::min(left, low);
}

std::uint64_t StreamDiscipline::send(Process& process, std::uint64_t user, std::uint64_t bytes) {
  Processor& processor = process.processor();
  Stack& stack = socket_.stack();
  TcpOutput& output = socket_.output();
  SocketLock& lock = socket_.lock();
  lock.acquire(processor);
  std::uint64_t done = 0;
  while (done < bytes && socket_.may_send()) {
    if (!may_write(bytes - done)) {
      lock.release();
      if (!may_write(bytes - done) && !socket_.is_over()) process.wait(socket_.writers());
      lock.acquire(processor);
      continue;
    }
    const std::uint64_t filled =
        output.copy_in(processor, user + done, bytes - done, output.queue().room());
    if (filled == 0) {  // no memory is left; some is freed sooner or later
      stack.drop_no_memory.add();
      lock.release();
      process.sleep(to_ps(processor.params().tick()));
      lock.acquire(processor);
      continue;
    }
    const std::uint64_t before = output.transmissions();
    stack.written_bytes.add(filled);
    socket_.write(filled);
    done += filled;
    if (output.transmissions() == before) processor.pay();
  }
  lock.release();
  return done;
}

bool StreamDiscipline::may_read() const {
  return socket_.receive_queue().front().bytes != 0 || socket_.stream_ended() || socket_.is_over();
}

std::uint64_t StreamDiscipline::receive(Process& process, std::uint64_t user, std::uint64_t bytes) {
  Processor& processor = process.processor();
  TcpInput& input = socket_.input();
  SocketLock& lock = socket_.lock();
  lock.acquire(processor);
  std::uint64_t done = 0;
  for (;;) {
    done += input.copy_out(processor, user + done, bytes - done);
    if (done == bytes) break;
    if (lock.has_backlog()) {
      process_backlog(bytes - done);
      continue;
    }
    if (done != 0 || may_read()) break;
    wait_readable(process);
    process_backlog(bytes);
  }
  input.report_read();
  lock.release();
  return done;
}

void StreamDiscipline::process_backlog(std::uint64_t /*room*/) { socket_.lock().process_backlog(); }

void StreamDiscipline::wait_readable(Process& process) {
  SocketLock& lock = socket_.lock();
  lock.release();
  if (!may_read() && !lock.has_backlog()) process.wait(socket_.readers());
  lock.acquire(process.processor());
}

void StreamDiscipline::update_window(std::uint64_t unread, std::uint64_t charged) {
  const ReceiveMemory& memory = socket_.input().memory();
  if (memory.counts_memory()) socket_.engine().set_receive_limit(unread + memory.window(charged));
}

void StreamDiscipline::store(const Arrival& arrival, const Payload& payload) {
  socket_.input().queue().insert(arrival.packet, payload.offset, payload.address, payload.bytes,
                                 payload.charge, payload.sum_due);
}

void StreamDiscipline::readable() {
  if (!socket_.readers().empty()) socket_.readers().wake_all();
}

void StreamDiscipline::writable() {
  socket_.output().grow_buffer();
  if (!socket_.writers().empty() && socket_.send_queue().worth_waking())
    socket_.writers().wake_all();
}

std::unique_ptr<SocketDiscipline> make_stream_discipline(TcpEndpoint& socket) {
  return std::make_unique<StreamDiscipline>(socket);
}

}  // namespace longhaul::host

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "models/common/observe/probe.h"
#include "models/memory/flow_book.h"

namespace longhaul::memory {

/// One direction of a link, or a bus: a resource that lines occupy.
class LinkDirection final : public sc_core::sc_module {
 public:
  LinkDirection(const sc_core::sc_module_name& name, std::size_t flows)
      : sc_module(name), book_(flows) {}

  std::uint64_t quote(std::size_t flow, std::uint64_t at_ps, std::uint64_t work_ps) const {
    return book_.quote(flow, book_.free_ps(flow, at_ps), work_ps);
  }
  void book(std::size_t flow, std::uint64_t at_ps, std::uint64_t end_ps, std::uint64_t work_ps,
            std::uint64_t bytes_moved, bool write) {
    book_.book(flow, now_ps(), book_.free_ps(flow, at_ps), end_ps, work_ps, write);
    busy_ps.add(work_ps);
    bytes.add(bytes_moved);
  }
  std::uint64_t wait_ps(std::size_t flow, std::uint64_t at_ps, std::uint64_t item_ps) const {
    return book_.wait_ps(flow, at_ps, item_ps);
  }

  observe::Counter busy_ps{"busy_ps", "ps", "time for which it was booked"};
  observe::Counter bytes{"bytes", "B", "bytes that crossed it, packet headers included"};

 private:
  FlowBook book_;
};

}  // namespace longhaul::memory

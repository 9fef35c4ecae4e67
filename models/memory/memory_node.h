// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/memory/dram_banks.h"
#include "models/memory/flow_book.h"

namespace longhaul::memory {

/// Consecutive lines that one requester moves to or from one node.
struct NodeAccess {
  std::size_t flow = 0;
  std::uint64_t address = 0;  ///< within the node
  std::uint64_t bytes = 0;    ///< as the requester counts them
  std::uint64_t lines = 0;
  bool write = false;
  std::uint32_t ahead = 1;  ///< lines that the controller knows before it serves the first one
};

/// The times of an access if it is booked. Instants are absolute.
struct NodePlan {
  /// Wait after arrival for the requester's own earlier access.
  std::uint64_t queue_ps = 0;
  std::uint64_t row_ps = 0;    ///< from arrival until the first row can be read or written
  std::uint64_t start_ps = 0;  ///< earliest instant of the first data
  std::uint64_t work_ps = 0;   ///< time on the data bus, turn-arounds included
  std::uint64_t stall_ps = 0;  ///< later rows that could not be opened in advance
  std::uint64_t end_ps = 0;    ///< instant of the last data
};

/// The memory controller and the modules of one node: a data bus that its requesters share, open
/// rows, refresh, turn-around.
///
/// plan() opens the rows and returns the times of the data. book() occupies the bus for the
/// duration of the whole access, which links on the way may lengthen.
class MemoryNode final : public sc_core::sc_module {
 public:
  MemoryNode(const sc_core::sc_module_name& name, const DramParams& params, std::size_t flows);

  void plan(const NodeAccess& access, std::uint64_t at_ps, NodePlan& plan);
  void book(const NodeAccess& access, const NodePlan& plan, std::uint64_t end_ps);
  /// The time that a single line of `flow` waits at `at_ps` for lines of other flows.
  std::uint64_t wait_ps(std::size_t flow, std::uint64_t at_ps) const {
    return bus_.wait_ps(flow, at_ps, line_ps_);
  }

  /// Time of one line on the data bus.
  std::uint64_t line_ps() const { return line_ps_; }
  std::uint64_t cas_ps() const { return cas_ps_; }

  observe::Counter busy_ps{"busy_ps", "ps",
                           "time for which the data bus was booked, turn-arounds included"};
  observe::Counter turn_ps{"turn_ps", "ps", "of that, turn-arounds between reading and writing"};
  observe::Counter core_read_bytes{"core_read_bytes", "B", "lines that cores fetched"};
  observe::Counter core_write_bytes{"core_write_bytes", "B",
                                    "lines that cores wrote back or streamed out"};
  observe::Counter dma_read_bytes{"dma_read_bytes", "B", "bytes that devices read"};
  observe::Counter dma_write_bytes{"dma_write_bytes", "B", "bytes that devices wrote"};
  observe::Counter row_opens{"row_opens", "1", "rows opened"};
  observe::Counter row_conflicts{"row_conflicts", "1",
                                 "of those, after another row had to be closed"};

 private:
  /// The lines that a flow is moving, to know which row it has open at an instant.
  struct Stream {
    std::uint64_t start_ps = 0;
    std::uint64_t end_ps = 0;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
  };

  std::uint64_t open_rows(const NodeAccess& access, std::uint64_t at_ps, std::uint64_t& stall_ps) {
    const std::uint64_t row = banks_.row_of(access.address);
    const std::uint64_t last = banks_.row_of(access.address + access.bytes - 1);
    const std::uint64_t first_ps = open_row(access.flow, row, at_ps, false).delay_ps;
    if (row != last) open_later_rows(access, row, last, at_ps + first_ps, stall_ps);
    return first_ps;
  }
  void open_later_rows(const NodeAccess& access, std::uint64_t row, std::uint64_t last,
                       std::uint64_t first_ps, std::uint64_t& stall_ps);
  DramBanks::Opened open_row(std::size_t flow, std::uint64_t row, std::uint64_t at_ps, bool ahead) {
    const DramBanks::Opened opened = banks_.open(row, at_ps, ahead);
    if (opened.delay_ps != 0) count_opened(flow, row, at_ps, opened);
    return opened;
  }
  void count_opened(std::size_t flow, std::uint64_t row, std::uint64_t at_ps,
                    const DramBanks::Opened& opened);
  std::uint64_t turn_work_ps(const NodeAccess& access, std::uint64_t from_ps, std::uint64_t to_ps);

  const std::uint64_t line_ps_;
  const std::uint64_t line_bytes_;
  const std::uint64_t cas_ps_;
  const std::uint64_t read_gap_ps_;   // idle data bus between written and read data
  const std::uint64_t write_gap_ps_;  // idle data bus between read and written data
  const std::uint64_t turn_lines_;
  DramBanks banks_;
  FlowBook bus_;
  std::vector<Stream> streams_;
  std::uint64_t turn_carry_ = 0;  // lines counted towards the next turn-around
  std::uint64_t last_end_ps_ = 0;
  bool last_write_ = false;
};

}  // namespace longhaul::memory

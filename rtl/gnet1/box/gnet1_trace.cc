// SPDX-License-Identifier: Apache-2.0
#include "rtl/gnet1/box/gnet1_trace.h"

#include <algorithm>

namespace longhaul::cosim {
namespace {

bool begins_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

/// Returns the scope without its first `parts` parts.
std::string after(const std::string& scope, int parts) {
  std::size_t from = 0;
  for (; parts > 0 && from < scope.size(); --parts)
    from = std::min(scope.find('.', from), scope.size() - 1) + 1;
  return scope.substr(from);
}

/// Chooses the group of a scope: "gen_port_0.u_channel.u_rx" is u_rx in "port 0 stages". Each port
/// has four groups. The pins and the shared parts have one each.
TraceSelection::Place place_of(const std::string& scope) {
  if (scope.empty()) return {"pins, counters", ""};
  const std::string first = scope.substr(0, scope.find('.'));
  const std::size_t number = first.find_last_not_of("0123456789") + 1;
  if (number == first.size() || first[number - 1] != '_') return {"shared", scope};
  const std::string port = "port " + first.substr(number);
  if (begins_with(first, "tx_word_")) return {port + " transmitter", scope};
  if (!begins_with(first, "gen_port_")) return {port + " settings, status", scope};
  if (begins_with(after(scope, 1), "u_tx")) return {port + " transmitter", after(scope, 2)};
  return {port + (begins_with(after(scope, 2), "u_") ? " stages" : " path"), after(scope, 2)};
}

}  // namespace

TraceSelection gnet1_trace() {
  TraceSelection selection;
  selection.top = "gnet1.gnet1_top";
  selection.levels = 4;
  selection.place = place_of;
  selection.leave_out = {
      // Copies of other signals, some of them a clock earlier.
      "clk_i", "rst_ni", "gtx_clk", "rx_clk_i", "rx_dv_i", "rx_er_i", "rx_rst_ni", "txd_o",
      "tx_en_o", "tx_er_o", "sram_addr_o", "sram_re_o", "sram_we_o", "sram_wdata_o",
      "sram_wdata_oe", "sram_wdata_oe_o", "sram_rdata_i", "status_o", "step", "step_o", "path_step",
      "held", "held_o", "counters_i", "u_counters", "u_regs", "u_observe", "obs_word", "obs_word_o",
      "obs_take", "obs_take_o", "now_i", "gps_i", "wr_word", "rd_word", "in_word", "in_word_i",
      "word_q", "data_q", "rdata_q", "held_q", "line_q", "feed", "word_i", "path_word",
      "level_words_o", "capacity_words_i", "read_q", "write_q", "wr_slot_q", "rvalid_q", "seen_q",
      "seed_i", "seed_valid_i", "state_d", "mask_d", "active_d", "begin_d", "wr_d", "dropping_d",
      // Signals that change in each clock and do not help a reader: random numbers, intermediate
      // results, copies of the time.
      "random", "state", "probability", "tick", "tick_i", "tick_q", "tick_d", "tick_rx",
      "tick_gray", "tick_gray_i", "tick_gray_rx", "tick_o", "tick_gray_o", "second_q", "ticks_q",
      "place", "free_ahead", "floor_time", "charge", "average_gap", "idle_q",
      // Internals of the switch's table, of one-way latency and of the sampler. Their results are
      // in registers.
      "u_mac_table", "u_learn", "u_oneway", "u_sampler", "learn_address", "learn_address_o",
      "address", "address_o"};
  selection.decimal = {"_words", "_bytes", "level", "count"};
  selection.states = {
      {"gen_port.u_channel.u_rx.u_mac.state_q",
       {{0, "idle"}, {1, "preamble"}, {2, "data"}, {3, "skip"}}},
      {"gen_port.u_tx.u_mac.state_q", {{0, "idle"}, {1, "frame"}, {2, "abort"}}},
      {"cfg.discard_mode", {{0, "next"}, {1, "n-th"}, {2, "at a time"}}},
      {"obs_point", {{0, "received"}, {1, "out of memory"}, {2, "after discard"}, {3, "released"}}},
  };
  return selection;
}

}  // namespace longhaul::cosim

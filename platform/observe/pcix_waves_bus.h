// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/observe/pcix_waves.h"

namespace longhaul::observe {

/// One bus of PcixWaves: its variables, and how a tenure becomes changes of them.
class PcixWaves::Bus final : public pcix::BusListener {
 public:
  Bus(PcixWaves& waves, pcix::PcixBus& bus, std::string scope, const std::vector<std::string>& slots);

  void on_tenure(const pcix::TenureRecord& tenure) override;
  void stop() { bus_.listen(nullptr); }
  /// No later change of this bus comes before this time.
  std::uint64_t horizon_ps() const;
  /// Clock edges up to `limit_ps`.
  std::uint64_t next_edge_ps() const { return next_edge_ps_; }
  void write_edge(FstFile& file);
  /// Everything undriven and deasserted, at the begin of the window.
  void rest(std::uint64_t ps);
  /// Lets go of REQ# and GNT# that wait for a tenure which never came.
  void settle();
  std::uint64_t period_ps() const { return bus_.timing().period_ps(); }
  /// The variables as GTKWave names them, with how to show each: text, hexadecimal, or one bit.
  struct Row {
    std::string name;
    enum class Show : std::uint8_t { kBit, kHex, kText } show;
  };
  const std::vector<Row>& rows() const { return rows_; }
  const std::string& scope() const { return scope_; }

 private:
  static constexpr std::uint64_t kNever = ~0ULL;
  static constexpr std::uint32_t kNobody = ~0U;
  struct Master {
    std::string name;
    FstFile::Var req;
    FstFile::Var gnt;
    std::uint64_t release_ps = kNever;  // REQ# goes then, unless the master turns out to have kept it
  };
  struct Bit {
    FstFile::Var var = 0;
    bool value = false;
    bool known = false;
  };

  FstFile::Var add(const char* name, std::uint32_t width, Row::Show show);
  Bit add_bit(const char* name) { return {add(name, 1, Row::Show::kBit)}; }
  void bit(Bit& bit, std::uint64_t ps, bool asserted);
  void level(FstFile::Var var, std::uint64_t ps, bool asserted);
  void bits(FstFile::Var var, std::uint32_t width, std::uint64_t ps, std::uint64_t value);
  void text(FstFile::Var var, std::uint64_t ps, std::string words);
  void draw_request_and_grant(const pcix::TenureRecord& tenure);
  void draw_clock(const pcix::Pins& pins, std::uint64_t ps);
  std::string describe(const pcix::TenureRecord& tenure) const;
  std::string who(std::uint32_t agent) const;

  PcixWaves& waves_;
  pcix::PcixBus& bus_;
  const std::string scope_;
  std::vector<Row> rows_;
  std::vector<Master> masters_;  // 0: the bridge; n + 1: slot n
  FstFile::Var clk_ = 0;
  FstFile::Var transaction_ = 0;
  FstFile::Var phase_ = 0;
  FstFile::Var ad_ = 0;
  FstFile::Var cbe_ = 0;
  Bit frame_, irdy_, devsel_, trdy_, stop_, req64_, ack64_, par_, par64_;
  std::vector<pcix::Pins> clocks_;
  pcix::Pins before_;  // AD and C/BE# of the clock before, which PAR covers
  std::uint64_t next_edge_ps_ = 0;
  bool clk_high_ = false;
  std::uint64_t last_start_ps_ = 0;
  std::uint64_t last_free_ps_ = 0;
  std::uint32_t granted_ = kNobody;  // master with GNT#
};

}  // namespace longhaul::observe

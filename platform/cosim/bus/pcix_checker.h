// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/cosim/bus/pcix_clock.h"
#include "platform/cosim/bus/rule.h"

namespace longhaul::cosim {

/// Checks what a device does on a PCI-X bus, clock by clock and transaction by transaction. All
/// that it knows of a transaction comes from the bus and from who drives it.
class PcixChecker {
 public:
  /// Names in messages begin with `prefix`.
  PcixChecker(std::string prefix, CheckerSink* sink) : prefix_(std::move(prefix)), sink_(sink) {}

  /// A clock of a bus: its levels, and what the two agents drive. `granted`: GNT# is asserted.
  void clock(std::uint64_t ps, const PcixClock& bus, const PcixClock& device, const PcixClock& host,
             bool granted, bool wide);
  /// The bus is in reset.
  void reset();
  /// Reports a rule that an agent has checked.
  void broken(const Rule& rule, std::uint64_t ps, const char* signal,
              const std::string& detail = {});

 private:
  struct Header {
    std::size_t at = 0;  // clock of the last address phase
    std::uint8_t command = 0;
    std::uint64_t address = 0;
    std::uint32_t attributes = 0;
    std::uint32_t count = 0;
    bool wide = false;  // ACK64#
    std::size_t claim = 0;
    std::size_t first = 0;
    std::size_t last = 0;
  };

  bool need(bool good, const Rule& rule, const char* signal, const std::string& detail = {});
  void check_drivers(const PcixClock& device, const PcixClock& host);
  void check_parity(const PcixClock& bus, const PcixClock& device, const PcixClock& host);
  void check_transaction();
  void check_header(const Header& header);
  void check_initiator(const Header& header, std::size_t end_frame);
  void check_no_answer(const Header& header, std::size_t end_frame);
  bool check_target(Header& header);
  bool check_data(Header& header);
  void check_silence(const Header& header);
  void check_end(const Header& header, std::size_t end_frame);

  const std::string prefix_;
  CheckerSink* const sink_;
  std::uint64_t ps_ = 0;
  bool wide_ = false;
  std::vector<PcixClock> log_;  // of the transaction
  bool by_device_ = false;
  bool told_ = false;  // a rule was broken in this transaction
  bool late_abort_ = false;
  PcixClock last_;    // the bus a clock before
  PcixClock before_;  // two clocks before
  PcixClock device_;  // what the device drove a clock before
  std::uint32_t host_drove_ = 0;
  std::uint32_t granted_ = 0;  // by clocks; bit 0 is the present one
};

}  // namespace longhaul::cosim

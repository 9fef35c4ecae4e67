// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/guest/exchange_listener.h"
#include "platform/observe/record_file.h"

namespace longhaul::guest {

/// Records a guest's exchanges, one stream for each guest.
class ExchangeRecorder final : public ExchangeListener {
 public:
  /// `machine` is the machine's name.
  ExchangeRecorder(observe::RecordFile& file, const std::string& machine);

  void on_work(const cpu::WorkBatch& work, const std::vector<cpu::MemoryTouch>& touches) override;
  void on_exchange(std::uint64_t asked_ps, const lh_page& page) override;

 private:
  static constexpr std::size_t kPairs = 6;  // of a kWork line
  static constexpr std::size_t kMostLines =
      (cpu::kWorkStates * cpu::kWorkKinds + kPairs - 1) / kPairs + 1;

  observe::RecordFile& file_;
  const std::uint16_t stream_;
  std::array<observe::RecordLine, kMostLines> lines_;  // work, then room for the exchange
  std::size_t work_lines_ = 0;
  std::uint32_t touches_ = 0;
};

}  // namespace longhaul::guest

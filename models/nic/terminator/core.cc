// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/core.h"

namespace longhaul::nic::terminator {

Core::Core(const TerminatorParams& params, RegisterBank& bank, pcix::DmaEngine& dma, bool offload,
           const tcp::TcpParams& tcp, Calls calls)
    : calls_(std::move(calls)),
      interrupts_(
          "moderator", bank,
          [this] {
            if (!joined_) return 0U;
            constexpr const auto& kPl = regs::kPlIntrFields;
            return (control_.request() ? kPl.pl_intr_sge_err : 0U) | calls_.causes();
          },
          calls_.drive),
      control_(bank,
               {[this](std::uint32_t) { controlled(); },
                [this](std::uint32_t doorbell) { rung(doorbell); }, [this] { causes_changed(); }}),
      responses_("responses", bank, dma, params.core_clock(), params.credit_return(),
                 {[this] { interrupts_.data_ready(); },
                  [this] { control_.post(regs::kSgIntFields.respq_exhausted); },
                  [this] {
                    if (joined_) rx_.kick();
                  },
                  calls_.bus_error}),
      tp_(bank),
      path_("path", params, tp_, control_, offload, tcp),
      rx_("rx", {params, bank, dma, control_, responses_, calls_.bus_error},
          {[this] { path_.kick_rx(); }, [this] { path_.data_written(); }}),
      tx_("tx", {params, bank, dma, control_, responses_, calls_.bus_error},
          [this](cpl::Message message) { path_.send(std::move(message)); }) {}

void Core::attach(Line& line) {
  path_.attach(tx_, rx_, line);
  joined_ = true;
}

void Core::controlled() {
  if (!joined_) return;
  tx_.controlled();
  rx_.controlled();
  responses_.enable(control_.has(regs::kSgControlFields.response_queue_enable));
}

void Core::rung(std::uint32_t doorbell) {
  tx_.wake(doorbell);
  rx_.wake(doorbell);
}

void Core::causes_changed() {
  if (joined_) interrupts_.update();
}

void Core::append_rings(std::vector<std::pair<std::uint64_t, std::uint64_t>>& rings) const {
  rings.push_back(responses_.memory());
  for (const std::uint32_t number : {0U, 1U}) {
    rings.push_back(tx_.queue(number).memory());
    rings.push_back(rx_.free_list(number).memory());
  }
}

void Core::reset() {
  control_.reset();
  responses_.reset();
  path_.reset();
  tx_.reset();
  rx_.reset();
  interrupts_.reset();
}

}  // namespace longhaul::nic::terminator

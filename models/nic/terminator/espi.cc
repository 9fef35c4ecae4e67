// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/espi.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace longhaul::nic::terminator {
namespace {

using mac_regs::kEspiIntrFields;

constexpr std::uint32_t kSpi4Block = 16;      // OIF-SPI4-02.1: bursts count blocks of 16 B
constexpr std::uint32_t kTrainingWords = 20;  // of a training sequence, the same
constexpr std::uint32_t kLargestDropCount = 0xffff;

constexpr RegisterSpec kEspiPlain[] = {
    mac_regs::kEspiSchToken0,   mac_regs::kEspiSchToken1,      mac_regs::kEspiSchToken2,
    mac_regs::kEspiSchToken3,   mac_regs::kEspiCalendarLength, mac_regs::kRamStatus,
    mac_regs::kTxDropCount0,    mac_regs::kTxDropCount1,       mac_regs::kRxDropCount1,
    mac_regs::kRxDropThreshold, mac_regs::kEspiDip2ErrCount,
};

}  // namespace

Espi::Espi(const sc_core::sc_module_name& name, RegisterBank& bank, const MacPartParams& params,
           Frequency core_clock, observe::FrameTap& drops, Owner owner)
    : sc_module(name),
      params_(params),
      drops_(drops),
      owner_(std::move(owner)),
      fifo_("rx_fifo", params.espi_rx_fifo(), kSpi4Block,
            static_cast<std::uint32_t>(params.espi_rx_fifo().count / kSpi4Block)),
      lane_(params.spi4_rate(),
            {[this] { return tx_credit(); },
             [this](std::uint32_t bytes) { owner_.egress->moved(bytes); }, [this] { tx_done(); }}),
      command_(bank, core_clock),
      almost_empty_(bank, mac_regs::kEspiAlmostEmpty),
      almost_full_(bank, mac_regs::kEspiAlmostFull, [this] { owner_.credit_changed(); }),
      port_config_(bank, mac_regs::kPortConfig, [this] { kick_tx(); }),
      status_enable_(bank, mac_regs::kEspiFifoStatusEnable, [this] { owner_.credit_changed(); }),
      max_burst_(bank, mac_regs::kEspiMaxBurst, [this] { kick_tx(); }),
      train_(bank, mac_regs::kEspiTrain, [this] { train_written(); }),
      drop0_(bank, mac_regs::kRxDropCount0, [this] { return drop_count_; }),
      dip4_(bank, mac_regs::kDip4ErrorCount,
            [this] {
              return owner_.has_clock() ? mac_regs::kDip4Fields.train_ok.mask()
                                        : mac_regs::kDip4Fields.training.mask();
            }),
      intr_status_(
          bank, mac_regs::kEspiIntrStatus, [this] { return status_now(); },
          [this](std::uint32_t value) { status_written(value); }),
      intr_enable_(bank, mac_regs::kEspiIntrEnable, [this] { update_cause(); }),
      rx_reset_(bank, mac_regs::kEspiRxReset,
                [this] {
                  return rx_reset_.value() |
                         (owner_.has_clock() ? mac_regs::kEspiRxResetFields.clock.mask() : 0U);
                }),
      misc_(bank, mac_regs::kEspiMiscControl, [this] { owner_.credit_changed(); }) {
  for (const RegisterSpec& spec : kEspiPlain) plain_.emplace_back(bank, spec);
}

void Espi::attach(Pm3393Egress& egress, FrameSource& source, EspiClient& client) {
  owner_.egress = &egress;
  source_ = &source;
  client_ = &client;
}

// ---- receiving

std::uint64_t Espi::watermark() const {
  return std::uint64_t{almost_full_.value()} * params_.espi_watermark_bytes();
}

bool Espi::reports_status() const {
  return status_enable_.has(mac_regs::kEspiStatusEnableFields.rx_status) &&
         !misc_.has(mac_regs::kEspiMiscFields.force_status);
}

std::uint32_t Espi::credit(std::uint32_t burst) {
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint32_t>::max();
  if (!reports_status()) return 0;
  if (fifo_.empty()) return kAll;
  const std::uint64_t held = fifo_.fill.value() + coming_;
  if (held >= watermark()) return 0;
  return static_cast<std::uint32_t>(std::min(watermark() - held + burst, kAll));
}

void Espi::moved(std::uint32_t bytes) {
  coming_ += bytes;
  if (!fifo_.empty() && fifo_.fill.value() + coming_ > fifo_.capacity()) overrun_ = true;
}

void Espi::arrived(const FrameRef& frame, const sc_core::sc_time& began) {
  coming_ = 0;
  if (intr_enable_.value() != 0) false_drop_ = true;
  if (std::exchange(overrun_, false) || client_ == nullptr) {
    lose(frame);
  } else {
    fifo_.reserve(frame->size());
    fifo_.push({frame, began});
    kick_rx();
  }
  update_cause();
}

void Espi::aborted() {
  coming_ = 0;
  overrun_ = false;
}

void Espi::lose(const FrameRef& frame) {
  rx_drops.add();
  drop_count_ = std::min(drop_count_ + 1, kLargestDropCount);
  status_ |= kEspiIntrFields.rx_drop | kEspiIntrFields.rx_overflow;
  drops_.report(now(), frame, observe::FrameFate::kDropped, "ESPI receive FIFO full");
}

void Espi::kick_rx() {
  if (std::exchange(delivering_, true)) return;
  bool took = false;
  while (!fifo_.empty() && client_->take_received(fifo_.front().frame, fifo_.front().began)) {
    fifo_.release(fifo_.front().frame->size());
    fifo_.drop();
    took = true;
  }
  delivering_ = false;
  if (took) owner_.credit_changed();
}

// ---- sending

void Espi::train_written() {
  const std::uint64_t words =
      std::uint64_t{train_.get(mac_regs::kEspiTrainFields.alpha)} * kTrainingWords;
  lane_.set_training(words, train_.get(mac_regs::kEspiTrainFields.data));
}

std::uint32_t Espi::tx_credit() {
  switch (owner_.egress->status()) {
    case FifoStatus::kStarving:
      return max_burst_.get(mac_regs::kEspiMaxBurstFields.starving) * kSpi4Block;
    case FifoStatus::kHungry:
      return max_burst_.get(mac_regs::kEspiMaxBurstFields.hungry) * kSpi4Block;
    case FifoStatus::kSatisfied: break;
  }
  return 0;
}

void Espi::kick_tx() {
  if (source_ == nullptr || taking_) return;
  if (lane_.busy()) return lane_.kick();
  if (port_config_.get(mac_regs::kPortConfigFields.tx_nports) == 0) return;
  taking_ = true;
  const std::uint64_t ready_ps = source_->ready_ps();
  if (ready_ps != FrameSource::kNoFrame && ready_ps > now_ps()) {
    ready_.set(ready_ps);
  } else if (ready_ps != FrameSource::kNoFrame && tx_credit() != 0) {
    sending_ = source_->take_frame();
    if (sending_) {
      lane_.set_burst(max_burst_.get(mac_regs::kEspiMaxBurstFields.starving) * kSpi4Block);
      lane_.begin(sending_->size(), now_ps(), now_ps());
    }
  }
  taking_ = false;
}

void Espi::tx_done() {
  owner_.egress->arrived(std::exchange(sending_, {}));
  kick_tx();
}

// ---- interrupts and reset

std::uint32_t Espi::status_now() const {
  return status_ | (false_drop_ ? kEspiIntrFields.rx_drop.mask() : 0U);
}

/// T1B clears all of the status by a write of bit 0 (cxgb, t1_espi_intr_handler).
void Espi::status_written(std::uint32_t value) {
  if ((value & 1U) != 0) status_ = 0;
  update_cause();
}

void Espi::update_cause() {
  const bool level = (status_now() & intr_enable_.value()) != 0;
  if (std::exchange(cause_, level) != level) owner_.cause_changed();
}

void Espi::reset() {
  while (!fifo_.empty())
    drops_.report(now(), fifo_.pop().frame, observe::FrameFate::kDropped, "ESPI reset");
  fifo_.clear();
  aborted();
  if (sending_) {
    drops_.report(now(), std::exchange(sending_, {}), observe::FrameFate::kDropped, "ESPI reset");
    owner_.egress->aborted();
  }
  lane_.cancel();
  lane_.set_training(0, 0);
  ready_.cancel();
  command_.reset();
  status_ = drop_count_ = 0;
  false_drop_ = false;
  update_cause();
}

}  // namespace longhaul::nic::terminator

// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/board/microwire_eeprom.h"

namespace longhaul::cosim {

MicrowireEeprom::MicrowireEeprom(const sc_core::sc_module_name& name,
                                 const nic::Eeprom93c46::Words& content,
                                 const nic::Eeprom93c46Params& params)
    : sc_core::sc_module(name), eeprom_(content, params), write_over_([this] { show(); }) {}

void MicrowireEeprom::connect(RtlBlock& block, ClockDomain& clock, const MicrowirePins& pins,
                              const std::string& signals, CheckerSink* checker_sink) {
  block_ = &block;
  clock_ = &clock;
  pins_ = pins;
  if (checker_sink != nullptr)
    checker_ = std::make_unique<MicrowireChecker>(signals, *checker_sink);
  watcher_ = &clock.watch(*this, false);
  watcher_->wake_by(pins.select, 0);
  watcher_->wake_by(pins.clock, 0);
  if (checker_) watcher_->wake_by(pins.data_in, 0);
  pins_.data_out.set(eeprom_.data_out() ? 1 : 0);
}

void MicrowireEeprom::clocked(std::uint64_t edge_ps) {
  const bool select = pins_.select.high();
  const bool clock = pins_.clock.high();
  if (checker_) checker_->check(select, clock, pins_.data_in.high(), edge_ps);
  watcher_->sleep_as_it_is();
  if (select == seen_select_ && clock == seen_clock_) return;
  seen_select_ = select;
  seen_clock_ = clock;
  if (sc_core::sc_is_running()) return block_->call_at_edge(*this);
  deliver();  // before SystemC's zero nothing is delivered
}

void MicrowireEeprom::deliver() {
  if (seen_select_ && !selected_) selections.add();
  selected_ = seen_select_;
  eeprom_.drive(seen_select_, seen_clock_, pins_.data_in.high());
  if (now() < eeprom_.busy_until()) write_over_.set(to_ps(eeprom_.busy_until()));
  show();
}

void MicrowireEeprom::show() {
  const bool level = eeprom_.data_out();
  if (level == pins_.data_out.high()) return;
  pins_.data_out.set(level ? 1 : 0);
  if (sc_core::sc_is_running()) clock_->run_on(block_->input_ps());
}

}  // namespace longhaul::cosim

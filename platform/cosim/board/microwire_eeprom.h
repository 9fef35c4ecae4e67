// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/nic/blocks/eeprom_93c46.h"
#include "platform/cosim/board/microwire_checker.h"
#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

/// Pins of a Microwire EEPROM, named from the EEPROM's side.
struct MicrowirePins {
  Pin select;    ///< CS
  Pin clock;     ///< SK
  Pin data_in;   ///< DI
  Pin data_out;  ///< DO, an input of the block
};

/// A 93C46 at pins of a block. DO follows an edge of SK or CS without a delay. A block that
/// samples DO at its next clock edge therefore sees it.
///
/// Each edge of CS and SK enters SystemC's kernel, since a write of the EEPROM has a time. Nothing
/// happens while both stand still, except that DO rises when a write is over.
class MicrowireEeprom final : public sc_core::sc_module, private Transactor {
 public:
  MicrowireEeprom(const sc_core::sc_module_name& name, const nic::Eeprom93c46::Words& content,
                  const nic::Eeprom93c46Params& params);

  /// Connects the pins, before power-up. `signals` is the interface's name in messages.
  /// `checker_sink` gets violations; nullptr: no checker.
  void connect(RtlBlock& block, ClockDomain& clock, const MicrowirePins& pins,
               const std::string& signals, CheckerSink* checker_sink);
  const nic::Eeprom93c46& eeprom() const { return eeprom_; }

  observe::Counter selections{"selections", "1", "rises of CS: an instruction follows each"};

 private:
  void clocked(std::uint64_t edge_ps) override;
  void deliver() override;
  void show();

  nic::Eeprom93c46 eeprom_;
  Timer write_over_;
  std::unique_ptr<MicrowireChecker> checker_;
  RtlBlock* block_ = nullptr;
  ClockDomain* clock_ = nullptr;
  Watcher* watcher_ = nullptr;
  MicrowirePins pins_;
  bool seen_select_ = false;  // levels behind the last edge
  bool seen_clock_ = false;
  bool selected_ = false;  // of the EEPROM
};

}  // namespace longhaul::cosim

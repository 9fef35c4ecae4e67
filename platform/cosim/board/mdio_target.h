// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/nic/blocks/mdio.h"
#include "platform/cosim/board/mdio_checker.h"
#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

/// Pins of a block that is the station of a management bus.
///
/// MDIO is either three pins, or two without `enable`, or a tri-state port. Of that `out` is the
/// level of its wire, and `drive` tells whether `in` drives it.
struct MdioPins {
  Pin clock;   ///< MDC
  Pin out;     ///< what the block drives
  Pin enable;  ///< whether it drives
  bool enable_low = false;
  Pin in;
  Pin drive;
};

/// The devices of a management bus at the pins of their station, by IEEE 802.3, 22.2.4.5 and 45.3.
///
/// A bit is taken when MDC rises. In a read the device drives the second bit of the turn-around and
/// the data, each from the rise before on. Where no device answers, MDIO is pulled up. The device
/// is asked in SystemC's time: for a read at the last bit of the register's address, for a write at
/// its last bit. Nothing happens while MDC and MDIO stand still.
class MdioTarget final : public sc_core::sc_module, private Transactor {
 public:
  /// `device` must outlive this object.
  MdioTarget(const sc_core::sc_module_name& name, nic::MdioDevice& device);

  /// Connects the pins, before power-up. `signals` is the interface's name in messages.
  /// `checker_sink` gets violations; nullptr: no checker.
  void connect(RtlBlock& block, ClockDomain& clock, const MdioPins& pins,
               const std::string& signals, CheckerSink* checker_sink);

  observe::Counter frames{"frames", "1", "management frames that a device took"};
  observe::Counter unanswered{"unanswered", "1", "management frames to an address of no device"};

 private:
  void clocked(std::uint64_t edge_ps) override;
  void deliver() override;
  void rise(bool bit);
  void begin();
  void decode();
  void take(bool bit);
  void ask();
  void show();
  bool block_drives() const;
  bool level() const;
  void tell(const Rule& rule, const std::string& detail);

  /// The frame that is on the wire.
  struct Frame {
    nic::MdioClause clause = nic::MdioClause::k22;
    nic::MdioOp op = nic::MdioOp::kRead;
    std::uint32_t port = 0;
    std::uint32_t device = 0;  // of clause 22: the register
    std::uint16_t data = 0;
    bool reads = false;
    bool ignored = false;  // its bits are counted, and nothing else
    bool told = false;     // a rule was broken
    bool answered = false;
  };

  nic::MdioFrames devices_;
  std::unique_ptr<MdioChecker> checker_;
  RtlBlock* block_ = nullptr;
  ClockDomain* clock_ = nullptr;
  Watcher* watcher_ = nullptr;
  MdioPins pins_;
  Frame frame_;
  bool mdc_ = false;
  std::uint32_t ones_ = 0;    // bits of preamble, up to 32
  std::uint32_t bits_ = 0;    // of the frame; 0: there is none
  std::uint32_t header_ = 0;  // bits before the turn-around
  bool drives_ = false;       // the device drives MDIO
  bool driven_ = true;        // its level then
};

}  // namespace longhaul::cosim

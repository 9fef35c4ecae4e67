// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "platform/cosim/bus/pcix_accesses.h"
#include "platform/cosim/bus/pcix_checker.h"
#include "platform/cosim/bus/pcix_initiator.h"
#include "platform/cosim/bus/pcix_memory.h"
#include "platform/cosim/bus/pcix_pins.h"
#include "platform/cosim/bus/pcix_target.h"
#include "platform/cosim/bus/stalls.h"
#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

/// Sees each clock of the bus; `granted` is GNT#, asserted.
class PcixListener {
 public:
  virtual ~PcixListener() = default;
  virtual void on_clock(const PcixClock& bus, const PcixClock& device, const PcixClock& host,
                        bool granted) = 0;
};

struct PcixHostParams {
  std::string prefix;               ///< of the signals' names in messages
  std::uint32_t posted_writes = 8;  ///< writes of the device that wait for memory
  std::uint32_t patience = 4096;    ///< clocks within which a read is answered
  bool wide = true;                 ///< the slot has 64 bits
  bool trdy_low = true;             ///< pattern of the slot's speed at the end of the reset
  bool stop_low = true;
  Stalls stalls;  ///< Retry, wait states and cuts at random
};

/// A PCI-X bus with one slot: arbiter, host bridge and wires, at the pins of a device. Accesses of
/// the host go to the device, its reads and writes to a BlockMemory.
///
/// Inputs and outputs are registered: the agents drive a clock by the clock two before. Accesses
/// keep the order of PcixAccesses. Call access() in SystemC's time.
class PcixHost final : public Transactor, private PcixTargetClient {
 public:
  PcixHost(RtlBlock& block, ClockDomain& clock, const PcixPins& pins, PcixAccessClient& client,
           BlockMemory& memory, PcixHostParams params, CheckerSink* sink);

  void access(const PcixAccess& access);
  /// During power-up, when nothing is delivered: begins an access, and takes the answer of the
  /// oldest one. Returns false if there is none yet.
  void access_early(const PcixAccess& access) { queue(access, 0); }
  bool take_early(PcixAccess& answered) { return accesses_.take_early(answered); }
  /// The end of power-up: from now on answers are delivered.
  void powered_up() { accesses_.powered_up(); }
  /// Has each clock told to `listener`, which must outlive this object; null: to nobody.
  void listen(PcixListener* listener) { listener_ = listener; }

  void clocked(std::uint64_t edge_ps) override;
  void deliver() override { memory_.deliver(); }

 private:
  enum class Owner : std::uint8_t { kNobody, kDevice, kHost };

  // PcixTargetClient.
  bool claims(const PcixTaken& taken) override;
  PcixAnswer answer(const PcixTaken& taken) override;
  void taken(const PcixTaken& taken) override;

  void queue(const PcixAccess& access, std::uint64_t from_ps);
  void reset_clock();
  PcixClock drive();
  PcixClock resolved(const PcixClock& device, const PcixClock& host) const;
  void add_parity(PcixClock& mine) const;
  void grant(const PcixClock& seen, bool device_asks, bool host_asks);
  void begin(PcixAccesses::Due due);
  void wake(std::uint64_t from_ps);
  void end_work();
  void rest(const PcixClock& device, bool asks);
  bool busy() const;

  RtlBlock& block_;
  ClockDomain& clock_;
  Watcher& watcher_;
  PcixPins pins_;
  PcixHostParams params_;
  PcixChecker checker_;
  PcixMemory memory_;
  PcixAccesses accesses_;
  PcixInitiator initiator_;
  PcixTarget target_{*this};
  PcixListener* listener_ = nullptr;
  bool completes_ = false;  // work_ is a Split Completion, and no access
  PcixWork work_;
  std::uint64_t retry_completion_ = 0;  // clock before which it is not repeated
  std::uint64_t clocks_ = 0;
  std::uint64_t edge_ps_ = 0;
  bool held_ = false;
  bool was_reset_ = true;
  std::uint32_t idle_clocks_ = 0;
  // The clocks before the present one: [0] is one before, [1] two.
  std::array<PcixClock, 3> bus_;
  std::array<bool, 2> asked_{};
  std::array<Owner, 2> owned_{};
  PcixClock raw_;   // what the agents drove, without the clock in which signals are let go
  PcixClock mine_;  // with it
  Owner owner_ = Owner::kNobody;
  Owner last_owner_ = Owner::kHost;
  bool started_ = false;  // the owner's FRAME# has been seen
  bool frame_seen_ = false;
  bool idsel_ = false;
};

}  // namespace longhaul::cosim

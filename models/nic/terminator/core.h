// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "models/common/register_bank.h"
#include "models/nic/terminator/line.h"
#include "models/nic/terminator/params.h"
#include "models/nic/terminator/parts.h"
#include "models/nic/terminator/pl_interrupts.h"
#include "models/nic/terminator/response_queue.h"
#include "models/nic/terminator/sge_control.h"
#include "models/nic/terminator/sge_rx.h"
#include "models/nic/terminator/sge_tx.h"
#include "models/nic/terminator/tp.h"
#include "models/nic/terminator/tp_path.h"
#include "models/pcix/dma_engine.h"
#include "models/tcp/params.h"

namespace longhaul::nic::terminator {

/// The core of a Terminator: SGE, TP with its offload engine, and the interrupt tree. It lies
/// between the bus and a Line.
class Core {
 public:
  struct Calls {
    /// Requests of parts beside the core, in the bits of PL_CAUSE.
    std::function<std::uint32_t()> causes;
    std::function<void(bool level, bool message)> drive;  ///< the interrupt
    /// A transfer met an abort, or bus mastering is disabled.
    std::function<void(pcix::DmaStatus)> bus_error;
  };
  /// `tcp` is that of the offload engine; a core without one ignores it. `params`, `bank` and `dma`
  /// must outlive this object. Its modules become parts of the module that is being built.
  Core(const TerminatorParams& params, RegisterBank& bank, pcix::DmaEngine& dma, bool offload,
       const tcp::TcpParams& tcp, Calls calls);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// Joins the core and its line. Called once, before the simulation.
  void attach(Line& line);
  /// A request of a part beside the core may have changed.
  void causes_changed();
  void append_rings(std::vector<std::pair<std::uint64_t, std::uint64_t>>& rings) const;
  /// Called after the bank has reset the registers, and DMA was given up.
  void reset();

  ResponseQueue& responses() { return responses_; }
  TpPath& path() { return path_; }
  SgeRx& rx() { return rx_; }
  SgeTx& tx() { return tx_; }

 private:
  void controlled();
  void rung(std::uint32_t doorbell);

  const Calls calls_;
  bool joined_ = false;
  PlInterrupts interrupts_;
  SgeControl control_;
  ResponseQueue responses_;
  Tp tp_;
  TpPath path_;
  SgeRx rx_;
  SgeTx tx_;
};

}  // namespace longhaul::nic::terminator

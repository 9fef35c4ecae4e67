// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/net/link/link.h"
#include "models/wan/wan_box.h"
#include "platform/assembly/config.h"
#include "platform/assembly/frame_history.h"
#include "platform/assembly/machine.h"
#include "platform/assembly/packets.h"
#include "platform/assembly/wave_trigger.h"
#include "platform/observe/link_waves.h"
#include "platform/observe/loss_waves.h"
#include "platform/observe/packets/packet_waves.h"
#include "platform/observe/pcix_waves.h"
#include "platform/observe/probe_waves.h"
#include "platform/observe/tcp_waves.h"
#include "platform/observe/violation_waves.h"

namespace longhaul::assembly {

/// The waves of a run: the configured parts in one file, in a useful order for viewing.
class Waves {
 public:
  /// Made after the topology is built. Throws ConfigError for a part that cannot be traced,
  /// SinkError if the file cannot be made.
  Waves(const SimulationConfig& config, const std::vector<std::unique_ptr<Machine>>& machines,
        const std::vector<std::unique_ptr<wan::WanBox>>& boxes,
        const std::vector<std::unique_ptr<Link>>& links, const FrameHistory& frames);

  /// Whether recording begins with the simulation instead of the measured window: a rule may be
  /// broken at any time.
  bool from_the_begin() const { return trigger_.kind == WaveTrigger::Kind::kViolation; }
  /// Adds rows that name the packets on each adapter's bus and in its buffers. `packets` must
  /// outlive the recording.
  void add_packets(Packets& packets);
  /// The measured window opens, or the simulation begins.
  void begin() { file_.begin(from_); }
  /// The scenario or the socket has written a register of a box.
  void box_written(const char* by, const std::string& box, std::uint32_t address);
  void check() const { file_.check(); }
  /// The run fails now. The time before is kept.
  void fail(const std::string& why) { file_.fail(why); }
  void close() { file_.close(); }
  /// The contents of the file: {"from_ps", "until_ps", "trigger_ps", "trigger", "cause",
  /// "connections"}; null for events that did not come. The cause is the loss that the triggering
  /// retransmission repairs, {"ps", "place", "why"}. It may be before the file's beginning.
  nlohmann::json json() const;
  observe::WaveFile& file() { return file_; }

 private:
  /// The rank of rows for losses and violations. With a trigger they are in its group, too.
  std::uint32_t loss_rank() const;
  void add_rtl(const SimulationConfig& config,
               const std::vector<std::unique_ptr<Machine>>& machines,
               const std::vector<std::unique_ptr<wan::WanBox>>& boxes);
  void add_links(const SimulationConfig& config, const std::vector<std::unique_ptr<Link>>& links);
  void add_losses(const SimulationConfig& config, const std::vector<std::unique_ptr<Link>>& links);
  void add_tcp(const SimulationConfig& config,
               const std::vector<std::unique_ptr<Machine>>& machines);
  void add_offloaded(const std::string& device, nic::Adapter& adapter, std::uint32_t rank);
  void add_probes(const SimulationConfig& config,
                  const std::vector<std::unique_ptr<Machine>>& machines);
  void add_trigger(const SimulationConfig& config,
                   const std::vector<std::unique_ptr<Machine>>& machines,
                   const std::vector<std::unique_ptr<wan::WanBox>>& boxes);
  void add_register_trigger(const std::vector<std::unique_ptr<Machine>>& machines);
  void check_box_trigger(const SimulationConfig& config,
                         const std::vector<std::unique_ptr<wan::WanBox>>& boxes) const;

  void register_written(const std::string& why);

  const sc_core::sc_time from_;
  const FrameHistory& frames_;
  const WaveTrigger trigger_;
  observe::WaveFile file_;
  std::vector<std::unique_ptr<observe::LinkWaves>> links_;
  std::vector<std::unique_ptr<observe::TcpWaves>> tcp_;
  std::vector<std::unique_ptr<observe::ProbeWaves>> probes_;
  std::vector<std::unique_ptr<observe::PcixWaves>> buses_;
  std::vector<std::unique_ptr<observe::PacketWaves>> packets_;
  std::unique_ptr<DropTrigger> drops_;
  std::unique_ptr<observe::LossWaves> losses_;
  std::unique_ptr<observe::ViolationWaves> violations_;
  observe::Wave written_;  // the register that triggers
};

}  // namespace longhaul::assembly

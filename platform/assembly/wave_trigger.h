// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "platform/observe/loss_watch.h"
#include "platform/observe/wave_file.h"

namespace longhaul::assembly {

/// The trigger of a run's waves: "retransmit", "drop:N", "violation", "register:ADDRESS",
/// "register:MACHINE.DEVICE+OFFSET" or "register:BOX+OFFSET".
struct WaveTrigger {
  enum class Kind : std::uint8_t {
    kNone,
    kRetransmit,
    kDrop,
    kViolation,
    kRegister
  } kind = Kind::kNone;
  std::uint64_t count = 0;    ///< kDrop: number of the drop
  std::uint64_t address = 0;  ///< kRegister: on the bus, in the device's BAR 0, or of the box
  std::string device;         ///< kRegister: MACHINE.DEVICE, BOX, or empty
  /// Whether it is a write by a machine's processor, and not a write to a box.
  bool by_processor() const {
    return kind == Kind::kRegister && (device.empty() || device.find('.') != std::string::npos);
  }
};

/// Reads a trigger; "" is none. Throws ConfigError whose message starts with `where`.
WaveTrigger parse_wave_trigger(const std::string& text, const std::string& where);

/// Triggers a WaveFile at the n-th frame that any part of the topology drops.
class DropTrigger final : public observe::LossListener, public observe::WaveSource {
 public:
  DropTrigger(observe::WaveFile& file, std::uint64_t count, observe::LossWatch& losses);
  void on_loss(const observe::Loss& loss) override;
  void waves_begin() override;
  void waves_end() override;

 private:
  observe::WaveFile& file_;
  const std::uint64_t count_;
  std::uint64_t left_;
  observe::LossWatch& losses_;
};

}  // namespace longhaul::assembly

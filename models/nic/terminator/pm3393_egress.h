// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/common/packet_fifo.h"
#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/terminator/mac_params.h"
#include "models/nic/terminator/pm3393_flx.h"
#include "models/nic/terminator/pm3393_parts.h"

namespace longhaul::nic::terminator {

/// The status of a FIFO that SPI-4.2 reports to its sender.
enum class FifoStatus { kSatisfied, kHungry, kStarving };

/// The sending half of the PM3393: the egress FIFO behind SPI-4.2, and TXXG.
///
/// A frame is sent when its last byte is in the FIFO. It leaves the FIFO as the wire takes it. The
/// FIFO is starving below its almost-empty threshold, hungry below its almost-full threshold, and
/// satisfied otherwise. A frame longer than TXXG_MAX_FRAME_SIZE is lost.
class Pm3393Egress final : public sc_core::sc_module, public FrameSource {
 public:
  struct Owner {
    std::function<void()> status_better;              ///< status() may be better than it was
    std::function<void(const FrameRef&)> frame_sent;  ///< its first bit is on the wire
    std::function<void(std::uint16_t quanta, std::uint16_t interval, bool send, bool force)>
        set_pause;
    std::function<void()> enable_changed;  ///< sends() has changed
  };
  Pm3393Egress(const sc_core::sc_module_name& name, const Pm3393Parts& parts, Owner owner);

  // ---- SPI-4.2
  /// If the FIFO is satisfied, `status_better` is called when that ends.
  FifoStatus status();
  /// So many bytes of a frame have arrived; then the frame as a whole.
  void moved(std::uint32_t bytes);
  void arrived(FrameRef frame);
  void aborted() { arriving_ = 0; }

  bool sends() const { return config1_.has(pm::kTxxgConfig1Fields.txen0); }
  void reset();

  // ---- the MAC's source
  std::uint64_t ready_ps() const override;
  FrameRef take_frame() override;

 private:
  struct Item {
    FrameRef frame;
    std::uint64_t ready_ps = 0;
  };
  /// A frame that is going out: its bytes leave at the wire's rate.
  struct Leaving {
    std::uint64_t bytes = 0;
    std::uint64_t from_ps = 0;
    std::uint64_t until_ps = 0;
  };
  std::uint64_t leaving_now() const;
  std::uint64_t fill() const { return fifo_.fill.value() + arriving_ + leaving_now(); }
  void wake_when_below(std::uint64_t limit);
  void config_written();
  void flx_changed();
  void address_changed();
  std::uint32_t status_now() const;
  void lose(const FrameRef& frame, const char* why);

  const Pm3393Parts parts_;
  const Owner owner_;
  Pm3393Flx flx_;
  PacketFifo<Item> fifo_;  // whole frames
  std::uint64_t arriving_ = 0;
  Leaving leaving_;
  Timer wake_{[this] { owner_.status_better(); }};
  Reg32 config1_;
  Reg32 status_;
  Reg32 max_size_;
  Reg32 pause_timer_;
  Reg32 pause_interval_;
  Reg32 idu_config_;
  std::deque<Reg32> address_;
};

}  // namespace longhaul::nic::terminator

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/common/ring_buffer.h"
#include "models/nic/terminator/cpl.h"
#include "models/nic/terminator/offload/tp_mib.h"
#include "models/nic/terminator/params.h"
#include "models/nic/terminator/sge_rx.h"
#include "models/nic/terminator/tp.h"
#include "models/toe/offload_engine.h"

namespace longhaul::nic::terminator {

/// The offload engine of a T110 in its place in TP: its messages as CPL, its registers, its FIFOs.
///
/// TP_IN_CONFIG.OFFLOAD_DISABLE takes it out of the path. A message of a command queue holds its
/// packet memory until the engine has taken it. Received frames that find the engine's
/// receive FIFO full stay in ESPI.
class OffloadPart final : private toe::HostSide, private toe::WireSide {
 public:
  /// TP's path around the engine.
  class Path {
   public:
    virtual ~Path() = default;
    /// Gives the driver a frame as CPL_RX_PKT. Returns false without room.
    virtual bool give_packet(const FrameRef& frame) = 0;
    /// Gives the driver a message. Returns false without room.
    virtual bool give_message(RxMessage&& message) = 0;
    virtual void give_room(const cpl::Room& room) = 0;  ///< of a message that the engine has taken
    virtual void frame_ready() = 0;                     ///< of ready_ps() and take_frame()
    virtual void receive_room() = 0;                    ///< after receive() has refused a frame
    virtual void send_room() = 0;                       ///< after send() has refused a frame
  };

  OffloadPart(const TerminatorParams& params, const tcp::TcpParams& tcp, Tp& tp, Path& path);

  /// Whether frames and messages go through the engine.
  bool enabled() const { return !tp_.offload_disabled(); }

  /// A message of the driver's, not CPL_TX_PKT. Returns false, and leaves its room to the caller,
  /// if the engine knows no such message.
  bool message(cpl::Message&& message);
  /// A frame of the driver's own stack. Returns false without room; Path::send_room() follows.
  bool send(const FrameRef& frame) { return engine_.send(frame); }
  /// A frame from ESPI. Returns false without room; Path::receive_room() follows.
  bool receive(const FrameRef& frame);
  std::uint64_t ready_ps() const { return engine_.ready_ps(); }
  FrameRef take_frame() { return engine_.take_frame(); }

  /// The packet memory towards the driver has more room.
  void host_room() { engine_.host_ready(); }
  /// The oldest CPL_RX_DATA is in host memory.
  void data_written() { engine_.taken(on_the_way_.pop_front()); }
  void reset();       ///< of TP: the engine forgets all
  void reset_chip();  ///< the SGE has dropped its messages, too

  const toe::OffloadEngine& engine() const { return engine_; }

 private:
  bool deliver(toe::ToHost& message) override;
  void message_taken(toe::HostQueue queue) override;
  void queue_ready(toe::HostQueue queue) override { offer(static_cast<std::size_t>(queue)); }
  void frame_ready() override { path_.frame_ready(); }
  void fill_changed(std::uint64_t bytes) override;
  void send_ready() override { path_.send_room(); }

  void offer(std::size_t queue);
  void set_up();

  const Tp& tp_;
  const std::uint32_t data_retries_;
  Path& path_;
  bool refused_ = false;  // a received frame
  toe::OffloadEngine engine_;
  TpMib mib_{engine_};
  std::array<RingBuffer<toe::FromHost>, toe::kHostQueues> waiting_;  // for room in the engine
  std::array<RingBuffer<cpl::Room>, toe::kHostQueues> rooms_;        // of messages not yet taken
  RingBuffer<toe::RxData> on_the_way_;                               // to host memory
};

}  // namespace longhaul::nic::terminator

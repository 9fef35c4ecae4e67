// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tuple>
#include <utility>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/param.h"
#include "models/net/eth.h"
#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/frame_tap.h"

namespace longhaul {

/// The queue that a MAC sends from. It offers the frame at its head, and the MAC takes that frame
/// at the instant at which its preamble starts.
class FrameSource {
 public:
  static constexpr std::uint64_t kNoFrame = ~std::uint64_t{0};
  virtual ~FrameSource() = default;
  /// The simulated time (ps) from which the head may be sent. A time in the past means now;
  /// kNoFrame means that no frame waits. Call EthMac::kick() when the answer may have become
  /// earlier.
  virtual std::uint64_t ready_ps() const = 0;
  /// Hands over the head. The MAC calls it once for each frame, not before ready_ps(), when the
  /// wire is free and no PAUSE holds.
  virtual FrameRef take_frame() = 0;
};

/// Why a MAC refused a received frame.
enum class RxFault { kBadFcs, kRunt, kOversize };

/// The receiver of a MAC's frames. Every call comes at the instant at which the last bit of the
/// frame arrived.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  /// A good frame, from 60 B to the largest size, without its FCS.
  virtual void frame_received(const FrameRef& frame) = 0;
  /// A frame that failed a check. The MAC has counted it and reported it on its tap.
  virtual void frame_refused(const FrameRef& frame, RxFault fault) {}
  /// The carrier came (true) or went; EthMac::carrier() tells the same.
  virtual void carrier_changed(bool up) {}
};

/// Numbers of a MAC, each with its evidence. An owner may read them from its own configuration.
struct EthMacParams {
  /// From the last bit of a PAUSE frame to when it holds the transmitter. A frame that started
  /// before that is sent whole.
  Param<sc_core::sc_time> pause_response{
      "pause_response",
      sc_core::SC_ZERO_TIME,
      "from the last bit of a PAUSE frame to when it holds the transmitter",
      {Evidence::kAssumed, "models/net/mac/README.md#open-numbers"}};
  /// Whether frames wait while there is no carrier (true), or are sent without one and lost
  /// (false).
  Param<bool> hold_without_carrier{
      "hold_without_carrier",
      true,
      "frames wait while there is no carrier; otherwise they are sent and lost",
      {Evidence::kChosen, "models/net/mac/README.md#timing"}};
  auto fields() { return std::tie(pause_response, hold_without_carrier); }
};

/// A full-duplex Ethernet MAC with MAC control (IEEE 802.3 clauses 4, 31 and annex 31B).
///
/// Sending: takes frames from a FrameSource when the wire is free, pads them, and paces them by the
/// times that the wire returns. Its own PAUSE frames go before data, and PAUSE does not hold them.
/// Takes one event a frame while saturated, none when the source is idle.
///
/// Receiving: checks FCS and size, obeys PAUSE, hands other frames to a FrameSink. Sizes include
/// the FCS. Errors: none; an unbound port is a port without carrier.
class EthMac final : public sc_core::sc_module, private EthReceiver {
 public:
  static constexpr std::uint32_t kMinFrameBytes = Frame::kMinBytes + Frame::kFcsBytes;

  explicit EthMac(const sc_core::sc_module_name& name, EthMacParams params = {});

  EthPort port;  ///< joined by a link

  /// Sets the source of frames to send and the sink of received frames. Both before the simulation
  /// starts.
  void attach(FrameSource& source, FrameSink& sink);

  /// Looks at the source again. Call it when a frame was queued on an empty source or became ready
  /// earlier. May call FrameSource::take_frame() before it returns.
  void kick();

  void enable_tx(bool on);  ///< off: nothing new starts, PAUSE frames included (initially on)
  void enable_rx(bool on);  ///< off: received frames are dropped and counted in rx_off (initially
                            ///< on)
  void enable_laser(bool on);  ///< off: the far end loses its carrier (initially on)
  /// Source address of PAUSE frames. The MAC also obeys a PAUSE frame that is sent to it.
  void set_address(const MacAddress& address);
  /// Largest frame that is received, FCS included (initially 1518). Longer frames are refused as
  /// oversize.
  void set_max_frame(std::uint32_t bytes_with_fcs);
  /// `send` allows send_pause(). With `honour`, received PAUSE frames hold the transmitter; turning
  /// it off ends a pause in progress.
  void set_flow_control(bool send, bool honour);
  /// Which MAC control frames the sink also gets: PAUSE frames, which the MAC obeys all the same,
  /// and frames with another opcode.
  void set_pass_control(bool pause, bool other);
  /// Whether frames with a wrong FCS reach FrameSink::frame_received(), too (initially off). They
  /// count in rx_bad_fcs all the same.
  void set_accept_bad_fcs(bool on);
  /// Loopback: this MAC receives its own frames at `rate` and is cut off from its port. It needs no
  /// carrier. A rate of zero (initially) ends it and loses a frame that is on its way.
  void set_loopback(BitRate rate);
  /// Drops a pause in progress and a PAUSE frame that is not yet sent. Settings, counters and the
  /// frame on the wire stay. A loss of carrier does the same.
  void reset();

  /// Sends a PAUSE frame of `quanta` (512 bit times each; 0 for XON) as soon as the wire is free.
  /// It replaces one that still waits. Returns false, and does nothing, if sending of PAUSE is off.
  bool send_pause(std::uint16_t quanta);

  bool carrier() const;
  bool paused() const;  ///< a received PAUSE holds the transmitter now
  std::uint64_t pause_ends_ps() const { return pause_until_ps_; }
  /// When the next preamble may start (ps).
  std::uint64_t tx_free_ps() const { return tx_free_ps_; }
  BitRate rate() const;  ///< of the wire or the loopback; 0 with neither
  /// How long a frame of `octets` bytes, FCS included, and its preamble take on the wire, in ps; 0
  /// without a wire.
  std::uint64_t frame_ps(std::uint32_t octets) const;
  /// The time at which the preamble of such a frame began to arrive, if its last bit arrives now.
  sc_core::sc_time began(std::uint32_t octets) const;
  /// The length of `quanta` pause quanta (512 bit times each) at the wire's rate, in ps.
  std::uint64_t quanta_ps(std::uint32_t quanta) const;

  // Frames and octets count good data and control frames with their FCS, as in RFC 3635.
  observe::Counter tx_frames{"tx_frames", "frame", "frames sent, PAUSE included"};
  observe::Counter tx_octets{"tx_octets", "byte", "octets of frames sent, FCS included"};
  observe::Counter tx_xoff{"tx_xoff", "frame", "PAUSE frames sent with a non-zero time"};
  observe::Counter tx_xon{"tx_xon", "frame", "PAUSE frames sent with time zero"};
  observe::Counter tx_padded{"tx_padded", "frame", "frames padded to 64 octets"};
  observe::Counter tx_paused_ps{"tx_paused_ps", "ps",
                                "time that frames ready to go were held by received PAUSE"};
  observe::Counter rx_frames{"rx_frames", "frame", "good frames received, PAUSE included"};
  observe::Counter rx_octets{"rx_octets", "byte", "octets of good frames received, FCS included"};
  observe::Counter rx_xoff{"rx_xoff", "frame", "PAUSE frames received with a non-zero time"};
  observe::Counter rx_xon{"rx_xon", "frame", "PAUSE frames received with time zero"};
  observe::Counter rx_control{"rx_control", "frame",
                              "MAC control frames received that are not PAUSE"};
  observe::Counter rx_bad_fcs{"rx_bad_fcs", "frame", "frames refused for their FCS"};
  observe::Counter rx_runts{"rx_runts", "frame", "frames refused because shorter than 64 octets"};
  observe::Counter rx_oversize{"rx_oversize", "frame",
                               "frames refused because longer than the largest frame"};
  observe::Counter rx_off{"rx_off", "frame", "frames that arrived while the receiver was off"};
  observe::FrameTap drops{"drops", "frames that this MAC refused, with the reason"};

 private:
  void receive(const FrameRef& frame) override;
  void carrier_changed(bool up) override;
  void take(const FrameRef& frame);
  void receive_control(const FrameRef& frame);
  void refuse(const FrameRef& frame, RxFault fault, observe::Counter& counter, const char* why);
  void end_of_elaboration() override;
  bool bound() const { return port.eth_tx.size() != 0; }
  bool loops() const { return loop_rate_.bits_per_s != 0; }
  bool may_transmit() const;
  bool send_next();
  void send(FrameRef frame);
  void send_pause_frame();
  std::uint64_t loop_back(const FrameRef& frame);
  void settle_hold();

  const EthMacParams params_;
  FrameSource* source_ = nullptr;
  FrameSink* sink_ = nullptr;
  MacAddress address_{};
  std::uint32_t max_frame_ = 1518;
  bool tx_on_ = true;
  bool rx_on_ = true;
  bool laser_on_ = true;
  bool send_pause_on_ = false;
  bool honour_pause_on_ = false;
  bool pass_pause_ = false;
  bool pass_other_control_ = false;
  bool accept_bad_fcs_ = false;
  bool pause_waits_ = false;
  bool in_kick_ = false;
  std::uint16_t pause_quanta_ = 0;
  std::uint64_t tx_free_ps_ = 0;
  std::uint64_t pause_from_ps_ = 0;
  std::uint64_t pause_until_ps_ = 0;
  std::uint64_t held_since_ps_ = FrameSource::kNoFrame;
  Timer wake_{[this] { kick(); }};
  BitRate loop_rate_{0};
  FrameRef looping_;  // the frame on its way back; one at most, as the next one starts a gap after
                      // its end
  Timer loop_end_{[this] { take(std::exchange(looping_, {})); }};
};

}  // namespace longhaul

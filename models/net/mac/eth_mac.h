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

/// What a MAC sends from: it offers the frame at its head, and the MAC takes it at the instant its
/// preamble starts.
class FrameSource {
 public:
  static constexpr std::uint64_t kNoFrame = ~std::uint64_t{0};
  virtual ~FrameSource() = default;
  /// Simulated time (ps) from which the head may be sent; any time that has passed means now,
  /// kNoFrame that nothing waits. When the answer can have become earlier, call EthMac::kick().
  virtual std::uint64_t ready_ps() const = 0;
  /// Hands over the head. Called only at or after ready_ps(), once for each frame, when the wire is
  /// free and no PAUSE holds.
  virtual FrameRef take_frame() = 0;
};

/// Why a MAC refused a frame that arrived.
enum class RxFault { kBadFcs, kRunt, kOversize };

/// Where a MAC delivers; every call comes at the instant the last bit of the frame arrived.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  /// A good frame, of 60 B to the largest size, without its FCS.
  virtual void frame_received(const FrameRef& frame) = 0;
  /// A frame that failed a check; already counted and reported on the MAC's tap.
  virtual void frame_refused(const FrameRef& frame, RxFault fault) {}
  /// The carrier came or went; EthMac::carrier() tells which.
  virtual void carrier_changed(bool up) {}
};

/// Numbers of a MAC; an owner may read them from its own configuration.
struct EthMacParams {
  /// From the last bit of a PAUSE frame to when it holds the transmitter back; a frame that started
  /// before goes out whole.
  Param<sc_core::sc_time> pause_response{
      "pause_response",
      sc_core::SC_ZERO_TIME,
      "from the last bit of a PAUSE frame to when it holds the transmitter",
      {Evidence::kAssumed, "models/net/mac/README.md#open-numbers"}};
  /// Whether frames wait while there is no carrier (true), or are sent into the dark and lost
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
/// Sending: pulls frames from a FrameSource when the wire is free, pads them, and paces them by
/// what the wire says. PAUSE frames of its own go before data and are not held by PAUSE. One event
/// a frame while saturated; none when the source is idle. Receiving: checks FCS and size, acts on
/// PAUSE, hands the rest to a FrameSink. Sizes include the FCS. Errors: none; an unbound port is a
/// port without carrier.
class EthMac final : public sc_core::sc_module, private EthReceiver {
 public:
  static constexpr std::uint32_t kMinFrameBytes = Frame::kMinBytes + Frame::kFcsBytes;

  explicit EthMac(const sc_core::sc_module_name& name, EthMacParams params = {});

  EthPort port;  ///< what a link joins

  /// Who to send from and to deliver to; set both before the simulation starts.
  void attach(FrameSource& source, FrameSink& sink);

  /// Looks at the source again: call when a frame was queued on an empty source or became ready
  /// earlier. May call FrameSource::take_frame() before it returns.
  void kick();

  void enable_tx(bool on);  ///< off: nothing new starts, PAUSE frames included (initially on)
  void enable_rx(bool on);  ///< off: what arrives is dropped and counted in rx_off (initially on)
  void enable_laser(bool on);  ///< off: the far end loses its carrier (initially on)
  void set_address(const MacAddress& address);  ///< source of PAUSE frames; a PAUSE sent to it is
                                                ///< acted on as well
  /// Largest frame that is received, FCS included; longer ones are refused as oversize (initially
  /// 1518).
  void set_max_frame(std::uint32_t bytes_with_fcs);
  /// send: send_pause() works. honour: received PAUSE frames hold the transmitter. Turning honour
  /// off ends a pause in progress.
  void set_flow_control(bool send, bool honour);
  /// Which MAC control frames the sink gets: PAUSE frames (they are acted on all the same), and
  /// those with another opcode.
  void set_pass_control(bool pause, bool other);
  /// Frames with a wrong FCS reach FrameSink::frame_received() too; they count in rx_bad_fcs all
  /// the same (initially off).
  void set_accept_bad_fcs(bool on);
  /// Loopback: this MAC receives what it sends, at `rate`, and is cut off from its port; a carrier
  /// is not needed. A rate of zero (initially) ends it; a frame on its way then is lost.
  void set_loopback(BitRate rate);
  /// Forgets a pause in progress and a PAUSE frame not yet sent; settings, counters and the frame
  /// on the wire stay. A loss of carrier does the same.
  void reset();

  /// Sends a PAUSE frame as soon as the wire is free: `quanta` of 512 bit times, 0 for XON. One
  /// that still waits is replaced. Returns false, and does nothing, when sending of PAUSE is off.
  bool send_pause(std::uint16_t quanta);

  bool carrier() const;
  bool paused() const;  ///< a received PAUSE holds the transmitter now
  std::uint64_t pause_ends_ps() const { return pause_until_ps_; }
  std::uint64_t tx_free_ps() const {
    return tx_free_ps_;
  }                      ///< when the next preamble may start (ps)
  BitRate rate() const;  ///< of the wire or the loopback; 0 with neither
  /// How long the wire is at a frame of so many octets, FCS included, and its preamble, in ps; 0
  /// without a wire.
  std::uint64_t frame_ps(std::uint32_t octets) const;
  /// When the first bit of the preamble came, of such a frame whose last bit comes now.
  sc_core::sc_time began(std::uint32_t octets) const;
  /// Length of `quanta` pause quanta (512 bit times each) at the wire's rate, in ps.
  std::uint64_t quanta_ps(std::uint32_t quanta) const;

  // Frames and octets count good data and control frames with their FCS, as RFC 3635 does.
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
  FrameRef looping_;  // on its way back: one at most, as the next one starts a gap after its end
  Timer loop_end_{[this] { take(std::exchange(looping_, {})); }};
};

}  // namespace longhaul

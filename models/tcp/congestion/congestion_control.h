// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace longhaul::tcp {

struct CongestionConfig;

constexpr double kPsPerSecond = 1e12;

/// Seconds from one instant to another; 0 if the first is in the future.
constexpr double seconds_since(std::uint64_t from_ps, std::uint64_t now_ps) {
  return now_ps > from_ps ? static_cast<double>(now_ps - from_ps) / kPsPerSecond : 0;
}

/// An ACK, for a congestion control.
struct Acked {
  std::uint64_t now = 0;     ///< ps
  std::uint64_t bytes = 0;   ///< newly acknowledged, cumulatively
  std::uint64_t flight = 0;  ///< outstanding before the ACK, bytes
  std::uint64_t rtt = 0;     ///< its sample of the round-trip time, ps; 0 without a sample
  bool in_recovery = false;  ///< in recovery from a loss, by SACK, duplicates or the timer
};

/// A congestion window and a slow-start threshold, and the rules for them; one per connection.
///
/// This class implements the common rules: slow start with appropriate byte counting (RFC 3465),
/// counting in bytes or segments, limits, restart after idle, and undo. A policy defines how the
/// window grows in congestion avoidance and how far it falls on a loss.
///
/// Windows are in bytes and never below one segment; with the unit "segments" they are whole
/// segments. During recovery the reduction policy (recovery.h) sets the window by set_cwnd().
class CongestionControl {
 public:
  explicit CongestionControl(const CongestionConfig& config) : config_(config) {}
  virtual ~CongestionControl() = default;
  CongestionControl(const CongestionControl&) = delete;
  CongestionControl& operator=(const CongestionControl&) = delete;

  /// Sets the segment size and the initial window.
  void start(std::uint32_t mss);
  /// Continues with another one's window and threshold, after start().
  void resume(std::uint64_t cwnd, std::uint64_t ssthresh) {
    ssthresh_ = ssthresh;
    set_cwnd(cwnd);
  }
  /// Handles an ACK of new data. The window grows if `may_grow`.
  void on_ack(const Acked& ack, bool may_grow);
  /// A loss was found by duplicate ACKs or SACK. Sets ssthresh; the reduction policy sets the
  /// window.
  void on_recovery(std::uint64_t now, std::uint64_t flight);
  /// The retransmission timer expired. Sets a window of one segment, and a new ssthresh unless this
  /// is the same loss again.
  void on_timeout(std::uint64_t now, std::uint64_t flight, bool first);
  /// Recovery is over, with this window.
  void on_leave(std::uint64_t cwnd) { set_cwnd(cwnd); }
  /// Nothing was sent for `idle`. Sets the restart window (RFC 5681, 4.1) or decays the window (RFC
  /// 2861), as configured.
  void on_idle(std::uint64_t idle, std::uint64_t rto);
  /// The window was not used beyond `used` bytes for a whole RTO (RFC 2861, 3).
  void on_unused(std::uint64_t used);
  /// The loss was spurious: restores window and threshold from before it.
  void undo();

  std::uint64_t cwnd() const { return cwnd_; }
  std::uint64_t ssthresh() const { return ssthresh_; }
  bool in_slow_start() const { return cwnd_ < ssthresh_; }
  std::uint64_t initial_window() const;
  /// The window at which rate halving ends, bytes: half of ssthresh (Linux, tcp_cwnd_down() and
  /// tcp_reno_min_cwnd()).
  virtual std::uint64_t halving_floor() const { return ssthresh_ / 2; }
  /// The limit of the window, bytes; all ones if there is none.
  std::uint64_t limit() const;
  /// Sets the window, within its limits.
  void set_cwnd(std::uint64_t bytes);

 protected:
  /// Congestion avoidance: handles an ACK that came while the window is the limit.
  virtual void avoid(const Acked& ack) = 0;
  /// The slow-start threshold after a loss with `flight` bytes outstanding. The caller keeps it at
  /// two segments at least.
  virtual std::uint64_t reduced(std::uint64_t now, std::uint64_t flight) = 0;
  /// Called for every ACK of new data, in recovery, too, before the window changes.
  virtual void observe(const Acked&) {}
  virtual void timed_out(std::uint64_t /*now*/) {}
  virtual void idled(std::uint64_t /*idle*/) {}
  virtual void undone() {}

  const CongestionConfig& config() const { return config_; }
  std::uint32_t mss() const { return mss_; }
  /// The window in segments.
  double window() const { return static_cast<double>(cwnd_) / mss_; }
  /// The count of an ACK, in segments: one, or the bytes that it acknowledged (abc_limit above 0).
  double counted(const Acked& ack) const;
  /// Adds segments and fractions of them to the window. A fraction below a whole byte (or segment)
  /// is kept for the next call.
  void gain(double segments);

 private:
  void slow_start(const Acked& ack);
  void remember();
  std::uint64_t whole(std::uint64_t bytes) const;

  const CongestionConfig& config_;
  std::uint32_t mss_ = 1;
  std::uint64_t cwnd_ = 1;
  std::uint64_t ssthresh_ = ~0ULL;
  double credit_ = 0;  // segments
  bool after_timeout_ = false;
  std::uint64_t prior_cwnd_ = 0;
  std::uint64_t prior_ssthresh_ = 0;
};

}  // namespace longhaul::tcp

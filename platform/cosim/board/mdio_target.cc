// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/board/mdio_target.h"

#include <fmt/format.h>

#include "platform/cosim/board/board_rules.h"

namespace longhaul::cosim {
namespace {

using nic::MdioClause;
using nic::MdioOp;

constexpr std::uint32_t kPreambleBits = 32;
constexpr std::uint32_t kHeaderBits = 14;  // ST, OP, PHYAD or PRTAD, REGAD or DEVAD
constexpr std::uint32_t kTurnAroundBits = 2;
constexpr std::uint32_t kFrameBits = 32;
constexpr std::uint32_t kWrite22 = 1;
constexpr std::uint32_t kRead22 = 2;
/// By their codes (45.3.4): address, write, post-read-increment-address, read.
constexpr MdioOp kOps45[] = {MdioOp::kAddress, MdioOp::kWrite, MdioOp::kReadIncrement,
                             MdioOp::kRead};

}  // namespace

MdioTarget::MdioTarget(const sc_core::sc_module_name& name, nic::MdioDevice& device)
    : sc_core::sc_module(name), devices_(device) {}

void MdioTarget::connect(RtlBlock& block, ClockDomain& clock, const MdioPins& pins,
                         const std::string& signals, CheckerSink* checker_sink) {
  block_ = &block;
  clock_ = &clock;
  pins_ = pins;
  if (checker_sink != nullptr) checker_ = std::make_unique<MdioChecker>(signals, *checker_sink);
  watcher_ = &clock.watch(*this, false);
  for (const Pin& pin : {pins.clock, pins.out, pins.enable}) watcher_->wake_by(pin, 0);
  show();
}

bool MdioTarget::block_drives() const {
  if (pins_.enable) return pins_.enable.high() != pins_.enable_low;
  // Without the pin it is not known, but a station leaves the wire to the device that answers.
  return !drives_;
}

/// The level of the wire.
bool MdioTarget::level() const {
  if (pins_.drive) return pins_.out.high();
  if (block_drives()) return pins_.out.high();
  return !drives_ || driven_;
}

void MdioTarget::tell(const Rule& rule, const std::string& detail) {
  if (checker_ && !frame_.told) checker_->tell(rule, detail);
  frame_.told = true;
}

void MdioTarget::clocked(std::uint64_t edge_ps) {
  const bool mdc = pins_.clock.high();
  if (checker_) checker_->check(mdc, block_drives(), pins_.out.high(), edge_ps);
  if (mdc && !mdc_) rise(level());
  mdc_ = mdc;
  show();
  watcher_->sleep_as_it_is();
}

void MdioTarget::show() {
  const bool in = pins_.drive ? driven_ : level();
  if (in == pins_.in.high() && (!pins_.drive || drives_ == pins_.drive.high())) return;
  pins_.in.set(in ? 1 : 0);
  pins_.drive.set(drives_ ? 1 : 0);
  if (sc_core::sc_is_running()) clock_->run_on(block_->edge_ps());
}

void MdioTarget::rise(bool bit) {
  if (bits_ != 0) return take(bit);
  if (!bit) return begin();
  if (ones_ < kPreambleBits) ++ones_;
}

/// The first bit of ST, which is 0.
void MdioTarget::begin() {
  frame_ = {};
  bits_ = 1;
  header_ = 0;
  if (ones_ < kPreambleBits && !devices_.device().mdio_takes_short_preamble()) {
    tell(mdio_rules::kPreamble, fmt::format("{} ones", ones_));
    frame_.ignored = true;
  }
  ones_ = 0;
}

void MdioTarget::decode() {
  const std::uint32_t code = header_ >> 10 & 3U;
  frame_.clause = (header_ >> 12 & 1U) != 0 ? MdioClause::k22 : MdioClause::k45;
  frame_.port = header_ >> 5 & 31U;
  frame_.device = header_ & 31U;
  if (frame_.clause == MdioClause::k45) {
    frame_.op = kOps45[code];
  } else if (code == kRead22 || code == kWrite22) {
    frame_.op = code == kRead22 ? MdioOp::kRead : MdioOp::kWrite;
  } else {
    tell(mdio_rules::kOperation, fmt::format("{:02b}", code));
    frame_.ignored = true;
  }
  frame_.reads = frame_.op == MdioOp::kRead || frame_.op == MdioOp::kReadIncrement;
  if (frame_.reads && !frame_.ignored) ask();
}

/// Takes a bit of a frame behind its first one.
void MdioTarget::take(bool bit) {
  const std::uint32_t at = bits_++;
  const bool last = bits_ == kFrameBits;
  if (last) bits_ = 0;
  if (frame_.ignored) return;
  if (at < kHeaderBits) {
    header_ = header_ << 1 | (bit ? 1U : 0U);
    if (pins_.enable && !block_drives()) tell(mdio_rules::kDriven, fmt::format("bit {}", at));
    if (at == kHeaderBits - 1) decode();
    return;
  }
  const std::uint32_t data_at = at - kHeaderBits - kTurnAroundBits;  // wraps in the turn-around
  if (!frame_.reads) {
    if (pins_.enable && !block_drives()) tell(mdio_rules::kDriven, fmt::format("bit {}", at));
    if (at < kHeaderBits + kTurnAroundBits) {
      if (bit != (at == kHeaderBits))
        tell(mdio_rules::kTurnAround, fmt::format("bit {} is {}", at - kHeaderBits, bit ? 1 : 0));
    } else {
      frame_.data = static_cast<std::uint16_t>(frame_.data << 1 | (bit ? 1U : 0U));
    }
    if (last) ask();
    return;
  }
  const bool fights = pins_.drive ? drives_ && bit != driven_ : pins_.enable && block_drives();
  if (fights) tell(mdio_rules::kTurnAround, fmt::format("the block drives bit {} of a read", at));
  drives_ = frame_.answered && !last;
  const std::uint32_t next = data_at + 1;  // of the data; wraps in the first bit
  driven_ = at != kHeaderBits && (frame_.data >> (15 - next % 16) & 1U) != 0;
}

/// Asks the device at this edge's time.
void MdioTarget::ask() {
  if (sc_core::sc_is_running()) return block_->call_at_edge(*this);
  deliver();  // before SystemC's zero nothing is delivered
}

void MdioTarget::deliver() {
  const bool old = frame_.clause == MdioClause::k22;
  frame_.answered =
      devices_.device().mdio_answers(frame_.port, old ? nic::kMdioClause22 : frame_.device);
  if (!frame_.answered) return unanswered.add();
  frames.add();
  const auto number = static_cast<std::uint16_t>(old ? frame_.device : frame_.data);
  const std::uint16_t value = devices_.carry_out(frame_.clause, frame_.op, frame_.port,
                                                 old ? 0 : frame_.device, number, frame_.data);
  if (frame_.reads) frame_.data = value;
}

}  // namespace longhaul::cosim

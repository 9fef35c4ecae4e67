// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "platform/observe/loss_watch.h"
#include "platform/observe/transport_header.h"

namespace longhaul::observe {

/// The bytes of TCP connections that were dropped, with place and reason: the last loss of each
/// byte, by flow and sequence number.
///
/// It also finds frames that were damaged, or that RTL has made, since their bytes have the same
/// sequence numbers. Memory is bounded: it keeps the newest kMostLosses losses (120 MB) and forgets
/// the oldest.
class LossBook final : public LossListener {
 public:
  static constexpr std::size_t kMostLosses = std::size_t{1} << 20;

  /// Records the losses of `watch` from this call on. `watch` must outlive this object.
  explicit LossBook(LossWatch& watch, std::size_t most_losses = kMostLosses);
  LossBook(const LossBook&) = delete;
  LossBook& operator=(const LossBook&) = delete;
  ~LossBook() override;

  /// The last loss of any of these bytes of a flow; empty if there is none.
  std::optional<PastLoss> last_loss(const FlowKey& flow, std::uint32_t sequence,
                                    std::uint32_t bytes) const;
  /// Whether it has forgotten losses. Then bytes without a loss may have been dropped earlier.
  bool forgets() const { return losses_ > in_order_.size(); }
  std::size_t most_losses() const { return most_losses_; }

  void on_loss(const Loss& loss) override;

 private:
  struct Lost {
    std::uint64_t end;  // after its last byte, unwrapped
    std::uint64_t number;
    PastLoss loss;
  };
  /// Sequence numbers wrap at 2^32. Consecutive ones of a flow are within 2^31 of each other.
  struct Flow {
    std::uint64_t furthest = std::uint64_t{1} << 33;  // room for bytes before the first one
    std::map<std::uint64_t, Lost> lost;               // by first byte: the last loss of it
  };
  using Flows = std::unordered_map<FlowKey, Flow, FlowKeyHash>;
  /// A loss in order of time, for forgetting.
  struct Told {
    Flows::value_type* flow;
    std::uint64_t begin;
    std::uint64_t number;
  };
  static std::uint64_t unwrap(const Flow& flow, std::uint32_t sequence);
  void forget_oldest();

  LossWatch& watch_;
  const std::size_t most_losses_;
  std::uint64_t losses_ = 0;
  Flows flows_;
  std::deque<Told> in_order_;
};

/// Sequence numbers of a segment: its bytes, and one for a SYN.
inline std::uint32_t sequence_length(const TransportHeader& header) {
  return header.payload + ((header.flags & TransportHeader::kSyn) != 0 ? 1 : 0);
}

}  // namespace longhaul::observe

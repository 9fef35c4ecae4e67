// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/host/drivers/chelsio/offload/toe_offload.h"

namespace longhaul::host::chelsio {

/// A connection in the chip. It outlives its user until the chip has let go of the tid.
class ToeFlow final : public OffloadFlow {
 public:
  ToeFlow(ToeOffload& owner, const tcp::Endpoints& ends, const OffloadOptions& options)
      : owner_(owner), ends_(ends), options_(options) {}

  // OffloadFlow.
  void send(const TxPacket& message, bool push) override;
  void credit(std::uint64_t bytes) override;
  void close() override;
  void abort() override;
  void give(const tcp::Context& context) override;
  void recall() override;

  // Events of the chip. The flow may be gone afterwards.
  void open_failed(OffloadEnd why);
  void opened(const CplMessage& established);
  void acknowledged(std::uint32_t una);
  void received(const RxPacket& data, std::uint32_t sequence);
  void peer_closed();
  void closed();
  void aborted(OffloadEnd why);
  void down();
  void returned(const CplMessage& message);

  const tcp::Endpoints& ends() const { return ends_; }
  const OffloadOptions& options() const { return options_; }
  bool aborting() const { return aborting_; }

  // Its places in the chip's tables, and what it belongs to. Kept by ToeOffload.
  std::optional<std::uint32_t> tid;
  std::optional<std::uint32_t> atid;
  OffloadUser* user = nullptr;
  OffloadServer* server = nullptr;  ///< that has accepted its SYN
  bool moves = false;               ///< the host has opened it
  tcp::Context context;             ///< of such a connection, when it was given last

 private:
  void let_go();
  /// The queue of messages without data. A connection that comes and goes has all its messages in
  /// one order.
  Lane lane() const { return moves ? Lane::kOrdered : Lane::kControl; }

  ToeOffload& owner_;
  const tcp::Endpoints ends_;
  const OffloadOptions options_;
  bool open_ = false;
  bool aborting_ = false;  // no event is for its user
  bool fin_acked_ = false;
  bool peer_closed_ = false;
  std::uint32_t una_ = 0;      // oldest number without an ACK
  std::uint64_t unacked_ = 0;  // bytes
  std::uint32_t rcv_next_ = 0;
};

}  // namespace longhaul::host::chelsio

// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/time_wait.h"

#include "models/host/net/stack.h"

namespace longhaul::host {

void TimeWait::add(Bucket bucket) {
  if (buckets_.size() >= stack_.params().time_wait_buckets()) return;
  const FlowKey key = outgoing_key(bucket.ends);
  bucket.until = now_ps() + stack_.tcp_config().time_wait;
  buckets_[key] = bucket;
  expiries_.push_back({key, bucket.until});
  if (!pending()) stack_.timers().set(*this, expiries_.front().at);
  changed();
}

void TimeWait::changed() { stack_.time_wait_level.set(buckets_.size()); }

bool TimeWait::take(const FlowKey& key, const tcp::Segment& segment) {
  const auto found = buckets_.find(key);
  if (found == buckets_.end()) return false;
  Bucket& bucket = found->second;
  if (segment.has(tcp::kRst)) return true;  // RFC 1337
  const bool newer =
      static_cast<std::int32_t>(segment.seq - bucket.receive_next) > 0 ||
      (bucket.timestamps && segment.options.timestamps &&
       static_cast<std::int32_t>(segment.options.ts_value - bucket.peer_timestamp) > 0);
  if (segment.has(tcp::kSyn) && !segment.has(tcp::kAck) && newer) {
    buckets_.erase(found);
    changed();
    return false;
  }
  if (segment.has(tcp::kFin)) {  // our ACK was lost: the time begins again
    bucket.until = now_ps() + stack_.tcp_config().time_wait;
    expiries_.push_back({key, bucket.until});
  }
  if (segment.sequence_length() == 0) return true;
  tcp::Segment answer;
  answer.flags = tcp::kAck;
  answer.seq = bucket.send_next;
  answer.ack = bucket.receive_next;
  if (bucket.timestamps) {
    answer.options.timestamps = true;
    answer.options.ts_value =
        static_cast<std::uint32_t>(now_ps() / stack_.tcp_config().timestamp_tick + 1) +
        bucket.timestamp_offset;
    answer.options.ts_echo = bucket.peer_timestamp;
  }
  stack_.send_alone(bucket.ends, answer);
  return true;
}

void TimeWait::expired() {
  while (!expiries_.empty() && expiries_.front().at <= now_ps()) {
    const Expiry due = expiries_.pop_front();
    const auto found = buckets_.find(due.key);
    if (found != buckets_.end() && found->second.until <= due.at) buckets_.erase(found);
  }
  changed();
  if (!expiries_.empty()) stack_.timers().set(*this, expiries_.front().at);
}

}  // namespace longhaul::host

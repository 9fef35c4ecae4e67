// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace longhaul::cosim {

AxiChecker::AxiChecker(const AxiPins& pins, std::string prefix, CheckerSink& sink)
    : prefix_(std::move(prefix)), sink_(sink), bus_bytes_(pins.bus_bytes()) {
  list_unchecked(pins);
  writes_.reserve(32);
  reads_.reserve(32);
}

void AxiChecker::list_unchecked(const AxiPins& pins) {
  const auto need = [this](const Pin& pin, const char* name,
                           std::initializer_list<const Rule*> rules) {
    if (pin) return;
    for (const Rule* rule : rules) unchecked_.push_back({rule, prefix_ + name});
  };
  need(pins.reset.pin, "aresetn", {&axi_rules::kValidInReset, &axi_rules::kValidAfterReset});
  need(pins.aw.valid, "awvalid",
       {&axi_rules::kValidStable, &axi_rules::kPayloadStable, &axi_rules::kWriteResponseEarly});
  need(pins.ar.valid, "arvalid",
       {&axi_rules::kValidStable, &axi_rules::kPayloadStable, &axi_rules::kReadResponseEarly});
  for (const auto& [channel, name] :
       {std::pair{&pins.aw, std::string("aw")}, std::pair{&pins.ar, std::string("ar")}}) {
    need(channel->len, (name + "len").c_str(), {&axi_rules::kBoundary, &axi_rules::kLength});
    need(channel->size, (name + "size").c_str(), {&axi_rules::kSize, &axi_rules::kWrapAligned});
    need(channel->burst, (name + "burst").c_str(), {&axi_rules::kBurstType});
    need(channel->cache, (name + "cache").c_str(), {&axi_rules::kCache});
    need(channel->lock, (name + "lock").c_str(), {&axi_rules::kExclusive});
  }
  need(pins.w.last, "wlast", {&axi_rules::kWriteLast});
  need(pins.w.strb, "wstrb", {&axi_rules::kStrobes});
  need(pins.r.last, "rlast", {&axi_rules::kReadLast});
  need(pins.b.id, "bid", {&axi_rules::kWriteId});
  need(pins.r.id, "rid", {&axi_rules::kReadId});
  need(pins.b.resp, "bresp", {&axi_rules::kExOkay});
  need(pins.r.resp, "rresp", {&axi_rules::kExOkay});
}

void AxiChecker::tell(const Rule& rule, const std::string& signal, const std::string& detail) {
  sink_.violated(rule, edge_ps_, prefix_ + signal, detail);
}

template <class Call>
void AxiChecker::for_valids(const AxiSample& s, const Call& call) {
  if (s.aw.valid) call(0, "awvalid");
  if (s.w.valid) call(1, "wvalid");
  if (s.b.valid) call(2, "bvalid");
  if (s.ar.valid) call(3, "arvalid");
  if (s.r.valid) call(4, "rvalid");
}

void AxiChecker::check(const AxiSample& sample, std::uint64_t edge_ps) {
  if (sample.still) return;
  edge_ps_ = edge_ps;
  if (check_reset(sample)) return;
  check_valid_stable(sample);
  check_held_payload(sample);
  if (sample.b.valid && !held_.b) check_write_response(sample);
  if (sample.r.valid && !held_.r) check_read_response(sample);
  if (sample.aw.valid && !held_.aw) check_address("aw", sample.aw.burst);
  if (sample.ar.valid && !held_.ar) check_address("ar", sample.ar.burst);
  take(sample);
  hold(sample);
}

/// Returns whether the edge is in reset, so that nothing else is checked.
bool AxiChecker::check_reset(const AxiSample& s) {
  if (s.reset) {
    if (reset_edges_++ == 0) {
      told_in_reset_ = 0;
      held_ = {};
      writes_.clear();
      reads_.clear();
      early_beats_.clear();
      return true;
    }
    for_valids(s, [this](std::uint32_t channel, const char* signal) {
      if ((told_in_reset_ >> channel & 1U) != 0) return;
      told_in_reset_ |= 1U << channel;
      tell(axi_rules::kValidInReset, signal, "high in reset");
    });
    return true;
  }
  if (std::exchange(reset_edges_, 0) == 0) return false;
  bool told = false;
  for_valids(s, [&](std::uint32_t, const char* signal) {
    told = true;
    tell(axi_rules::kValidAfterReset, signal, "high at the first edge after reset");
  });
  if (!told) return false;
  take(s);
  hold(s);
  return true;
}

void AxiChecker::check_valid_stable(const AxiSample& s) {
  const auto stable = [this](bool held, bool valid, const char* signal) {
    if (held && !valid) tell(axi_rules::kValidStable, signal, "fell without READY");
  };
  stable(held_.aw, s.aw.valid, "awvalid");
  stable(held_.w, s.w.valid, "wvalid");
  stable(held_.b, s.b.valid, "bvalid");
  stable(held_.ar, s.ar.valid, "arvalid");
  stable(held_.r, s.r.valid, "rvalid");
}

void AxiChecker::check_held_address(const char* channel, const AxiBurst& was, const AxiBurst& is) {
  if (was.same(is)) return;
  const auto changed = [&](const char* signal, std::uint64_t from, std::uint64_t to) {
    if (from == to) return;
    tell(axi_rules::kPayloadStable, std::string(channel) + signal,
         fmt::format("changed from 0x{:x} to 0x{:x} before READY", from, to));
  };
  changed("id", was.id, is.id);
  changed("addr", was.addr, is.addr);
  changed("len", was.beats - 1U, is.beats - 1U);
  changed("size", was.size, is.size);
  changed("burst", static_cast<std::uint64_t>(was.type), static_cast<std::uint64_t>(is.type));
  changed("lock", was.lock, is.lock);
  changed("cache", was.cache, is.cache);
  changed("prot", was.prot, is.prot);
  changed("qos", was.qos, is.qos);
  changed("region", was.region, is.region);
}

void AxiChecker::check_held_payload(const AxiSample& s) {
  const auto changed = [this](bool differs, const char* signal) {
    if (differs) tell(axi_rules::kPayloadStable, signal, "changed before READY");
  };
  if (held_.aw && s.aw.valid) check_held_address("aw", was_.aw.burst, s.aw.burst);
  if (held_.ar && s.ar.valid) check_held_address("ar", was_.ar.burst, s.ar.burst);
  if (held_.w && s.w.valid) {
    changed(s.w.last != was_.w.last, "wlast");
    changed(s.w.strb != was_.w.strb, "wstrb");
    changed(std::memcmp(s.w.data.data(), was_.w.data.data(), bus_bytes_) != 0, "wdata");
  }
  if (held_.b && s.b.valid) {
    changed(s.b.id != was_.b.id, "bid");
    changed(s.b.resp != was_.b.resp, "bresp");
  }
  if (held_.r && s.r.valid) {
    changed(s.r.last != was_.r.last, "rlast");
    changed(s.r.id != was_.r.id, "rid");
    changed(s.r.resp != was_.r.resp, "rresp");
    changed(std::memcmp(s.r.data.data(), was_.r.data.data(), bus_bytes_) != 0, "rdata");
  }
}

void AxiChecker::hold(const AxiSample& s) {
  held_ = {s.aw.valid && !s.aw.ready, s.w.valid && !s.w.ready, s.b.valid && !s.b.ready,
           s.ar.valid && !s.ar.ready, s.r.valid && !s.r.ready};
  if (held_.aw) was_.aw = s.aw;
  if (held_.w) was_.w = s.w;
  if (held_.b) was_.b = s.b;
  if (held_.ar) was_.ar = s.ar;
  if (held_.r) was_.r = s.r;
}

void AxiChecker::check_address(const char* channel, const AxiBurst& burst) {
  const auto broken = [&](const Rule& rule, const char* signal) {
    tell(rule, std::string(channel) + signal,
         fmt::format("{} beats of {} bytes, burst {}, from 0x{:x}", burst.beats, burst.beat_bytes(),
                     static_cast<std::uint32_t>(burst.type), burst.addr));
  };
  if ((burst.cache & 2U) == 0 && (burst.cache & 0xcU) != 0) broken(axi_rules::kCache, "cache");
  if (burst.beat_bytes() > bus_bytes_) return broken(axi_rules::kSize, "size");
  const bool aligned = burst.addr == burst.aligned();
  const bool power = (burst.beats & (burst.beats - 1U)) == 0;
  switch (burst.type) {
    case AxiBurstType::kFixed:
      if (burst.beats > 16) broken(axi_rules::kLength, "len");
      break;
    case AxiBurstType::kIncr:
      if ((burst.addr ^ (burst.aligned() + burst.bytes() - 1)) >> 12U != 0)
        broken(axi_rules::kBoundary, "addr");
      break;
    case AxiBurstType::kWrap:
      if (!power || burst.beats < 2 || burst.beats > 16) broken(axi_rules::kLength, "len");
      if (!aligned) broken(axi_rules::kWrapAligned, "addr");
      break;
    default: broken(axi_rules::kBurstType, "burst");
  }
  if (burst.lock != 0 && (!power || burst.beats > 16 || burst.bytes() > 128 ||
                          (burst.addr & (burst.bytes() - 1U)) != 0)) {
    broken(axi_rules::kExclusive, "lock");
  }
}

/// The index of the first match; of.size() if there is none.
std::size_t AxiChecker::find(const std::vector<Pending>& of, std::uint64_t id, bool complete) {
  std::size_t i = 0;
  while (i < of.size() && (of[i].burst.id != id || (complete && !of[i].complete))) ++i;
  return i;
}

void AxiChecker::check_write_response(const AxiSample& s) {
  const std::size_t i = find(writes_, s.b.id, false);
  if (i == writes_.size()) {
    const bool asked = s.aw.valid && s.aw.burst.id == s.b.id;
    if (writes_.empty() || asked) {
      return tell(axi_rules::kWriteResponseEarly, "bvalid",
                  fmt::format("high before the address of a write with ID {} was taken", s.b.id));
    }
    return tell(axi_rules::kWriteId, "bid",
                fmt::format("{}: no write of this ID is under way", s.b.id));
  }
  if (!writes_[i].complete) {
    return tell(axi_rules::kWriteResponseEarly, "bvalid",
                fmt::format("high after {} of {} beats of the write of 0x{:x}", writes_[i].beats,
                            writes_[i].burst.beats, writes_[i].burst.addr));
  }
  if (s.b.resp == AxiResponse::kExOkay && writes_[i].burst.lock == 0)
    tell(axi_rules::kExOkay, "bresp",
         fmt::format("EXOKAY to the write of 0x{:x}", writes_[i].burst.addr));
}

void AxiChecker::check_read_response(const AxiSample& s) {
  const std::size_t i = find(reads_, s.r.id, false);
  if (i == reads_.size()) {
    const bool asked = s.ar.valid && s.ar.burst.id == s.r.id;
    if (reads_.empty() || asked) {
      return tell(axi_rules::kReadResponseEarly, "rvalid",
                  fmt::format("high before the address of a read with ID {} was taken", s.r.id));
    }
    return tell(axi_rules::kReadId, "rid",
                fmt::format("{}: no read of this ID is under way", s.r.id));
  }
  const Pending& read = reads_[i];
  if (s.r.last != (read.beats + 1 == read.burst.beats)) {
    tell(axi_rules::kReadLast, "rlast",
         fmt::format("{} at beat {} of {} of the read of 0x{:x}", s.r.last ? "high" : "low",
                     read.beats + 1, read.burst.beats, read.burst.addr));
  }
  if (s.r.resp == AxiResponse::kExOkay && read.burst.lock == 0)
    tell(axi_rules::kExOkay, "rresp", fmt::format("EXOKAY to the read of 0x{:x}", read.burst.addr));
}

/// Records the handshakes of this clock edge.
void AxiChecker::take(const AxiSample& s) {
  if (s.b.taken() && !writes_.empty()) {
    std::size_t i = find(writes_, s.b.id, true);
    if (i == writes_.size()) i = 0;  // reported before
    writes_.erase(writes_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (s.r.taken() && !reads_.empty()) {
    std::size_t i = find(reads_, s.r.id, false);
    if (i == reads_.size()) i = 0;
    if (++reads_[i].beats >= reads_[i].burst.beats || s.r.last)
      reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (s.ar.taken()) reads_.push_back({s.ar.burst, 0, false});
  if (s.aw.taken()) writes_.push_back({s.aw.burst, 0, false});
  if (s.w.taken()) early_beats_.push_back({s.w.strb, s.w.last});
  if (s.aw.taken() || s.w.taken()) {
    while (!early_beats_.empty() && std::any_of(writes_.begin(), writes_.end(),
                                                [](const Pending& p) { return !p.complete; }))
      take_write_beat(early_beats_.pop_front());
  }
}

void AxiChecker::take_write_beat(const Beat& beat) {
  Pending& write = *std::find_if(writes_.begin(), writes_.end(),
                                 [](const Pending& pending) { return !pending.complete; });
  const AxiBurst& burst = write.burst;
  const std::uint64_t address = burst.address(write.beats);
  ++write.beats;
  const std::uint64_t lanes = burst.beat_bytes() > bus_bytes_
                                  ? ~std::uint64_t{0}
                                  : AxiLanes(burst, address, bus_bytes_).mask();
  if ((beat.strb & ~lanes) != 0) {
    tell(axi_rules::kStrobes, "wstrb",
         fmt::format("0x{:x} at 0x{:x}, beat {}: the transfer has lanes 0x{:x}", beat.strb, address,
                     write.beats, lanes));
  }
  const bool last = write.beats == burst.beats;
  if (beat.last != last) {
    tell(axi_rules::kWriteLast, "wlast",
         fmt::format("{} at beat {} of {} of the write of 0x{:x}", beat.last ? "high" : "low",
                     write.beats, burst.beats, burst.addr));
  }
  write.complete = last || beat.last;
}

}  // namespace longhaul::cosim

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
void AxiChecker::for_valids(AxiChannels channels, const Call& call) {
  if ((channels & kAxiAw) != 0) call("awvalid");
  if ((channels & kAxiW) != 0) call("wvalid");
  if ((channels & kAxiB) != 0) call("bvalid");
  if ((channels & kAxiAr) != 0) call("arvalid");
  if ((channels & kAxiR) != 0) call("rvalid");
}

void AxiChecker::check_edge(const AxiSample& s, std::uint64_t edge_ps) {
  edge_ps_ = edge_ps;
  if ((s.reset || reset_edges_ != 0) && check_reset(s)) return;
  if (held_ != 0) {
    check_valid_stable(s);
    check_held_payload(s);
  }
  const AxiChannels raised = s.valid & ~held_;
  if ((raised & kAxiB) != 0) check_write_response(s);
  if ((raised & kAxiR) != 0) check_read_response(s);
  if ((raised & kAxiAw) != 0) check_address("aw", s.aw);
  if ((raised & kAxiAr) != 0) check_address("ar", s.ar);
  if (s.taken() != 0) take(s);
  hold(s);
}

/// Returns whether the edge is in reset, so that nothing else is checked.
bool AxiChecker::check_reset(const AxiSample& s) {
  if (s.reset) {
    if (reset_edges_++ == 0) {
      told_in_reset_ = 0;
      held_ = 0;
      writes_.clear();
      complete_ = 0;
      reads_.clear();
      early_beats_.clear();
      return true;
    }
    for_valids(s.valid & ~told_in_reset_, [this](const char* signal) {
      tell(axi_rules::kValidInReset, signal, "high in reset");
    });
    told_in_reset_ |= s.valid;
    return true;
  }
  reset_edges_ = 0;
  if (s.valid == 0) return false;
  for_valids(s.valid, [this](const char* signal) {
    tell(axi_rules::kValidAfterReset, signal, "high at the first edge after reset");
  });
  take(s);
  hold(s);
  return true;
}

void AxiChecker::check_valid_stable(const AxiSample& s) {
  for_valids(held_ & ~s.valid, [this](const char* signal) {
    tell(axi_rules::kValidStable, signal, "fell without READY");
  });
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
  const AxiChannels both = held_ & s.valid;
  if ((both & kAxiAw) != 0) check_held_address("aw", was_.aw, s.aw);
  if ((both & kAxiAr) != 0) check_held_address("ar", was_.ar, s.ar);
  if ((both & kAxiW) != 0) {
    changed(s.w.last != was_.w.last, "wlast");
    changed(s.w.strb != was_.w.strb, "wstrb");
    changed(std::memcmp(s.w.data.data(), was_.w.data.data(), bus_bytes_) != 0, "wdata");
  }
  if ((both & kAxiB) != 0) {
    changed(s.b.id != was_.b.id, "bid");
    changed(s.b.resp != was_.b.resp, "bresp");
  }
  if ((both & kAxiR) != 0) {
    changed(s.r.last != was_.r.last, "rlast");
    changed(s.r.id != was_.r.id, "rid");
    changed(s.r.resp != was_.r.resp, "rresp");
    changed(std::memcmp(s.r.data.data(), was_.r.data.data(), bus_bytes_) != 0, "rdata");
  }
}

void AxiChecker::hold(const AxiSample& s) {
  held_ = s.held();
  if (held_ == 0) return;
  if ((held_ & kAxiAw) != 0) was_.aw = s.aw;
  if ((held_ & kAxiW) != 0) was_.w = s.w;
  if ((held_ & kAxiB) != 0) was_.b = s.b;
  if ((held_ & kAxiAr) != 0) was_.ar = s.ar;
  if ((held_ & kAxiR) != 0) was_.r = s.r;
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
    const bool asked = (s.valid & kAxiAw) != 0 && s.aw.id == s.b.id;
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
    const bool asked = (s.valid & kAxiAr) != 0 && s.ar.id == s.r.id;
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
  const AxiChannels taken = s.taken();
  if ((taken & kAxiB) != 0) take_write_response(s);
  if ((taken & kAxiR) != 0) take_read_data(s);
  if ((taken & kAxiAr) != 0) reads_.push_back({s.ar, 0, false});
  if ((taken & kAxiAw) != 0) writes_.push_back({s.aw, 0, false});
  if ((taken & (kAxiAw | kAxiW)) != 0) take_write_data(s);
}

void AxiChecker::take_write_response(const AxiSample& s) {
  if (writes_.empty()) return;
  std::size_t i = find(writes_, s.b.id, true);
  if (i == writes_.size()) i = 0;  // reported before
  writes_.erase(writes_.begin() + static_cast<std::ptrdiff_t>(i));
  if (i < complete_) --complete_;
}

void AxiChecker::take_read_data(const AxiSample& s) {
  if (reads_.empty()) return;
  std::size_t i = find(reads_, s.r.id, false);
  if (i == reads_.size()) i = 0;
  if (++reads_[i].beats >= reads_[i].burst.beats || s.r.last)
    reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(i));
}

/// Gives data to writes in the order of their addresses (A5.4). Data may come ahead of them.
void AxiChecker::take_write_data(const AxiSample& s) {
  const bool beat = (s.taken() & kAxiW) != 0;
  if (early_beats_.empty() && complete_ < writes_.size()) {
    if (beat) take_write_beat({s.w.strb, s.w.last});
    return;
  }
  if (beat) early_beats_.push_back({s.w.strb, s.w.last});
  while (!early_beats_.empty() && complete_ < writes_.size())
    take_write_beat(early_beats_.pop_front());
}

/// Gives a beat to the oldest write that lacks data.
void AxiChecker::take_write_beat(const Beat& beat) {
  Pending& write = writes_[complete_];
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
  if (write.complete) ++complete_;
}

}  // namespace longhaul::cosim

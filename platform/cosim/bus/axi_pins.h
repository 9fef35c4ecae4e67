// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/common/low_bits.h"
#include "platform/cosim/bus/bus_status.h"
#include "platform/cosim/bus/rule.h"

namespace longhaul::cosim {

/// AXI4 and AXI4-Lite (AMBA AXI and ACE, IHI 0022E). AXI4-Lite is AXI4 without some pins, which
/// stay unconnected. An unconnected pin reads as the standard's default (A10.3).
struct AxiAddressPins {
  Pin valid, id, addr, len, size, burst, lock, cache, prot, qos, region;
  Pin ready = Pin::fixed(1, 1);
};
struct AxiWritePins {
  Pin valid, data, strb, last;
  Pin ready = Pin::fixed(1, 1);
};
struct AxiWriteResponsePins {
  Pin valid, id, resp;
  Pin ready = Pin::fixed(1, 1);
};
struct AxiReadPins {
  Pin valid, id, data, resp, last;
  Pin ready = Pin::fixed(1, 1);
};
struct AxiPins {
  AxiAddressPins aw;
  AxiWritePins w;
  AxiWriteResponsePins b;
  AxiAddressPins ar;
  AxiReadPins r;
  ResetPin reset;

  static constexpr std::uint32_t kMostBytes = 64;  // 512 bits

  /// Bytes of the data bus, WDATA or RDATA.
  std::uint32_t bus_bytes() const { return (w.data ? w.data : r.data).bytes(); }
  /// The pins with the standard's defaults for unconnected ones (a whole word of the bus, INCR, all
  /// lanes, last). Throws std::invalid_argument, with `prefix`, if the data bus has no legal width.
  AxiPins completed(const std::string& prefix) const;
};

/// Burst types (A3.4.1) and responses (A3.4.4).
enum class AxiBurstType : std::uint8_t { kFixed, kIncr, kWrap, kReserved };
enum class AxiResponse : std::uint8_t { kOkay, kExOkay, kSlvErr, kDecErr };

inline BusStatus status_of(AxiResponse response) {
  return response == AxiResponse::kSlvErr   ? BusStatus::kSlaveError
         : response == AxiResponse::kDecErr ? BusStatus::kDecodeError
                                            : BusStatus::kOk;
}
inline AxiResponse response_of(BusStatus status) {
  return status == BusStatus::kOk            ? AxiResponse::kOkay
         : status == BusStatus::kDecodeError ? AxiResponse::kDecErr
                                             : AxiResponse::kSlvErr;
}

/// The address phase of a burst, and the addresses of its beats.
struct AxiBurst {
  std::uint64_t id = 0;
  std::uint64_t addr = 0;
  std::uint16_t beats = 1;
  std::uint8_t size = 0;  // log2 of a beat's bytes
  AxiBurstType type = AxiBurstType::kIncr;
  std::uint8_t lock = 0;
  std::uint8_t cache = 0;
  std::uint8_t prot = 0;
  std::uint8_t qos = 0;
  std::uint8_t region = 0;

  std::uint32_t beat_bytes() const { return 1U << size; }
  std::uint32_t bytes() const { return std::uint32_t{beats} << size; }
  std::uint64_t aligned() const { return addr >> size << size; }
  /// The lowest address of a WRAP burst.
  std::uint64_t wrap_base() const { return addr / bytes() * bytes(); }
  /// The address of beat `n` (A3.4.2).
  std::uint64_t address(std::uint32_t n) const {
    if (n == 0 || type == AxiBurstType::kFixed) return addr;
    const std::uint64_t next = aligned() + (std::uint64_t{n} << size);
    return type == AxiBurstType::kWrap ? wrap_base() + (next - wrap_base()) % bytes() : next;
  }
  bool same(const AxiBurst& o) const {
    return id == o.id && addr == o.addr && beats == o.beats && size == o.size && type == o.type &&
           lock == o.lock && cache == o.cache && prot == o.prot && qos == o.qos &&
           region == o.region;
  }
};

/// The byte lanes of a beat (A3.4.2).
struct AxiLanes {
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  AxiLanes(const AxiBurst& burst, std::uint64_t address, std::uint32_t bus_bytes)
      : first(static_cast<std::uint32_t>(address & (bus_bytes - 1))),
        count(burst.beat_bytes() - static_cast<std::uint32_t>(address & (burst.beat_bytes() - 1))) {
  }
  std::uint64_t mask() const { return low_bits(count) << first; }
};

/// The channels of an AXI bus, as bits of a set.
enum AxiChannel : std::uint32_t { kAxiAw = 1, kAxiW = 2, kAxiB = 4, kAxiAr = 8, kAxiR = 16 };
using AxiChannels = std::uint32_t;

/// Reads the handshake pins and the reset of an AXI bus. They are side by side here, since each
/// edge reads them.
class AxiHandshakes {
 public:
  explicit AxiHandshakes(const AxiPins& pins);

  bool reset() const { return reset_.level() == reset_level_; }
  AxiChannels valid() const { return read(valid_); }
  AxiChannels ready() const { return read(ready_); }

 private:
  struct Bit {
    const std::uint8_t* byte = nullptr;
    std::uint32_t shift = 0;
    std::uint32_t level() const { return static_cast<std::uint32_t>(*byte >> shift) & 1U; }
  };
  using Bits = std::array<Bit, 5>;  // in the order of AxiChannel
  static Bit bit(const Pin& pin);
  static AxiChannels read(const Bits& bits) {
    return bits[0].level() | bits[1].level() << 1 | bits[2].level() << 2 | bits[3].level() << 3 |
           bits[4].level() << 4;
  }

  Bits valid_;
  Bit reset_;
  std::uint32_t reset_level_ = 0;
  Bits ready_;
};

/// All pins of an AXI bus just before a rising edge. The payload of a channel is sampled only while
/// its VALID is high.
struct AxiSample {
  using Data = std::array<std::uint8_t, AxiPins::kMostBytes>;
  struct Write {
    bool last = false;
    std::uint64_t strb = 0;
    Data data;
  };
  struct WriteResponse {
    std::uint64_t id = 0;
    AxiResponse resp = AxiResponse::kOkay;
  };
  struct Read {
    bool last = false;
    AxiResponse resp = AxiResponse::kOkay;
    std::uint64_t id = 0;
    Data data;
  };
  AxiChannels valid = 0;
  AxiChannels ready = 0;
  bool reset = false;
  bool quiet = false;  ///< no VALID is high, and there is no reset
  bool still = false;  ///< quiet at this edge and the one before: there is nothing to do or to
                       ///< check
  AxiBurst aw;
  AxiBurst ar;
  Write w;
  WriteResponse b;
  Read r;

  /// Channels with a handshake at this edge, and channels whose VALID waits for READY.
  AxiChannels taken() const { return valid & ready; }
  AxiChannels held() const { return valid & ~ready; }

  /// `handshakes` are those of `pins`.
  void take(const AxiHandshakes& handshakes, const AxiPins& pins) {
    reset = handshakes.reset();
    valid = handshakes.valid();
    const bool was_quiet = quiet;
    quiet = !reset && valid == 0;
    still = quiet && was_quiet;
    if (!still) take_rest(handshakes, pins);
  }

 private:
  void take_rest(const AxiHandshakes& handshakes, const AxiPins& pins);
};

}  // namespace longhaul::cosim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cosim/bus/rule.h"

/// The rules of AxiChecker. Clauses are those of AMBA AXI and ACE, ARM IHI 0022E.
namespace longhaul::cosim::axi_rules {

inline constexpr Rule kValidInReset{"axi.valid_in_reset", "IHI 0022E A3.1.2",
                                    "During reset every VALID is low."};
inline constexpr Rule kValidAfterReset{
    "axi.valid_after_reset", "IHI 0022E A3.1.2",
    "VALID may rise after the first edge at which reset is sampled inactive, not before."};
inline constexpr Rule kValidStable{"axi.valid_stable", "IHI 0022E A3.2.1",
                                   "VALID, once high, stays high until READY."};
inline constexpr Rule kPayloadStable{
    "axi.payload_stable", "IHI 0022E A3.2.1",
    "The signals of a channel do not change while VALID is high and READY low."};
inline constexpr Rule kWriteResponseEarly{
    "axi.write_response_early", "IHI 0022E A3.3.1",
    "BVALID rises only after the address and the last data beat of a write were taken."};
inline constexpr Rule kReadResponseEarly{"axi.read_response_early", "IHI 0022E A3.3.1",
                                         "RVALID rises only after the address was taken."};
inline constexpr Rule kBoundary{"axi.boundary_4k", "IHI 0022E A3.4.1",
                                "A burst does not cross a 4 KiB boundary."};
inline constexpr Rule kLength{"axi.burst_length", "IHI 0022E A3.4.1",
                              "A WRAP burst has 2, 4, 8 or 16 beats, a FIXED burst at most 16."};
inline constexpr Rule kSize{"axi.burst_size", "IHI 0022E A3.4.1",
                            "A beat has no more bytes than the data bus."};
inline constexpr Rule kWrapAligned{"axi.wrap_aligned", "IHI 0022E A3.4.1",
                                   "The address of a WRAP burst is aligned to its beats."};
inline constexpr Rule kBurstType{"axi.burst_type", "IHI 0022E A3.4.1",
                                 "AxBURST is FIXED, INCR or WRAP; 0b11 is reserved."};
inline constexpr Rule kWriteLast{
    "axi.write_last", "IHI 0022E A3.4.1",
    "WLAST is high at the last beat that AWLEN tells, and at no other."};
inline constexpr Rule kReadLast{
    "axi.read_last", "IHI 0022E A3.4.1",
    "RLAST is high at the last beat that ARLEN tells, and at no other."};
inline constexpr Rule kStrobes{"axi.strobes", "IHI 0022E A3.4.3",
                               "WSTRB is high only in the byte lanes of the transfer."};
inline constexpr Rule kExOkay{"axi.exokay", "IHI 0022E A3.4.4",
                              "EXOKAY answers only an exclusive access."};
inline constexpr Rule kCache{"axi.cache", "IHI 0022E A4.4",
                             "AxCACHE[3:2] are low while AxCACHE[1] is."};
inline constexpr Rule kWriteId{"axi.write_id", "IHI 0022E A5.3",
                               "BID is that of a write whose response is due."};
inline constexpr Rule kReadId{"axi.read_id", "IHI 0022E A5.3",
                              "RID is that of a read whose data is due."};
inline constexpr Rule kExclusive{"axi.exclusive", "IHI 0022E A7.2.4",
                                 "An exclusive access has 1, 2, 4, ... 128 bytes, at most 16 "
                                 "beats, and is aligned to its bytes."};
/// Not a rule of the standard: FIXED bursts are for FIFOs, and the memory is not a FIFO.
inline constexpr Rule kFixedRefused{
    "axi.fixed_refused", "Longhaul",
    "Memory takes INCR and WRAP bursts; FIXED ones are answered with SLVERR."};

inline constexpr const Rule* kAll[] = {&kValidInReset,
                                       &kValidAfterReset,
                                       &kValidStable,
                                       &kPayloadStable,
                                       &kWriteResponseEarly,
                                       &kReadResponseEarly,
                                       &kBoundary,
                                       &kLength,
                                       &kSize,
                                       &kWrapAligned,
                                       &kBurstType,
                                       &kWriteLast,
                                       &kReadLast,
                                       &kStrobes,
                                       &kExOkay,
                                       &kCache,
                                       &kWriteId,
                                       &kReadId,
                                       &kExclusive,
                                       &kFixedRefused};

}  // namespace longhaul::cosim::axi_rules

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cosim/bus/rule.h"

/// The rules of the checkers of a block's transmitter. Clauses are those of IEEE 802.3-2018.
namespace longhaul::cosim {

namespace xgmii_rules {
inline constexpr Rule kControl{
    "xgmii.control_code", "IEEE 802.3 Table 46-3",
    "A control character is idle, sequence, start, terminate, error or low power idle."};
inline constexpr Rule kStartLane{"xgmii.start_lane", "IEEE 802.3 46.3.1.4",
                                 "Start is in lane 0 of a column of four."};
inline constexpr Rule kPreamble{
    "xgmii.preamble", "IEEE 802.3 46.2.2",
    "Behind start come six bytes of preamble and the start of frame delimiter."};
inline constexpr Rule kEnd{"xgmii.frame_end", "IEEE 802.3 46.2.4",
                           "A frame ends with terminate, and terminate ends a frame."};
inline constexpr Rule kBehindEnd{"xgmii.behind_terminate", "IEEE 802.3 46.2.4",
                                 "The lanes behind terminate are idle."};
inline constexpr Rule kIdleData{"xgmii.data_in_idle", "IEEE 802.3 46.2.1",
                                "There are no data characters between frames."};
inline constexpr Rule kGap{
    "xgmii.gap", "IEEE 802.3 46.3.1.4",
    "From terminate to start are nine bytes at least, twelve less a deficit of three."};
inline constexpr Rule kSequence{"xgmii.sequence", "IEEE 802.3 46.3.4, Table 46-5",
                                "Sequence is in lane 0, and behind it are 00 00 and 01 (local "
                                "fault), 02 (remote fault) or 03 (link interruption)."};
inline constexpr const Rule* kAll[] = {&kControl,   &kStartLane, &kPreamble, &kEnd,
                                       &kBehindEnd, &kIdleData,  &kGap,      &kSequence};
}  // namespace xgmii_rules

namespace gmii_rules {
inline constexpr Rule kControl{
    "gmii.control_code", "IEEE 802.3 Table 35-1",
    "With TX_EN low and TX_ER high, TXD is low power idle or carrier extension."};
inline constexpr Rule kPreamble{
    "gmii.preamble", "IEEE 802.3 35.2.3.2.1",
    "A frame begins with seven bytes of preamble and the start of frame delimiter."};
inline constexpr Rule kGap{"gmii.gap", "IEEE 802.3 4A.4.2",
                           "Between two frames are twelve bytes at least."};
inline constexpr const Rule* kAll[] = {&kControl, &kPreamble, &kGap};
}  // namespace gmii_rules

namespace mii_rules {
inline constexpr Rule kControl{"mii.control_code", "IEEE 802.3 Table 22-1",
                               "With TX_EN low and TX_ER high, TXD is low power idle."};
inline constexpr Rule kPreamble{
    "mii.preamble", "IEEE 802.3 22.2.3.2",
    "A frame begins with 15 nibbles 0x5 and 0xd: seven bytes of preamble and the delimiter."};
inline constexpr Rule kWholeBytes{"mii.whole_bytes", "IEEE 802.3 22.2.3.5",
                                  "A frame behind its delimiter is of whole bytes."};
inline constexpr Rule kGap{"mii.gap", "IEEE 802.3 4A.4.2",
                           "Between two frames are 24 nibbles at least."};
inline constexpr const Rule* kAll[] = {&kControl, &kPreamble, &kWholeBytes, &kGap};
}  // namespace mii_rules

}  // namespace longhaul::cosim

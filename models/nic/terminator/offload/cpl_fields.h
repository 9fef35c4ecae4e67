// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_field.h"

/// The messages of TCP offload, CPL5. Opcodes, errors and structs are those of Linux 6.1
/// cxgb/cpl5_cmd.h. It has no bits of opt0, opt1, params and flags: those are here as in the
/// maker's next chip (Linux 6.1 cxgb3/t3_cpl.h; ../README.md#messages-of-offload).
namespace longhaul::nic::terminator::cpl {

enum class Opcode : std::uint8_t {
  kPassOpenReq = 0x01,
  kPassOpenRpl = 0x02,
  kPassEstablish = 0x03,
  kPassAcceptRpl = 0x04,
  kActOpenReq = 0x05,
  kActOpenRpl = 0x06,
  kCloseConReq = 0x07,
  kCloseConRpl = 0x08,
  kCloseListsrvReq = 0x09,
  kCloseListsrvRpl = 0x0a,
  kAbortReq = 0x0b,
  kAbortRpl = 0x0c,
  kPeerClose = 0x0d,
  kPassAcceptReq = 0x0e,
  kActEstablish = 0x17,
  kGetTcb = 0x24,
  kGetTcbRpl = 0x25,
  kSetTcbField = 0x27,
  kSetTcbRpl = 0x28,
  kRxData = 0xa0,
  kRxDataAck = 0xa3,
  kTxDataAck = 0xb0,
  kTxData = 0xb1,
  kL2tWriteReq = 0xc5,
  kL2tReadReq = 0xc6,
  kL2tReadRpl = 0xc7,
  kSmtWriteReq = 0xc8,
  kSmtReadReq = 0xc9,
  kSmtReadRpl = 0xca,
  kL2tWriteRpl = 0xd4,
  kSmtWriteRpl = 0xd5,
  // No CPL5 messages: those of NEC-TOE's parallel engine (toe::TakeRequest), which are our own.
  kTakeReq = 0xe0,
  kTakeRpl = 0xe1,
  kTakeContext = 0xe2,
  kReturnReq = 0xe3,
  kReturned = 0xe4,
};

constexpr RegisterField kOpcodeField{"OPCODE", 24, 8};
constexpr RegisterField kTidField{"TID", 0, 24};

/// tos_tid.
constexpr RegisterField kOpenTid{"PASS_OPEN_TID", 0, 24};
constexpr RegisterField kOpenTos{"PASS_OPEN_TOS", 24, 8};

/// opt0h.
namespace opt0h {
constexpr RegisterField kSourceMac{"SRC_MAC_SEL", 2, 2};
constexpr RegisterField kL2tIndex{"L2T_IDX", 4, 11};
constexpr RegisterField kNagle{"NAGLE", 17, 1};
constexpr RegisterField kWindowScale{"WND_SCALE", 18, 4};
constexpr RegisterField kKeepAlive{"KEEP_ALIVE", 22, 1};
constexpr RegisterField kMssIndex{"MSS_IDX", 28, 4};
}  // namespace opt0h

/// opt0l.
namespace opt0l {
constexpr RegisterField kStatus{"CPL_STATUS", 0, 8};    // of CPL_PASS_ACCEPT_RPL
constexpr RegisterField kBuffer{"RCV_BUFSIZ", 12, 14};  // KiB
constexpr RegisterField kTos{"TOS", 26, 6};             // without the bits of ECN
}  // namespace opt0l

/// opt1 of CPL_PASS_OPEN_REQ.
constexpr RegisterField kConnPolicy{"CONN_POLICY", 19, 2};

/// params of CPL_L2T_WRITE_REQ and CPL_L2T_READ_RPL.
namespace l2t {
constexpr RegisterField kIndex{"L2T_W_IDX", 0, 11};
constexpr RegisterField kVlan{"L2T_W_VLAN", 11, 12};  // kNoVlan: frames have no tag
constexpr RegisterField kPriority{"L2T_W_PRIO", 27, 3};
constexpr std::uint32_t kNoVlan = 0xfff;
}  // namespace l2t

/// The byte behind opcode and TID in the messages of the SMT.
constexpr RegisterField kInterface{"iff", 4, 4};

/// flags of CPL_TX_DATA.
constexpr RegisterField kShove{"TX_SHOVE", 14, 1};

/// offset of CPL_SET_TCB_FIELD: the bytes that may wait for credits (toe::TcbField).
constexpr std::uint8_t kTcbReceiveBuffer = 2;

/// credit of CPL_RX_DATA_ACK.
constexpr RegisterField kCredits{"RX_CREDITS", 0, 27};

/// flags of kTakeReq, with the shifts of both ends' windows.
namespace take {
constexpr RegisterField kSack{"SACK", 0, 1};
constexpr RegisterField kTimestamps{"TIMESTAMPS", 1, 1};
constexpr RegisterField kOwnShift{"OWN_SHIFT", 8, 4};
constexpr RegisterField kPeerShift{"PEER_SHIFT", 12, 4};
}  // namespace take

// Bytes.
constexpr std::uint32_t kTakeBytes = 40;     ///< kTakeReq
constexpr std::uint32_t kContextBytes = 48;  ///< kTakeContext and kReturned
constexpr std::uint32_t kTxDataBytes = 16;   ///< CPL_TX_DATA without its data
constexpr std::uint32_t kTcbBytes = 128;     ///< behind CPL_GET_TCB_RPL

}  // namespace longhaul::nic::terminator::cpl

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Registers of the TC9021: names, offsets and bits as Linux 6.1's dl2k.h and NetBSD's
/// if_stgereg.h have them. Registers of 8 and 16 bits that share a DWORD have one entry, with the
/// names of all.
namespace tc9021::regs {

using longhaul::Access;
using longhaul::RegisterSpec;

constexpr std::uint32_t kMemoryBytes = 512;
constexpr std::uint8_t kMemoryBar = 1;
constexpr std::uint32_t kPorts = 256;
constexpr std::uint8_t kPortBar = 0;

constexpr RegisterSpec kDmaCtrl{"DMACtrl", 0x00, Access::kReadWrite, 0, 0x00ff'1010};
constexpr RegisterSpec kTfdListPtr0{"TFDListPtr0", 0x10, Access::kAction};
constexpr RegisterSpec kTfdListPtr1{"TFDListPtr1", 0x14, Access::kAction};
constexpr RegisterSpec kTxDma{"TxDMABurstThresh_UrgentThresh_PollPeriod", 0x18, Access::kReadWrite,
                              0, 0x00ff'ffff};
constexpr RegisterSpec kRfdListPtr0{"RFDListPtr0", 0x1c, Access::kAction};
constexpr RegisterSpec kRfdListPtr1{"RFDListPtr1", 0x20, Access::kAction};
constexpr RegisterSpec kRxDma{"RxDMABurstThresh_UrgentThresh_PollPeriod", 0x24, Access::kReadWrite,
                              0, 0x00ff'ffff};
constexpr RegisterSpec kRxDmaIntCtrl{"RxDMAIntCtrl", 0x28, Access::kReadWrite, 0, 0xffff'1cff};
constexpr RegisterSpec kDebugCtrl{"DebugCtrl", 0x2c, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kAsicCtrl{"ASICCtrl", 0x30, Access::kReadWrite, 0, 0x0207'ef03};
constexpr RegisterSpec kFifoCtrl{"FIFOCtrl_RxEarlyThresh", 0x38, Access::kReadWrite, 0,
                                 0x07ff'0001};
/// The thresholds are in units of 16 bytes. What they are after a reset is assumed (README.md).
constexpr RegisterSpec kFlow{"FlowOffThresh_FlowOnThresh", 0x3c, Access::kReadWrite, 0x0740'00bf};
constexpr RegisterSpec kTxStartThresh{"TxStartThresh", 0x44, Access::kReadWrite, 0, 0x0fff};
constexpr RegisterSpec kEeprom{"EepromData_EepromCtrl", 0x48, Access::kAction};
constexpr RegisterSpec kCountdown{"Countdown", 0x54, Access::kReadWrite, 0, 0x0300'ffff};
constexpr RegisterSpec kIntStatusAck{"IntStatusAck", 0x58, Access::kReadOnly};
constexpr RegisterSpec kInt{"IntEnable_IntStatus", 0x5c};
constexpr RegisterSpec kTxStatus{"TxStatus", 0x60, Access::kReadOnly};
constexpr RegisterSpec kMacCtrl{"MACCtrl", 0x6c};
constexpr RegisterSpec kVlanTag{"VLANTag", 0x70};
constexpr RegisterSpec kPhyCtrl{"PhySet_PhyCtrl", 0x74, Access::kReadWrite, 0, 0x002f'ff00};
constexpr RegisterSpec kStationAddress01{"StationAddress0_StationAddress1", 0x78};
constexpr RegisterSpec kStationAddress2{"StationAddress2_VLANHashTable", 0x7c};
constexpr RegisterSpec kVlanId{"VLANId", 0x80};
constexpr RegisterSpec kMaxFrameSize{"MaxFrameSize", 0x84, Access::kReadWrite, 1518U << 16,
                                     0xffff'0000};
constexpr RegisterSpec kReceiveMode{"ReceiveMode", 0x88, Access::kReadWrite, 0, 0x033f};
constexpr RegisterSpec kHashTable0{"HashTable0", 0x8c};
constexpr RegisterSpec kHashTable1{"HashTable1", 0x90};
constexpr RegisterSpec kRmonStatisticsMask{"RMONStatisticsMask", 0x98};
constexpr RegisterSpec kStatisticsMask{"StatisticsMask", 0x9c};
constexpr std::uint32_t kStatisticsBegin = 0xa8;
constexpr std::uint32_t kStatisticsEnd = 0x100;

namespace dma_ctrl {
constexpr std::uint32_t kRxDmaPollNow = 1U << 4;
constexpr std::uint32_t kTxDmaPollNow = 1U << 12;
constexpr std::uint32_t kTxDmaInProg = 1U << 15;
constexpr std::uint32_t kTargetAbort = 1U << 30;
constexpr std::uint32_t kMasterAbort = 1U << 31;
}  // namespace dma_ctrl

constexpr std::uint32_t kPollPeriodShift = 16;  // of kTxDma and kRxDma

namespace rx_dma_int {
constexpr std::uint32_t kFrameCount = 0xff;
constexpr std::uint32_t kWaitTimeShift = 16;
}  // namespace rx_dma_int

namespace asic_ctrl {
constexpr std::uint32_t kStored = 0xffff;
constexpr std::uint32_t kPhySpeed1000 = 1U << 6;
constexpr std::uint32_t kPhyMedia = 1U << 7;  // fibre
constexpr std::uint32_t kGlobalReset = 1U << 16;
constexpr std::uint32_t kRxReset = 1U << 17;
constexpr std::uint32_t kTxReset = 1U << 18;
constexpr std::uint32_t kInterruptRequest = 1U << 25;
constexpr std::uint32_t kResetBusy = 1U << 26;
}  // namespace asic_ctrl

namespace eeprom_ctrl {  // in the upper half of kEeprom
constexpr std::uint32_t kAddress = 0xff;
constexpr std::uint32_t kOpcode = 3U << 8;
constexpr std::uint32_t kRead = 2U << 8;
constexpr std::uint32_t kBusy = 1U << 15;
}  // namespace eeprom_ctrl

constexpr std::uint32_t kCount = 0xffff;  // of kCountdown

namespace cause {  // of IntEnable and IntStatus
constexpr std::uint32_t kInterruptStatus = 1U << 0;
constexpr std::uint32_t kHostError = 1U << 1;
constexpr std::uint32_t kTxComplete = 1U << 2;
constexpr std::uint32_t kRxComplete = 1U << 4;
constexpr std::uint32_t kIntRequested = 1U << 6;
constexpr std::uint32_t kUpdateStats = 1U << 7;
constexpr std::uint32_t kLinkEvent = 1U << 8;
constexpr std::uint32_t kTxDmaComplete = 1U << 9;
constexpr std::uint32_t kRxDmaComplete = 1U << 10;
constexpr std::uint32_t kRfdListEnd = 1U << 11;
constexpr std::uint32_t kAll = 0x1ffe;
}  // namespace cause

namespace tx_status {
constexpr std::uint32_t kTxIndicateReqd = 1U << 6;
constexpr std::uint32_t kTxComplete = 1U << 7;
constexpr std::uint32_t kFrameIdShift = 16;
}  // namespace tx_status

namespace mac_ctrl {
constexpr std::uint32_t kStored = 0xffff;
constexpr std::uint32_t kTxFlowControlEnable = 1U << 7;
constexpr std::uint32_t kRxFlowControlEnable = 1U << 8;
constexpr std::uint32_t kRcvFcs = 1U << 9;
constexpr std::uint32_t kMacLoopback = 1U << 11;
constexpr std::uint32_t kCarrierSense = 1U << 17;
constexpr std::uint32_t kStatisticsEnable = 1U << 21;
constexpr std::uint32_t kStatisticsDisable = 1U << 22;
constexpr std::uint32_t kStatisticsEnabled = 1U << 23;
constexpr std::uint32_t kTxEnable = 1U << 24;
constexpr std::uint32_t kTxDisable = 1U << 25;
constexpr std::uint32_t kTxEnabled = 1U << 26;
constexpr std::uint32_t kRxEnable = 1U << 27;
constexpr std::uint32_t kRxDisable = 1U << 28;
constexpr std::uint32_t kRxEnabled = 1U << 29;
constexpr std::uint32_t kPaused = 1U << 30;
}  // namespace mac_ctrl

namespace phy_ctrl {  // in byte 2 of kPhyCtrl
constexpr std::uint32_t kMgmtClk = 1U << 16;
constexpr std::uint32_t kMgmtData = 1U << 17;
constexpr std::uint32_t kMgmtDir = 1U << 18;  // the MAC drives
constexpr std::uint32_t kDuplexStatus = 1U << 20;
constexpr std::uint32_t kLinkSpeed1000 = 3U << 22;
}  // namespace phy_ctrl

namespace receive_mode {
constexpr std::uint32_t kUnicast = 1U << 0;
constexpr std::uint32_t kMulticast = 1U << 1;
constexpr std::uint32_t kBroadcast = 1U << 2;
constexpr std::uint32_t kAllFrames = 1U << 3;
constexpr std::uint32_t kMulticastHash = 1U << 4;
}  // namespace receive_mode

/// Descriptors: the next one's address, control or status, and fragments (address and length).
namespace descriptor {
constexpr std::uint32_t kStatus = 8;
constexpr std::uint32_t kFragments = 16;
constexpr std::uint32_t kBytes = 24;  // with one fragment
constexpr std::uint32_t kFragmentBytes = 8;
constexpr std::uint32_t kMostFragments = 15;
constexpr std::uint64_t kAddress = (1ULL << 40) - 1;
constexpr std::uint32_t kLengthShift = 48;
}  // namespace descriptor

namespace tfc {  // transmit frame control
constexpr std::uint32_t kFrameId = 0xffff;
constexpr std::uint32_t kTxIndicate = 1U << 22;
constexpr std::uint32_t kTxDmaIndicate = 1U << 23;
constexpr std::uint32_t kFragCountShift = 24;
constexpr std::uint32_t kDone = 1U << 31;
}  // namespace tfc

namespace rfs {  // receive frame status
constexpr std::uint32_t kRunt = 1U << 17;
constexpr std::uint32_t kFcsError = 1U << 19;
constexpr std::uint32_t kOversized = 1U << 20;
constexpr std::uint32_t kTcpDetected = 1U << 23;
constexpr std::uint32_t kTcpError = 1U << 24;
constexpr std::uint32_t kUdpDetected = 1U << 25;
constexpr std::uint32_t kUdpError = 1U << 26;
constexpr std::uint32_t kIpDetected = 1U << 27;
constexpr std::uint32_t kIpError = 1U << 28;
constexpr std::uint32_t kFrameStart = 1U << 29;
constexpr std::uint32_t kFrameEnd = 1U << 30;
constexpr std::uint32_t kDone = 1U << 31;
}  // namespace rfs

}  // namespace tc9021::regs

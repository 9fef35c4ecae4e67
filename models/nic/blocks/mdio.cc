// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/mdio.h"

namespace longhaul::nic {

std::uint16_t MdioFrames::carry_out(MdioClause clause, MdioOp op, std::uint32_t port,
                                    std::uint32_t device, std::uint16_t number,
                                    std::uint16_t data) {
  port %= kPorts;
  device %= kDevices;
  if (clause == MdioClause::k22) {
    if (op == MdioOp::kRead) return device_.mdio_read(port, kMdioClause22, number);
    if (op == MdioOp::kWrite) device_.mdio_write(port, kMdioClause22, number, data);
    return 0;
  }
  std::uint16_t& address = address_[port * kDevices + device];
  switch (op) {
    case MdioOp::kAddress: address = number; return 0;
    case MdioOp::kWrite: device_.mdio_write(port, device, address, data); return 0;
    case MdioOp::kRead: return device_.mdio_read(port, device, address);
    case MdioOp::kReadIncrement: break;
  }
  const std::uint16_t value = device_.mdio_read(port, device, address);
  if (address != 0xffff) ++address;
  return value;
}

bool MdioStation::start(MdioClause clause, MdioOp op, std::uint32_t port, std::uint32_t device,
                        std::uint16_t number, std::uint16_t data) {
  if (busy()) return false;
  done_at_ = now() + frame_time_;
  shown_ = data_;
  const bool reads =
      op == MdioOp::kRead || (op == MdioOp::kReadIncrement && clause == MdioClause::k45);
  const std::uint16_t value = frames_.carry_out(clause, op, port, device, number, data);
  if (reads) data_ = value;
  return true;
}

}  // namespace longhaul::nic

// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/mdio.h"

namespace longhaul::nic {

bool MdioStation::start(MdioClause clause, MdioOp op, std::uint32_t port, std::uint32_t device,
                        std::uint16_t number, std::uint16_t data) {
  if (busy()) return false;
  constexpr std::uint32_t kClause22 = 32;
  done_at_ = now() + params_.frame_time();
  shown_ = data_;
  port &= 31U;
  device &= 31U;
  if (clause == MdioClause::k22) {
    if (op == MdioOp::kRead) data_ = device_.mdio_read(port, kClause22, number);
    if (op == MdioOp::kWrite) device_.mdio_write(port, kClause22, number, data);
    return true;
  }
  if (port != port_) address_.fill(0);
  port_ = port;
  std::uint16_t& address = address_[device];
  switch (op) {
    case MdioOp::kAddress: address = number; break;
    case MdioOp::kWrite: device_.mdio_write(port, device, address, data); break;
    case MdioOp::kRead: data_ = device_.mdio_read(port, device, address); break;
    case MdioOp::kReadIncrement:
      data_ = device_.mdio_read(port, device, address);
      if (address != 0xffff) ++address;
      break;
  }
  return true;
}

}  // namespace longhaul::nic

// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/gmii_tx.h"

#include <cstring>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::cosim {
void GmiiTx::take() {
  if (!active_) {
    active_ = true;
    delimited_ = false;
    errored_ = false;
    size_ = 0;
  }
  if (pins_.error.get()) errored_ = true;
  if (!delimited_) {
    delimited_ = *pins_.data == ethernet::kDelimiter;
  } else if (size_ < bytes_.size()) {
    bytes_[size_++] = *pins_.data;
  } else {
    errored_ = true;  // longer than any frame can be
  }
}

void GmiiTx::end() {
  active_ = false;
  if (size_ > Frame::kFcsBytes) {
    done_ = Frame::allocate(size_ - Frame::kFcsBytes);
    Frame& frame = done_.writable();
    std::memcpy(frame.data(), bytes_.data(), frame.size());
    std::uint32_t fcs = 0;
    for (std::uint32_t i = 0; i < Frame::kFcsBytes; ++i)
      fcs |= std::uint32_t{bytes_[frame.size() + i]} << (8 * i);
    frame.set_fcs(fcs);
    if (errored_ && frame.fcs_matches()) frame.set_fcs(~fcs);
  }
  block_.call_at_edge(*this);
}

void GmiiTx::deliver() {
  if (!done_) return sink_.fragment_sent();
  sink_.frame_sent(done_);
  done_.reset();
}

}  // namespace longhaul::cosim

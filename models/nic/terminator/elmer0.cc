// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/elmer0.h"

#include <utility>

namespace longhaul::nic::terminator {

Elmer0::Elmer0(std::function<void(std::uint32_t)> outputs_changed,
               std::function<void()> interrupt_changed)
    : outputs_changed_(std::move(outputs_changed)),
      interrupt_changed_(std::move(interrupt_changed)) {}

void Elmer0::set_input(const RegisterField& pin, bool high) {
  const std::uint32_t before = inputs_;
  inputs_ = high ? inputs_ | pin.mask() : inputs_ & ~pin.mask();
  const std::uint32_t changed = before ^ inputs_;
  cause_ |= changed & (inputs_ | kEdges);
  update();
}

void Elmer0::cause_written(std::uint32_t value) {
  cause_ &= ~value;
  cause_ |= inputs_ & mac_regs::kElmer0PinFields.mask() & ~kEdges;
  update();
}

void Elmer0::update() {
  const bool level = (cause_ & int_enable_.value()) != 0;
  if (std::exchange(interrupt_, level) != level) interrupt_changed_();
}

void Elmer0::reset() {
  bank_.reset();
  cause_ = inputs_ & mac_regs::kElmer0PinFields.mask() & ~kEdges;
  outputs_changed_(gpo_.value());
  update();
}

}  // namespace longhaul::nic::terminator

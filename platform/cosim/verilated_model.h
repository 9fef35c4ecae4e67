// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include "platform/cosim/rtl_model.h"

namespace longhaul::cosim {

/// Owns an instance of a class that Verilator made, in a context of its own. Include the class's
/// header first of all.
template <class Model>
class VerilatedModel : public RtlModel {
 public:
  explicit VerilatedModel(const char* name) : model_(&context_, name) {
    context_.timeunit(-12);
    context_.timeprecision(-12);
  }
  ~VerilatedModel() override { model_.final(); }

  void eval(std::uint64_t ps) override {
    context_.time(ps);
    model_.eval();
  }
  Model& pins() { return model_; }

 protected:
  VerilatedContext context_;
  Model model_;
};

}  // namespace longhaul::cosim

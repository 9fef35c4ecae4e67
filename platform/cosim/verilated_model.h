// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>
#ifdef LONGHAUL_COVERED
#include <verilated_cov.h>

#include <fstream>
#endif

#include "platform/cosim/rtl_model.h"

namespace longhaul::cosim {

/// Owns an instance of a Verilated class, in a context of its own. Include the class's header
/// before all others.
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
#ifdef LONGHAUL_COVERED
  /// See RtlInstance. Instances of a module are counted separately. Verilator ends the simulation
  /// if it cannot write, so writing is tried first.
  bool write_coverage(const char* path) {
    if (!std::ofstream(path)) return false;
    context_.coveragep()->forcePerInstance(true);
    context_.coveragep()->write(path);
    return true;
  }
#else
  bool write_coverage(const char*) { return false; }
#endif

 protected:
  VerilatedContext context_;
  Model model_;
};

}  // namespace longhaul::cosim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstdarg>
#include <cstdio>
#include <vector>

#include "platform/cosim/object/rtl_object.h"
#include "platform/cosim/verilated_model.h"
#ifdef LONGHAUL_TRACED
#include "platform/cosim/traced_model.h"
#endif

namespace longhaul::cosim {

/// The listener to messages of Verilator's runtime: that of the block that is being evaluated.
/// There is one thread.
inline RtlListener*& listener_now() {
  static RtlListener* listener = nullptr;
  return listener;
}

/// Sets the listener for its lifetime.
class Listening {
 public:
  explicit Listening(RtlListener* listener) : before_(listener_now()) { listener_now() = listener; }
  ~Listening() { listener_now() = before_; }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  RtlListener* const before_;
};

#ifdef LONGHAUL_TRACED
template <class Model>
using ObjectBase = TracedModel<Model>;
#else
template <class Model>
using ObjectBase = VerilatedModel<Model>;
#endif

/// The block of an RTL object. `Lister` appends the ports of a Model.
template <class Model, void (*Lister)(Model&, std::vector<RtlPort>&)>
class ObjectModel final : public RtlInstance {
 public:
  ObjectModel(const char* name, TraceSink* sink, RtlListener* listener)
      : listener_(listener), listening_(listener), base_(make(name, sink)) {
    Lister(base_.pins(), ports_);
  }

  void eval(std::uint64_t ps) override {
    const Listening now(listener_);
    base_.eval(ps);
  }
  void settle(std::uint64_t ps) override {
    const Listening now(listener_);
    base_.settle(ps);
  }
  bool shows_falls() const override { return base_.shows_falls(); }
  const RtlPort* ports() const override { return ports_.data(); }
  std::size_t port_count() const override { return ports_.size(); }
  bool write_coverage(const char* path) override { return base_.write_coverage(path); }

 private:
#ifdef LONGHAUL_TRACED
  static ObjectBase<Model> make(const char* name, TraceSink* sink) { return {name, *sink}; }
#else
  static ObjectBase<Model> make(const char* name, TraceSink*) { return ObjectBase<Model>(name); }
#endif

  RtlListener* const listener_;
  const Listening listening_;  // during construction, since initial blocks may print
  ObjectBase<Model> base_;
  std::vector<RtlPort> ports_;
};

}  // namespace longhaul::cosim

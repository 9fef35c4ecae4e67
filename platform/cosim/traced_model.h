// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated_vcd_c.h>

#include <cstdint>

#include "platform/cosim/trace_sink.h"
#include "platform/cosim/vcd_stream.h"
#include "platform/cosim/verilated_model.h"

namespace longhaul::cosim {

/// A Verilated class with tracing compiled in, whose signals go to a TraceSink.
template <class Model>
class TracedModel final : public VerilatedModel<Model> {
 public:
  /// Declares all signals at once. `sink` must outlive this object.
  TracedModel(const char* name, TraceSink& sink)
      : VerilatedModel<Model>(name), sink_(sink), tap_(sink) {
    this->context_.traceEverOn(true);
    this->model_.trace(&dump_, kAllLevels);  // Verilator 5.006 ignores any other number
    dump_.open("stream");
    dump_.flush();
  }
  ~TracedModel() override { dump_.close(); }

  bool shows_falls() const override { return true; }
  void settle(std::uint64_t ps) override { VerilatedModel<Model>::eval(ps); }
  void eval(std::uint64_t ps) override {
    VerilatedModel<Model>::eval(ps);
    if (!sink_.records(ps)) return;
    dump_.dump(ps);
    dump_.flush();
  }

 private:
  static constexpr int kAllLevels = 99;
  class Tap final : public VerilatedVcdFile {
   public:
    explicit Tap(TraceSink& sink) : stream_(sink) {}
    bool open(const std::string&) override { return true; }
    void close() override {}
    ssize_t write(const char* text, ssize_t size) override {
      stream_.feed(text, static_cast<std::size_t>(size));
      return size;
    }

   private:
    VcdStream stream_;
  };

  TraceSink& sink_;
  Tap tap_;
  VerilatedVcdC dump_{&tap_};
};

}  // namespace longhaul::cosim

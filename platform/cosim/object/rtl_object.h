// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/cosim/rtl_model.h"
#include "platform/cosim/trace_sink.h"

/// What an RTL object and the simulator share. An RTL object is a shared object that is compiled
/// from a port map (docs/port_maps.md): a Verilated block, and its map as text. It needs no symbol
/// of the simulator, and includes no headers but these three.
namespace longhaul::cosim {

/// A port of a block's top module. Its bits are little-endian in `storage`, and fill it from bit 0.
struct RtlPort {
  const char* name;
  void* storage;
  std::uint32_t width;  ///< bits
  bool input;
};

/// What a block says while it is evaluated.
class RtlListener {
 public:
  virtual ~RtlListener() = default;
  /// A piece of what $display and the like print; lines end with a newline.
  virtual void printed(const char* text) = 0;
  /// An assertion, $error, $stop or $fatal; `message` is empty where the RTL gives none.
  virtual void failed(const char* file, int line, const char* hierarchy, const char* message) = 0;
  /// $finish.
  virtual void finished(const char* file, int line) = 0;
};

/// A block.
class RtlInstance : public RtlModel {
 public:
  virtual const RtlPort* ports() const = 0;
  virtual std::size_t port_count() const = 0;
  /// Writes what was reached so far, in Verilator's format. False where the block was compiled
  /// without coverage, or the file cannot be written.
  virtual bool write_coverage(const char* path) = 0;
};

/// What an RTL object has under the name `longhaul_rtl_object`.
struct RtlObject {
  const char* map;  ///< JSON, as platform/portmap/block_map.h reads it
  bool traced;      ///< whether its signals can be watched
  bool covered;     ///< whether it counts what is reached
  /// A fresh block, all inputs low, which its caller deletes. `sink` may be null, and is where
  /// `traced` is false; both outlive the block.
  RtlInstance* (*make)(const char* name, TraceSink* sink, RtlListener* listener);
};

/// Text in the object's file, before the key of these headers, which the simulator reads before it
/// loads the object.
constexpr const char* kRtlObjectMarker = "longhaul-rtl-interface: ";

}  // namespace longhaul::cosim

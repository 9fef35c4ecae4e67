// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/cosim/rtl_model.h"
#include "platform/cosim/trace_sink.h"

/// The interface between an RTL object and the simulator. An RTL object is a shared object that is
/// compiled from a port map (docs/port_maps.md). It contains a Verilated block, and the map as
/// text. It needs no symbol of the simulator and includes no headers except these three.
namespace longhaul::cosim {

/// A port of a block's top module. Its bits fill `storage` from bit 0, little-endian.
struct RtlPort {
  const char* name;
  void* storage;
  std::uint32_t width;  ///< bits
  bool input;
};

/// Receives the messages of a block while it is evaluated.
class RtlListener {
 public:
  virtual ~RtlListener() = default;
  /// A piece of the output of $display and similar tasks. Lines end with a newline.
  virtual void printed(const char* text) = 0;
  /// An assertion failed, or $error, $stop or $fatal was called. `message` is empty if the RTL
  /// gives none.
  virtual void failed(const char* file, int line, const char* hierarchy, const char* message) = 0;
  /// $finish was called.
  virtual void finished(const char* file, int line) = 0;
};

/// A block.
class RtlInstance : public RtlModel {
 public:
  virtual const RtlPort* ports() const = 0;
  virtual std::size_t port_count() const = 0;
  /// Writes the coverage so far in Verilator's format. Returns false if the block was compiled
  /// without coverage, or the file cannot be written.
  virtual bool write_coverage(const char* path) = 0;
};

/// The object that an RTL object exports as `longhaul_rtl_object`.
struct RtlObject {
  const char* map;  ///< JSON, as platform/portmap/block_map.h reads it
  bool traced;      ///< whether its signals can be traced
  bool covered;     ///< whether it counts coverage
  /// Makes a new block with all inputs low; the caller deletes it. `sink` may be null, and must be
  /// null if `traced` is false. `sink` and `listener` must outlive the block.
  RtlInstance* (*make)(const char* name, TraceSink* sink, RtlListener* listener);
};

/// Text in the object's file, before the key of these headers. The simulator reads it before it
/// loads the object.
constexpr const char* kRtlObjectMarker = "longhaul-rtl-interface: ";

}  // namespace longhaul::cosim

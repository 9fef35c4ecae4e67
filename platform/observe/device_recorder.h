// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/pcix/config_space.h"
#include "models/pcix/pcix_bus.h"
#include "platform/observe/output_file.h"

namespace longhaul::observe {

// C/BE[3:0]# of accesses to ports and to configuration space (PCI 2.3, 3.1.1).
constexpr bool is_config(std::uint8_t command) { return command == 0xa || command == 0xb; }
constexpr bool is_io(std::uint8_t command) { return command == 0x2 || command == 0x3; }

/// The place of a function on a bus.
struct DevicePlace {
  std::uint32_t slot;
  std::uint32_t function;
};

/// Records the behaviour of one function of a bus, as software and memory see it, in the order of
/// the bus. It records the host's accesses to the function's registers, with their values, and the
/// bytes that the function writes into memory, interrupt messages included. RTL and TLM are
/// recorded in the same way.
///
/// README.md#devicebin has the file's format. Configuration space, the function's reads of memory,
/// and INTx are left out. A failed write stops the simulation; check() and close() throw its
/// SinkError.
class DeviceRecorder final : public pcix::BusListener {
 public:
  enum Kind : std::uint8_t { kRegisterRead, kRegisterWrite, kMemoryWrite, kMessage };
  static constexpr std::uint8_t kIoBar = 0xff;

  /// Listens for its lifetime. The bus and `space`, that of the function, must outlive it.
  DeviceRecorder(const std::string& path, pcix::PcixBus& bus, DevicePlace place,
                 const pcix::ConfigSpace& space);
  DeviceRecorder(const DeviceRecorder&) = delete;
  DeviceRecorder& operator=(const DeviceRecorder&) = delete;
  ~DeviceRecorder() override { bus_.ignore(this); }

  void on_tenure(const pcix::TenureRecord& tenure) override;
  /// Gives the file its name.
  void close() { file_.close(); }
  void check() const { file_.check(); }

 private:
  void put_register(const pcix::TenureRecord& tenure);
  void put(Kind kind, std::uint8_t bar, std::uint64_t address, const pcix::TenureRecord& tenure);

  OutputFile file_;
  pcix::PcixBus& bus_;
  const DevicePlace place_;
  const pcix::ConfigSpace& space_;
};

}  // namespace longhaul::observe

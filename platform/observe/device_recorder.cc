// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/device_recorder.h"

#include <array>
#include <cstring>

#include "models/pcix/address_map.h"

namespace longhaul::observe {
namespace {

constexpr char kMagic[] = "LHDEVIC1";
constexpr std::size_t kMagicBytes = 8;

/// Comes before the data of an access. Zeros fill the data up to a multiple of 8 bytes.
struct AccessHead {
  std::uint64_t time_ps;
  std::uint64_t address;
  std::uint8_t kind;
  std::uint8_t bar;
  std::uint16_t zero;
  std::uint32_t bytes;
};
static_assert(sizeof(AccessHead) == 24);

}  // namespace

DeviceRecorder::DeviceRecorder(const std::string& path, pcix::PcixBus& bus, DevicePlace place,
                               const pcix::ConfigSpace& space)
    : file_(path), bus_(bus), place_(place), space_(space) {
  file_.write(kMagic, kMagicBytes);
  bus_.listen(this);
}

void DeviceRecorder::on_tenure(const pcix::TenureRecord& tenure) {
  constexpr std::uint32_t kBridge = pcix::TenureRecord::kBridge;
  if (tenure.data == nullptr || tenure.bytes == 0) return;
  if (tenure.requester == kBridge) {
    const std::uint32_t slot = tenure.is_completion ? tenure.master : tenure.target;
    if (slot == place_.slot) put_register(tenure);
    return;
  }
  const bool is_own =
      tenure.requester == place_.slot && tenure.requester_function == place_.function;
  if (!is_own || tenure.is_completion || tenure.is_read) return;
  const bool is_message = pcix::address_map::is_msi(tenure.address);
  put(is_message ? kMessage : kMemoryWrite, 0, tenure.address, tenure);
}

void DeviceRecorder::put_register(const pcix::TenureRecord& tenure) {
  if (is_config(tenure.command)) return;
  const Kind kind = tenure.is_completion || tenure.is_read ? kRegisterRead : kRegisterWrite;
  const std::uint64_t address = tenure.address;
  // A completion does not show its address space. I/O ports end below all memory BARs.
  const std::uint64_t ports = space_.io_bar();
  const bool may_be_port = tenure.is_completion || is_io(tenure.command);
  if (may_be_port && ports != 0 && address >= ports && address - ports < space_.io_bar_size())
    return put(kind, kIoBar, address - ports, tenure);
  if (is_io(tenure.command)) return;
  for (std::size_t bar = 0; bar < space_.memory_bars(); ++bar) {
    const std::uint64_t begin = space_.memory_bar(bar);
    if (begin != 0 && address >= begin && address - begin < space_.memory_size(bar))
      return put(kind, static_cast<std::uint8_t>(bar), address - begin, tenure);
  }
}

void DeviceRecorder::put(Kind kind, std::uint8_t bar, std::uint64_t address,
                         const pcix::TenureRecord& tenure) {
  static constexpr std::array<std::uint8_t, 8> kZeros{};
  const AccessHead head{tenure.start_ps, address, kind, bar, 0, tenure.bytes};
  file_.write(&head, sizeof head);
  file_.write(tenure.data, tenure.bytes);
  file_.write(kZeros.data(), -tenure.bytes & 7U);
}

}  // namespace longhaul::observe

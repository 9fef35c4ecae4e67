// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <systemc>
#include <tuple>

#include "models/common/param.h"

namespace longhaul::nic {

/// A device on a management bus: registers of the MMDs behind one or more port addresses.
class MdioDevice {
 public:
  virtual ~MdioDevice() = default;
  /// Whether a device answers a frame to this port and device. Where none does, nobody drives the
  /// bus.
  virtual bool mdio_answers(std::uint32_t port, std::uint32_t device) const = 0;
  /// Whether it takes frames of clause 22 with fewer than 32 bits of preamble (22.2.4.2.9).
  virtual bool mdio_takes_short_preamble() const { return false; }
  /// Accesses a register. `port` is 0 to 31. `device` is 0 to 31 for clause 45, or 32 for a clause
  /// 22 access. A read without a device returns 0xffff.
  virtual std::uint16_t mdio_read(std::uint32_t port, std::uint32_t device,
                                  std::uint16_t address) = 0;
  virtual void mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                          std::uint16_t value) = 0;
};

struct MdioParams {
  /// Duration of one management frame: 32 bits of preamble and 32 of frame at MDC's highest rate.
  Param<sc_core::sc_time> frame_time{
      "mdio_frame_time",
      sc_core::sc_time(25600, sc_core::SC_NS),
      "time of one MDIO access",
      {Evidence::kStandard,
       "IEEE 802.3, 22.2.2.13: MDC period at least 400 ns; 22.2.4.5 and 45.3: 64 bits"}};
  auto fields() { return std::tie(frame_time); }
};

/// Clause of IEEE 802.3 that a management frame follows.
enum class MdioClause { k22, k45 };

/// The device number of accesses of clause 22.
inline constexpr std::uint32_t kMdioClause22 = 32;

/// Operation of a management frame, with the codes of Intel's command registers. On the wire of
/// clause 45 the codes of the two reads are the other way round (IEEE 802.3, 45.3.4).
enum class MdioOp { kAddress = 0, kWrite = 1, kRead = 2, kReadIncrement = 3 };

/// The effect of management frames on a device. It keeps the address register of each MMD of each
/// port, which an address frame of clause 45 sets.
class MdioFrames {
 public:
  explicit MdioFrames(MdioDevice& device) : device_(device) {}
  /// Carries out a frame, and returns the data of a read. `number` is the register (clause 22), or
  /// the address of an address frame. `data` is that of a write.
  std::uint16_t carry_out(MdioClause clause, MdioOp op, std::uint32_t port, std::uint32_t device,
                          std::uint16_t number, std::uint16_t data);
  MdioDevice& device() { return device_; }

 private:
  static constexpr std::uint32_t kPorts = 32;
  static constexpr std::uint32_t kDevices = 32;
  MdioDevice& device_;
  std::array<std::uint16_t, std::size_t{kPorts} * kDevices> address_{};
};

/// The station side of the two-wire management interface. It sends one frame at a time, each in the
/// time that the parameter or set_frame_time() gives.
class MdioStation {
 public:
  MdioStation(MdioDevice& device, const MdioParams& params)
      : frames_(device), frame_time_(params.frame_time()) {}

  /// Sets the time of each frame that begins later, for a station whose MDC is programmable.
  void set_frame_time(const sc_core::sc_time& time) { frame_time_ = time; }

  /// Starts a frame (MdioFrames) and returns true, or returns false while one is in progress. The
  /// operation takes effect at once; its result is visible when busy() ends.
  bool start(MdioClause clause, MdioOp op, std::uint32_t port, std::uint32_t device,
             std::uint16_t number, std::uint16_t data);
  bool busy() const { return now() < done_at_; }
  /// The data of the last read.
  std::uint16_t read_data() const { return busy() ? shown_ : data_; }
  /// Gives up a frame in progress, and forgets what was read.
  void reset() {
    done_at_ = sc_core::SC_ZERO_TIME;
    data_ = shown_ = 0;
  }

 private:
  MdioFrames frames_;
  sc_core::sc_time frame_time_;
  std::uint16_t data_ = 0;
  std::uint16_t shown_ = 0;
  sc_core::sc_time done_at_ = sc_core::SC_ZERO_TIME;
};

}  // namespace longhaul::nic

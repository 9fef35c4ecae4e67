// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_registers.h"

#include <algorithm>
#include <cstring>

#include "models/wan/gnet1/gnet1_port_registers.h"

namespace longhaul::wan {

namespace regs = gnet1_regs;

Gnet1Registers::Gnet1Registers(Gnet1Twin& box)
    : box_(box),
      bank_(regs::kMapBytes),
      id_(bank_, "ID", regs::kId, regs::kIdValue, Access::kReadOnly),
      version_(bank_, "VERSION", regs::kVersion, regs::kVersionValue, Access::kReadOnly),
      ctrl_(bank_, "CTRL", regs::kCtrl, regs::kCtrlLearn, Access::kReadWrite, {}, [this](Value v) { write_ctrl(v); }),
      time_(bank_, "TIME", regs::kTime, 0, Access::kReadOnly, [this] { return Gnet1Time::of_clocks(clock_).word; }),
      gps_seconds_(
          bank_, "GPS_SECONDS", regs::kGpsSeconds, 0, Access::kReadWrite,
          [this] { return box_.timebase_.at(clock_).seconds; },
          [this](Value v) { box_.timebase_.set_next_seconds(v); }),
      gps_tenths_(bank_, "GPS_TENTHS", regs::kGpsTenths, 0, Access::kReadOnly,
                  [this] { return box_.timebase_.at(clock_).tenths; }),
      pps_ticks_(bank_, "PPS_TICKS", regs::kPpsTicks, 0, Access::kReadOnly,
                 [this] { return box_.timebase_.pps_ticks(); }),
      magic_(bank_, "MAGIC", regs::kMagic, regs::kIdValue, Access::kReadWrite, {},
             [this](Value) {
               for (auto& port : ports_) port->set_transmitter();
             }),
      sample_ctrl_(bank_, "SAMPLE_CTRL", regs::kSampleCtrl, 0, Access::kReadWrite, {},
                   [this](Value v) { write_sample_ctrl(v); }),
      sample_period_(bank_, "SAMPLE_PERIOD", regs::kSamplePeriod, 625, Access::kReadWrite, {},
                     [this](Value v) { box_.sampler_.set_period(v); }),
      sample_total_(bank_, "SAMPLE_TOTAL", regs::kSampleTotal, 0, Access::kReadOnly,
                    [this] { return box_.sampler_.total(); }),
      sample_index_(bank_, "SAMPLE_INDEX", regs::kSampleIndex, 0, Access::kReadWrite, {},
                    [this](Value) { mask(sample_index_, Gnet1Sampler::kDepth - 1); }),
      sample_words_(bank_, "SAMPLE_WORDS", regs::kSampleWords, 0, Access::kReadOnly,
                    [this] { return box_.sampler_.sample(sample_index_.value()).words; }),
      sample_frames_(bank_, "SAMPLE_FRAMES", regs::kSampleFrames, 0, Access::kReadOnly,
                     [this] { return read_sample_frames(); }),
      obs_select_(bank_, "OBS_SELECT", regs::kObsSelect, 0, Access::kReadWrite, {},
                  [this](Value) { mask(obs_select_, 3U << regs::kObsPointShift | 3U); }),
      mac_low_(bank_, "MAC_LOW", regs::kMacLow),
      mac_high_(bank_, "MAC_HIGH", regs::kMacHigh, 0, Access::kReadWrite, {},
                [this](Value) { mask(mac_high_, 0xffff); }),
      mac_entry_(bank_, "MAC_ENTRY", regs::kMacEntry, 0, Access::kWriteOnly, {},
                 [this](Value v) { write_mac_entry(v); }),
      mac_flush_(bank_, "MAC_FLUSH", regs::kMacFlush, 0, Access::kWriteOnly, {},
                 [this](Value) { box_.table_.flush(clock_); }),
      mac_age_(bank_, "MAC_AGE", regs::kMacAge, 0, Access::kReadWrite, {},
               [this](Value v) { box_.table_.set_age_period(clock_, v); }),
      mac_valid_(bank_, "MAC_VALID", regs::kMacValid, 0, Access::kReadOnly,
                 [this] { return box_.table_.valid(clock_); }) {
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    ports_[i] = std::make_unique<PortRegisters>(*this, *box_.ports_[i], i);
  }
  target.bind(*this);
}

Gnet1Registers::~Gnet1Registers() = default;

void Gnet1Registers::write_ctrl(Value value) {
  if ((value & regs::kCtrlLatch) != 0) box_.latch_counters(clock_ + 1);
  box_.switch_mode_ = (value & regs::kCtrlSwitch) != 0;
  box_.learn_ = (value & regs::kCtrlLearn) != 0;
  mask(ctrl_, regs::kCtrlSwitch | regs::kCtrlLearn);
}

void Gnet1Registers::write_sample_ctrl(Value value) {
  mask(sample_ctrl_, 3U << regs::kSamplePortShift | regs::kSampleCircular | regs::kSampleEnable);
  box_.sample_port_ = value >> regs::kSamplePortShift & 3U;
  box_.sampler_.control(clock_, (value & regs::kSampleEnable) != 0, (value & regs::kSampleCircular) != 0);
}

Gnet1Registers::Value Gnet1Registers::read_sample_frames() {
  const Value frames = box_.sampler_.sample(sample_index_.value()).frames;
  sample_index_.set((sample_index_.value() + 1) % Gnet1Sampler::kDepth);
  return frames;
}

void Gnet1Registers::write_mac_entry(Value value) {
  const Gnet1MacTable::Address address = Gnet1MacTable::Address{mac_high_.value()} << 32 | mac_low_.value();
  box_.table_.set_static(clock_, value % regs::kMacEntries, (value & regs::kMacEntryStatic) != 0,
                         value >> regs::kMacEntryPortShift & 3U, address);
}

void Gnet1Registers::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (payload.get_data_length() != 4 || payload.get_streaming_width() < 4 || payload.get_address() % 4 != 0) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  } else if (payload.get_address() >= regs::kMapBytes) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  } else {
    const auto offset = static_cast<std::uint32_t>(payload.get_address());
    Value value = 0;
    if (payload.is_read()) {
      value = box_.read(offset);
      std::memcpy(payload.get_data_ptr(), &value, sizeof value);
    } else if (payload.is_write()) {
      std::memcpy(&value, payload.get_data_ptr(), sizeof value);
      box_.post_write(offset, value);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
}

tlm::tlm_sync_enum Gnet1Registers::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                                   sc_core::sc_time& delay) {
  b_transport(payload, delay);
  return tlm::TLM_COMPLETED;
}

}  // namespace longhaul::wan

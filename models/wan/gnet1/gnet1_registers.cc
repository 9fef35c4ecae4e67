// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_registers.h"

#include <algorithm>
#include <cstring>

#include "models/wan/gnet1/gnet1_port_registers.h"

namespace longhaul::wan {

namespace regs = gnet1_regs;
namespace info = regs::info;

Gnet1Registers::Gnet1Registers(Gnet1Twin& box)
    : box_(box),
      bank_(regs::kMapBytes),
      id_(make_register(bank_, info::kId)),
      version_(make_register(bank_, info::kVersion)),
      ctrl_(make_register(bank_, info::kCtrl, 0, {}, [this](Value v) { write_ctrl(v); })),
      time_(make_register(bank_, info::kTime, 0,
                          [this] { return Gnet1Time::of_clocks(clock_).word; })),
      gps_seconds_(make_register(
          bank_, info::kGpsSeconds, 0, [this] { return box_.timebase_.at(clock_).seconds; },
          [this](Value v) { box_.timebase_.set_next_seconds(v); })),
      gps_tenths_(make_register(bank_, info::kGpsTenths, 0,
                                [this] { return box_.timebase_.at(clock_).tenths; })),
      pps_ticks_(
          make_register(bank_, info::kPpsTicks, 0, [this] { return box_.timebase_.pps_ticks(); })),
      magic_(make_register(bank_, info::kMagic, 0, {},
                           [this](Value) {
                             for (auto& port : ports_) port->set_transmitter();
                           })),
      sample_ctrl_(make_register(bank_, info::kSampleCtrl, 0, {},
                                 [this](Value v) { write_sample_ctrl(v); })),
      sample_period_(make_register(bank_, info::kSamplePeriod, 0, {},
                                   [this](Value v) { box_.sampler_.set_period(v); })),
      sample_total_(
          make_register(bank_, info::kSampleTotal, 0, [this] { return box_.sampler_.total(); })),
      sample_index_(make_register(bank_, info::kSampleIndex, 0, {},
                                  [this](Value) { mask(sample_index_, info::kSampleIndex); })),
      sample_words_(
          make_register(bank_, info::kSampleWords, 0,
                        [this] { return box_.sampler_.sample(sample_index_.value()).words; })),
      sample_frames_(
          make_register(bank_, info::kSampleFrames, 0, [this] { return read_sample_frames(); })),
      obs_select_(make_register(bank_, info::kObsSelect, 0, {},
                                [this](Value) { mask(obs_select_, info::kObsSelect); })),
      mac_low_(make_register(bank_, info::kMacLow)),
      mac_high_(make_register(bank_, info::kMacHigh, 0, {},
                              [this](Value) { mask(mac_high_, info::kMacHigh); })),
      mac_entry_(
          make_register(bank_, info::kMacEntry, 0, {}, [this](Value v) { write_mac_entry(v); })),
      mac_flush_(make_register(bank_, info::kMacFlush, 0, {},
                               [this](Value) { box_.table_.flush(clock_); })),
      mac_age_(make_register(bank_, info::kMacAge, 0, {},
                             [this](Value v) { box_.table_.set_age_period(clock_, v); })),
      mac_valid_(
          make_register(bank_, info::kMacValid, 0, [this] { return box_.table_.valid(clock_); })) {
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
  mask(ctrl_, info::kCtrl);
}

void Gnet1Registers::write_sample_ctrl(Value value) {
  mask(sample_ctrl_, info::kSampleCtrl);
  box_.sample_port_ = (value & regs::kSamplePortMask) >> regs::kSamplePortShift;
  box_.sampler_.control(clock_, (value & regs::kSampleEnable) != 0,
                        (value & regs::kSampleCircular) != 0);
}

Gnet1Registers::Value Gnet1Registers::read_sample_frames() {
  const Value frames = box_.sampler_.sample(sample_index_.value()).frames;
  sample_index_.set((sample_index_.value() + 1) % Gnet1Sampler::kDepth);
  return frames;
}

void Gnet1Registers::write_mac_entry(Value value) {
  const Gnet1MacTable::Address address =
      Gnet1MacTable::Address{mac_high_.value()} << 32 | mac_low_.value();
  const Value entry = (value & regs::kMacEntryEntryMask) >> regs::kMacEntryEntryShift;
  const Value port = (value & regs::kMacEntryPortMask) >> regs::kMacEntryPortShift;
  box_.table_.set_static(clock_, entry, (value & regs::kMacEntryStatic) != 0, port, address);
}

void Gnet1Registers::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (payload.get_data_length() != 4 || payload.get_streaming_width() < 4 ||
             payload.get_address() % 4 != 0) {
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

tlm::tlm_sync_enum Gnet1Registers::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                   tlm::tlm_phase&, sc_core::sc_time& delay) {
  b_transport(payload, delay);
  return tlm::TLM_COMPLETED;
}

}  // namespace longhaul::wan

// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/wave_trigger.h"

#include <fmt/format.h>

#include <charconv>

#include "models/common/echo.h"
#include "models/common/param.h"

namespace longhaul::assembly {
namespace {

/// Reads a whole number, decimal or with 0x. Throws ConfigError.
std::uint64_t number(const std::string& text, const std::string& where) {
  const bool hex = text.rfind("0x", 0) == 0;
  const char* const begin = text.data() + (hex ? 2 : 0);
  const char* const end = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(begin, end, value, hex ? 16 : 10);
  if (error != std::errc{} || rest != end)
    throw ConfigError(where + ": '" + echo(text) + "' is no whole number");
  return value;
}

}  // namespace

WaveTrigger parse_wave_trigger(const std::string& text, const std::string& where) {
  WaveTrigger trigger;
  if (text.empty()) return trigger;
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (text == "retransmit") {
    trigger.kind = WaveTrigger::Kind::kRetransmit;
  } else if (text == "violation") {
    trigger.kind = WaveTrigger::Kind::kViolation;
  } else if (kind == "drop") {
    trigger.kind = WaveTrigger::Kind::kDrop;
    trigger.count = rest.empty() ? 1 : number(rest, where);
    if (trigger.count == 0) throw ConfigError(where + ": drops are counted from 1");
  } else if (kind == "register" && !rest.empty()) {
    trigger.kind = WaveTrigger::Kind::kRegister;
    const std::size_t plus = rest.find('+');
    trigger.device = plus == std::string::npos ? "" : rest.substr(0, plus);
    trigger.address = number(plus == std::string::npos ? rest : rest.substr(plus + 1), where);
  } else {
    throw ConfigError(where + ": '" + echo(text) +
                      "' is no trigger: wants retransmit, drop:N, violation, register:ADDRESS, "
                      "register:MACHINE.DEVICE+OFFSET or "
                      "register:BOX+OFFSET");
  }
  return trigger;
}

DropTrigger::DropTrigger(observe::WaveFile& file, std::uint64_t count, observe::LossWatch& losses)
    : file_(file), count_(count), left_(count), losses_(losses) {
  file_.add_source(*this);
}

void DropTrigger::on_loss(const observe::Loss& loss) {
  if (left_ == 0 || !file_.traces(now_ps())) return;
  if (--left_ > 0) return;
  const std::string number = count_ == 1 ? "" : fmt::format(" (number {} of all parts)", count_);
  file_.trigger(fmt::format("{} drops a frame: {}{}", loss.place, loss.why, number));
  file_.mark_cause(loss.ps, loss.place);
}

void DropTrigger::waves_begin() { losses_.listen(this); }

void DropTrigger::waves_end() { losses_.ignore(this); }

}  // namespace longhaul::assembly

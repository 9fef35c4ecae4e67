// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/box_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/common/echo.h"
#include "models/common/param.h"
#include "models/common/payload.h"
#include "models/common/units.h"
#include "platform/json/json_text.h"

namespace longhaul::assembly {

namespace {

bool is_word(const nlohmann::json& json) {
  return json.is_number_unsigned() && json.get<std::uint64_t>() <= UINT32_MAX;
}

/// Parses accesses. Returns an error text, or an empty text.
///
/// It does not throw: requests are read inside the simulation, where AddressSanitizer mistakes
/// exceptions for damaged stacks.
std::string parse_accesses(const nlohmann::json& json, std::vector<RegisterAccess>& accesses) {
  const auto refusal = [](const nlohmann::json& what) {
    return fmt::format("wants [[ADDRESS] or [ADDRESS, VALUE], ...], numbers of 32 bits, got {}",
                       echo(what));
  };
  if (!json.is_array()) return refusal(json);
  for (const nlohmann::json& each : json) {
    if (!each.is_array() || each.empty() || each.size() > 2) return refusal(each);
    for (const nlohmann::json& number : each) {
      if (!is_word(number)) return refusal(number);
    }
    const auto address = each[0].get<std::uint32_t>();
    if (address % 4 != 0) return fmt::format("address {:#x} is no multiple of 4", address);
    accesses.push_back({address, {}});
    if (each.size() == 2) accesses.back().value = each[1].get<std::uint32_t>();
  }
  return "";
}

}  // namespace

std::vector<RegisterAccess> read_accesses(const nlohmann::json& json, const std::string& where) {
  std::vector<RegisterAccess> accesses;
  const std::string wrong = parse_accesses(json, accesses);
  if (!wrong.empty()) throw ConfigError(where + ": " + wrong);
  return accesses;
}

BoxControl::BoxControl(const sc_core::sc_module_name& name, const Targets& targets,
                       std::vector<ControlStep> steps, const std::string& folder,
                       observe::Ticker& ticker, bool writes)
    : sc_module(name),
      steps_(std::move(steps)),
      socket_(folder + "/" + kSocketFile, writes),
      log_(writes ? folder + "/" + kLogFile : "") {
  for (const auto& [box, target] : targets) {
    boxes_[box] = std::make_unique<Initiator>(("to_" + box).c_str());
    boxes_[box]->bind(*target);
  }
  for (const ControlStep& step : steps_) {
    if (boxes_.count(step.box) == 0) throw ConfigError("control: " + no_such(step.box));
  }
  const std::string header = "time_ps,box,address,access,value,by\n";
  log_.write(header.data(), header.size());
  ticker.every(poll_period(), [this] { poll_socket(); });
  SC_HAS_PROCESS(BoxControl);
  SC_THREAD(work_thread);
}

std::string BoxControl::no_such(const std::string& box) const {
  std::vector<std::string> names;
  for (const auto& [name, initiator] : boxes_) names.push_back(name);
  return fmt::format("no box '{}' has registers; {}", echo(box), nearest_hint(box, names));
}

void BoxControl::window_opened() {
  for (const ControlStep& step : steps_) add({now() + step.at, step, "scenario", {}});
}

void BoxControl::request(const std::string& box, std::vector<RegisterAccess> accesses,
                         std::function<void(RegisterValues)> done) {
  if (boxes_.count(box) == 0) throw ConfigError(no_such(box));
  add({now(), {{}, box, std::move(accesses), 1, {}}, "program", std::move(done)});
}

void BoxControl::add(Job job) {
  const auto later = std::find_if(jobs_.begin(), jobs_.end(),
                                  [&](const Job& other) { return other.due > job.due; });
  jobs_.insert(later, std::move(job));
  arm();
}

void BoxControl::arm() {
  if (!jobs_.empty()) notify_in(work_event_, to_ps(std::max(jobs_.front().due, now()) - now()));
}

void BoxControl::poll_socket() {
  for (const auto& request : socket_.poll()) {
    const std::string wrong = take_request(request.line, request.client);
    if (!wrong.empty()) socket_.answer(request.client, nlohmann::json{{"error", wrong}}.dump());
  }
}

std::string BoxControl::take_request(const std::string& line, std::uint64_t client) {
  static const std::string kWanted =
      R"(wants {"box": NAME, "accesses": [[ADDRESS] or [ADDRESS, VALUE], ...]} in a line)";
  const auto [json, not_json] = parse_json(line);
  if (!not_json.empty()) return fmt::format("the request: {}; {}", not_json, kWanted);
  if (!json.is_object() || !json.contains("box") || !json["box"].is_string() ||
      !json.contains("accesses"))
    return kWanted;
  const auto answer = [this, client](const RegisterValues& values) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& value : values)
      list.push_back(value ? nlohmann::json(*value) : nlohmann::json());
    socket_.answer(client, nlohmann::json{{"time_ps", now_ps()}, {"values", list}}.dump());
  };
  Job job{now(), {{}, json["box"].get<std::string>(), {}, 1, {}}, "socket", answer};
  if (boxes_.count(job.step.box) == 0) return no_such(job.step.box);
  const std::string wrong = parse_accesses(json["accesses"], job.step.accesses);
  if (!wrong.empty()) return "accesses: " + wrong;
  add(std::move(job));
  return "";
}

void BoxControl::work_thread() {
  for (;;) {
    while (!jobs_.empty() && jobs_.front().due <= now()) {
      Job job = std::move(jobs_.front());
      jobs_.pop_front();
      perform(job);
      if (--job.step.times == 0) continue;
      job.due += job.step.every;
      add(std::move(job));
    }
    arm();
    wait(work_event_);
  }
}

void BoxControl::perform(const Job& job) {
  RegisterValues values;
  for (const RegisterAccess& what : job.step.accesses) {
    const std::optional<std::uint32_t> value = access(*boxes_.at(job.step.box), what);
    values.push_back(value);
    const std::string line =
        fmt::format("{},{},{:#x},{},{},{}\n", now_ps(), job.step.box, what.address,
                    what.value ? "write" : "read", value ? std::to_string(*value) : "", job.by);
    log_.write(line.data(), line.size());
    if (what.value && value && write_listener_) write_listener_(job.by, job.step.box, what.address);
  }
  if (job.done) job.done(std::move(values));
}

std::optional<std::uint32_t> BoxControl::access(Initiator& box, const RegisterAccess& what) {
  std::uint32_t word = what.value.value_or(0);
  sc_core::sc_time delay;
  tlm::tlm_generic_payload payload;
  set_access(payload, what.value ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, what.address,
             &word, sizeof word);
  box->b_transport(payload, delay);
  if (payload.is_response_error()) return std::nullopt;
  return word;
}

}  // namespace longhaul::assembly

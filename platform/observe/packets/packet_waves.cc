// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/packet_waves.h"

#include <fmt/format.h>

#include "models/common/units.h"

namespace longhaul::observe {

PacketWaves::PacketWaves(const WaveScope& scope, PacketBook& book, const AdapterPlaces& places)
    : file_(scope.file()), book_(book), places_(places) {
  read_.wave = scope.scope("tx").add_text("packet");
  transmit_.wave = scope.scope("tx").add_text("buffer");
  write_.wave = scope.scope("rx").add_text("packet");
  receive_.wave = scope.scope("rx").add_text("buffer");
  file_.add_source(*this);
}

void PacketWaves::waves_begin() {
  for (const Row* row : {&read_, &transmit_, &write_, &receive_}) row->wave.text_at(now_ps(), "");
  book_.listen(this);
}

void PacketWaves::on_stage(const PacketStage& stage) {
  if (stage.place == places_.bus && stage.kind == Stage::kRead) return show(read_, stage);
  if (stage.place == places_.bus && stage.kind == Stage::kWrite) return show(write_, stage);
  if (stage.kind != Stage::kBuffer) return;
  if (stage.place == places_.transmit) show(transmit_, stage);
  if (stage.place == places_.receive) show(receive_, stage);
}

void PacketWaves::show(Row& row, const PacketStage& stage) {
  if (!file_.records(stage.start_ps) || stage.start_ps + WaveFile::kLatenessPs <= now_ps()) return;
  std::string text = fmt::format("#{}", stage.packet);
  // A tenure may carry bytes of several packets that one large one is cut into.
  if (row.start_ps == stage.start_ps) text = row.text + " " + text;
  row.start_ps = stage.start_ps;
  row.text = text;
  row.wave.text_at(stage.start_ps, text);
  row.wave.text_at(stage.end_ps, "");
}

}  // namespace longhaul::observe

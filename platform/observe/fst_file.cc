// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/fst_file.h"

#include <fstapi.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "platform/observe/sink_error.h"

namespace longhaul::observe {
namespace {

constexpr int kPicoseconds = -12;
constexpr int kNoTextLength = 0;

}  // namespace

FstFile::FstFile(const std::string& path) : path_(path), part_path_(path + ".part") {
  if (std::remove(path_.c_str()) != 0 && errno != ENOENT) {
    throw SinkError(path_ + ": cannot replace: " + std::strerror(errno));
  }
  writer_ = fstWriterCreate(part_path_.c_str(), 1);
  if (writer_ == nullptr) throw SinkError(path_ + ": cannot create: " + std::strerror(errno));
  fstWriterSetPackType(writer_, FST_WR_PT_LZ4);
  fstWriterSetTimescale(writer_, kPicoseconds);
  fstWriterSetVersion(writer_, "Longhaul");
  fstWriterSetDate(writer_, "simulated time");
}

FstFile::~FstFile() {
  if (writer_ != nullptr) fstWriterClose(writer_);
}

void FstFile::enter(const std::string& scope) {
  fstWriterSetScope(writer_, FST_ST_VCD_MODULE, scope.c_str(), nullptr);
}

void FstFile::leave() { fstWriterSetUpscope(writer_); }

FstFile::Var FstFile::add_bits(const std::string& name, std::uint32_t width) {
  return fstWriterCreateVar(writer_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, name.c_str(), 0);
}

FstFile::Var FstFile::add_text(const std::string& name) {
  return fstWriterCreateVar(writer_, FST_VT_GEN_STRING, FST_VD_IMPLICIT, kNoTextLength,
                            name.c_str(), 0);
}

FstFile::Var FstFile::add_event(const std::string& name) {
  return fstWriterCreateVar(writer_, FST_VT_VCD_EVENT, FST_VD_IMPLICIT, 1, name.c_str(), 0);
}

FstFile::Var FstFile::add_states(const std::string& name, std::uint32_t width,
                                 const std::vector<std::pair<std::uint64_t, std::string>>& names) {
  std::vector<std::string> bits;
  std::vector<const char*> words;
  std::vector<const char*> values;
  bits.reserve(names.size());
  for (const auto& [value, word] : names) {
    bits.emplace_back();
    for (std::uint32_t i = width; i-- > 0;) bits.back() += (value >> i & 1U) != 0 ? '1' : '0';
    words.push_back(word.c_str());
    values.push_back(bits.back().c_str());
  }
  const fstEnumHandle table = fstWriterCreateEnumTable(writer_, (name + "_names").c_str(),
                                                       static_cast<std::uint32_t>(names.size()),
                                                       width, words.data(), values.data());
  fstWriterEmitEnumTableRef(writer_, table);
  return fstWriterCreateVar(writer_, FST_VT_SV_ENUM, FST_VD_IMPLICIT, width, name.c_str(), 0);
}

void FstFile::at(std::uint64_t ps) {
  if (started_ && ps == now_ps_) return;
  started_ = true;
  now_ps_ = ps;
  fstWriterEmitTimeChange(writer_, ps);
}

void FstFile::emit_bits(Var var, const char* bits) { fstWriterEmitValueChange(writer_, var, bits); }

void FstFile::set(Var var, std::uint32_t width, std::uint64_t value) {
  std::array<char, 65> bits{};
  for (std::uint32_t i = 0; i < width; ++i)
    bits.at(i) = (value >> (width - 1 - i) & 1U) != 0 ? '1' : '0';
  emit_bits(var, bits.data());
}

void FstFile::set_halves(Var var, std::uint64_t value, bool driven_low, bool driven_high) {
  std::array<char, 65> bits{};
  for (std::uint32_t i = 0; i < 64; ++i) {
    const bool driven = i < 32 ? driven_high : driven_low;
    bits.at(i) = !driven ? 'z' : (value >> (63 - i) & 1U) != 0 ? '1' : '0';
  }
  emit_bits(var, bits.data());
}

void FstFile::set_undriven(Var var, std::uint32_t width) {
  std::array<char, 65> bits{};
  std::memset(bits.data(), 'z', width);
  emit_bits(var, bits.data());
}

void FstFile::set_text(Var var, const std::string& text) {
  fstWriterEmitVariableLengthValueChange(writer_, var, text.data(),
                                         static_cast<std::uint32_t>(text.size()));
}

void FstFile::set_event(Var var) { emit_bits(var, "1"); }

void FstFile::close() {
  if (writer_ == nullptr) return;
  fstWriterClose(std::exchange(writer_, nullptr));
  // The writer does not report a full disk. A file that its reader refuses is incomplete.
  void* const reader = fstReaderOpen(part_path_.c_str());
  if (reader == nullptr) throw SinkError(path_ + ": cannot write: the file is not whole");
  fstReaderClose(reader);
  if (std::rename(part_path_.c_str(), path_.c_str()) != 0) {
    throw SinkError(path_ + ": cannot rename: " + std::strerror(errno));
  }
}

}  // namespace longhaul::observe

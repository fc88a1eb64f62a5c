//===- Log.cpp - What a recorded run leaves -------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/Log.h"

#include <algorithm>
#include <new>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

namespace colonnade::record {

/// Each part begins at a multiple of this.
static constexpr uint64_t LogAlignment = 64;

static uint64_t rounded(uint64_t bytes) {
  return (bytes + LogAlignment - 1) / LogAlignment * LogAlignment;
}

Log::Log(uint32_t maxAccesses, uint32_t maxCells) : maxAccesses(maxAccesses), maxCells(maxCells) {
  const uint64_t accessBytes = rounded(maxAccesses * sizeof(LoggedAccess));
  bytes_ = rounded(sizeof(LogHeader)) + accessBytes + maxCells * sizeof(LoggedCell);
  void *memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return;
  memory_ = memory;
  char *at = static_cast<char *>(memory);
  header = new (at) LogHeader;
  at += rounded(sizeof(LogHeader));
  accesses = reinterpret_cast<LoggedAccess *>(at);
  cells = reinterpret_cast<LoggedCell *>(at + accessBytes);
}

Log::~Log() {
  if (memory_)
    ::munmap(memory_, bytes_);
}

namespace {

/// Of the one recorded run of this process.
struct Writer {
  Log *log = nullptr;
  bool isOpen = false; // between begin and end
  uint32_t step = 0;
  std::vector<AddressRange> ranges;
  struct Variable {
    AddressRange range;
    uint32_t object;
    uint32_t level; // of calls; 0: global
  };
  std::vector<Variable> variables;
  uint32_t level = 0;
  struct Value { // passed by value
    uint32_t argument;
    AddressRange callers;
    uint64_t copy; // 0: the original has not begun
  };
  std::vector<Value> values;
};
Writer writer;

/// Padding and cells of other fields may lie between two cells of one object.
constexpr uint64_t MaxGapBytes = 4096;

bool contains(const AddressRange &range, uint64_t first, uint64_t end) {
  return first < range.end && end > range.first;
}

/// Where an access is to; nullopt: to nothing that is logged.
std::optional<Writer::Variable> find(uint64_t first, uint64_t end) {
  for (const AddressRange &range : writer.ranges)
    if (contains(range, first, end))
      return Writer::Variable{{0, 0}, NoObject, 0};
  for (size_t i = writer.variables.size(); i-- > 0;)
    if (contains(writer.variables[i].range, first, end))
      return writer.variables[i];
  return std::nullopt;
}

/// Where an access to the original's copy of an argument would be in the caller's; that itself is
/// read where the copy is made, which is no access of the original's.
std::optional<uint64_t> inCallers(uint64_t address, uint64_t bytes) {
  for (const Writer::Value &value : writer.values) {
    const uint64_t size = value.callers.end - value.callers.first;
    if (value.copy && contains({value.copy, value.copy + size}, address, address + bytes))
      return address - value.copy + value.callers.first;
    if (contains(value.callers, address, address + bytes))
      return std::nullopt;
  }
  return address;
}

[[noreturn]] void endAsTooLong() {
  writer.log->header->state = RunState::TooLong;
  ::_exit(0);
}

void add(const LoggedAccess &access) {
  LogHeader &header = *writer.log->header;
  if (header.numAccesses == writer.log->maxAccesses)
    endAsTooLong();
  writer.log->accesses[header.numAccesses++] = access;
}

void addVariable(const void *memory, uint64_t bytes, uint32_t object, uint32_t level) {
  const uint64_t address = reinterpret_cast<uint64_t>(memory);
  writer.variables.push_back({{address, address + bytes}, object, level});
}

} // namespace

void openLog(Log &log, std::vector<AddressRange> ranges) {
  writer = {};
  writer.log = &log;
  writer.ranges = std::move(ranges);
}

extern "C" {

void colonnade_recorder_cell(uint32_t array, const void *memory, uint64_t bytes) {
  LogHeader &header = *writer.log->header;
  if (header.numCells == writer.log->maxCells)
    endAsTooLong();
  const uint64_t address = reinterpret_cast<uint64_t>(memory);
  writer.log->cells[header.numCells++] = {address, array, static_cast<uint32_t>(bytes)};
  if (!writer.ranges.empty()) {
    AddressRange &last = writer.ranges.back();
    if (address >= last.first && address < last.end + MaxGapBytes) {
      last.end = std::max(last.end, address + bytes);
      return;
    }
  }
  writer.ranges.push_back({address, address + bytes});
}

void colonnade_recorder_value(uint32_t argument, const void *memory, uint64_t bytes) {
  const uint64_t address = reinterpret_cast<uint64_t>(memory);
  writer.values.push_back({argument, {address, address + bytes}, 0});
}

/// Of the first call; the function may call itself.
void colonnade_recorder_argument(uint32_t argument, const void *memory) {
  for (Writer::Value &value : writer.values)
    if (writer.isOpen && value.argument == argument && !value.copy)
      value.copy = reinterpret_cast<uint64_t>(memory);
}

void colonnade_recorder_begin() {
  writer.isOpen = true;
  writer.log->header->state = RunState::Running;
}

void colonnade_recorder_end() {
  writer.isOpen = false;
  writer.log->header->state = RunState::Returned;
}

void colonnade_recorder_global(const void *memory, uint64_t bytes, uint32_t object) {
  addVariable(memory, bytes, object, 0);
}

void colonnade_recorder_enter() { ++writer.level; }

void colonnade_recorder_local(const void *memory, uint64_t bytes, uint32_t object) {
  addVariable(memory, bytes, object, writer.level);
}

void colonnade_recorder_leave() {
  while (!writer.variables.empty() && writer.variables.back().level == writer.level)
    writer.variables.pop_back();
  --writer.level;
}

void colonnade_recorder_iteration(uint64_t count, uint32_t site, uint64_t name) {
  ++writer.step;
  if (writer.isOpen)
    add({count, name, 0, site, writer.step, 0, IterationOfLoop});
}

void colonnade_recorder_access(const void *memory, uint64_t bytes, uint32_t site, uint32_t flags,
                               uint64_t name) {
  if (!(flags & SameStep))
    ++writer.step;
  if (!writer.isOpen || bytes == 0)
    return;
  const std::optional<uint64_t> address = inCallers(reinterpret_cast<uint64_t>(memory), bytes);
  if (!address)
    return;
  if (const auto found = find(*address, *address + bytes))
    add({*address - found->range.first, name, static_cast<uint32_t>(bytes), site, writer.step,
         flags & IsStore, found->object});
}

} // extern "C"

template <class Function> static void *addressOf(Function *function) {
  return reinterpret_cast<void *>(function);
}

std::vector<Callback> callbacks() {
  return {{"colonnade_recorder_cell", addressOf(colonnade_recorder_cell)},
          {"colonnade_recorder_value", addressOf(colonnade_recorder_value)},
          {"colonnade_recorder_argument", addressOf(colonnade_recorder_argument)},
          {"colonnade_recorder_begin", addressOf(colonnade_recorder_begin)},
          {"colonnade_recorder_end", addressOf(colonnade_recorder_end)},
          {"colonnade_recorder_global", addressOf(colonnade_recorder_global)},
          {"colonnade_recorder_enter", addressOf(colonnade_recorder_enter)},
          {"colonnade_recorder_local", addressOf(colonnade_recorder_local)},
          {"colonnade_recorder_leave", addressOf(colonnade_recorder_leave)},
          {"colonnade_recorder_iteration", addressOf(colonnade_recorder_iteration)},
          {"colonnade_recorder_access", addressOf(colonnade_recorder_access)}};
}

} // namespace colonnade::record

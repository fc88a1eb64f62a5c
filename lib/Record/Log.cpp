//===- Log.cpp - What a recorded run leaves -------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/Log.h"

#include <algorithm>
#include <new>
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
};
Writer writer;

/// Padding and cells of other fields may lie between two cells of one object.
constexpr uint64_t MaxGapBytes = 4096;

bool contains(const AddressRange &range, uint64_t first, uint64_t end) {
  return first < range.end && end > range.first;
}

bool isWatched(uint64_t first, uint64_t end) {
  for (const AddressRange &range : writer.ranges)
    if (contains(range, first, end))
      return true;
  return false;
}

[[noreturn]] void endAsTooLong() {
  writer.log->header->state = RunState::TooLong;
  ::_exit(0);
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

void colonnade_recorder_begin() {
  writer.isOpen = true;
  writer.log->header->state = RunState::Running;
}

void colonnade_recorder_end() {
  writer.isOpen = false;
  writer.log->header->state = RunState::Returned;
}

void colonnade_recorder_access(const void *memory, uint64_t bytes, uint32_t site, uint32_t flags,
                               uint64_t name) {
  if (!(flags & SameStep))
    ++writer.step;
  if (!writer.isOpen || bytes == 0)
    return;
  const uint64_t address = reinterpret_cast<uint64_t>(memory);
  if (!isWatched(address, address + bytes))
    return;
  LogHeader &header = *writer.log->header;
  if (header.numAccesses == writer.log->maxAccesses)
    endAsTooLong();
  writer.log->accesses[header.numAccesses++] = {address, name,        static_cast<uint32_t>(bytes),
                                                site,    writer.step, flags & IsStore};
}

} // extern "C"

template <class Function> static void *addressOf(Function *function) {
  return reinterpret_cast<void *>(function);
}

std::vector<Callback> callbacks() {
  return {{"colonnade_recorder_cell", addressOf(colonnade_recorder_cell)},
          {"colonnade_recorder_begin", addressOf(colonnade_recorder_begin)},
          {"colonnade_recorder_end", addressOf(colonnade_recorder_end)},
          {"colonnade_recorder_access", addressOf(colonnade_recorder_access)}};
}

} // namespace colonnade::record

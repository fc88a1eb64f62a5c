//===- RowStreamingPlan.cpp - Which loops stream rows, strip by strip -----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The programme is walked, and says which cells each iteration of a loop accesses.
//
//===----------------------------------------------------------------------===//

#include "Transform/RowStreamingPlan.h"

#include "IR/Evaluate.h"
#include "IR/KnownWalk.h"
#include "Transform/BlockBuilder.h"
#include "Transform/SharedRows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <cmath>
#include <map>

using namespace colonnade;
using namespace colonnade::ir;

// Of a warp: five warps have as much on an SM.
static constexpr uint64_t MaxStreamBytes = 38 << 10;
static constexpr uint64_t MostIterations = 1024, SectorBytes = 32;
static constexpr uint64_t MaxSteps = 1 << 24;

namespace {

/// The cells that an iteration accesses of an array: none if the last is before the first.
struct Window {
  int64_t first = INT64_MAX, last = INT64_MIN;

  bool isEmpty() const { return last < first; }
  void add(int64_t cell) {
    first = std::min(first, cell);
    last = std::max(last, cell);
  }
};

/// What a loop of the body does with an array.
struct LoopAccesses {
  std::vector<Window> windows; // by iteration
  uint64_t number = 0;
  bool isKnown = true, isLoaded = false, isStored = false;
  std::vector<bool> storedSurely; // by cell
};

class StreamWalk final : public KnownWalk {
public:
  explicit StreamWalk(const Function &kernel) : KnownWalk(kernel, MaxSteps) {
    for (OpId id : kernel.region(kernel.body).ops)
      if (kernel.op(id).opcode == Opcode::For && !kernel.op(id).hasContinueFlag)
        iterations_[id.index] = {};
  }
  bool run() { return walk(function_.body); }

  /// Of the loops whose iterations are known.
  std::vector<OpId> loops() const {
    std::vector<OpId> result;
    for (OpId id : function_.region(function_.body).ops)
      if (auto at = iterations_.find(id.index); at != iterations_.end() && at->second.number > 0)
        result.push_back(id);
    return result;
  }
  /// Of a loop.
  struct Iterations {
    uint64_t number = 0;
    int64_t last = 0; // counter
    bool isAscending = true;
  };
  Iterations iterations(OpId loop) const { return iterations_.at(loop.index); }
  const LoopAccesses *accesses(OpId loop, ArrayId array) const {
    const auto at = accesses_.find({loop.index, array.index});
    return at == accesses_.end() ? nullptr : &at->second;
  }

private:
  bool iteration(OpId loop, uint64_t number) override {
    const auto at = iterations_.find(loop.index);
    if (at == iterations_.end())
      return KnownWalk::iteration(loop, number);
    current_ = loop;
    now_ = number;
    at->second.number = number + 1;
    const int64_t counter =
        asInt64(*value(function_.region(function_.op(loop).regions[0]).args[0]));
    at->second.isAscending = counter >= at->second.last;
    at->second.last = counter;
    const bool goesOn = KnownWalk::iteration(loop, number);
    current_ = OpId();
    return goesOn;
  }
  bool unknownLoop(OpId loop) override {
    iterations_.erase(loop.index);
    ++numUncertain_;
    const bool goesOn = KnownWalk::unknownLoop(loop);
    --numUncertain_;
    return goesOn;
  }
  bool uncertainArm(RegionId arm) override {
    ++numUncertain_;
    const bool goesOn = KnownWalk::uncertainArm(arm);
    --numUncertain_;
    return goesOn;
  }
  bool access(OpId id, std::optional<int64_t> cell) override {
    const Op &op = function_.op(id);
    const std::optional<uint64_t> cells = function_.array(op.array).constantCells();
    if (!current_ || !function_.array(op.array).isPassed() || !cells)
      return true;
    LoopAccesses &all = accesses_[{current_.index, op.array.index}];
    if (!cell || *cell < 0 || uint64_t(*cell) >= *cells) {
      all.isKnown = false;
      return true;
    }
    all.windows.resize(std::max<size_t>(all.windows.size(), now_ + 1));
    all.windows[now_].add(*cell);
    ++all.number;
    all.isLoaded |= op.opcode == Opcode::Load;
    all.isStored |= op.opcode == Opcode::Store;
    all.storedSurely.resize(*cells);
    if (op.opcode == Opcode::Store && numUncertain_ == 0)
      all.storedSurely[size_t(*cell)] = true;
    return true;
  }

  std::map<uint32_t, Iterations> iterations_; // by loop of the body
  std::map<std::pair<uint32_t, uint32_t>, LoopAccesses> accesses_;
  OpId current_;
  uint64_t now_ = 0;
  unsigned numUncertain_ = 0;
};

/// Iteration t accesses cells from slope * t + low to slope * t + high.
struct Stream {
  ArrayId array;
  int64_t slope = 0, low = 0, high = 0;
  const LoopAccesses *accesses = nullptr;
};
struct LoopStreams {
  OpId loop;
  StreamWalk::Iterations iterations = {};
  std::vector<Stream> streams = {};
};

class StreamPlanner {
public:
  explicit StreamPlanner(const Function &kernel) : plan_{kernel}, walk_(plan_.kernel) {}

  RowStreamingPlan run();

private:
  std::string refusal() const;
  std::optional<Stream> streamOf(OpId loop, ArrayId array) const;
  std::vector<LoopStreams> streams() const;
  StreamedLoop planned(const LoopStreams &from, uint64_t perStrip) const;
  std::optional<std::vector<StreamedLoop>> planned(llvm::ArrayRef<LoopStreams> loops,
                                                   uint64_t perStrip) const;
  void addArrays();
  void holdRegisters();
  void note();

  RowStreamingPlan plan_;
  StreamWalk walk_;
};

} // namespace

std::string StreamPlanner::refusal() const {
  if (!plan_.kernel.parts.empty())
    return "calls are kept";
  for (const Array &array : plan_.kernel.arrays)
    if (array.space == Space::Scratch)
      return array.name + " is in scratch memory";
    else if (array.space == Space::Registers && hasLongRows(array))
      return array.name + " is in registers";
  return "";
}

std::optional<Stream> StreamPlanner::streamOf(OpId loop, ArrayId array) const {
  const LoopAccesses *accesses = walk_.accesses(loop, array);
  if (!accesses || !accesses->isKnown || !isWorthCopying(plan_.kernel, array, accesses->number))
    return std::nullopt;
  const std::vector<Window> &windows = accesses->windows;
  const auto isThere = [](const Window &window) { return !window.isEmpty(); };
  const size_t first = llvm::find_if(windows, isThere) - windows.begin(),
               last = windows.size() - 1; // it is there, as it was the last to be added
  if (first == last)
    return std::nullopt;
  Stream stream{array, 0, INT64_MAX, INT64_MIN, accesses};
  stream.slope =
      std::llround(double(windows[last].last - windows[first].last) / double(last - first));
  for (size_t t = first; t <= last; ++t)
    if (isThere(windows[t])) {
      const int64_t at = stream.slope * static_cast<int64_t>(t);
      stream.low = std::min(stream.low, windows[t].first - at);
      stream.high = std::max(stream.high, windows[t].last - at);
    }
  return stream.slope ? std::optional(stream) : std::nullopt;
}

std::vector<LoopStreams> StreamPlanner::streams() const {
  std::vector<LoopStreams> loops;
  for (OpId loop : walk_.loops()) {
    LoopStreams all{loop, walk_.iterations(loop)};
    for (size_t a = 0; a < plan_.kernel.arrays.size(); ++a)
      if (std::optional<Stream> stream = streamOf(loop, ArrayId(a)))
        all.streams.push_back(*stream);
    if (!all.streams.empty())
      loops.push_back(std::move(all));
  }
  return loops;
}

/// Strips of this loop that begin where a sector does, if rows do. A strip is not loaded if it is
/// stored all, and has no cells of its neighbours. Streams whose strips would be mostly cells of
/// their neighbours are none.
StreamedLoop StreamPlanner::planned(const LoopStreams &from, uint64_t perStrip) const {
  StreamedLoop loop{from.loop, from.iterations.number, perStrip, from.iterations.isAscending};
  const int64_t last = static_cast<int64_t>(perStrip) - 1;
  for (const Stream &stream : from.streams) {
    const Array &memory = plan_.kernel.array(stream.array);
    StreamedArray streamed{stream.array, {}, *memory.constantCells()};
    const int64_t perSector = static_cast<int64_t>(SectorBytes / sizeBytes(memory.cell)),
                  lowest = stream.low + std::min<int64_t>(0, stream.slope * last),
                  highest = stream.high + std::max<int64_t>(0, stream.slope * last);
    streamed.step = stream.slope * static_cast<int64_t>(perStrip);
    streamed.first = lowest - ((lowest % perSector) + perSector) % perSector;
    const uint64_t own = static_cast<uint64_t>(std::abs(streamed.step)),
                   width = static_cast<uint64_t>(highest - streamed.first) + 1;
    if (width > own + own / 4 + static_cast<uint64_t>(perSector))
      continue;
    streamed.width = std::min(width, streamed.cells);
    streamed.isWritten = stream.accesses->isStored;
    const bool isExact = streamed.width == own && own * loop.numStrips() == streamed.cells;
    streamed.isRead = stream.accesses->isLoaded || !isExact ||
                      !llvm::all_of(stream.accesses->storedSurely, [](bool is) { return is; });
    loop.arrays.push_back(streamed);
  }
  return loop;
}

/// So that one loop after the other can use the same rows, strips of one type of cells get the
/// same width, but for those that are not loaded.
static void widen(const Function &kernel, std::vector<StreamedLoop> &loops) {
  std::map<ScalarType, uint64_t> widest;
  const auto each = [&](auto visit) {
    for (StreamedLoop &loop : loops)
      for (StreamedArray &array : loop.arrays)
        if (array.isRead)
          visit(array, widest[kernel.array(array.memory).cell]);
  };
  each([](StreamedArray &array, uint64_t &width) { width = std::max(width, array.width); });
  each([](StreamedArray &array, uint64_t &width) { array.width = std::min(width, array.cells); });
}

/// Rows of one shape are used by one loop after the other.
static uint64_t stripBytes(const Function &kernel, llvm::ArrayRef<StreamedLoop> loops) {
  using Shape = std::pair<ScalarType, uint64_t>;
  std::map<Shape, uint64_t> most;
  for (const StreamedLoop &loop : loops) {
    std::map<Shape, uint64_t> own;
    for (const StreamedArray &array : loop.arrays) {
      const Shape shape(kernel.array(array.memory).cell, array.width);
      most[shape] = std::max(most[shape], ++own[shape]);
    }
  }
  uint64_t bytes = 0;
  for (const auto &[shape, count] : most)
    bytes += count * bytesOfRows(shape.first, shape.second);
  return bytes;
}

std::optional<std::vector<StreamedLoop>> StreamPlanner::planned(llvm::ArrayRef<LoopStreams> loops,
                                                                uint64_t perStrip) const {
  std::vector<StreamedLoop> result;
  for (const LoopStreams &loop : loops)
    if (StreamedLoop own = planned(loop, perStrip); !own.arrays.empty())
      result.push_back(std::move(own));
  widen(plan_.kernel, result);
  if (result.empty() || stripBytes(plan_.kernel, result) > MaxStreamBytes)
    return std::nullopt;
  return result;
}

void StreamPlanner::addArrays() {
  using Shape = std::pair<ScalarType, uint64_t>;
  std::map<Shape, std::vector<ArrayId>> rows;
  for (StreamedLoop &loop : plan_.loops) {
    std::map<Shape, size_t> used;
    for (StreamedArray &array : loop.arrays) {
      const Shape shape(plan_.kernel.array(array.memory).cell, array.width);
      const size_t number = used[shape]++;
      if (number == rows[shape].size())
        rows[shape].push_back(addRows(plan_.kernel, array.memory, array.width, "_strip"));
      array.rows = rows[shape][number];
    }
  }
}

void StreamPlanner::holdRegisters() {
  const size_t numArrays = plan_.kernel.arrays.size();
  for (size_t a = 0; a < numArrays; ++a) {
    const Array array = plan_.kernel.arrays[a];
    if (array.isPassed() && array.space == Space::Registers)
      plan_.held.push_back({ArrayId(a), splitRegisters(plan_.kernel, ArrayId(a)),
                            *array.constantCells(), array.loadedFirst, array.writes});
  }
}

void StreamPlanner::note() {
  plan_.kernel.notes.clear();
  for (const StreamedLoop &loop : plan_.loops)
    for (const StreamedArray &array : loop.arrays)
      plan_.kernel.notes.push_back("row-wise " + plan_.kernel.array(array.memory).name +
                                   ": strips of " + std::to_string(array.width) +
                                   " cells through shared memory, for " +
                                   std::to_string(loop.perStrip) + " iterations each");
}

RowStreamingPlan StreamPlanner::run() {
  plan_.reason = refusal();
  if (!plan_.reason.empty())
    return std::move(plan_);
  if (!walk_.run()) {
    plan_.reason = "the programme is too long to be walked";
    return std::move(plan_);
  }
  const std::vector<LoopStreams> loops = streams();
  for (uint64_t perStrip = MostIterations; perStrip > 0 && plan_.loops.empty(); perStrip /= 2)
    if (auto planned = this->planned(loops, perStrip))
      plan_.loops = std::move(*planned);
  if (plan_.loops.empty()) {
    plan_.reason = "no loop of the body goes through the cells of an array in order";
    return std::move(plan_);
  }
  addArrays();
  holdRegisters();
  note();
  return std::move(plan_);
}

RowStreamingPlan colonnade::planRowStreaming(const Function &kernel) {
  return StreamPlanner(kernel).run();
}

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
#include "Transform/LoopAccesses.h"
#include "Transform/SharedRows.h"
#include "Transform/StreamWalk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <cmath>
#include <map>

using namespace colonnade;
using namespace colonnade::ir;

// Of a warp: five warps have as much on an SM. Where pieces of rows would be short otherwise, as
// much as each block has without being asked for.
static constexpr uint64_t MaxStreamBytes = 38 << 10, MaxBytesOfFew = SharedBytesOfAll;
// Of a row, in a strip, if there is room: short pieces of rows far from each other are slow to
// read.
static constexpr uint64_t MostRowBytes = 1024, FewRowBytes = 256;
// Operations of unrolled loops: strips are copied between them, and nvcc takes 20 s for twice as
// many.
static constexpr uint64_t MostUnrolled = 6000;
// A loop over as many strips is worth two rows of shared memory in place of one.
static constexpr uint64_t ManyStrips = 64;
static constexpr uint64_t SectorBytes = 32, LineBytes = 128;

namespace {

struct Stream {
  ArrayId array;
  WindowMove move;
  const LoopAccesses *accesses = nullptr;
};
struct LoopStreams {
  OpId loop;
  StreamWalk::Iterations iterations = {};
  std::vector<Stream> streams = {};
};

/// Rows of one shape are used by one loop after the other.
using Shape = std::tuple<ScalarType, RowPitch, uint64_t>;

class StreamPlanner {
public:
  explicit StreamPlanner(const Function &kernel) : plan_{kernel}, walk_(plan_.kernel) {}

  RowStreamingPlan run(WalkBudget &budget);

private:
  std::string refusal() const;
  std::optional<Stream> streamOf(OpId loop, ArrayId array) const;
  std::vector<LoopStreams> streams() const;
  StreamedArray strip(const Stream &stream, const StreamedLoop &loop) const;
  StreamedLoop planned(const LoopStreams &from, uint64_t perStrip, uint64_t before) const;
  StreamedLoop planned(const LoopStreams &from, uint64_t perStrip) const;
  std::optional<std::vector<StreamedLoop>> planned(llvm::ArrayRef<LoopStreams> loops,
                                                   uint64_t rowBytes, bool mayBeAhead) const;
  std::vector<StreamedLoop> planned(llvm::ArrayRef<LoopStreams> loops, bool mayBeAhead,
                                    uint64_t leastRowBytes) const;
  ArrayId takeRows(ArrayId memory, RowPitch pitch, uint64_t width, std::map<Shape, size_t> &used);
  void addArrays();
  void holdRegisters();
  void note();

  RowStreamingPlan plan_;
  StreamWalk walk_;
  std::map<Shape, std::vector<ArrayId>> rows_;
  std::vector<bool> units_; // by array: most accesses are of whole units
};

} // namespace

std::string StreamPlanner::refusal() const {
  if (!plan_.kernel.parts.empty())
    return "calls are kept";
  for (const Array &array : plan_.kernel.arrays)
    if (array.space == Space::Scratch)
      return array.name + " is in scratch memory";
  return "";
}

std::optional<Stream> StreamPlanner::streamOf(OpId loop, ArrayId array) const {
  const LoopAccesses *accesses = walk_.accesses(loop, array);
  if (!accesses || !accesses->isKnown || !mayCopy(plan_.kernel, array))
    return std::nullopt;
  const std::optional<WindowMove> move = moveOf(*accesses);
  return move && move->slope ? std::optional(Stream{array, *move, accesses}) : std::nullopt;
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

/// Of the first strip, if it lacks so many iterations, what a stream has.
StreamedArray StreamPlanner::strip(const Stream &stream, const StreamedLoop &loop) const {
  const Array &memory = plan_.kernel.array(stream.array);
  StreamedArray streamed;
  streamed.memory = stream.array;
  streamed.cells = *memory.constantCells();
  const int64_t size = static_cast<int64_t>(sizeBytes(memory.cell)),
                perSector = static_cast<int64_t>(SectorBytes) / size,
                last = static_cast<int64_t>(loop.perStrip) - 1,
                begin = -stream.move.slope * static_cast<int64_t>(loop.before),
                lowest = begin + stream.move.low + std::min<int64_t>(0, stream.move.slope * last),
                highest = begin + stream.move.high + std::max<int64_t>(0, stream.move.slope * last);
  streamed.step = stream.move.slope * static_cast<int64_t>(loop.perStrip);
  streamed.first = lowest - ((lowest % perSector) + perSector) % perSector;
  streamed.width = static_cast<uint64_t>(highest - streamed.first) + 1;
  const auto copiesAtOnce = [&](uint64_t bytes) { // where rows lie so
    const uint64_t cells = std::max<uint64_t>(1, bytes / static_cast<uint64_t>(size));
    if (streamed.cells % cells != 0 || static_cast<uint64_t>(std::abs(streamed.step)) % cells != 0)
      return false;
    streamed.width = (streamed.width + cells - 1) / cells * cells;
    return true;
  };
  if (units_[stream.array.index] && copiesAtOnce(UnitBytes))
    streamed.pitch = RowPitch::Units;
  else
    copiesAtOnce(WordBytes);
  return streamed;
}

/// Of so many cells that are copied the loop needs many: few iterations before or behind others
/// access their cells where they are.
static bool isWorthStreaming(const Stream &stream, uint64_t copied) {
  Window all;
  for (const Window &window : stream.accesses->windows)
    if (!window.isEmpty()) {
      all.add(window.first);
      all.add(window.last);
    }
  return areEnough(stream.accesses->number, copied) &&
         2 * static_cast<uint64_t>(all.last - all.first + 1) >= copied;
}

/// Strips of this loop that begin where a sector does, if rows do. A strip is not loaded if it is
/// stored all, and has no cells of its neighbours. Streams whose strips would be mostly cells of
/// their neighbours, or that nothing accesses, are none.
StreamedLoop StreamPlanner::planned(const LoopStreams &from, uint64_t perStrip,
                                    uint64_t before) const {
  StreamedLoop loop{from.loop, from.iterations.number, perStrip, before,
                    from.iterations.isAscending};
  for (const Stream &stream : from.streams) {
    StreamedArray streamed = strip(stream, loop);
    const uint64_t own = static_cast<uint64_t>(std::abs(streamed.step)),
                   perSector = SectorBytes / sizeBytes(plan_.kernel.array(stream.array).cell);
    if (streamed.width > own + own / 4 + perSector ||
        !isWorthStreaming(stream, streamed.width * loop.numStrips()))
      continue;
    streamed.width = std::min(streamed.width, streamed.cells);
    streamed.isWritten = stream.accesses->isStored;
    const bool isExact = streamed.width == own && own * loop.numStrips() == streamed.cells;
    streamed.isRead = stream.accesses->isLoaded || !isExact ||
                      !llvm::all_of(stream.accesses->storedSurely, [](bool is) { return is; });
    loop.arrays.push_back(streamed);
  }
  return loop;
}

/// Of all strips of a loop.
static uint64_t copiedBytes(const Function &kernel, const StreamedLoop &loop) {
  uint64_t bytes = 0;
  for (const StreamedArray &array : loop.arrays)
    bytes += array.width * sizeBytes(kernel.array(array.memory).cell) *
             (unsigned(array.isRead) + unsigned(array.isWritten));
  return bytes * loop.numStrips();
}

/// Between an iteration's cells and the next one's, so many that they are worth leaving out.
static bool hasGaps(const Function &kernel, const LoopStreams &loop) {
  return llvm::any_of(loop.streams, [&](const Stream &stream) {
    const int64_t perSector = SectorBytes / sizeBytes(kernel.array(stream.array).cell),
                  cells = stream.move.high - stream.move.low + 1,
                  gap = std::abs(stream.move.slope) - (cells + perSector - 1);
    return 5 * gap > std::abs(stream.move.slope);
  });
}

/// All streams, and the fewest cells twice: where the first strip has so many iterations that the
/// others begin as sectors do.
StreamedLoop StreamPlanner::planned(const LoopStreams &from, uint64_t perStrip) const {
  StreamedLoop best = planned(from, perStrip, 0);
  const auto consider = [&](StreamedLoop other) {
    const auto numOther = other.arrays.size(), numBest = best.arrays.size();
    if (numOther > numBest ||
        (numOther == numBest && copiedBytes(plan_.kernel, other) < copiedBytes(plan_.kernel, best)))
      best = std::move(other);
  };
  for (uint64_t before = 1; before < perStrip; ++before)
    consider(planned(from, perStrip, before));
  return best;
}

static Shape shapeOf(const Function &kernel, const StreamedArray &array) {
  return {kernel.array(array.memory).cell, array.pitch, array.width};
}

uint32_t StreamedLoop::numRead() const {
  return static_cast<uint32_t>(
      llvm::count_if(arrays, [](const StreamedArray &array) { return array.isRead; }));
}

/// Whether each strip has cells of its own.
static bool isApart(const StreamedArray &array, uint64_t numStrips) {
  const int64_t end = array.first + array.step * static_cast<int64_t>(numStrips - 1),
                last = static_cast<int64_t>(array.cells - array.width);
  return array.width == static_cast<uint64_t>(std::abs(array.step)) &&
         std::min(array.first, end) >= 0 && std::max(array.first, end) <= last;
}

/// Where a thread waits for many strips: instances are so long that memory has room for few, or
/// strips have parts of rows alone. What is on its way must not be stored to meanwhile.
static bool gainsAhead(const Function &kernel, const StreamedLoop &loop) {
  const uint64_t numStrips = loop.numStrips();
  const bool isUnrolled = kernel.op(loop.loop).unrolling.kind == Unrolling::Kind::Fully,
             pays = isUnrolled ? numStrips > 1 : numStrips >= ManyStrips && numStrips % 2 == 0;
  return pays && loop.numRead() > 0 && llvm::all_of(loop.arrays, [&](const StreamedArray &array) {
           return !array.isWritten || isApart(array, numStrips);
         });
}

/// So that one loop after the other can use the same rows, strips of one type of cells get the
/// same width, if that is not much more, but for those that are not loaded or have no cells of
/// their neighbours.
static void widen(const Function &kernel, std::vector<StreamedLoop> &loops) {
  std::map<std::pair<ScalarType, RowPitch>, uint64_t> widest;
  const auto each = [&](auto visit) {
    for (StreamedLoop &loop : loops)
      for (StreamedArray &array : loop.arrays)
        if (array.isRead && array.width != static_cast<uint64_t>(std::abs(array.step)))
          visit(array, widest[{kernel.array(array.memory).cell, array.pitch}]);
  };
  each([](StreamedArray &array, uint64_t &width) { width = std::max(width, array.width); });
  each([](StreamedArray &array, uint64_t &width) {
    if (4 * width <= 5 * array.width)
      array.width = std::min(width, array.cells);
  });
}

static uint64_t stripBytes(const Function &kernel, llvm::ArrayRef<StreamedLoop> loops) {
  std::map<Shape, uint64_t> most;
  for (const StreamedLoop &loop : loops) {
    std::map<Shape, uint64_t> own;
    for (const StreamedArray &array : loop.arrays) {
      const Shape shape = shapeOf(kernel, array);
      own[shape] += loop.isAhead ? 2 : 1;
      most[shape] = std::max(most[shape], own[shape]);
    }
  }
  uint64_t bytes = 0;
  for (const auto &[shape, count] : most)
    bytes += count * bytesOfRows(std::get<0>(shape), std::get<2>(shape), std::get<1>(shape));
  return bytes;
}

/// Iterations that access so many bytes of a row.
static uint64_t iterationsOf(const Function &kernel, const LoopStreams &loop, uint64_t rowBytes) {
  uint64_t most = 1; // of an iteration
  for (const Stream &stream : loop.streams)
    most = std::max(most, static_cast<uint64_t>(std::abs(stream.move.slope)) *
                              sizeBytes(kernel.array(stream.array).cell));
  return std::max<uint64_t>(1, rowBytes / most);
}

std::optional<std::vector<StreamedLoop>> StreamPlanner::planned(llvm::ArrayRef<LoopStreams> loops,
                                                                uint64_t rowBytes,
                                                                bool mayBeAhead) const {
  std::vector<StreamedLoop> result;
  for (const LoopStreams &loop : loops)
    if (StreamedLoop own = planned(
            loop, hasGaps(plan_.kernel, loop) ? 1 : iterationsOf(plan_.kernel, loop, rowBytes));
        !own.arrays.empty())
      result.push_back(std::move(own));
  widen(plan_.kernel, result);
  for (StreamedLoop &loop : result)
    loop.isAhead = mayBeAhead && gainsAhead(plan_.kernel, loop);
  const uint64_t most = rowBytes > FewRowBytes ? MaxStreamBytes : MaxBytesOfFew;
  if (result.empty() || stripBytes(plan_.kernel, result) > most)
    return std::nullopt;
  return result;
}

/// Rows that nothing else uses at the same time, which `used` counts.
ArrayId StreamPlanner::takeRows(ArrayId memory, RowPitch pitch, uint64_t width,
                                std::map<Shape, size_t> &used) {
  const Shape shape(plan_.kernel.array(memory).cell, pitch, width);
  const size_t number = used[shape]++;
  if (number == rows_[shape].size())
    rows_[shape].push_back(addRows(plan_.kernel, memory, width, "_strip", pitch));
  return rows_[shape][number];
}

/// The widest strips that have room, but narrower ones where much would be copied twice otherwise,
/// as the last strip of a row begins in the one before it.
std::vector<StreamedLoop> StreamPlanner::planned(llvm::ArrayRef<LoopStreams> loops, bool mayBeAhead,
                                                 uint64_t leastRowBytes) const {
  std::vector<StreamedLoop> best;
  uint64_t bytes = 0; // copied
  for (uint64_t rowBytes = MostRowBytes; rowBytes >= leastRowBytes; rowBytes /= 2) {
    if (!best.empty() && rowBytes < FewRowBytes)
      break;
    std::optional<std::vector<StreamedLoop>> other = planned(loops, rowBytes, mayBeAhead);
    if (!other)
      continue;
    uint64_t ofOther = 0;
    for (const StreamedLoop &loop : *other)
      ofOther += copiedBytes(plan_.kernel, loop);
    if (best.empty() || 9 * ofOther < 8 * bytes) {
      best = std::move(*other);
      bytes = ofOther;
    }
  }
  return best;
}

void StreamPlanner::addArrays() {
  for (StreamedLoop &loop : plan_.loops) {
    std::map<Shape, size_t> used;
    for (StreamedArray &array : loop.arrays) {
      array.rows = takeRows(array.memory, array.pitch, array.width, used);
      if (loop.isAhead)
        array.otherRows = takeRows(array.memory, array.pitch, array.width, used);
    }
  }
}

/// Each row of a strip is a cache line, or less.
static std::vector<HeldStrip> stripsOfHeld(const Array &memory) {
  const uint64_t cells = *memory.constantCells(), most = LineBytes / sizeBytes(memory.cell),
                 number = (cells + most - 1) / most, width = (cells + number - 1) / number;
  std::vector<HeldStrip> strips;
  for (uint64_t first = 0; first < cells; first += width)
    strips.push_back({{}, first, std::min(width, cells - first)});
  return strips;
}

void StreamPlanner::holdRegisters() {
  const size_t numArrays = plan_.kernel.arrays.size();
  size_t numStrips = 0;
  for (size_t a = 0; a < numArrays; ++a) {
    const Array array = plan_.kernel.arrays[a];
    if (!array.isPassed() || array.space != Space::Registers)
      continue;
    HeldArray held{ArrayId(a), splitRegisters(plan_.kernel, ArrayId(a)), *array.constantCells(),
                   array.loadedFirst, array.writes};
    if (hasLongRows(array))
      held.strips = stripsOfHeld(array);
    numStrips = std::max(numStrips, held.strips.size());
    plan_.held.push_back(std::move(held));
  }
  for (size_t s = 0; s < numStrips; ++s) {
    std::map<Shape, size_t> used;
    for (HeldArray &held : plan_.held)
      if (s < held.strips.size())
        held.strips[s].rows = takeRows(held.memory, RowPitch::Words, held.strips[s].width, used);
  }
}

void StreamPlanner::note() {
  plan_.kernel.notes.clear();
  for (const StreamedLoop &loop : plan_.loops)
    for (const StreamedArray &array : loop.arrays)
      plan_.kernel.notes.push_back("row-wise " + plan_.kernel.array(array.memory).name +
                                   ": strips of " + std::to_string(array.width) +
                                   " cells through shared memory, for " +
                                   std::to_string(loop.perStrip) + " iterations each" +
                                   (loop.isAhead ? ", the next one on its way" : ""));
}

RowStreamingPlan StreamPlanner::run(WalkBudget &budget) {
  plan_.reason = refusal();
  // Loops are unrolled for them, and strips copied for each iteration: a compiler takes 20 s
  // for 96.
  if (!plan_.reason.empty())
    return std::move(plan_);
  if (!walk_.run()) {
    plan_.reason = "the programme is too long to be walked";
    return std::move(plan_);
  }
  if (walk_.unrolledSteps() > MostUnrolled) {
    plan_.reason = "the loops that arrays in registers need unrolled are too long";
    return std::move(plan_);
  }
  units_ = accessedInUnits(plan_.kernel, budget);
  const std::vector<LoopStreams> loops = streams();
  plan_.loops = planned(loops, true, FewRowBytes);
  if (plan_.loops.empty())
    plan_.loops = planned(loops, false, 1);
  if (plan_.loops.empty()) {
    plan_.reason = "no loop of the body goes through the cells of an array in order";
    return std::move(plan_);
  }
  addArrays();
  holdRegisters();
  note();
  return std::move(plan_);
}

RowStreamingPlan colonnade::planRowStreaming(const Function &kernel, WalkBudget &budget) {
  return StreamPlanner(kernel).run(budget);
}

//===- RowStaging.cpp - Row-wise instances through shared memory ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   stage what is read; if the thread has an instance { the kernel }; stage what was written
//
// Barriers stand between the copies of a warp and its threads' own accesses.
//
//===----------------------------------------------------------------------===//

#include "Transform/RowStaging.h"

#include "IR/Builder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <map>

using namespace colonnade;
using namespace colonnade::ir;

// Shared memory that a block has without asking for more.
static constexpr uint64_t MaxSharedBytes = 48 << 10;
// Of a warp, for strips that are on their way at the same time: 24 warps have as much on an SM.
static constexpr uint64_t MaxStripBytes = 9 << 10;
static constexpr unsigned MostThreads = 128;
// Each row of a strip is a cache line.
static constexpr uint64_t StripBytes = 128;
// The rows of a thread's neighbours share its sectors up to here.
static constexpr uint64_t SectorBytes = 32;
// An array of which fewer than one in so many cells is accessed is not copied as a whole.
static constexpr uint64_t SparseAccesses = 4;

/// Cells from one row of shared memory to the next: an odd number of words, so that the lanes'
/// accesses to cells of the same number lie in different banks. Of cells of 8 bytes, which half a
/// warp accesses at once, an odd number.
static uint64_t pitchOf(uint64_t cells, uint64_t bytes) {
  const uint64_t perWord = bytes < 4 ? 4 / bytes : 1, words = (cells + perWord - 1) / perWord;
  return (words | 1) * perWord;
}

namespace {

class RowStaging {
public:
  RowStaging(const Function &kernel, llvm::ArrayRef<uint64_t> accesses,
             const std::vector<bool> &fullyWritten)
      : kernel_(kernel), builder_(kernel_), accesses_(accesses), fullyWritten_(fullyWritten) {}

  StagedRows run();

private:
  /// An array that is staged, and what the kernel accesses in its place.
  struct Staged {
    ArrayId memory;
    ArrayId rows;      // in shared memory, with all cells; or invalid
    ArrayId registers; // or invalid
    uint64_t cells = 0, width = 0;
    bool isRead = false;
    bool isDirect = false; // between memory and registers, by each thread itself
  };
  struct Strip {
    const Staged *staged;
    uint64_t first, width; // cells
    ArrayId rows;          // in shared memory
  };
  using Batch = std::vector<Strip>; // strips that are in shared memory at the same time

  std::string refusal() const;
  bool isWorthIt(ArrayId id) const;
  void plan();
  bool haveRoom() const;
  void planWholeRows(Staged &staged);
  void planRegisters(Staged &staged);
  ArrayId addRows(const Array &memory, uint64_t width, const char *suffix);
  std::vector<Batch> batches(bool isIn);
  bool chooseThreads();
  void note();
  void build();
  void rewrite(RegionId region);
  void append(OpId id);
  void toRows(OpId id, const Staged &staged);
  ValueId cellOf(const Op &access);
  void batchIn(const Batch &batch);
  void batchOut(const Batch &batch);
  ValueId beginOf(const Strip &strip);
  void eachCell(const Strip &strip, bool isIn);
  void copyDirectly(const Staged &staged, bool isIn);
  template <class Body> void forCells(uint64_t cells, Body body);
  void stage(ArrayId to, ArrayId from, ValueId at = {});
  void simple(Opcode opcode);
  template <class Body> void ifInstance(Body body);
  ValueId number(uint64_t value) {
    return builder_.constantInt(ScalarType::S64, static_cast<int64_t>(value));
  }
  ValueId varying(ValueId value) {
    kernel_.value(value).varying = true;
    return value;
  }

  Function kernel_;
  Builder builder_;
  llvm::ArrayRef<uint64_t> accesses_;
  const std::vector<bool> &fullyWritten_;
  std::vector<Staged> staged_;
  using Shape = std::pair<ScalarType, uint64_t>;    // of a strip: cell and width
  std::map<Shape, std::vector<ArrayId>> stripRows_; // which strips use in turn
  std::vector<Batch> in_, out_;
  uint64_t sharedBytes_ = 0; // a warp
  ValueId lane_, hasInstance_;
};

} // namespace

std::string RowStaging::refusal() const {
  if (llvm::none_of(llvm::seq(kernel_.arrays.size()),
                    [&](size_t a) { return isWorthIt(ArrayId(a)); }))
    return "";
  if (!kernel_.parts.empty())
    return "calls are kept";
  for (const Array &array : kernel_.arrays)
    if (array.space == Space::Scratch)
      return array.name + " is in scratch memory";
  return "";
}

/// Whether to copy the rows of an array: its accesses are not one piece of memory already.
bool RowStaging::isWorthIt(ArrayId id) const {
  const Array &array = kernel_.array(id);
  const std::optional<uint64_t> cells = array.constantCells();
  if (!array.isPassed() || !array.isPerInstance() || !cells ||
      *cells * sizeBytes(array.cell) <= SectorBytes)
    return false;
  if (array.space == Space::Registers)
    return true;
  const bool isGuarded =
      llvm::any_of(kernel_.ops, [&](const Op &op) { return op.guarded && op.array == id; });
  return array.space == Space::Memory && !isGuarded &&
         accesses_[id.index] >= *cells / SparseAccesses;
}

static uint64_t bytesOfRows(ScalarType cell, uint64_t width) {
  return LanesPerWarp * pitchOf(width, sizeBytes(cell)) * sizeBytes(cell);
}

ArrayId RowStaging::addRows(const Array &memory, uint64_t width, const char *suffix) {
  Array rows;
  rows.name = memory.name + suffix;
  rows.cell = memory.cell;
  rows.extents = {SizeExpr::constant(LanesPerWarp),
                  SizeExpr::constant(static_cast<int64_t>(width))};
  rows.sharing = Sharing::Warp;
  rows.reads = rows.writes = true;
  rows.loc = memory.loc;
  rows.space = Space::Shared;
  rows.pitch = pitchOf(width, sizeBytes(memory.cell));
  sharedBytes_ += bytesOfRows(memory.cell, width);
  kernel_.arrays.push_back(std::move(rows));
  return ArrayId(kernel_.arrays.size() - 1);
}

void RowStaging::planWholeRows(Staged &staged) {
  const Array memory = kernel_.array(staged.memory);
  staged.width = staged.cells;
  staged.isRead = memory.reads || !fullyWritten_[staged.memory.index];
  staged.rows = addRows(memory, staged.width, "_rows");
}

void RowStaging::planRegisters(Staged &staged) {
  Array &memory = kernel_.array(staged.memory);
  const uint64_t most = StripBytes / sizeBytes(memory.cell),
                 strips = (staged.cells + most - 1) / most;
  staged.width = (staged.cells + strips - 1) / strips;
  staged.isRead = memory.loadedFirst;
  Array registers = memory;
  memory.space = Space::Memory;
  memory.loadedFirst = false;
  registers.name += "_cells";
  registers.role = ArrayRole::Local;
  registers.extents = {SizeExpr::constant(static_cast<int64_t>(staged.cells))};
  registers.loadedFirst = registers.isConst = false;
  registers.writes = true;
  registers.parameter.clear();
  kernel_.arrays.push_back(std::move(registers));
  staged.registers = ArrayId(kernel_.arrays.size() - 1);
}

/// The strips of arrays in registers, as many at the same time as have room.
std::vector<RowStaging::Batch> RowStaging::batches(bool isIn) {
  std::vector<Batch> result;
  std::map<Shape, size_t> used; // by the batch
  uint64_t bytes = MaxStripBytes;
  for (const Staged &staged : staged_) {
    const Array memory = kernel_.array(staged.memory);
    if (!staged.registers || staged.isDirect || !(isIn ? staged.isRead : memory.writes))
      continue;
    for (uint64_t first = 0; first < staged.cells; first += staged.width) {
      const uint64_t width = std::min(staged.width, staged.cells - first);
      bytes += bytesOfRows(memory.cell, width);
      if (bytes > MaxStripBytes) {
        result.emplace_back();
        used.clear();
        bytes = bytesOfRows(memory.cell, width);
      }
      const Shape shape(memory.cell, width);
      std::vector<ArrayId> &rows = stripRows_[shape];
      const size_t number = used[shape]++;
      if (number == rows.size())
        rows.push_back(addRows(memory, width, "_strip"));
      result.back().push_back({&staged, first, width, rows[number]});
    }
  }
  return result;
}

/// For all arrays whose rows would stay in shared memory: one that did not would lose the cache
/// that the others take.
bool RowStaging::haveRoom() const {
  uint64_t bytes = 0;
  for (size_t a = 0; a < kernel_.arrays.size(); ++a) {
    const Array &array = kernel_.arrays[a];
    if (array.space == Space::Memory && isWorthIt(ArrayId(a)))
      bytes += bytesOfRows(array.cell, *array.constantCells());
  }
  return bytes <= MaxSharedBytes;
}

void RowStaging::plan() {
  const bool hasRoom = haveRoom();
  const size_t numArrays = kernel_.arrays.size();
  for (size_t a = 0; a < numArrays; ++a) {
    const bool isInRegisters = kernel_.arrays[a].space == Space::Registers;
    const bool isDirect = isInRegisters && kernel_.arrays[a].isPassed() && !isWorthIt(ArrayId(a));
    if (!isDirect && (!isWorthIt(ArrayId(a)) || !(isInRegisters || hasRoom)))
      continue;
    Staged staged{ArrayId(a), {}, {}, *kernel_.arrays[a].constantCells()};
    staged.isDirect = isDirect;
    if (isInRegisters)
      planRegisters(staged);
    else
      planWholeRows(staged);
    staged_.push_back(staged);
  }
  in_ = batches(true);
  out_ = batches(false);
}

/// As many warps a block as have room.
bool RowStaging::chooseThreads() {
  if (sharedBytes_ > MaxSharedBytes)
    return false;
  const uint64_t warps = MaxSharedBytes / sharedBytes_;
  ThreadShape &shape = std::get<ThreadShape>(*kernel_.launch);
  shape.perBlock = static_cast<unsigned>(std::min<uint64_t>(MostThreads, warps * LanesPerWarp) /
                                         LanesPerWarp * LanesPerWarp);
  shape.together = shape.rowWise = true;
  return true;
}

StagedRows RowStaging::run() {
  if (const std::string reason = refusal(); !reason.empty())
    return {std::nullopt, reason};
  plan();
  if (llvm::all_of(staged_, [](const Staged &staged) { return staged.isDirect; }))
    return {std::nullopt, haveRoom() ? "" : "the rows take more shared memory than there is"};
  if (!chooseThreads())
    return {std::nullopt, "strips of all arrays take more shared memory than there is"};
  build();
  note();
  return {std::move(kernel_), ""};
}

void RowStaging::note() {
  kernel_.notes.clear();
  for (const Staged &staged : staged_)
    if (!staged.isDirect)
      kernel_.notes.push_back(
          "row-wise " + kernel_.array(staged.memory).name + ": " +
          (staged.registers
               ? "to registers and back in strips of " + std::to_string(staged.width) +
                     " cells through shared memory"
               : "rows of " + std::to_string(staged.width) + " cells in shared memory"));
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

void RowStaging::simple(Opcode opcode) { builder_.append(makeOp(opcode), {}); }

void RowStaging::stage(ArrayId to, ArrayId from, ValueId at) {
  Op op = makeOp(Opcode::Stage);
  op.arrays = {to, from};
  if (at)
    op.operands = {at};
  builder_.append(std::move(op), {});
}

template <class Body> void RowStaging::ifInstance(Body body) {
  const OpId branch = builder_.createIf(hasInstance_, {});
  const RegionId with = kernel_.op(branch).regions[0], without = kernel_.op(branch).regions[1];
  const InsertionScope scope(builder_);
  builder_.setRegion(with);
  body();
  builder_.yield({});
  builder_.setRegion(without);
  builder_.yield({});
}

/// body(j), for each of so many cells, unrolled.
template <class Body> void RowStaging::forCells(uint64_t cells, Body body) {
  const ValueId low = number(0), high = number(cells), step = number(1);
  const OpId loop = builder_.createFor(low, high, step, Predicate::Lt, false, {});
  kernel_.op(loop).unrolling.kind = Unrolling::Kind::Fully;
  const RegionId region = kernel_.op(loop).regions[0];
  const InsertionScope scope(builder_);
  builder_.setRegion(region);
  body(kernel_.region(region).args[0]);
  builder_.yield({});
}

/// Between a strip in shared memory and the thread's registers.
void RowStaging::eachCell(const Strip &strip, bool isIn) {
  const ValueId width = number(strip.width), base = number(strip.first);
  const ArrayId registers = strip.staged->registers;
  forCells(strip.width, [&](ValueId cell) {
    const ValueId inRegisters = builder_.binary(Opcode::Add, base, cell), inStrip[] = {lane_, cell};
    if (isIn)
      builder_.store(registers, varying(builder_.load(strip.rows, inStrip, {width})),
                     {inRegisters});
    else
      builder_.store(strip.rows, varying(builder_.load(registers, {inRegisters})), inStrip,
                     {width});
  });
}

/// Threads without an instance do not, so this is not left to registers that are loaded first.
void RowStaging::copyDirectly(const Staged &staged, bool isIn) {
  const ArrayId to = isIn ? staged.registers : staged.memory,
                from = isIn ? staged.memory : staged.registers;
  forCells(staged.cells,
           [&](ValueId cell) { builder_.store(to, varying(builder_.load(from, {cell})), {cell}); });
}

/// Invalid if the strip is all of the row.
ValueId RowStaging::beginOf(const Strip &strip) {
  return strip.width < strip.staged->cells ? number(strip.first) : ValueId();
}

void RowStaging::batchIn(const Batch &batch) {
  for (const Strip &strip : batch)
    stage(strip.rows, strip.staged->memory, beginOf(strip));
  simple(Opcode::Wait);
  simple(Opcode::Barrier);
  ifInstance([&] {
    for (const Strip &strip : batch)
      eachCell(strip, true);
  });
  simple(Opcode::Barrier);
}

void RowStaging::batchOut(const Batch &batch) {
  ifInstance([&] {
    for (const Strip &strip : batch)
      eachCell(strip, false);
  });
  simple(Opcode::Barrier);
  for (const Strip &strip : batch)
    stage(strip.staged->memory, strip.rows, beginOf(strip));
}

/// The subscript in the instance's cells.
ValueId RowStaging::cellOf(const Op &access) {
  const AccessOperands parts = accessOperands(access);
  ValueId cell = parts.subscripts[0];
  for (auto [radix, next] : llvm::zip_equal(parts.radices, parts.subscripts.drop_front())) {
    const bool varies = kernel_.anyVarying({cell, radix, next});
    const ValueId row = builder_.binary(Opcode::Mul, cell, radix);
    cell = builder_.binary(Opcode::Add, row, next);
    kernel_.value(row).varying = kernel_.value(cell).varying = varies;
  }
  return cell;
}

/// An operation of the kernel: its access goes to registers, or to the lane's row.
void RowStaging::append(OpId id) {
  const Op &op = kernel_.op(id);
  const bool isAccess = op.opcode == Opcode::Load || op.opcode == Opcode::Store;
  const auto staged = llvm::find_if(
      staged_, [&](const Staged &each) { return isAccess && each.memory == op.array; });
  if (staged != staged_.end() && staged->registers)
    kernel_.op(id).array = staged->registers;
  else if (staged != staged_.end())
    toRows(id, *staged);
  kernel_.region(builder_.insertionRegion()).ops.push_back(id);
}

void RowStaging::toRows(OpId id, const Staged &staged) {
  const Op access = kernel_.op(id);
  llvm::SmallVector<ValueId, 4> operands = {lane_, cellOf(access), number(staged.width)};
  if (access.opcode == Opcode::Store)
    operands.push_back(accessOperands(access).stored);
  kernel_.op(id).array = staged.rows;
  kernel_.op(id).operands = std::move(operands);
}

void RowStaging::rewrite(RegionId region) {
  const std::vector<OpId> ops = std::move(kernel_.region(region).ops);
  kernel_.region(region).ops.clear();
  builder_.setRegion(region);
  for (OpId id : ops)
    append(id);
}

void RowStaging::build() {
  const size_t numRegions = kernel_.regions.size();
  std::vector<OpId> ops = std::move(kernel_.region(kernel_.body).ops);
  kernel_.region(kernel_.body).ops.clear();
  builder_.setRegion(kernel_.body);
  lane_ = varying(builder_.result(builder_.append(makeOp(Opcode::Lane), ScalarType::S64)));
  hasInstance_ =
      varying(builder_.result(builder_.append(makeOp(Opcode::HasInstance), ScalarType::Bool)));
  {
    const InsertionScope scope(builder_);
    for (size_t r = 0; r < numRegions; ++r)
      if (RegionId(r) != kernel_.body)
        rewrite(RegionId(r));
  }
  const auto whole = [&] {
    return llvm::make_filter_range(staged_, [](const Staged &each) { return !each.registers; });
  };
  for (const Staged &staged : whole())
    if (staged.isRead)
      stage(staged.rows, staged.memory);
  for (const Batch &batch : in_)
    batchIn(batch);
  if (in_.empty()) {
    simple(Opcode::Wait);
    simple(Opcode::Barrier);
  }
  ifInstance([&] {
    for (const Staged &staged : staged_)
      if (staged.isDirect && staged.isRead)
        copyDirectly(staged, true);
    for (OpId id : llvm::drop_end(ops))
      append(id);
    for (const Staged &staged : staged_)
      if (staged.isDirect && kernel_.array(staged.memory).writes)
        copyDirectly(staged, false);
  });
  simple(Opcode::Barrier);
  for (const Staged &staged : whole())
    if (kernel_.array(staged.memory).writes)
      stage(staged.memory, staged.rows);
  for (const Batch &batch : out_) {
    if (&batch != &out_.front())
      simple(Opcode::Barrier);
    batchOut(batch);
  }
  kernel_.region(kernel_.body).ops.push_back(ops.back());
}

StagedRows colonnade::stageRows(const Function &kernel, llvm::ArrayRef<uint64_t> accesses,
                                const std::vector<bool> &fullyWritten) {
  return RowStaging(kernel, accesses, fullyWritten).run();
}

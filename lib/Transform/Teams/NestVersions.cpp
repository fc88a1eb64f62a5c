//===- NestVersions.cpp - Cells as they were and as they are --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line is the cells of an array at (k, j) for all j, or at (i, k) for all i. It is a local array
// of four parts: for k even and odd, so that the lines of the next step may be copied while those
// of this one are loaded, the cells as they were and as they are.
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/NestVersions.h"

#include "IR/Clone.h"
#include "IR/Evaluate.h"
#include "IR/ValueNumbering.h"
#include "Transform/BlockBuilder.h"
#include "Transform/Teams/NestIteration.h"
#include "Transform/Teams/TilePlan.h"
#include "Transform/Varying.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// Lines, and where they are, by array.
enum class LineKind : uint8_t { Row, Column };
using LineArrays = std::map<uint32_t, ArrayId>;

class NestVersioner {
public:
  NestVersioner(const Function &from, const NestLines &lines, TeamGrid grid, bool beyond)
      : from_(from), lines_(lines), grid_(grid), block_(std::max(grid.rowBlock, grid.columnBlock)),
        beyond_(beyond), builder_(versioned_.kernel),
        cloner_(from, builder_, [this](OpId old) { return hook(old); }) {}

  VersionedNest run() {
    cloner_.copyShell();
    findNeeded();
    cloner_.cloneBody();
    return std::move(versioned_);
  }

private:
  Function &kernel() { return versioned_.kernel; }
  const Op &loop(OpId id) const { return from_.op(id); }
  ValueId counterOf(OpId id) const { return from_.region(loop(id).regions[0]).args[0]; }
  void findNeeded();
  /// Cells of a line.
  int64_t width(LineKind kind) const {
    const bool isRow = kind == LineKind::Row;
    const OpId along = isRow ? lines_.nest.columns : lines_.nest.rows;
    const int64_t end = ir::asInt64(*from_.constant(loop(along).operands[1])),
                  turn = (isRow ? grid_.columnAxis() : grid_.rowAxis()).turn();
    return beyond_ ? (end + turn - 1) / turn * turn : end;
  }
  ArrayId createLine(uint32_t array, LineKind kind);
  LineArrays &lineOf(LineKind kind) { return kind == LineKind::Row ? rows_ : columns_; }

  bool hook(OpId old);
  void steps();
  void step(ValueId k);
  template <class Body> OpId count(ValueId low, ValueId high, ValueId counter, Body body);
  ValueId bound(OpId loop, unsigned operand) const {
    return cloner_.map(this->loop(loop).operands[operand]);
  }
  void copyLine(LineKind kind);
  void renewLine(LineKind kind);
  void mainNest();

  int64_t apart(uint32_t array, LineKind kind) const;
  ValueId cellOf(LineKind kind, uint32_t array, ValueId isNew, ValueId at);
  ValueId less(ValueId a, ValueId b) { return builder_.binary(Opcode::Lt, a, b); }
  ValueId loadLine(LineKind kind, uint32_t array, ValueId isNew, ValueId at);
  ValueId cornerLine(uint32_t array, ValueId isNew);
  CellValues newCorner();

  const Function &from_;
  const NestLines &lines_;
  const TeamGrid grid_;
  const unsigned block_;
  const bool beyond_;
  VersionedNest versioned_;
  BlockBuilder builder_;
  Cloner cloner_;
  LineArrays rows_, columns_;
  ValueId k_, odd_; // of this step
};

} // namespace

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static const char *const Names[] = {"row", "column"};

ArrayId NestVersioner::createLine(uint32_t array, LineKind kind) {
  static constexpr int64_t Parts = 4;
  const Array &cells = from_.arrays[array];
  Array line;
  line.name = cells.name + "_" + Names[static_cast<size_t>(kind)];
  line.cell = cells.cell;
  line.extents = {SizeExpr::constant(Parts * apart(array, kind))};
  line.space = Space::Local;
  line.reads = line.writes = true;
  kernel().arrays.push_back(std::move(line));
  return ArrayId(kernel().arrays.size() - 1);
}

/// A line of an array from which it is loaded; where there are lines, of all whose own cells are.
void NestVersioner::findNeeded() {
  std::set<uint32_t> needed[2], own;
  for (const auto &[op, cell] : lines_.loads) {
    const uint32_t array = from_.ops[op].array.index;
    if (cell.isOwn())
      own.insert(array);
    else
      needed[cell.rowIsK ? 0 : 1].insert(array);
  }
  for (LineKind kind : {LineKind::Row, LineKind::Column}) {
    std::set<uint32_t> &arrays = needed[static_cast<size_t>(kind)];
    if (!arrays.empty())
      arrays.insert(own.begin(), own.end());
    for (uint32_t array : arrays)
      lineOf(kind)[array] = createLine(array, kind);
  }
}

/// Cells from a part of a line to the next. Some threads load a cell as it was, others one beside
/// it as it is: half of the banks lie between.
int64_t NestVersioner::apart(uint32_t array, LineKind kind) const {
  static constexpr int64_t BanksBytes = 128;
  const int64_t all = BanksBytes / static_cast<int64_t>(sizeBytes(from_.arrays[array].cell)),
                behind = width(kind) % all;
  return width(kind) - behind + all / 2 + (behind > all / 2 ? all : 0);
}

/// isNew: 0 or 1, s64.
ValueId NestVersioner::cellOf(LineKind kind, uint32_t array, ValueId isNew, ValueId at) {
  const ValueId cells = builder_.number(static_cast<uint64_t>(apart(array, kind)));
  const ValueId part = builder_.binary(Opcode::Add, odd_, isNew);
  const ValueId begin = builder_.binary(Opcode::Mul, part, cells);
  return builder_.binary(Opcode::Add, begin, builder_.cast(at, ScalarType::S64));
}

ValueId NestVersioner::loadLine(LineKind kind, uint32_t array, ValueId isNew, ValueId at) {
  const ValueId cell = cellOf(kind, array, isNew, at);
  return builder_.varying(builder_.load(lineOf(kind).at(array), {cell}));
}

/// Of the line that there is.
ValueId NestVersioner::cornerLine(uint32_t array, ValueId isNew) {
  return loadLine(rows_.count(array) ? LineKind::Row : LineKind::Column, array, isNew, k_);
}

/// What iteration (k, k) leaves.
CellValues NestVersioner::newCorner() {
  CellValues old;
  for (const LineArrays &line : {rows_, columns_})
    for (const auto &[array, cells] : line)
      old[array] = cornerLine(array, builder_.number(0));
  return NestIteration(from_, lines_, builder_, cloner_, k_, k_)
      .run(old, [&](uint32_t array, NestCell) { return old.at(array); });
}

/// Iterations (k, j), or (i, k), whose cells are copied.
void NestVersioner::copyLine(LineKind kind) {
  const bool isRow = kind == LineKind::Row;
  const auto [rows, columns] = std::pair(lines_.nest.rows, lines_.nest.columns);
  const ValueId next =
      builder_.binary(Opcode::Add, k_, builder_.constantInt(kernel().value(k_).type, 1));
  const ValueId ends[2][2] = {{isRow ? k_ : bound(rows, 0), isRow ? next : bound(rows, 1)},
                              {isRow ? bound(columns, 0) : k_, isRow ? bound(columns, 1) : next}};
  OpId inner;
  const OpId outer = count(ends[0][0], ends[0][1], counterOf(rows), [&](ValueId i) {
    inner = count(ends[1][0], ends[1][1], counterOf(columns), [&](ValueId j) {
      NestIteration iteration(from_, lines_, builder_, cloner_, i, j);
      for (const auto &[array, line] : lineOf(kind)) {
        const ValueId own = iteration.loadOwn(array);
        const ValueId cell = cellOf(kind, array, builder_.number(0), isRow ? j : i);
        builder_.store(line, own, cell);
      }
    });
  });
  versioned_.nests.push_back({outer, inner, beyond_ && !isRow, beyond_ && isRow});
}

void NestVersioner::renewLine(LineKind kind) {
  const bool isRow = kind == LineKind::Row;
  const OpId along = isRow ? lines_.nest.columns : lines_.nest.rows;
  const ValueId end = builder_.constantInt(kernel().value(k_).type, uint64_t(width(kind)));
  versioned_.lines.push_back(count(bound(along, 0), end, counterOf(along), [&](ValueId at) {
    CellValues own;
    for (const auto &[array, line] : lineOf(kind))
      own[array] = loadLine(kind, array, builder_.number(0), at);
    const CellValues cornerBehind = newCorner();
    const ValueId isBehind = less(k_, at);
    NestIteration iteration(from_, lines_, builder_, cloner_, isRow ? k_ : at, isRow ? at : k_);
    const CellValues renewed = iteration.run(own, [&](uint32_t array, NestCell cell) {
      if (cell == NestCell{isRow, !isRow})
        return own.at(array);
      const ValueId old = cornerLine(array, builder_.number(0));
      return builder_.select(isBehind, cornerBehind.at(array), old);
    });
    for (const auto &[array, line] : lineOf(kind)) {
      const ValueId value = renewed.at(array);
      const ValueId cell = cellOf(kind, array, builder_.number(1), at);
      builder_.store(line, value, cell);
    }
  }));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

template <class Body>
OpId NestVersioner::count(ValueId low, ValueId high, ValueId counter, Body body) {
  const ValueId one = builder_.constantInt(kernel().value(low).type, 1);
  const OpId loop = builder_.createFor(low, high, one, Predicate::Lt, false, {});
  const InsertionScope scope(builder_);
  const RegionId region = kernel().op(loop).regions[0];
  builder_.setRegion(region);
  const ValueId own = kernel().region(region).args[0];
  kernel().value(own).name = from_.value(counter).name;
  body(own);
  builder_.yield({});
  return loop;
}

bool NestVersioner::hook(OpId old) {
  if (old != lines_.nest.steps)
    return false;
  const InsertionScope scope(builder_);
  builder_.setLoc(from_.op(old).loc);
  if (block_ == 1)
    count(bound(old, 0), bound(old, 1), counterOf(old), [&](ValueId k) { step(k); });
  else
    steps();
  return true;
}

/// for (block = 0; …) for (within = 0; within < the block's length; …) k = block * length + within
void NestVersioner::steps() {
  const OpId loop = lines_.nest.steps;
  const ScalarType type = kernel().value(bound(loop, 0)).type;
  const auto number = [&](int64_t value) { return builder_.constantInt(type, value); };
  const int64_t length = block_, end = asInt64(*from_.constant(from_.op(loop).operands[1]));
  const ValueId none = number(0), blocks = number((end + length - 1) / length),
                each = number(length);
  count(none, blocks, counterOf(loop), [&](ValueId block) {
    kernel().value(block).name += "_block";
    const ValueId begin = builder_.binary(Opcode::Mul, block, each);
    const OpId inner = count(none, each, counterOf(loop), [&](ValueId within) {
      kernel().value(within).name += "_within";
      const ValueId k = builder_.binary(Opcode::Add, begin, within);
      kernel().value(k).name = from_.value(counterOf(loop)).name;
      if (end % length == 0)
        return step(k);
      builder_.onlyIf(less(k, bound(loop, 1)), [&] { step(k); });
    });
    kernel().op(inner).unrolling.kind = Unrolling::Kind::Fully;
  });
}

void NestVersioner::step(ValueId k) {
  const RegionId body = loop(lines_.nest.steps).regions[0];
  k_ = k;
  cloner_.set(counterOf(lines_.nest.steps), k);
  for (OpId id : llvm::ArrayRef(from_.region(body).ops).drop_back())
    if (id != lines_.nest.rows)
      cloner_.visit(id);
  const ValueId two = builder_.number(2), wide = builder_.cast(k, ScalarType::S64);
  odd_ = builder_.binary(Opcode::Mul, builder_.binary(Opcode::Rem, wide, two), two);
  for (LineKind kind : {LineKind::Row, LineKind::Column})
    if (!lineOf(kind).empty())
      copyLine(kind);
  for (LineKind kind : {LineKind::Row, LineKind::Column})
    if (!lineOf(kind).empty())
      renewLine(kind);
  mainNest();
}

/// Iterations come row after row: behind those at k is what comes later in its row, or in later
/// rows.
void NestVersioner::mainNest() {
  const auto [rows, columns] = std::pair(lines_.nest.rows, lines_.nest.columns);
  OpId inner;
  const OpId outer = count(bound(rows, 0), bound(rows, 1), counterOf(rows), [&](ValueId i) {
    inner = count(bound(columns, 0), bound(columns, 1), counterOf(columns), [&](ValueId j) {
      NestIteration iteration(from_, lines_, builder_, cloner_, i, j);
      CellValues own;
      for (const auto &[array, store] : lines_.stores)
        own[array] = iteration.loadOwn(array);
      const auto other = [&](uint32_t array, NestCell cell) {
        const auto version = [&](ValueId isNew) { return builder_.cast(isNew, ScalarType::S64); };
        if (!cell.rowIsK)
          return loadLine(LineKind::Column, array, version(less(k_, j)), i);
        if (!cell.columnIsK)
          return loadLine(LineKind::Row, array, version(less(k_, i)), j);
        const ValueId isRow = builder_.binary(Opcode::Eq, k_, i);
        const ValueId isInRow = builder_.binary(Opcode::And, isRow, less(k_, j));
        return cornerLine(array, version(builder_.binary(Opcode::Or, less(k_, i), isInRow)));
      };
      for (const auto &[array, value] : iteration.run(own, other))
        iteration.storeOwn(array, value);
    });
  });
  versioned_.nests.push_back({outer, inner, beyond_, beyond_});
}

//===----------------------------------------------------------------------===//
// Where there is such a nest
//===----------------------------------------------------------------------===//

/// The constants that a loop counts from and to.
static std::optional<std::pair<int64_t, int64_t>> rangeOf(const Function &kernel, OpId loop) {
  const Scalar *const low = kernel.constant(kernel.op(loop).operands[0]),
                      *const high = kernel.constant(kernel.op(loop).operands[1]);
  if (!low || !high || !countsUpByOne(kernel, kernel.op(loop)))
    return std::nullopt;
  return std::pair(asInt64(*low), asInt64(*high));
}

/// Beside `inner`, the loop only computes.
static bool hasOnly(const Function &kernel, OpId loop, OpId inner) {
  const llvm::ArrayRef<OpId> body = kernel.region(kernel.op(loop).regions[0]).ops;
  return llvm::is_contained(body, inner) && llvm::all_of(body.drop_back(), [&](OpId id) {
           return id == inner || isPure(kernel.op(id));
         });
}

/// Each step is at a row and a column of the nest, and each iteration has all of a line.
static bool isSquare(const Function &kernel, const SteppedNest &nest) {
  const auto steps = rangeOf(kernel, nest.steps), rows = rangeOf(kernel, nest.rows),
             columns = rangeOf(kernel, nest.columns);
  const auto isWithin = [&](const std::pair<int64_t, int64_t> &range) {
    return range.first >= 0 && range.first <= steps->first && steps->second <= range.second;
  };
  const auto type = [&](OpId loop) { return kernel.value(kernel.op(loop).operands[0]).type; };
  return steps && rows && columns && steps->first == 0 && isWithin(*rows) && isWithin(*columns) &&
         type(nest.steps) == type(nest.rows) && type(nest.steps) == type(nest.columns);
}

/// Whether all that the region does is to compute with cells of lines and own ones, without what
/// may fail: no subscript of another array is there for each counter.
static bool computesFromLines(const Function &kernel, RegionId region, const NestLines &lines) {
  return llvm::all_of(kernel.region(region).ops, [&](OpId id) {
    const Op &op = kernel.op(id);
    switch (op.opcode) {
    case Opcode::Load:
      return lines.loads.contains(id.index);
    case Opcode::Store:
      return lines.stores.count(op.array.index) != 0;
    case Opcode::Div:
    case Opcode::Rem:
      return isFloat(kernel.value(op.results[0]).type);
    case Opcode::If:
    case Opcode::For:
      return llvm::all_of(op.regions,
                          [&](RegionId inner) { return computesFromLines(kernel, inner, lines); });
    default:
      return op.opcode == Opcode::Yield || isPure(op);
    }
  });
}

std::optional<VersionedNest> colonnade::versionNest(const Function &kernel, TeamGrid grid,
                                                    bool beyond) {
  const TeamLoops loops = teamLoops(kernel);
  for (const TeamLoop &steps : loops.all) {
    if (steps.inner.size() != 1 || loops.all[steps.inner[0]].inner.size() != 1)
      continue;
    const TeamLoop &rows = loops.all[steps.inner[0]], &columns = loops.all[rows.inner[0]];
    const SteppedNest nest = {steps.loop, rows.loop, columns.loop};
    if (!hasOnly(kernel, nest.steps, nest.rows) || !hasOnly(kernel, nest.rows, nest.columns) ||
        !isSquare(kernel, nest))
      continue;
    if (const std::optional<NestLines> lines = nestLines(kernel, nest)) {
      if (beyond && !computesFromLines(kernel, kernel.op(nest.rows).regions[0], *lines))
        return std::nullopt;
      VersionedNest versioned = NestVersioner(kernel, *lines, grid, beyond).run();
      spreadVarying(versioned.kernel);
      versioned.rows = rangeOf(kernel, nest.rows)->second;
      versioned.columns = rangeOf(kernel, nest.columns)->second;
      const std::string k =
          kernel.value(kernel.region(kernel.op(steps.loop).regions[0]).args[0]).name;
      versioned.note = "each step is done at once: of what it needs of row and column " +
                       (k.empty() ? "k" : k) + ", there are the cells as they were and as they are";
      return versioned;
    }
  }
  return std::nullopt;
}

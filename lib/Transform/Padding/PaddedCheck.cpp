//===- PaddedCheck.cpp - At each size, the same accesses ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Padding/PaddedCheck.h"

#include "IR/Evaluate.h"
#include "IR/KnownWalk.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace colonnade;
using namespace colonnade::ir;

// Of one walk. What has more operations is not unrolled, nor padded (RegisterPlacement.h).
static constexpr uint64_t MostSteps = 1u << 20;

namespace {

struct Access {
  uint32_t id;
  ArrayId array;
  std::optional<int64_t> cell;
  bool isStore;
  bool operator==(const Access &) const = default;
};

class AccessWalk final : public KnownWalk {
public:
  AccessWalk(const Function &function, const SizePoint &sizes) : KnownWalk(function, MostSteps) {
    for (const ScalarParam &scalar : function.scalars)
      if (const auto size = sizes.find(scalar.name); size != sizes.end())
        set(scalar.value, makeInt(function.value(scalar.value).type, size->second));
  }
  bool run() { return walk(function_.body); }
  const std::vector<Access> &accesses() const { return accesses_; }

private:
  bool access(OpId id, std::optional<int64_t> cell) override {
    const Op &op = function_.op(id);
    accesses_.push_back({op.accessId, op.array, cell, op.opcode == Opcode::Store});
    return true;
  }

  std::vector<Access> accesses_;
};

/// The walks of one size.
class SizeCheck {
public:
  SizeCheck(const PaddedBody &padded, llvm::ArrayRef<PaddedCopy> copies, const SizePoint &sizes)
      : padded_(padded), copies_(copies), sizes_(sizes), copied_(copies.size()) {}

  bool run(const Function &function) {
    AccessWalk own(function, sizes_), padded(padded_.function, sizes_);
    if (!own.run() || !padded.run() || !takeCopies(padded.accesses()))
      return false;
    size_t next = 0;
    for (const Access &access : padded.accesses())
      if (access.id < padded_.firstCopy &&
          (next == own.accesses().size() || !areSame(own.accesses()[next++], access)))
        return false;
    return next == own.accesses().size() && isAllThere();
  }

private:
  struct Copied {
    std::set<int64_t> in, out, stored; // the caller's cells; stored by the function
  };

  /// What is copied back has been copied before; or it is stored, of an array that is written in
  /// full.
  bool isAllThere() const {
    return llvm::all_of(llvm::zip_equal(copies_, copied_), [](const auto &pair) {
      const auto &[copy, copied] = pair;
      const std::set<int64_t> &there = copy.in.empty() ? copied.stored : copied.in;
      return std::includes(there.begin(), there.end(), copied.out.begin(), copied.out.end());
    });
  }

  /// Each is a load and a store; both cells stand for each other.
  bool takeCopies(llvm::ArrayRef<Access> accesses) {
    std::optional<Access> loaded;
    for (const Access &access : accesses) {
      if (access.id < padded_.firstCopy)
        continue;
      if (!loaded) {
        loaded = access;
        continue;
      }
      if (!takeCopy(*loaded, access))
        return false;
      loaded.reset();
    }
    return !loaded;
  }

  bool takeCopy(const Access &load, const Access &store) {
    for (const auto &[copy, copied] : llvm::zip_equal(copies_, copied_)) {
      const bool isIn = load.array == copy.array.memory;
      if (!isIn && store.array != copy.array.memory)
        continue;
      const Access &local = isIn ? store : load, &memory = isIn ? load : store;
      if (local.array != copy.local || !isAt(copy, memory.cell, local.cell))
        return false;
      return (isIn ? copied.in : copied.out).insert(*memory.cell).second;
    }
    return false;
  }

  bool isAt(const PaddedCopy &copy, std::optional<int64_t> memory,
            std::optional<int64_t> local) const {
    return memory && local && *memory >= 0 &&
           copy.array.at(static_cast<uint64_t>(*memory), sizes_) == static_cast<uint64_t>(*local) &&
           isWithin(copy.array, *memory);
  }

  bool isWithin(const PaddedArray &array, int64_t cell) const {
    int64_t cells = 1;
    for (const SizeExpr &extent : array.extents)
      cells *= *extent.evaluate(sizes_);
    return cell < cells;
  }

  bool areSame(const Access &own, const Access &padded) {
    if (own.id != padded.id || own.isStore != padded.isStore)
      return false;
    for (const auto &[copy, copied] : llvm::zip_equal(copies_, copied_)) {
      if (own.array != copy.array.memory)
        continue;
      if (own.isStore && own.cell)
        copied.stored.insert(*own.cell);
      return padded.array == copy.local && isAt(copy, own.cell, padded.cell) &&
             (copy.in.empty() || copied.in.count(*own.cell)) &&
             (!own.isStore || copied.out.count(*own.cell));
    }
    return own == padded;
  }

  const PaddedBody &padded_;
  llvm::ArrayRef<PaddedCopy> copies_;
  const SizePoint &sizes_;
  std::vector<Copied> copied_;
};

} // namespace

bool colonnade::hasSameAccesses(const Function &function, const PaddedBody &padded,
                                llvm::ArrayRef<PaddedCopy> copies, const SizePoints &points) {
  return llvm::all_of(points.all(), [&](const SizePoint &sizes) {
    return SizeCheck(padded, copies, sizes).run(function);
  });
}

std::optional<std::vector<PaddedCells>> colonnade::accessedCells(const Function &function,
                                                                 llvm::ArrayRef<PaddedArray> arrays,
                                                                 const SizePoints &points,
                                                                 std::string &reason) {
  std::vector<PaddedCells> result;
  for (const PaddedArray &array : arrays)
    result.push_back({std::vector<bool>(array.cells()), std::vector<bool>(array.cells())});
  for (const SizePoint &sizes : points.all()) {
    AccessWalk walk(function, sizes);
    if (!walk.run()) {
      reason = "an instance of the largest size has too many operations to be unrolled";
      return std::nullopt;
    }
    for (const Access &access : walk.accesses())
      for (const auto &[array, cells] : llvm::zip_equal(arrays, result)) {
        if (access.array != array.memory)
          continue;
        const uint64_t at = access.cell && *access.cell >= 0
                                ? array.at(static_cast<uint64_t>(*access.cell), sizes)
                                : cells.loaded.size();
        if (at >= cells.loaded.size()) {
          reason = function.array(array.memory).name + ": not every cell is known from the size";
          return std::nullopt;
        }
        (access.isStore ? cells.stored : cells.loaded)[at] = true;
      }
  }
  return result;
}

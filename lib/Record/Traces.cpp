//===- Traces.cpp - Recorded, interpreted and certified accesses ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/Traces.h"

#include "Emit/Cxx/Interface.h"

namespace colonnade::record {

/// Of what a function gets by value, and not behind a pointer in it.
static bool isValue(const ir::Function &raw, const ir::Array &array) {
  return llvm::any_of(raw.rawParams, [&](const ir::RawParam &param) {
    return param.byValueStruct && param.name == array.parameter && array.object == array.parameter;
  });
}

/// Of no caller's, or returned by value: where the result lies, the language leaves open.
static bool isElsewhere(const ir::Function &raw, const ir::Array &array) {
  return array.role != ir::ArrayRole::Parameter ||
         llvm::any_of(raw.rawParams, [&](const ir::RawParam &param) {
           return param.isResult && param.name == array.parameter;
         });
}

TracedArrays::TracedArrays(const ir::Function &raw, const ir::Function &canonical) {
  for (const InterfaceArray &passed : interfaceOf(canonical).arrays) {
    const ir::Array &array = canonical.array(passed.array);
    names_.push_back(array.name);
    cellTypes_.push_back(array.cell);
    isTraced_.push_back(!isElsewhere(raw, array) &&
                        (!isValue(raw, array) || findCopy(canonical, passed.array)));
  }
}

/// The copy is made when the function begins, at the parameter's own place. False: it is of
/// variables, which have no cells.
bool TracedArrays::findCopy(const ir::Function &canonical, ArrayId value) {
  bool isCopied = false;
  std::optional<std::string> copy;
  for (const ir::Op &load : canonical.ops) {
    if (load.opcode != ir::Opcode::Load || load.array != value ||
        load.loc != canonical.array(value).loc)
      continue;
    isCopied = true;
    ofCopying_.insert(load.accessId);
    for (const ir::Op &store : canonical.ops)
      if (store.opcode == ir::Opcode::Store && store.operands.back() == load.results.front() &&
          canonical.array(store.array).isLocal()) {
        ofCopying_.insert(store.accessId);
        copy = canonical.array(store.array).name;
      }
  }
  if (copy)
    copies_[*copy] = static_cast<uint32_t>(names_.size() - 1);
  return !isCopied || copy;
}

std::vector<std::optional<uint32_t>> TracedArrays::positionsIn(const ir::Function &function) const {
  std::vector<std::optional<uint32_t>> positions;
  for (const ir::Array &array : function.arrays) {
    std::optional<uint32_t> position;
    auto copy = copies_.find(array.name);
    auto found = array.isPassed() ? llvm::find(names_, array.name) : names_.end();
    if (array.isLocal() && copy != copies_.end())
      position = copy->second;
    else if (found != names_.end() && isTraced_[found - names_.begin()])
      position = static_cast<uint32_t>(found - names_.begin());
    positions.push_back(position);
  }
  return positions;
}

void TraceCollector::add(const ir::AccessEvent &event) {
  const std::optional<uint32_t> position = positions_[event.array.index];
  if (!position || arrays_.isOfCopying(event.accessId))
    return;
  trace_.names.push_back({event.accessId, event.iterations.vec()});
  trace_.accesses.push_back({*position, event.cell, event.isStore});
}

namespace {

class TraceComparison {
public:
  TraceComparison(const TracedArrays &arrays, const NamedTrace &interpreted)
      : arrays_(arrays), interpreted_(interpreted) {}

  std::optional<TraceDifference> withRecorded(const std::vector<RecordedStep> &recorded) {
    for (const RecordedStep &step : recorded)
      if (std::optional<TraceDifference> difference = withStep(step))
        return difference;
    if (next_ == interpreted_.accesses.size())
      return std::nullopt;
    return difference(next_, "the original accesses nothing more", std::nullopt);
  }

  /// Class A.
  std::optional<TraceDifference> inOrder(const NamedTrace &certified) const {
    const size_t numOurs = interpreted_.accesses.size(), numTheirs = certified.accesses.size();
    for (size_t i = 0; i < std::max(numOurs, numTheirs); ++i) {
      const bool isOurs = i < numOurs, isTheirs = i < numTheirs;
      if (isOurs && isTheirs && interpreted_.accesses[i] == certified.accesses[i])
        continue;
      TraceDifference found;
      found.text = "access " + std::to_string(i) + ": the certificate says " +
                   (isTheirs ? str(certified.accesses[i]) : "that there is none") +
                   ", the function's " +
                   (isOurs ? "is " + str(interpreted_.accesses[i]) : "accesses have ended");
      found.accessId = isOurs ? interpreted_.names[i].accessId : certified.names[i].accessId;
      return found;
    }
    return std::nullopt;
  }

  /// Class P: each access carries a name, and its address is a's at that name.
  std::optional<TraceDifference> byName(const NamedTrace &certified) const {
    std::map<AccessName, TracedAccess> addresses;
    for (size_t i = 0; i < certified.names.size(); ++i)
      if (!addresses.emplace(certified.names[i], certified.accesses[i]).second)
        return TraceDifference{"the certificate gives one name to two accesses: " +
                                   str(certified.accesses[i]),
                               certified.names[i].accessId, std::nullopt};
    for (size_t i = 0; i < interpreted_.names.size(); ++i) {
      auto found = addresses.find(interpreted_.names[i]);
      if (found == addresses.end())
        return difference(i, "the certificate has no access of that name", std::nullopt);
      if (found->second != interpreted_.accesses[i])
        return difference(i, "the certificate says " + str(found->second), std::nullopt);
    }
    return std::nullopt;
  }

private:
  /// The cells of one step are the next ones of ours, in any order.
  std::optional<TraceDifference> withStep(const RecordedStep &step) {
    std::vector<TracedAccess> open, mayLoad;
    for (const RecordedCell &cell : step.cells)
      if (arrays_.isTraced(cell.array)) {
        open.push_back({cell.array, cell.cell, cell.isStore});
        if (cell.isStore && cell.isPart)
          mayLoad.push_back({cell.array, cell.cell, false});
      }
    while (!open.empty()) {
      const TracedAccess *ours =
          next_ < interpreted_.accesses.size() ? &interpreted_.accesses[next_] : nullptr;
      if (!ours || (!take(open, *ours) && !take(mayLoad, *ours)))
        return difference(next_, "the original's is " + str(open.front()), step.site);
      ++next_;
    }
    return std::nullopt;
  }

  static bool take(std::vector<TracedAccess> &from, const TracedAccess &access) {
    auto found = llvm::find(from, access);
    if (found == from.end())
      return false;
    from.erase(found);
    return true;
  }

  TraceDifference difference(size_t index, const std::string &other,
                             std::optional<uint32_t> site) const {
    TraceDifference found;
    const bool isThere = index < interpreted_.accesses.size();
    found.text = "access " + std::to_string(index) + ": " + other +
                 (isThere ? ", the function's is " + str(interpreted_.accesses[index])
                          : ", the function's accesses have ended");
    if (site)
      found.site = site;
    else if (isThere)
      found.accessId = interpreted_.names[index].accessId;
    return found;
  }

  std::string str(const TracedAccess &access) const {
    return (access.isStore ? "store " : "load ") + arrays_.names()[access.array] + "[" +
           std::to_string(access.cell) + "]";
  }

  const TracedArrays &arrays_;
  const NamedTrace &interpreted_;
  size_t next_ = 0;
};

} // namespace

std::optional<TraceDifference> compareTraces(const TracedArrays &arrays, VerdictClass verdict,
                                             const NamedTrace &interpreted,
                                             const NamedTrace &certified,
                                             const std::vector<RecordedStep> *recorded) {
  TraceComparison comparison(arrays, interpreted);
  if (recorded)
    if (std::optional<TraceDifference> difference = comparison.withRecorded(*recorded))
      return difference;
  return verdict == VerdictClass::A ? comparison.inOrder(certified) : comparison.byName(certified);
}

bool sameSteps(const TracedArrays &arrays, const std::vector<RecordedStep> &a,
               const std::vector<RecordedStep> &b) {
  auto flat = [&](const std::vector<RecordedStep> &steps) {
    std::vector<TracedAccess> accesses;
    for (const RecordedStep &step : steps)
      for (const RecordedCell &cell : step.cells)
        if (arrays.isTraced(cell.array))
          accesses.push_back({cell.array, cell.cell, cell.isStore});
    return accesses;
  };
  return flat(a) == flat(b);
}

} // namespace colonnade::record

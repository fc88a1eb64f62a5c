//===- LaneTypeSearch.cpp - The cheapest types for lanes -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A node is a set of values that share a lane type: what a loop carries, a local
// array with its loads, or one value alone. Each node is given the type that makes
// the operations around it cheapest, until nothing changes; the best of four
// starts wins, and ties keep what was written.
//
//===----------------------------------------------------------------------===//

#include "Transform/Lanes/DemandedBits.h"
#include "Transform/Lanes/LaneCost.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace colonnade;
using namespace colonnade::ir;

static constexpr unsigned MaxSweeps = 8;

namespace {

struct Node {
  ScalarType own = ScalarType::S32;
  std::vector<ValueId> values;
  std::optional<ArrayId> array;
  std::vector<ScalarType> candidates; // own first
  std::vector<uint32_t> ops;          // whose cost depends on it
};

class LaneTypeSearch {
public:
  explicit LaneTypeSearch(const Function &kernel)
      : f_(kernel), types_(f_), demanded_(demandedBits(f_)), weight_(f_.ops.size(), 0) {
    weigh(f_.body, 1);
    gather();
    unsigned widest = widestLane();
    for (Node &node : nodes_)
      findCandidates(node, widest);
    connect();
  }
  LaneTypes best();

private:
  bool varying(ValueId value) const { return f_.varying(value); }
  bool laned(ValueId value) const { return varying(value) && isInteger(f_.value(value).type); }
  void weigh(RegionId region, double iterations);
  void gather();
  void unite(llvm::ArrayRef<ValueId> a, llvm::ArrayRef<ValueId> b);
  unsigned widestLane() const;
  void findCandidates(Node &node, unsigned widest);
  bool mayBe(ValueId value, ScalarType type, bool exactly) const;
  bool definitionAllows(ValueId value, ScalarType type) const;
  void connect();
  void assign(const Node &node, ScalarType type);
  double settle();
  double around(const Node &node) const;

  const Function &f_;
  LaneTypes types_;
  std::vector<unsigned> demanded_;
  std::vector<double> weight_; // per op: how often it runs
  std::vector<Node> nodes_;
  std::vector<uint32_t> nodeOf_;                // per value, then per array; UINT32_MAX: none
  llvm::EquivalenceClasses<uint32_t> together_; // values, then arrays
};

} // namespace

void LaneTypeSearch::weigh(RegionId region, double iterations) {
  for (OpId id : f_.region(region).ops) {
    const Op &op = f_.op(id);
    weight_[id.index] = iterations;
    bool loop = op.opcode == Opcode::For || op.opcode == Opcode::Loop;
    for (RegionId nested : op.regions)
      weigh(nested, loop ? std::min(iterations * IterationsPerLoop, 1e6) : iterations);
  }
}

void LaneTypeSearch::unite(llvm::ArrayRef<ValueId> a, llvm::ArrayRef<ValueId> b) {
  for (auto [x, y] : llvm::zip(a, b))
    together_.unionSets(x.index, y.index);
}

void LaneTypeSearch::gather() {
  const uint32_t arrays = uint32_t(f_.values.size());
  for (const Op &op : f_.ops) {
    if (op.opcode == Opcode::For)
      unite(f_.region(op.regions[0]).args, op.results);
    if (op.opcode == Opcode::Loop) {
      unite(f_.region(op.regions[0]).args, op.results);
      unite(f_.region(op.regions[1]).args, op.results);
    }
    if (op.opcode == Opcode::Load && f_.array(op.array).isLocal())
      together_.unionSets(op.results[0].index, arrays + op.array.index);
  }
  nodeOf_.assign(arrays + f_.arrays.size(), UINT32_MAX);
  std::map<uint32_t, uint32_t> known; // by leader
  auto nodeFor = [&](uint32_t member, ScalarType type) -> Node & {
    together_.insert(member);
    auto [place, isNew] = known.try_emplace(together_.getLeaderValue(member), nodes_.size());
    if (isNew)
      nodes_.push_back({type, {}, std::nullopt, {type}, {}});
    nodeOf_[member] = place->second;
    return nodes_[place->second];
  };
  for (uint32_t v = 0; v < arrays; ++v)
    if (isInteger(f_.values[v].type))
      nodeFor(v, f_.values[v].type).values.push_back(ValueId(v));
  for (uint32_t a = 0; a < f_.arrays.size(); ++a)
    if (f_.arrays[a].isLocal() && isInteger(f_.arrays[a].cell))
      nodeFor(arrays + a, f_.arrays[a].cell).array = ArrayId(a);
}

// Only types in which the definition can be computed at all.
bool LaneTypeSearch::definitionAllows(ValueId value, ScalarType type) const {
  const Op *def = f_.definition(value);
  if (!def)
    return true;
  switch (def->opcode) {
  case Opcode::If:
  case Opcode::For:
  case Opcode::Loop:
  case Opcode::Select:
  case Opcode::Blend:
  case Opcode::Div:
  case Opcode::Rem:
  case Opcode::Shr:
    return true;
  case Opcode::Load:
    return f_.array(def->array).isLocal();
  case Opcode::Cast:
    return !isFloat(f_.value(def->operands[0]).type);
  case Opcode::Shl: {
    const Scalar *count = f_.constant(def->operands[1]);
    return count && count->bits < std::min(bitWidth(type), bitWidth(f_.value(value).type));
  }
  default:
    return worksOnLowBits(*def);
  }
}

bool LaneTypeSearch::mayBe(ValueId value, ScalarType type, bool exactly) const {
  ScalarType own = f_.value(value).type;
  if (!definitionAllows(value, type))
    return false;
  if (bitWidth(type) > bitWidth(own))
    return !isSigned(own) && !isSigned(type);
  return fitsIn(types_.ranges().of(value), own, type) ||
         (!exactly && demanded_[value.index] <= bitWidth(type));
}

/// In bytes, of the types as written.
unsigned LaneTypeSearch::widestLane() const {
  unsigned widest = 0;
  for (const Node &node : nodes_)
    if (llvm::any_of(node.values, [&](ValueId v) { return varying(v); }))
      widest = std::max(widest, sizeBytes(node.own));
  return widest;
}

void LaneTypeSearch::findCandidates(Node &node, unsigned widest) {
  if (!llvm::all_of(node.values, [&](ValueId v) { return laned(v); }))
    return;
  if (node.array && !f_.array(*node.array).isPerInstance())
    return;
  auto fits = [&](ScalarType type, bool exactly) {
    if (node.array && bitWidth(type) < bitWidth(node.own) &&
        !fitsIn(types_.ranges().ofCells(*node.array), node.own, type))
      return false;
    return llvm::all_of(node.values, [&](ValueId v) { return mayBe(v, type, exactly); });
  };
  for (unsigned bytes = 1; bytes <= widest; bytes *= 2) {
    if (bytes == sizeBytes(node.own))
      continue;
    if (ScalarType type = integerType(bytes, isSigned(node.own)); fits(type, true))
      node.candidates.push_back(type);
    else if (ScalarType other = integerType(bytes, !isSigned(node.own)); fits(other, true))
      node.candidates.push_back(other);
    else if (ScalarType bits = integerType(bytes, false); fits(bits, false))
      node.candidates.push_back(bits);
  }
}

void LaneTypeSearch::connect() {
  const uint32_t arrays = uint32_t(f_.values.size());
  for (uint32_t o = 0; o < f_.ops.size(); ++o) {
    const Op &op = f_.ops[o];
    auto add = [&](uint32_t member) {
      if (nodeOf_[member] == UINT32_MAX)
        return;
      std::vector<uint32_t> &ops = nodes_[nodeOf_[member]].ops;
      if (ops.empty() || ops.back() != o)
        ops.push_back(o);
    };
    for (llvm::ArrayRef<ValueId> list :
         {llvm::ArrayRef<ValueId>(op.operands), llvm::ArrayRef<ValueId>(op.results)})
      for (ValueId value : list)
        add(value.index);
    for (RegionId region : op.regions)
      for (ValueId value : f_.terminator(region).operands)
        add(value.index);
    if (op.opcode == Opcode::Store)
      add(arrays + op.array.index);
  }
}

void LaneTypeSearch::assign(const Node &node, ScalarType type) {
  for (ValueId value : node.values)
    types_.set(value, type);
  if (node.array)
    types_.setCells(*node.array, type);
}

double LaneTypeSearch::around(const Node &node) const {
  LaneCost cost(f_, types_);
  double sum = 0;
  for (uint32_t op : node.ops)
    sum += weight_[op] * cost.of(f_.ops[op]);
  return sum;
}

/// Betters the present types node by node; what all operations then cost.
double LaneTypeSearch::settle() {
  bool changed = true;
  for (unsigned sweep = 0; changed && sweep < MaxSweeps; ++sweep) {
    changed = false;
    for (const Node &node : nodes_) {
      if (node.candidates.size() < 2)
        continue;
      ScalarType present = node.array ? types_.ofCells(*node.array) : types_.of(node.values[0]);
      ScalarType chosen = present;
      double least = around(node);
      for (ScalarType type : node.candidates) {
        assign(node, type);
        if (double cost = around(node); cost < least) {
          least = cost;
          chosen = type;
        }
      }
      assign(node, chosen);
      changed |= chosen != present;
    }
  }
  LaneCost cost(f_, types_);
  double sum = 0;
  for (uint32_t op = 0; op < f_.ops.size(); ++op)
    sum += weight_[op] * cost.of(f_.ops[op]);
  return sum;
}

enum class Start { Narrowest, Widest, NarrowElseWide };

static ScalarType startOf(const Node &node, Start start) {
  auto bySize = [](ScalarType a, ScalarType b) { return sizeBytes(a) < sizeBytes(b); };
  ScalarType narrow = *llvm::min_element(node.candidates, bySize);
  ScalarType wide = *llvm::max_element(node.candidates, bySize);
  if (start == Start::NarrowElseWide)
    return sizeBytes(narrow) < sizeBytes(node.own) ? narrow : wide;
  return start == Start::Narrowest ? narrow : wide;
}

LaneTypes LaneTypeSearch::best() {
  double least = settle();
  LaneTypes result = types_;
  for (Start start : {Start::Narrowest, Start::Widest, Start::NarrowElseWide}) {
    for (const Node &node : nodes_)
      assign(node, startOf(node, start));
    if (double cost = settle(); cost < least) {
      least = cost;
      result = types_;
    }
  }
  return result;
}

LaneTypes colonnade::chooseLaneTypes(const Function &kernel) {
  return LaneTypeSearch(kernel).best();
}

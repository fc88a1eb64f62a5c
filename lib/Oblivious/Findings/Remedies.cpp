//===- Remedies.cpp - The options that cure a finding ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Findings/Remedies.h"

#include "Oblivious/Ranges/UncountedLoop.h"

#include <set>

namespace colonnade {

using ir::Op;
using ir::Opcode;

/// Of loops whose iterations no type limits: a number to be judged by the user.
static constexpr uint64_t exampleIterations = 1000;

std::string optionText(llvm::StringRef name, llvm::StringRef value) {
  static constexpr llvm::StringRef plain = "._-+/:=,@%^";
  bool quote = llvm::any_of(value, [](char c) { return !llvm::isAlnum(c) && !plain.contains(c); });
  std::string text = quote ? "'" + value.str() + "'" : value.str();
  return name.str() + " " + text;
}

/// How often the loop runs at most, whatever the data; nullopt if that is more than anyone
/// would state as a bound.
static std::optional<uint64_t> mostIterations(const ir::Function &function, const Op &loop) {
  std::optional<uint64_t> most = loop.opcode == Opcode::For
                                     ? mostCounted(function, loop)
                                     : uncountedEnd(function, loop).mostIterations;
  constexpr uint64_t tooMany = 65536;
  return most && *most <= tooMany ? most : std::nullopt;
}

std::string boundOption(const ir::Module &module, const ir::Function &function, const Op &loop) {
  if (loop.opcode == Opcode::For && loop.index == ir::ForOfCopy)
    return {};
  std::string text = "LINE"; // of IR without locations
  if (LocId at = module.sources.inUserCode(loop.loc)) {
    const SourceLocation &place = module.sources[at];
    text = std::to_string(place.line);
    if (function.loc && module.sources[function.loc].file != place.file)
      text = module.sources.fileName(place.file) + ":" + text;
  }
  uint64_t iterations = mostIterations(function, loop).value_or(exampleIterations);
  return optionText("--bound", text + "=" + std::to_string(iterations));
}

std::vector<std::string> uniformOptions(const ir::Function &function, const OriginSet &origins) {
  std::set<std::string> names;
  for (const OriginSet::Entry &entry : origins.entries)
    names.insert(function.array(function.op(entry.origin).array).name);
  std::vector<std::string> options;
  for (const std::string &name : names)
    options.push_back(optionText("--uniform", name));
  return options;
}

std::vector<std::string> sizeOptions(const ir::Function &function) {
  std::vector<std::string> options;
  for (const ir::ScalarParam &scalar : function.scalars)
    if (ir::isInteger(function.value(scalar.value).type))
      options.push_back(optionText("--size", scalar.name + "=8"));
  return options;
}

namespace {
/// What addresses and the numbers of iterations are computed from. Contents of local arrays are
/// not followed: this decides what is proposed, and nothing else.
class Deciding {
public:
  explicit Deciding(const ir::Function &function) : f_(function), seen_(function.values.size()) {
    for (const Op &op : f_.ops)
      addRoots(op);
    while (!work_.empty())
      follow(work_.pop_back_val());
  }
  bool has(ValueId v) const { return seen_[v.index]; }

private:
  void add(llvm::ArrayRef<ValueId> values) {
    for (ValueId v : values)
      if (!seen_[v.index]) {
        seen_[v.index] = true;
        work_.push_back(v);
      }
  }
  void addRoots(const Op &op) {
    if (op.opcode == Opcode::Load || op.opcode == Opcode::Store) {
      add(ir::accessOperands(op).subscripts);
      add(ir::accessOperands(op).radices);
    } else if (op.opcode == Opcode::For) {
      add(llvm::ArrayRef(op.operands).take_front(3));
    } else if (op.opcode == Opcode::Loop) {
      for (RegionId region : op.regions)
        add(f_.terminator(region).operands[0]);
    } else if (op.opcode == Opcode::If && op.choosesAddress) {
      add(op.operands);
    }
  }
  void follow(ValueId v) {
    const Op *op = f_.definition(v);
    if (!op) {
      OpId parent = f_.region(f_.value(v).region).parent;
      op = parent ? &f_.op(parent) : nullptr;
    }
    if (!op)
      return;
    add(op->operands);
    for (RegionId region : op->regions)
      add(f_.terminator(region).operands);
  }

  const ir::Function &f_;
  std::vector<bool> seen_; // by value
  llvm::SmallVector<ValueId, 16> work_;
};
} // namespace

std::vector<std::string> instanceOptions(const ir::Function &function, Instances which) {
  Deciding deciding(function);
  std::vector<std::string> free, others;
  for (const ir::ScalarParam &scalar : function.scalars)
    (deciding.has(scalar.value) ? others : free).push_back(optionText("--instance", scalar.name));
  return free.empty() && which == Instances::Any ? others : free;
}

} // namespace colonnade

//===- Certificate.cpp - The uniform slice as a function ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an accepted function. Out: the predicated programme without its data.
// Every Load and Store stays, in order, with its access id; data that is stored
// becomes zero. The arms of a branch on data follow each other; loops lose their
// data exits. Operations that thereby run where the sequential function may not
// are marked speculative; accesses among them that are made all the same in a loop's first
// iteration say so.
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Certificate/Certificate.h"

#include "IR/Clone.h"
#include "Oblivious/Certificate/Slice.h"
#include "Oblivious/Findings/Remedies.h"
#include "Oblivious/Ranges/UncountedLoop.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade {

using ir::Op;
using ir::Opcode;

namespace {

class CertificateBuilder {
public:
  CertificateBuilder(const ir::Module &module, const ir::Function &from, const Dataflow &dataflow)
      : module_(module), from_(from), dataflow_(dataflow), slice_(from, dataflow), builder_(to_),
        cloner_(from, builder_, [this](OpId id) { return visit(id); }) {}

  std::optional<ir::Function> run() {
    if (!slice_.isUniform())
      return std::nullopt;
    cloner_.copyShell();
    to_.returnType.reset();
    to_.returnTypeName.clear();
    cloner_.cloneBody();
    return std::move(to_);
  }

private:
  bool visit(OpId id);
  void visitAccess(OpId id);
  void visitIf(OpId id);
  void visitFor(OpId id);
  void checkEnd(const Op &loop);
  void visitLoop(OpId id);
  void checkUncountedEnd(const Op &loop);
  void check(ValueId ends, const Op &loop);
  void copyPure(OpId id);

  llvm::SmallVector<ValueId, 4> slots(const Op &loop, llvm::ArrayRef<ValueId> values);
  /// Those of `values` whose entry in `keys` is needed, mapped.
  llvm::SmallVector<ValueId, 4> neededOf(llvm::ArrayRef<ValueId> keys,
                                         llvm::ArrayRef<ValueId> values) const;
  void nameLike(ValueId fresh, ValueId old) {
    to_.value(fresh).name = from_.value(old).name;
    cloner_.set(old, fresh);
  }
  void mark(OpId fresh) { to_.op(fresh).speculative |= masks_ > 0; }
  void markAccess(OpId fresh) {
    mark(fresh);
    to_.op(fresh).atFirst = masks_ > 0 && branches_ == 0;
  }
  ValueId zero(ir::ScalarType type) { return builder_.constant({type, 0}); }

  const ir::Module &module_;
  const ir::Function &from_;
  const Dataflow &dataflow_;
  Slice slice_;
  ir::Function to_;
  ir::Builder builder_;
  ir::Cloner cloner_;
  unsigned masks_ = 0;    // enclosing divergent constructs
  unsigned branches_ = 0; // of these, no loops
};

} // namespace

bool CertificateBuilder::visit(OpId id) {
  const Op &op = from_.op(id);
  builder_.setLoc(op.loc);
  switch (op.opcode) {
  case Opcode::Load:
  case Opcode::Store:
    visitAccess(id);
    break;
  case Opcode::If:
    visitIf(id);
    break;
  case Opcode::For:
    visitFor(id);
    break;
  case Opcode::Loop:
    visitLoop(id);
    break;
  case Opcode::Return:
    builder_.ret(std::nullopt);
    break;
  case Opcode::Check:
    if (masks_ == 0 && dataflow_.uniform(op.operands[0]))
      cloner_.copy(id);
    break;
  default:
    if (!op.results.empty() && slice_.needs(op.results[0]))
      copyPure(id);
  }
  return true;
}

void CertificateBuilder::copyPure(OpId id) { mark(cloner_.copy(id)); }

void CertificateBuilder::visitAccess(OpId id) {
  const Op &op = from_.op(id);
  if (op.opcode == Opcode::Load)
    return markAccess(cloner_.copy(id));
  ir::AccessOperands access = ir::accessOperands(op);
  llvm::SmallVector<ValueId, 4> operands = cloner_.map(access.subscripts);
  operands.append(cloner_.map(access.radices));
  bool kept = slice_.needs(op.array) && dataflow_.uniform(access.stored);
  operands.push_back(kept ? cloner_.map(access.stored) : zero(from_.value(access.stored).type));
  markAccess(cloner_.copy(id, operands));
}

llvm::SmallVector<ValueId, 4> CertificateBuilder::neededOf(llvm::ArrayRef<ValueId> keys,
                                                           llvm::ArrayRef<ValueId> values) const {
  llvm::SmallVector<ValueId, 4> result;
  for (size_t i = 0; i < keys.size(); ++i)
    if (slice_.needs(keys[i]))
      result.push_back(cloner_.map(values[i]));
  return result;
}

void CertificateBuilder::visitIf(OpId id) {
  const Op &op = from_.op(id);
  bool divergent = !dataflow_.divergence(id).uniform();
  if (divergent) {
    masks_ += 1;
    branches_ += 1;
    for (RegionId region : op.regions)
      cloner_.cloneOpsButTerminator(region);
    masks_ -= 1;
    branches_ -= 1;
    const Op &yield = from_.terminator(op.regions[0]);
    for (unsigned r = 0; r < op.results.size(); ++r)
      if (slice_.needs(op.results[r]))
        cloner_.set(op.results[r], cloner_.map(yield.operands[r]));
    return;
  }
  if (!slice_.keeps(id))
    return;
  llvm::SmallVector<ir::ScalarType, 4> types;
  for (ValueId result : op.results)
    if (slice_.needs(result))
      types.push_back(from_.value(result).type);
  OpId fresh = builder_.createIf(cloner_.map(op.operands[0]), types);
  const llvm::SmallVector<RegionId, 2> regions = to_.op(fresh).regions;
  for (unsigned r = 0, k = 0; r < op.results.size(); ++r)
    if (slice_.needs(op.results[r]))
      nameLike(builder_.result(fresh, k++), op.results[r]);
  for (unsigned arm = 0; arm < 2; ++arm) {
    ir::InsertionScope scope(builder_);
    builder_.setRegion(regions[arm]);
    cloner_.cloneOpsButTerminator(op.regions[arm]);
    builder_.yield(neededOf(op.results, from_.terminator(op.regions[arm]).operands));
  }
}

/// Without its data exits, or where no lane would run it, the loop ends only if
/// its counter gets there.
void CertificateBuilder::checkEnd(const Op &loop) {
  if (loopEnd(from_, loop) != LoopEnd::Checked)
    return;
  check(endCondition(builder_, from_, loop, cloner_.map(loop.operands[0]),
                     cloner_.map(loop.operands[1]), cloner_.map(loop.operands[2])),
        loop);
}

void CertificateBuilder::checkUncountedEnd(const Op &loop) {
  UncountedEnd found = uncountedEnd(from_, loop);
  if (found.end == LoopEnd::Checked)
    check(endCondition(builder_, found, cloner_.map(found.limit)), loop);
}

void CertificateBuilder::check(ValueId ends, const Op &loop) {
  Op check;
  check.opcode = Opcode::Check;
  check.operands = {ends};
  check.text = "the loop ends by its counter";
  if (const std::string option = boundOption(module_, from_, loop); !option.empty())
    check.text += "; if it ends otherwise, give a bound, such as " + option;
  builder_.append(std::move(check), {});
  const char *assumption = "loops that data may leave end by their counters: checked before launch";
  if (!llvm::is_contained(to_.assumptions, assumption))
    to_.assumptions.emplace_back(assumption);
}

void CertificateBuilder::visitFor(OpId id) {
  const Op &op = from_.op(id);
  bool divergent = !dataflow_.divergence(id).uniform();
  // What leaves a divergent loop uniform is what went in.
  for (unsigned r = 1; divergent && r < op.results.size(); ++r)
    if (slice_.needs(op.results[r]))
      cloner_.set(op.results[r], cloner_.map(op.operands[r + 2]));
  if (!slice_.keeps(id))
    return;
  const auto &args = from_.region(op.regions[0]).args;
  auto carried = llvm::ArrayRef(args).drop_front();
  bool continues = slice_.keepsContinueFlag(id);
  if (divergent || masks_ > 0)
    checkEnd(op);
  OpId fresh = builder_.createFor(cloner_.map(op.operands[0]), cloner_.map(op.operands[1]),
                                  cloner_.map(op.operands[2]), op.predicate, continues,
                                  neededOf(carried, llvm::ArrayRef(op.operands).drop_front(3)));
  to_.op(fresh).postTest = op.postTest;
  to_.op(fresh).dataEnds = divergent;
  mark(fresh);
  RegionId body = to_.op(fresh).regions[0];
  nameLike(to_.region(body).args[0], args[0]);
  if (!divergent && slice_.needs(op.results[0]))
    nameLike(builder_.result(fresh, 0), op.results[0]);
  for (unsigned r = 1, k = 1; r < args.size(); ++r) {
    if (!slice_.needs(args[r]))
      continue;
    nameLike(to_.region(body).args[k], args[r]);
    if (!divergent && slice_.needs(op.results[r]))
      nameLike(builder_.result(fresh, k), op.results[r]);
    ++k;
  }
  ir::InsertionScope scope(builder_);
  builder_.setRegion(body);
  masks_ += divergent;
  cloner_.cloneOpsButTerminator(op.regions[0]);
  masks_ -= divergent;
  llvm::ArrayRef<ValueId> yields = from_.terminator(op.regions[0]).operands;
  llvm::SmallVector<ValueId, 4> next;
  if (continues)
    next.push_back(cloner_.map(yields[0]));
  next.append(neededOf(carried, op.hasContinueFlag ? yields.drop_front() : yields));
  builder_.yield(next);
}

/// The values of the kept slots; zero where a slot holds data.
llvm::SmallVector<ValueId, 4> CertificateBuilder::slots(const Op &loop,
                                                        llvm::ArrayRef<ValueId> values) {
  llvm::SmallVector<ValueId, 4> result;
  for (unsigned k = 0; k < values.size(); ++k)
    if (slice_.keepsSlot(loop, k))
      result.push_back(slice_.needs(values[k]) ? cloner_.map(values[k])
                                               : zero(from_.value(values[k]).type));
  return result;
}

void CertificateBuilder::visitLoop(OpId id) {
  const Op &op = from_.op(id);
  if (!slice_.keeps(id))
    return;
  if (masks_ > 0)
    checkUncountedEnd(op);
  OpId fresh = builder_.createLoop(slots(op, op.operands));
  mark(fresh);
  const llvm::SmallVector<RegionId, 2> regions = to_.op(fresh).regions;
  for (unsigned r = 0, k = 0; r < op.results.size(); ++r) {
    if (!slice_.keepsSlot(op, r))
      continue;
    for (unsigned part = 0; part < 2; ++part)
      nameLike(to_.region(regions[part]).args[k], from_.region(op.regions[part]).args[r]);
    nameLike(builder_.result(fresh, k++), op.results[r]);
  }
  for (unsigned part = 0; part < 2; ++part) {
    ir::InsertionScope scope(builder_);
    builder_.setRegion(regions[part]);
    cloner_.cloneOpsButTerminator(op.regions[part]);
    const Op &end = from_.terminator(op.regions[part]);
    ValueId flag = cloner_.map(end.operands[0]);
    auto values = slots(op, llvm::ArrayRef(end.operands).drop_front());
    if (part == 0) {
      builder_.test(flag, values);
    } else {
      values.insert(values.begin(), flag);
      builder_.yield(values);
    }
  }
}

std::optional<ir::Function> buildCertificate(const ir::Module &module, const ir::Function &function,
                                             const Dataflow &dataflow) {
  return CertificateBuilder(module, function, dataflow).run();
}

} // namespace colonnade

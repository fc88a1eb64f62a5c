//===- Extremes.cpp - std::min, std::max and std::clamp -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They compare two values and return a reference, which is then read. An address that
// depends on a comparison of data would be refused, so where only the value is wanted
// no address is chosen: the comparison is kept beside both addresses, and an `if` on it
// reads the one or the other. The accesses are those of the library's own code.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/LibraryCall.h"
#include "Frontend/Lowering/Wrappers.h"

namespace colonnade::frontend::library {

using clang::Expr;
using clang::QualType;
using ir::Opcode;
using llvm::dyn_cast;

namespace {
/// A place, or a condition with the choice it makes either way.
struct Choice {
  LValue place; // without a condition
  std::string name;
  ValueId condition;
  std::shared_ptr<Choice> then, otherwise;
};
using ChoicePtr = std::shared_ptr<Choice>;

/// Lowers the operands of nested std::min, max and clamp, then reads what they choose.
class ExtremeReader {
public:
  explicit ExtremeReader(FunctionLowering &function)
      : function_(function), builder_(function.builder()) {}
  ChoicePtr choose(const clang::CallExpr &call);
  ValueId load(const Choice &choice);

private:
  ChoicePtr operand(const Expr &arg);
  /// `right < left` chooses `right`, else `left` is.
  ChoicePtr lesser(const ChoicePtr &left, const ChoicePtr &right, clang::SourceLocation loc);
  /// `left < right` chooses `right`, else `left` is.
  ChoicePtr greater(const ChoicePtr &left, const ChoicePtr &right, clang::SourceLocation loc);
  ValueId isLess(const Choice &a, const Choice &b, clang::SourceLocation loc);

  FunctionLowering &function_;
  RawBuilder &builder_;
};
} // namespace

/// Whether a body calls an operator that is a function, itself or in what it calls: `<`, or the
/// `<=>` that it is made of. (`()` is the library's own comparator.)
static bool callsOperator(const clang::FunctionDecl &function,
                          llvm::SmallPtrSetImpl<const clang::FunctionDecl *> &visited) {
  const clang::FunctionDecl *definition = nullptr;
  if (!function.hasBody(definition) || !visited.insert(definition).second)
    return false;
  std::vector<const clang::Stmt *> open = {definition->getBody()};
  while (!open.empty()) {
    const clang::Stmt *stmt = open.back();
    open.pop_back();
    const auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(stmt);
    const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    const bool isOperator = callee && callee->isOverloadedOperator() &&
                            callee->getOverloadedOperator() != clang::OO_Call;
    if (callee && (isOperator || callsOperator(*callee, visited)))
      return true;
    if (stmt)
      open.insert(open.end(), stmt->child_begin(), stmt->child_end());
  }
  return false;
}

/// Values of this type are compared by the language. An enumeration may have a `<` of its own, as
/// the library's body says.
static bool isOrderedByLanguage(QualType type, const clang::FunctionDecl &callee) {
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> visited;
  return !type->isEnumeralType() || (callee.hasBody() && !callsOperator(callee, visited));
}

/// Which of the functions the call is, if it is one of scalars.
static Handler extremeOf(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!callee || !scalarType(call.getType()) || call.getType()->isPointerType() ||
      !isOrderedByLanguage(call.getType(), *callee))
    return nullptr;
  const LibraryFunction *row = findFunction(*callee, call.getNumArgs());
  Handler read = row ? row->read : nullptr;
  return read == readLeast || read == readGreatest || read == readClamped ? read : nullptr;
}

ChoicePtr ExtremeReader::operand(const Expr &arg) {
  const Expr *bare = &unwrapped(arg);
  if (const auto *noop = dyn_cast<clang::ImplicitCastExpr>(bare);
      noop && noop->getCastKind() == clang::CK_NoOp)
    bare = &unwrapped(*noop->getSubExpr());
  if (const auto *call = dyn_cast<clang::CallExpr>(bare); call && call->isGLValue())
    if (extremeOf(*call))
      return choose(*call);
  LValue place = function_.lowerLValue(arg);
  return std::make_shared<Choice>(Choice{place, function_.valueNameOf(arg), {}, {}, {}});
}

ValueId ExtremeReader::isLess(const Choice &a, const Choice &b, clang::SourceLocation loc) {
  ValueId left = load(a), right = load(b);
  function_.at(loc);
  return builder_.binary(Opcode::Lt, left, right);
}

ChoicePtr ExtremeReader::lesser(const ChoicePtr &left, const ChoicePtr &right,
                                clang::SourceLocation loc) {
  return std::make_shared<Choice>(Choice{{}, "", isLess(*right, *left, loc), right, left});
}

ChoicePtr ExtremeReader::greater(const ChoicePtr &left, const ChoicePtr &right,
                                 clang::SourceLocation loc) {
  return std::make_shared<Choice>(Choice{{}, "", isLess(*left, *right, loc), right, left});
}

ChoicePtr ExtremeReader::choose(const clang::CallExpr &call) {
  SourceNodeScope scope = function_.standsFor(call);
  std::vector<ChoicePtr> operands;
  for (const Expr *arg : call.arguments())
    operands.push_back(operand(*arg));
  clang::SourceLocation loc = call.getExprLoc();
  function_.at(loc);
  Handler read = extremeOf(call);
  if (read == readLeast)
    return lesser(operands[0], operands[1], loc);
  ChoicePtr greatest = greater(operands[0], operands[1], loc);
  return read == readGreatest ? greatest : lesser(greatest, operands[2], loc);
}

/// The type of every place of a choice.
static QualType typeOf(const Choice &choice) {
  const Choice *leaf = &choice;
  while (leaf->condition)
    leaf = leaf->then.get();
  return leaf->place.type;
}

ValueId ExtremeReader::load(const Choice &choice) {
  if (!choice.condition)
    return function_.loadFrom(choice.place, clang::SourceLocation(), choice.name);
  QualType type = typeOf(choice);
  MemTypeId memType = function_.memType(type);
  LocId loc = builder_.loc();
  ValueId slot = builder_.ownObject(memType, "%ext");
  auto arm = [&](const Choice &taken) {
    ValueId value = load(taken);
    builder_.setLoc(loc);
    builder_.store(slot, value, memType);
  };
  builder_.emitIf(choice.condition, [&] { arm(*choice.then); }, [&] { arm(*choice.otherwise); });
  return builder_.load(slot, memType, *scalarType(type));
}

static CallResult readExtreme(const LibraryCall &call) {
  if (!extremeOf(call.expr))
    return std::nullopt;
  ExtremeReader reader(call.function);
  ChoicePtr choice = reader.choose(call.expr);
  call.here();
  return reader.load(*choice);
}

CallResult readLeast(const LibraryCall &call) { return readExtreme(call); }
CallResult readGreatest(const LibraryCall &call) { return readExtreme(call); }
CallResult readClamped(const LibraryCall &call) { return readExtreme(call); }

/// The elements of a braced list of scalars; null for any other list.
static const clang::InitListExpr *listOf(const LibraryCall &call) {
  const Expr *list = &spelled(call.arg(0));
  if (const auto *init = dyn_cast<clang::CXXStdInitializerListExpr>(list))
    list = &spelled(*init->getSubExpr());
  const auto *elements = dyn_cast<clang::InitListExpr>(list);
  bool ofScalars = elements && elements->getNumInits() > 0 &&
                   scalarType(elements->getInit(0)->getType()).has_value() &&
                   isOrderedByLanguage(elements->getInit(0)->getType(), call.callee);
  return ofScalars ? elements : nullptr;
}

/// std::min({a, b, c}): the elements are values, so that one after the other is chosen.
static CallResult extremeOfList(const LibraryCall &call, bool isGreatest) {
  const clang::InitListExpr *list = listOf(call);
  if (!list)
    return std::nullopt;
  RawBuilder &builder = call.builder();
  std::vector<ValueId> values;
  for (const Expr *init : list->inits())
    values.push_back(call.function.lowerScalar(*init));
  call.function.at(list->getExprLoc());
  ValueId best = values[0];
  for (ValueId value : llvm::ArrayRef(values).drop_front()) {
    ValueId better = isGreatest ? builder.binary(Opcode::Lt, best, value)
                                : builder.binary(Opcode::Lt, value, best);
    best = builder.select(better, value, best);
  }
  return best;
}

CallResult leastOfList(const LibraryCall &call) { return extremeOfList(call, false); }
CallResult greatestOfList(const LibraryCall &call) { return extremeOfList(call, true); }

} // namespace colonnade::frontend::library

//===- KnownCalls.cpp - Functions known without their body ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// <cmath>, std::swap and its kin, std::array, other builtins, and the
// annotations. A user's own function of the same name is called like any other.
//
//===----------------------------------------------------------------------===//

#include "Frontend/FunctionLowering.h"

#include "llvm/ADT/StringSwitch.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::QualType;
using ir::MathFn;
using ir::Opcode;
using ir::ScalarType;
using llvm::dyn_cast;
using llvm::StringRef;

static std::optional<MathFn> findMath(StringRef name) {
  struct Entry {
    const char *name;
    MathFn fn;
  };
  static const Entry entries[] = {
#define COLONNADE_KNOWN_MATH(name, Fn) {name, MathFn::Fn},
#include "Frontend/KnownFunctions.def"
  };
  for (const Entry &entry : entries)
    if (name == entry.name)
      return entry.fn;
  return std::nullopt;
}

/// Part of the language's library: a builtin, or declared in a system header.
static bool isLibraryFunction(const clang::FunctionDecl &callee) {
  if (callee.getBuiltinID() != 0)
    return true;
  const clang::SourceManager &sources = callee.getASTContext().getSourceManager();
  return sources.isInSystemHeader(callee.getLocation());
}

bool FunctionLowering::lowerKnownCall(const clang::CallExpr &call,
                                      const clang::FunctionDecl &callee, ValueId &result) {
  if (lowerStdArrayCall(call, callee, result))
    return true;
  if (!callee.getDeclName().isIdentifier() || llvm::isa<clang::CXXMethodDecl>(callee))
    return false;
  StringRef name = callee.getName();
  if (!isLibraryFunction(callee))
    return false;
  if (callee.isInStdNamespace() && lowerStdCall(call, name, result))
    return true;
  bool isBuiltin = name.consume_front("__builtin_");
  if (name == "annotation" && isBuiltin)
    return lowerAnnotation(call);
  return lowerMemoryCall(call, name, result) || lowerMathCall(call, name, result) ||
         lowerClassification(call, name, result) || lowerFloatParts(call, name, result) ||
         lowerBitBuiltin(call, name, result) || (isBuiltin && lowerBuiltin(call, name, result));
}

/// COLONNADE_ASSUME; a COLONNADE_BOUND was read by its loop.
bool FunctionLowering::lowerAnnotation(const clang::CallExpr &call) {
  const auto *literal = dyn_cast<clang::StringLiteral>(call.getArg(1)->IgnoreParenCasts());
  StringRef text = literal ? literal->getString() : "";
  if (text.consume_front("colonnade.assume:")) {
    ValueId holds = lowerCondition(*call.getArg(0));
    at(call.getExprLoc());
    builder_.check(holds, text.str());
  }
  return true;
}

bool FunctionLowering::lowerMathCall(const clang::CallExpr &call, StringRef name, ValueId &result) {
  std::optional<ScalarType> type = scalarType(call.getType());
  if (!type && !call.getType()->isRealFloatingType())
    return false;
  std::optional<MathFn> fn = findMath(name);
  if (!fn && name.ends_with("f"))
    fn = findMath(name.drop_back());
  if (!fn && name.ends_with("l") && findMath(name.drop_back())) {
    result = unsupported(call.getExprLoc(), "long double", call.getType());
    return true;
  }
  if (fn && type && isFloat(*type) && call.getNumArgs() == arity(*fn)) {
    std::vector<ValueId> args;
    for (const Expr *arg : call.arguments()) {
      ValueId value =
          scalarType(arg->getType().getNonReferenceType())
              ? lowerScalar(*arg)
              : unsupported(arg->getExprLoc(), unsupportedReason(arg->getType()), call.getType());
      args.push_back(convert(value, *type)); // std::sqrt(int) and mixed std::pow
    }
    at(call.getExprLoc());
    result = builder_.math(*fn, args);
    return true;
  }
  if (!type)
    return false;
  if (isInteger(*type) && (name == "abs" || name == "labs" || name == "llabs") &&
      call.getNumArgs() == 1) {
    ValueId value = lowerScalar(*call.getArg(0));
    at(call.getExprLoc());
    ValueId negative = builder_.binary(Opcode::Lt, value, builder_.zero(*type));
    result = builder_.select(negative, builder_.unary(Opcode::Neg, value), value);
    return true;
  }
  // lround and lrint: round, then convert.
  std::optional<MathFn> rounding =
      llvm::StringSwitch<std::optional<MathFn>>(name)
          .Cases("lround", "llround", "lroundf", "llroundf", MathFn::Round)
          .Cases("lrint", "llrint", "lrintf", "llrintf", MathFn::Rint)
          .Default(std::nullopt);
  if (!rounding || call.getNumArgs() != 1 || !isInteger(*type))
    return false;
  ValueId value = lowerScalar(*call.getArg(0));
  at(call.getExprLoc());
  if (!isFloat(builder_.typeOf(value)))
    value = builder_.cast(value, ScalarType::F64);
  result = builder_.cast(builder_.math(*rounding, {value}), *type);
  return true;
}

bool FunctionLowering::lowerBuiltin(const clang::CallExpr &call, StringRef name, ValueId &result) {
  if (name == "expect" || name == "expect_with_probability" || name == "assume_aligned" ||
      name == "launder") {
    result = lowerScalar(*call.getArg(0));
    return true;
  }
  if (name == "addressof") {
    result = lowerLValue(*call.getArg(0)).pointer;
    return true;
  }
  if (name == "assume" || name == "unreachable" || name == "prefetch" || name == "debugtrap")
    return true; // facts for an optimiser
  if (name == "trap") {
    unsupported(call.getExprLoc(), "abnormal termination");
    return true;
  }
  // What the language evaluates: __builtin_inf, __builtin_constant_p, …
  Expr::EvalResult value;
  if (!call.isValueDependent() && call.EvaluateAsRValue(value, context_) && !value.HasSideEffects)
    if (std::optional<ValueId> constant = lowerKnownConstant(value.Val, call.getType())) {
      result = *constant;
      return true;
    }
  result = unsupported(call.getExprLoc(), "builtin function '__builtin_" + name.str() + "'",
                       call.getType());
  return true;
}

bool FunctionLowering::lowerStdCall(const clang::CallExpr &call, StringRef name, ValueId &result) {
  if ((name == "move" || name == "forward" || name == "as_const" || name == "addressof" ||
       name == "__addressof" || name == "move_if_noexcept") &&
      call.getNumArgs() == 1) {
    result = lowerLValue(*call.getArg(0)).pointer;
    return true;
  }
  if ((name == "min" || name == "max") && call.getNumArgs() == 1) {
    const Expr *list = call.getArg(0)->IgnoreUnlessSpelledInSource();
    if (const auto *init = dyn_cast<clang::CXXStdInitializerListExpr>(list))
      list = init->getSubExpr()->IgnoreUnlessSpelledInSource();
    const auto *inits = dyn_cast<clang::InitListExpr>(list);
    if (!inits || inits->getNumInits() == 0 || !scalarType(inits->getInit(0)->getType()))
      return false;
    result = lowerExtremeOfList(*inits, name == "max");
    return true;
  }
  if (name == "swap" && call.getNumArgs() == 2) {
    QualType type = call.getArg(0)->getType();
    const auto *record = type->getAsCXXRecordDecl();
    if (type->isArrayType() || (record && !record->isTriviallyCopyable() && !asStdArray(type)))
      return false;
    LValue a = lowerLValue(*call.getArg(0)), b = lowerLValue(*call.getArg(1));
    at(call.getExprLoc());
    if (isAggregate(type)) {
      LValue kept = makeTemporary(type, "%swap");
      copyObject(kept, a.pointer);
      copyObject(a, b.pointer);
      copyObject(b, kept.pointer);
    } else {
      ValueId kept = loadFrom(a, call.getExprLoc(), valueNameOf(*call.getArg(0)));
      ValueId other = loadFrom(b, call.getExprLoc(), valueNameOf(*call.getArg(1)));
      storeTo(a, other, call.getExprLoc());
      storeTo(b, kept, call.getExprLoc());
    }
    return true;
  }
  if (name == "bit_cast" && call.getNumArgs() == 1) {
    const auto source = scalarType(call.getArg(0)->getType()), target = scalarType(call.getType());
    if (!source || !target || bitWidth(*source) != bitWidth(*target))
      return false;
    ValueId value = lowerScalar(*call.getArg(0));
    at(call.getExprLoc());
    result = *source == *target ? value : bitcast(value, *target);
    return true;
  }
  return false;
}

/// std::array is the array type itself, so its members are known here.
bool FunctionLowering::lowerStdArrayCall(const clang::CallExpr &call,
                                         const clang::FunctionDecl &callee, ValueId &result) {
  const Expr *object = nullptr;
  std::vector<const Expr *> args(call.getArgs(), call.getArgs() + call.getNumArgs());
  bool isArrow = false;
  StringRef name;
  const auto *method = dyn_cast<clang::CXXMethodDecl>(&callee);
  if (const auto *member = dyn_cast<clang::CXXMemberCallExpr>(&call)) {
    const auto *access = dyn_cast<clang::MemberExpr>(member->getCallee()->IgnoreParens());
    if (!access || !method || !callee.getDeclName().isIdentifier())
      return false;
    object = access->getBase();
    isArrow = access->isArrow();
    name = callee.getName();
  } else if (method && llvm::isa<clang::CXXOperatorCallExpr>(call) &&
             callee.getOverloadedOperator() == clang::OO_Subscript) {
    object = args.front();
    args.erase(args.begin());
    name = "[]";
  } else if (!method && callee.isInStdNamespace() && callee.getDeclName().isIdentifier() &&
             callee.getName() == "get" && args.size() == 1) {
    object = args.front();
    args.clear();
    name = "get";
  } else {
    return false;
  }
  QualType type = isArrow ? object->getType()->getPointeeType() : object->getType();
  std::optional<StdArray> array = asStdArray(type);
  if (!array)
    return false;
  auto pointer = [&] {
    ValueId whole = lowerObjectArgument(*object, isArrow);
    at(call.getExprLoc());
    return decay(whole, type);
  };
  auto element = [&](ValueId first, ValueId index) {
    at(call.getExprLoc());
    return builder_.index(first, index, memType(array->element));
  };
  if (name == "size" || name == "max_size" || name == "empty") {
    result = builder_.constantInt(*scalarType(call.getType()),
                                  name == "empty" ? array->count == 0 : array->count);
  } else if (name == "data" || name == "begin" || name == "cbegin" || name == "front") {
    result = pointer();
  } else if (name == "end" || name == "cend") {
    result = element(pointer(), builder_.index64(array->count));
  } else if (name == "back") {
    result = element(pointer(), builder_.index64(int64_t(array->count) - 1));
  } else if (name == "get") {
    const auto *arguments = callee.getTemplateSpecializationArgs();
    if (!arguments || arguments->size() == 0 ||
        arguments->get(0).getKind() != clang::TemplateArgument::Integral)
      return false;
    ValueId first = pointer();
    result = element(first, builder_.index64(arguments->get(0).getAsIntegral().getExtValue()));
  } else if ((name == "[]" || name == "at") && args.size() == 1) {
    ValueId first = pointer();
    ValueId index = lowerIndex(*args[0]);
    if (name == "at") {
      at(call.getExprLoc());
      ValueId position = builder_.cast(index, ScalarType::U64);
      ValueId count = builder_.constantInt(ScalarType::U64, array->count);
      builder_.check(builder_.binary(Opcode::Lt, position, count),
                     "the index of std::array::at is in range");
    }
    result = element(first, index);
  } else if (name == "fill" && args.size() == 1) {
    ValueId first = pointer();
    LValue value = lowerLValue(*args[0]);
    at(call.getExprLoc());
    emitCountedLoop(builder_.index64(array->count), [&](ValueId i) {
      LValue place = {builder_.index(first, i, memType(array->element)), array->element};
      if (isAggregate(array->element))
        copyObject(place, value.pointer);
      else
        storeTo(place, loadFrom(value, call.getExprLoc()), call.getExprLoc());
    });
  } else if (name == "swap" && args.size() == 1) {
    LValue a = {lowerObjectArgument(*object, isArrow), type}, b = lowerLValue(*args[0]);
    LValue kept = makeTemporary(type.getUnqualifiedType(), "%swap");
    copyObject(kept, a.pointer);
    copyObject(a, b.pointer);
    copyObject(b, kept.pointer);
  } else {
    return false;
  }
  return true;
}

} // namespace colonnade::frontend

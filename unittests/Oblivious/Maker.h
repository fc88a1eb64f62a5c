//===- Maker.h - Builds canonical functions in tests ------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: calls that read like source. Out: a canonical function.
// Invariant: every operation has a line of its own, so that findings can be told apart.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_OBLIVIOUS_MAKER_H
#define COLONNADE_UNITTESTS_OBLIVIOUS_MAKER_H

#include "IR/Builder.h"
#include "IR/Evaluate.h"
#include "IR/Interpreter.h"
#include "Oblivious/Oblivious.h"

#include "gtest/gtest.h"

namespace colonnade {

class Maker {
public:
  ir::Module module;
  ir::Function function;
  ir::Builder b{function};

  Maker() {
    function.name = "f";
    function.stage = ir::Stage::Canonical;
    function.body = b.createRegion();
    b.setRegion(function.body);
    file_ = module.sources.internFile("test.c");
  }

  ArrayId array(std::string name, ir::ArrayRole role, ir::Sharing sharing, SizeExpr extent) {
    ir::Array a;
    a.name = a.parameter = std::move(name);
    a.role = role;
    a.sharing = sharing;
    a.cell = ir::ScalarType::S32;
    a.extents = {std::move(extent)};
    function.arrays.push_back(a);
    return ArrayId(function.arrays.size() - 1);
  }
  ArrayId instance(std::string name, SizeExpr extent = {}) {
    ArrayId a = array(std::move(name), ir::ArrayRole::Parameter, ir::Sharing::Instance, extent);
    function.array(a).writes = true; // or its cells could be declared uniform
    return a;
  }
  ArrayId uniform(std::string name, SizeExpr extent = {}) {
    return array(std::move(name), ir::ArrayRole::Parameter, ir::Sharing::Uniform, extent);
  }
  ArrayId local(std::string name, int64_t cells) {
    return array(std::move(name), ir::ArrayRole::Local, ir::Sharing::Instance,
                 SizeExpr::constant(cells));
  }
  ValueId scalar(std::string name, ir::ScalarType type = ir::ScalarType::S64) {
    ValueId v = b.addArg(function.body, type, name);
    function.scalars.push_back({std::move(name), v, {}});
    return v;
  }

  ValueId num(int64_t v) { return b.constantInt(ir::ScalarType::S64, v); }
  ValueId add(ValueId x, ValueId y) { return b.binary(ir::Opcode::Add, x, y); }
  ValueId sub(ValueId x, ValueId y) { return b.binary(ir::Opcode::Sub, x, y); }
  ValueId mul(ValueId x, ValueId y) { return b.binary(ir::Opcode::Mul, x, y); }
  ValueId lt(ValueId x, ValueId y) { return b.binary(ir::Opcode::Lt, x, y); }
  ValueId wide(ValueId x) { return b.cast(x, ir::ScalarType::S64); }
  ValueId narrow(ValueId x) { return b.cast(x, ir::ScalarType::S32); }
  ValueId load(ArrayId a, ValueId i) {
    next();
    ValueId v = b.load(a, i);
    site(function.value(v).def, a);
    function.array(a).reads = true;
    return v;
  }
  /// a[i] < a[j], loaded in this order.
  ValueId less(ArrayId a, ValueId i, ValueId j) {
    ValueId x = load(a, i);
    return lt(x, load(a, j));
  }
  void store(ArrayId a, ValueId i, ValueId value) {
    next();
    site(b.store(a, value, i), a);
    function.array(a).writes = true;
  }
  ValueId named(ValueId v, std::string name) {
    function.value(v).name = std::move(name);
    return v;
  }

  using Body = std::function<std::vector<ValueId>()>;
  /// Results of an If whose arms return what they yield.
  llvm::SmallVector<ValueId, 2> branch(ValueId cond, const Body &then, const Body &otherwise) {
    next();
    OpId id = b.createIf(cond, {});
    ir::InsertionScope scope(b);
    std::vector<ValueId> yields;
    for (unsigned arm = 0; arm < 2; ++arm) {
      b.setRegion(function.op(id).regions[arm]);
      yields = arm == 0 ? then() : otherwise();
      b.yield(yields);
    }
    return addResults(id, yields);
  }
  void when(ValueId cond, const std::function<void()> &then) {
    branch(
        cond,
        [&] {
          then();
          return std::vector<ValueId>();
        },
        [] { return std::vector<ValueId>(); });
  }
  using LoopBody = std::function<std::vector<ValueId>(ValueId, llvm::ArrayRef<ValueId>)>;
  /// for (i = lo; i < hi; i++): the body gets the counter and what is carried,
  /// and returns [go,] what is carried next. Results: final counter, carried.
  llvm::SmallVector<ValueId, 2> loop(ValueId lo, ValueId hi, std::vector<ValueId> inits,
                                     const LoopBody &body, bool hasContinueFlag = false) {
    ValueId one = b.constantInt(function.value(lo).type, 1);
    next();
    OpId id = b.createFor(lo, hi, one, ir::Predicate::Lt, hasContinueFlag, inits);
    RegionId region = function.op(id).regions[0];
    auto args = function.region(region).args;
    function.value(args[0]).name = "i";
    ir::InsertionScope scope(b);
    b.setRegion(region);
    b.yield(body(args[0], llvm::ArrayRef<ValueId>(args).drop_front()));
    return function.op(id).results;
  }
  void each(ValueId lo, ValueId hi, const std::function<void(ValueId)> &body) {
    loop(lo, hi, {}, [&](ValueId i, llvm::ArrayRef<ValueId>) {
      body(i);
      return std::vector<ValueId>();
    });
  }

  Verdict verify() {
    b.ret(std::nullopt);
    deriveExtents(function);
    return verifyOblivious(module, function);
  }
  /// "array:cell" per access, of the certificate or of the function itself.
  std::vector<std::string> trace(const ir::Function &f, std::vector<int64_t> scalars,
                                 std::vector<std::vector<int64_t>> inputs = {}) {
    std::vector<ir::ArrayData> data(f.arrays.size());
    for (size_t a = 0; a < f.arrays.size(); ++a)
      if (a < inputs.size())
        for (int64_t v : inputs[a])
          data[a].cells.push_back(ir::makeInt(ir::ScalarType::S32, v).bits);
    std::vector<ir::Scalar> values;
    for (size_t i = 0; i < scalars.size(); ++i)
      values.push_back(ir::makeInt(f.value(f.scalars[i].value).type, scalars[i]));
    std::vector<std::string> result;
    ir::InterpreterOptions options;
    options.onAccess = [&](const ir::AccessEvent &e) {
      result.push_back(f.array(e.array).name + ":" + std::to_string(e.cell));
    };
    if (llvm::Error error = ir::interpret(module, f, data, values, options))
      ADD_FAILURE() << llvm::toString(std::move(error));
    return result;
  }
  void next() {
    SourceLocation loc;
    loc.file = file_;
    loc.line = ++line_;
    loc.column = 1;
    b.setLoc(module.sources.intern(loc));
  }

private:
  llvm::SmallVector<ValueId, 2> addResults(OpId id, llvm::ArrayRef<ValueId> yields) {
    for (size_t i = 0; i < yields.size(); ++i) {
      ir::Value v;
      v.type = function.value(yields[i]).type;
      v.def = id;
      v.index = i;
      function.op(id).results.push_back(ValueId(function.values.size()));
      function.values.push_back(v);
    }
    return function.op(id).results;
  }
  void site(OpId op, ArrayId) { function.op(op).accessId = sites_++; }

  uint32_t file_ = 0, line_ = 0, sites_ = 0;
};

inline std::vector<std::string> ids(const Verdict &verdict) {
  std::vector<std::string> result;
  for (const Finding &f : verdict.findings)
    result.push_back(f.id);
  return result;
}

using Strings = std::vector<std::string>;

} // namespace colonnade

#endif // COLONNADE_UNITTESTS_OBLIVIOUS_MAKER_H

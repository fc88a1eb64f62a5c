//===- RandomTest.cpp - Accepted random functions keep their word ---------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random canonical functions. Whatever is accepted runs on random data: class A
// must make exactly the accesses of its certificate; for class P every access
// carries a name of the certificate, has its address, and comes in its order.
//
//===----------------------------------------------------------------------===//

#include "Maker.h"

#include "IR/Printer.h"

#include <cstdlib>
#include <map>
#include <random>

using namespace colonnade;
using ir::Opcode;

namespace {

/// All values are S64 in 0 … 15, so that nothing overflows and indices fit.
class RandomFunction {
public:
  explicit RandomFunction(unsigned seed) : random_(seed) {
    for (const char *name : {"x", "y"})
      arrays_.push_back(m.instance(name, SizeExpr::constant(cells)));
    arrays_.push_back(m.uniform("u", SizeExpr::constant(cells)));
    for (auto [name, size] : {std::pair("t", 4), {"v", 2}, {"s", 1}, {"r", 1}})
      arrays_.push_back(m.local(name, size));
    for (ArrayId a : arrays_)
      m.function.array(a).cell = ir::ScalarType::S64;
    for (const char *name : {"n", "k"})
      pool_.push_back(m.scalar(name));
    uniform_ = pool_;
    for (size_t a = 3; a < arrays_.size(); ++a)
      for (int64_t i = 0; i < cellsOf(arrays_[a]); ++i)
        m.store(arrays_[a], m.num(i), m.num(i));
    block(4 + pick(6), 0);
  }
  Verdict verify() { return m.verify(); }

  static constexpr int64_t cells = 8;
  Maker m;

private:
  unsigned pick(unsigned n) { return random_() % n; }
  ValueId value() {
    switch (pick(8)) {
    case 0:
      return m.num(pick(4));
    case 1: // a parameter, the oldest values of the pool
      return pool_[pick(2)];
    default:
      return pool_[pick(pool_.size())];
    }
  }
  ValueId small(int64_t mask, ValueId v) { return m.b.binary(Opcode::And, v, m.num(mask)); }
  int64_t cellsOf(ArrayId a) const { return *m.function.array(a).extents[0].asConstant(); }
  ArrayId anyArray() { return arrays_[pick(arrays_.size())]; }
  ValueId condition() {
    ValueId a = value(), b = value();
    return m.b.binary(pick(2) ? Opcode::Lt : Opcode::Eq, a, b);
  }
  /// Mostly what is likely to be uniform: a parameter, a counter, a local cell.
  ValueId index(ArrayId a) {
    ValueId v = pick(4) ? uniform_[pick(uniform_.size())] : value();
    return small(cellsOf(a) - 1, v);
  }

  void block(unsigned length, unsigned depth) {
    size_t outer = uniform_.size();
    statements(length, depth);
    uniform_.resize(depth ? outer : uniform_.size());
  }
  void statements(unsigned length, unsigned depth) {
    for (unsigned i = 0; i < length; ++i)
      statement(depth);
  }
  std::vector<ValueId> scope(unsigned length, unsigned depth, std::vector<ValueId> extra,
                             unsigned yields) {
    size_t outer = pool_.size();
    pool_.insert(pool_.end(), extra.begin(), extra.end());
    block(length, depth);
    std::vector<ValueId> result;
    for (unsigned i = 0; i < yields; ++i)
      result.push_back(value());
    pool_.resize(outer);
    return result;
  }
  void statement(unsigned depth) {
    switch (pick(depth < 3 ? 10 : 6)) {
    case 0:
      return pool_.push_back(small(15, m.add(value(), value())));
    case 1:
    case 2: {
      ArrayId a = anyArray();
      pool_.push_back(m.load(a, index(a)));
      if (a.index >= 2)
        uniform_.push_back(pool_.back());
      return;
    }
    case 3:
    case 4: {
      ArrayId a = anyArray();
      if (m.function.array(a).sharing == ir::Sharing::Uniform)
        return;
      ValueId i = index(a);
      return m.store(a, i, a.index > 2 && pick(3) ? uniform_[pick(uniform_.size())] : value());
    }
    case 5:
      return pool_.push_back(m.b.select(condition(), value(), value()));
    case 6:
    case 7:
      return branch(depth);
    case 8:
      return counted(depth);
    default:
      return pick(2) ? counted(depth) : loop(depth);
    }
  }
  void branch(unsigned depth) {
    unsigned yields = pick(3), length = 1 + pick(3);
    std::vector<ValueId> shared; // what both arms pass on unchanged
    for (unsigned i = 0; i < yields; ++i)
      shared.push_back(uniform_[pick(uniform_.size())]);
    bool share = pick(3) == 0;
    auto arm = [&](unsigned statements) {
      std::vector<ValueId> own = scope(statements, depth + 1, {}, yields);
      return share ? shared : own;
    };
    auto r =
        m.branch(condition(), [&] { return arm(length); }, [&] { return arm(pick(length + 1)); });
    pool_.insert(pool_.end(), r.begin(), r.end());
    if (share)
      uniform_.insert(uniform_.end(), r.begin(), r.end());
  }
  void counted(unsigned depth) {
    bool go = pick(3) == 0;
    unsigned carried = pick(3);
    std::vector<ValueId> inits;
    for (unsigned i = 0; i < carried; ++i)
      inits.push_back(value());
    ValueId hi = pick(2) ? m.num(1 + pick(3)) : small(3, value());
    auto r = m.loop(
        m.num(0), hi, inits,
        [&](ValueId i, llvm::ArrayRef<ValueId> args) {
          std::vector<ValueId> extra(args.begin(), args.end());
          extra.push_back(i);
          size_t outer = uniform_.size();
          uniform_.insert(uniform_.end(), extra.begin(), extra.end());
          std::vector<ValueId> next = scope(1 + pick(4), depth + 1, extra, carried);
          // A yield may pass an argument on unchanged.
          for (unsigned k = 0; k < carried; ++k)
            if (pick(4) == 0)
              next[k] = args[k];
          if (go)
            next.insert(next.begin(), condition());
          uniform_.resize(outer);
          return next;
        },
        go);
    pool_.insert(pool_.end(), r.begin(), r.end());
  }
  /// Counts down a carried value, so that it ends; the other one is free.
  void loop(unsigned depth) {
    ValueId start = small(3, value()), other = value();
    m.next();
    OpId id = m.b.createLoop({start, other});
    auto regions = m.function.op(id).regions;
    {
      ir::InsertionScope insertion(m.b);
      m.b.setRegion(regions[0]);
      ValueId left = m.function.region(regions[0]).args[0];
      ValueId free = m.function.region(regions[0]).args[1];
      auto fwd = scope(pick(2), depth + 1, {free}, 1);
      m.b.test(m.lt(m.num(0), left), {left, fwd[0]});
      m.b.setRegion(regions[1]);
      left = m.function.region(regions[1]).args[0];
      free = m.function.region(regions[1]).args[1];
      auto next = scope(1 + pick(3), depth + 1, {left, free}, 1);
      ValueId go = pick(2) ? m.b.constantBool(true) : condition();
      m.b.yield({go, m.sub(left, m.num(1)), next[0]});
    }
    auto results = m.function.op(id).results;
    pool_.push_back(small(15, results[0]));
    pool_.push_back(results[1]);
  }

  std::mt19937 random_;
  std::vector<ArrayId> arrays_;
  std::vector<ValueId> pool_, uniform_;
};

using Name = std::pair<uint32_t, std::vector<int64_t>>;
using Trace = std::vector<std::pair<Name, int64_t>>;

Trace run(const ir::Module &module, const ir::Function &function,
          const std::vector<ir::Scalar> &scalars, unsigned seed) {
  std::vector<ir::ArrayData> data(function.arrays.size());
  std::mt19937 random(seed);
  for (int64_t i = 0; i < RandomFunction::cells; ++i) {
    for (size_t a : {0, 1})
      data[a].cells.push_back(random() % (seed % 2 ? 16 : 4));
    data[2].cells.push_back(i * 3 % 8); // uniform: the same whatever the seed
  }
  Trace trace;
  ir::InterpreterOptions options;
  options.maxSteps = 200000;
  options.onAccess = [&](const ir::AccessEvent &e) {
    trace.push_back({{e.accessId, e.iterations.vec()}, e.cell});
  };
  if (llvm::Error error = ir::interpret(module, function, data, scalars, options))
    ADD_FAILURE() << llvm::toString(std::move(error));
  return trace;
}

std::string text(const Maker &m) {
  std::string result;
  llvm::raw_string_ostream out(result);
  ir::print(out, m.module, m.function);
  return result;
}

/// Every access of `trace` is one of `certificate`'s, in its order.
bool follows(const Trace &trace, const Trace &certificate) {
  std::map<Name, size_t> rank;
  for (size_t i = 0; i < certificate.size(); ++i)
    rank[certificate[i].first] = i;
  size_t next = 0;
  for (const auto &[name, cell] : trace) {
    auto it = rank.find(name);
    if (it == rank.end() || it->second < next || certificate[it->second].second != cell)
      return false;
    next = it->second + 1;
  }
  return true;
}

TEST(Random, AcceptedFunctionsFollowTheirCertificate) {
  std::map<VerdictClass, unsigned> classes;
  const char *wanted = std::getenv("COLONNADE_RANDOM_FUNCTIONS");
  unsigned functions = wanted ? std::atoi(wanted) : 4000;
  for (unsigned seed = 0; seed < functions; ++seed) {
    RandomFunction f(seed);
    Verdict v = f.verify();
    if (llvm::Error error = ir::verify(f.m.module, f.m.function))
      FAIL() << "seed " << seed << ": " << llvm::toString(std::move(error)) << text(f.m);
    ++classes[v.verdict];
    if (v.verdict > VerdictClass::P)
      continue;
    if (llvm::Error error = ir::verify(f.m.module, v.certificate))
      FAIL() << "seed " << seed << ": " << llvm::toString(std::move(error)) << text(f.m);
    for (int64_t n : {0, 3}) {
      std::vector<ir::Scalar> scalars = {ir::makeInt(ir::ScalarType::S64, n),
                                         ir::makeInt(ir::ScalarType::S64, 7 - n)};
      Trace certificate = run(f.m.module, v.certificate, scalars, 0);
      for (unsigned data = 1; data < 7; ++data) {
        Trace trace = run(f.m.module, f.m.function, scalars, data);
        bool good =
            v.verdict == VerdictClass::A ? trace == certificate : follows(trace, certificate);
        ASSERT_TRUE(good) << "seed " << seed << " n " << n << " data " << data << text(f.m);
      }
    }
  }
  // All verdicts that these programmes can get do occur, and often enough.
  for (auto [c, count] : classes)
    RecordProperty(std::string(1, letter(c)), count);
  for (VerdictClass c : {VerdictClass::A, VerdictClass::P, VerdictClass::T, VerdictClass::S})
    EXPECT_GT(classes[c], 20u) << letter(c);
}

} // namespace

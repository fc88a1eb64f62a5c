//===- VerifierTest.cpp - Each rule of the IR, broken once --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IRText.h"

#include "IR/Builder.h"

#include <tuple>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

std::string canonical(const std::string &ops) {
  return "func \"f\" canonical {\n  array @a : s32[4] local instance\n"
         "  array @t : s32[2] table uniform = {1, 2}\n  array @c : s32[2] parameter instance "
         "const\n"
         "  body(%n : s32, %f : f32, %c : bool, %k : s64) {\n" +
         ops + "\n  return\n  }\n}\n";
}

/// Expects the breach `what` in a body that is right otherwise.
void expectBreach(const std::string &ops, const std::string &what) {
  std::string errors = verifyError(parsed(canonical(ops)));
  EXPECT_NE(errors.find(what), std::string::npos) << ops << "\n" << errors;
}

void expectValid(const std::string &ops) {
  EXPECT_EQ(verifyError(parsed(canonical(ops))), "") << ops;
}

TEST(Verifier, Types) {
  expectValid("%x = add %n, %n : s32");
  expectBreach("%x = add %n, %k : s32", "needs numbers of one type");
  expectBreach("%x = add %n, %n : s64", "the result has another type than the first operand");
  expectBreach("%x = add %c, %c : bool", "needs numbers of one type");
  expectBreach("%x = rem %f, %f : f32", "needs integers of one type");
  expectValid("%x = and %c, %c : bool");
  expectBreach("%x = and %f, %f : f32", "needs integers or bools");
  expectValid("%x = shl %n, %k : s32");
  expectBreach("%x = shl %f, %n : f32", "needs integers");
  expectValid("%x = not %c : bool");
  expectBreach("%x = not %f : f32", "wrong operand or result type");
  expectValid("%x = neg %f : f32");
  expectBreach("%x = neg %c : bool", "wrong operand or result type");
  expectBreach("%x = lt %n, %k : bool", "compares different types");
  expectBreach("%x = lt %n, %n : s32", "the result must be bool");
  expectBreach("%x = bitcast %n : f64", "a bitcast keeps the width");
  expectBreach("%x = math sqrt %n : s32", "needs floats");
  expectBreach("%x = math fma %f, %f : f32", "takes 3 operands, has 2");
  expectBreach("%x = select %n, %f, %f : f32", "needs a bool and two values");
  expectBreach("check %n text \"x\"", "the condition must be bool");
  expectBreach("%x = add %n : s32", "takes 2 operands, has 1");
  expectBreach("add %n, %n", "gives 1 results, has 0");
}

TEST(Verifier, Accesses) {
  expectValid("%x = load @a[%k] : s32\nstore @a[%k, %k; %k], %x");
  expectBreach("%x = load @a[%n] : s32", "subscripts and radices must be s64");
  expectBreach("%x = load @a[%k, %k; %n] : s32", "subscripts and radices must be s64");
  expectBreach("%x = load @a[%k] : f32", "not of the cell's type");
  expectBreach("store @a[%k], %f", "not of the cell's type");
  expectBreach("store @t[%k], %n", "stores to a constant array");
  expectBreach("store @c[%k], %n", "stores to a constant array");
  expectBreach("%x = load @a[%k] mask %c : s32", "masked outside a kernel");
}

TEST(Verifier, Structure) {
  expectBreach("if %n {\n yield\n} else {\n yield\n}", "the condition must be bool");
  expectBreach("if %c {\n yield %n\n} else {\n yield %f\n} -> %x : s32",
               "value 0 has another type");
  expectBreach("if %c {\n yield %n\n} else {\n yield\n} -> %x : s32", "0 values for 1");
  expectBreach("if %c {\n yield\n} else {\n}", "has no terminator");
  expectBreach("if %c {\n yield\n} else {\n check %c\n}", "the region must end in 'yield'");
  expectBreach("yield", "a terminator in the middle");
  expectBreach("if %c {\n %x = neg %n : s32\n yield\n} else {\n yield\n}\n%y = neg %x : s32",
               "operand 0 is not visible here");
  expectBreach("if %c {\n %x = neg %n : s32\n yield\n} else {\n %y = neg %x : s32\n yield\n}",
               "operand 0 is not visible here");
  expectBreach("for %i : s32 = %n lt %k step %n () {\n yield\n} -> %l : s32",
               "lo, hi, step and counter must be integers of one type");
  expectBreach("for %i : f32 = %f lt %f step %f () {\n yield\n} -> %l : f32",
               "integers of one type");
  expectBreach("for %i : s32 = %n lt %n step %n () {\n yield\n}", "results: 0 values for 1");
  expectBreach("for %i : s32 = %n lt %n step %n continue () {\n yield %n\n} -> %l : s32",
               "continue flag");
  expectBreach(
      "for %i : s32 = %n lt %n step %n (%a : s32 = %f) {\n yield %a\n} -> %l : s32, %r : s32",
      "inits: value 0 has another type");
  expectBreach("loop () {\n test %c\n} do () {\n yield\n}", "continue flag");
  expectBreach("loop (%x : s32 = %n) {\n test %c\n} do (%y : s32) {\n yield %c, %y\n} -> %r : s32",
               "test: 0 values for 1");
  expectBreach("loop () {\n yield\n} do () {\n yield %c\n}", "the region must end in 'test'");
}

TEST(Verifier, Stages) {
  expectBreach("%x = any %c : bool", "not allowed in canonical functions");
  expectBreach("%x = ptr.null : ptr", "not allowed in canonical functions");
  expectBreach("%x = undef : ptr", "a pointer outside raw functions");
  std::string raw = "func \"f\" raw {\n param n : s32\n body(%n : s32) {\n"
                    "for %i : s32 = %n lt %n step %n () {\n yield\n} -> %l : s32\nreturn }\n}";
  EXPECT_NE(verifyError(parsed(raw)).find("'for': not allowed in raw functions"),
            std::string::npos);
  EXPECT_NE(verifyError(parsed("func \"f\" raw { body(%n : s32) { return } }"))
                .find("1 arguments for 0 parameters"),
            std::string::npos);
  EXPECT_NE(verifyError(parsed("func \"f\" raw { param n : f32 body(%n : s32) { return } }"))
                .find("differ in type"),
            std::string::npos);
  EXPECT_NE(
      verifyError(parsed("func \"f\" raw returns s32 { body() { return } }")).find("return type"),
      std::string::npos);
  EXPECT_NE(verifyError(parsed("func \"f\" canonical { }")).find("no body"), std::string::npos);
  EXPECT_EQ(verifyError(parsed("func \"f\" raw declared { }")), "");
}

std::string kernel(const std::string &launch, const std::string &arrays, const std::string &ops) {
  return "func \"f\" kernel " + launch + " {\n" + arrays +
         "\n  body(%x : varying s32, %w : u64) {\n" + ops + "\n  return\n  }\n}\n";
}

TEST(Verifier, KernelsSayHowTheyRun) {
  auto errors = [](const std::string &launch, const std::string &arrays) {
    return verifyError(parsed(kernel(launch, arrays, "")));
  };
  EXPECT_EQ(errors("lanes 4", "array @a : s32[n] parameter instance in memory"), "");
  EXPECT_NE(errors("", "").find("a kernel without a launch shape"), std::string::npos);
  EXPECT_NE(errors("serial", "").find("a value varies where instances run one after the other"),
            std::string::npos);
  EXPECT_EQ(verifyError(parsed("func \"f\" kernel serial { body() { return } }")), "");
  EXPECT_NE(errors("lanes 4", "array @a : s32[n] parameter instance").find("has no memory space"),
            std::string::npos);
  for (const char *wrong :
       {"@a : s32[n] parameter instance in uniform", "@a : s32[n] parameter uniform in memory",
        "@a : s32[n] parameter instance in registers", "@a : s32[n] local instance in local",
        "@a : s32[2] local instance in constant", "@a : s32[2] parameter instance in scratch",
        "@a : s32[1] table uniform in local = {1}"})
    EXPECT_NE(errors("threads 256", std::string("array ") + wrong)
                  .find("array 'a' cannot live in that memory space"),
              std::string::npos)
        << wrong;
  EXPECT_NE(errors("threads 256", "array @a : s32[1] local instance in local loaded")
                .find("is loaded first, but not in registers"),
            std::string::npos);
  const std::string back = "array @a : s32[8] parameter instance writes in ";
  EXPECT_EQ(errors("threads 256", back + "registers loaded stored 0 to 0, 2 to 7"), "");
  EXPECT_NE(errors("threads 256", back + "memory stored 0 to 1")
                .find("is written back, but not in registers"),
            std::string::npos);
  for (const char *ranges : {"0 to 8", "2 to 1", "0 to 2, 2 to 3", "4 to 5, 0 to 1"})
    EXPECT_NE(errors("threads 256", back + "registers stored " + ranges).find("do not ascend"),
              std::string::npos)
        << ranges;
  std::string outside = verifyError(parsed("func \"f\" canonical {\n"
                                           "array @a : s32[1] local instance in local\n"
                                           "body(%k : s64) {\n%x = load @a[%k] guarded : s32\n"
                                           "for %i : s64 = %k lt %k step %k unroll 8 () {\nyield\n"
                                           "} -> %e : s64\nreturn\n}\n}\n"));
  EXPECT_NE(outside.find("has a memory space outside a kernel"), std::string::npos);
  EXPECT_NE(outside.find("guarded outside a kernel"), std::string::npos);
  EXPECT_NE(outside.find("unrolled outside a kernel"), std::string::npos);
}

/// A kernel of lanes keeps what varies in vectors; one of threads has no such difference.
TEST(Verifier, WhatVariesGoesToWhatVaries) {
  auto errors = [](const std::string &launch, const std::string &ops) {
    return verifyError(
        parsed(kernel(launch, "", "%c = const 3 : s32\n%t = const true : bool\n" + ops)));
  };
  const std::string loop = "loop (%a : s32 = %c) {\ntest %t, %a\n} do (%b : s32) {\nyield %t, ",
                    end = "\n} -> %r : s32";
  for (const auto &[wrong, right, said] :
       {std::tuple<std::string, std::string, const char *>(
            "%y = add %x, %c : s32", "%y = add %x, %c : varying s32", "an operand varies"),
        {"if %t {\nyield %x\n} else {\nyield %c\n} -> %y : s32",
         "if %t {\nyield %x\n} else {\nyield %c\n} -> %y : varying s32", "yield: value 0 varies"},
        {loop + "%x" + end, loop + "%b" + end, "yield: value 0 varies"},
        {"loop (%a : varying s32 = %x) {\ntest %t, %a\n} do (%b : s32) {\nyield %t, %c\n} -> %r : "
         "varying s32",
         "loop (%a : varying s32 = %x) {\ntest %t, %a\n} do (%b : varying s32) {\nyield %t, %c\n} "
         "-> "
         "%r : varying s32",
         "varies"}}) {
    EXPECT_NE(errors("lanes 4", wrong).find(said), std::string::npos) << errors("lanes 4", wrong);
    EXPECT_EQ(errors("lanes 4", right), "");
    EXPECT_EQ(errors("threads 256", wrong), "");
  }
}

TEST(Verifier, KernelOperations) {
  auto errors = [](const std::string &ops) {
    return verifyError(parsed(kernel("lanes 4", "", ops)));
  };
  EXPECT_EQ(errors("%y = mul.lowhalves %w, %w : u64"), "");
  EXPECT_NE(errors("%y = mul.lowhalves %x, %x : s32").find("needs u64"), std::string::npos);
  EXPECT_EQ(errors("%c = const -10 : s32\n%y = div.constant %x, %c : s32"), "");
  EXPECT_NE(errors("%y = div.constant %x, %x : s32").find("needs a constant of at most 32 bits"),
            std::string::npos);
  EXPECT_NE(errors("%c = const 9 : u64\n%y = rem.constant %w, %c : u64")
                .find("needs a constant of at most 32 bits"),
            std::string::npos);
  for (const char *divisor : {"-1", "0", "1"})
    EXPECT_NE(
        errors(std::string("%c = const ") + divisor + " : s32\n%y = rem.constant %x, %c : s32")
            .find("needs a divisor other than -1, 0 and 1"),
        std::string::npos);
  EXPECT_NE(verifyError(parsed(canonical("%y = div.constant %n, %n : s32")))
                .find("not allowed in canonical functions"),
            std::string::npos);
}

TEST(Verifier, Tables) {
  auto error = [](const std::string &table) {
    return verifyError(parsed("func \"f\" canonical { " + table + " body() { return } }"));
  };
  EXPECT_EQ(error("array @t : s32[2, 2] table uniform = {1, 2, 3, 4}"), "");
  EXPECT_NE(error("array @t : s32[3] table uniform = {1, 2}").find("2 contents"),
            std::string::npos);
  EXPECT_NE(error("array @t : s32[n] table uniform = {1, 2}").find("contents"), std::string::npos);
}

std::string partBreach(const std::string &part, const std::string &call) {
  return verifyError(parsed(R"(func "f" kernel threads 32 {
  array @a : s32[4] parameter instance reads in memory
  array @t : s32[4] local instance reads writes in local
  array @w : s32[2] table uniform in constant = {3, 4}
  array @x : s32[4] formal instance reads writes in local
  array @z : s32[4] formal instance reads in local
  part "p" (@x) (%k : s64, %c : s32) {
)" + part + "\n  }\n  body(%n : s64, %d : s32, %f : f32) scalar %n n scalar %d d scalar %f f {\n" +
                            "%v = load @a[%n] : varying s32\n" + call + "\nreturn\n}\n}\n"));
}

TEST(Verifier, Parts) {
  const std::string load = "%v = load @x[%k] : varying s32\nyield %v";
  const std::string call = "%r = call.part \"p\" (@t) %n, %d : varying s32";
  EXPECT_EQ(partBreach(load, call), "");
  EXPECT_EQ(partBreach("%v = load @w[%k] : s32\nyield %v", call), "");
  auto has = [](const std::string &text, const char *what) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  has(partBreach("%v = load @t[%k] : varying s32\nyield %v", call), "'t' cannot be accessed here");
  has(partBreach("%v = load @z[%k] : varying s32\nyield %v", call), "'z' cannot be accessed here");
  has(partBreach(load, "%r = load @x[%n] : varying s32"), "'x' cannot be accessed here");
  has(partBreach(load, "%r = call.part \"p\" (@w) %n, %d : varying s32"), "'w' cannot be passed");
  has(partBreach(load, "%r = call.part \"p\" (@a) %n, %d : varying s32"),
      "'a' is not as the part's");
  has(partBreach(load, "%r = call.part \"p\" () %n, %d : varying s32"), "passes 0 arrays for 1");
  has(partBreach(load, "%r = call.part \"p\" (@t) %n, %f : varying s32"), "arguments: value 1");
  has(partBreach(load, "%r = call.part \"p\" (@t) %n, %v : varying s32"), "argument 1 varies");
  has(partBreach(load, "%r = call.part \"p\" (@t) %n, %d : s32"), "result 0 varies");
  has(partBreach(load, "call.part \"p\" (@t) %n, %d"), "results: 0 values for 1");
  has(partBreach(load + "\nreturn", call), "must end in 'yield'");
}

std::string rawBreach(const std::string &ops) {
  return verifyError(parsed("!0 = f32\n!1 = array [4] !0\n!2 = struct \"S\" {\"x\" !0}\n"
                            "func \"g\" raw returns f32 declared { param a : f32 }\n"
                            "func \"f\" raw { param p : ptr !0 body(%p : ptr) {\n"
                            "%k = const 1 : s64\n%f = const 1.0 : f32\n" +
                            ops + "\nreturn } }"));
}

TEST(Verifier, Pointers) {
  EXPECT_EQ(rawBreach("%q = ptr.decay %p, %k mem !1 : ptr"), "");
  EXPECT_NE(rawBreach("%q = ptr.decay %p, %k mem !0 : ptr").find("must be an array"),
            std::string::npos);
  EXPECT_NE(rawBreach("%q = ptr.field %p mem !2 index 1 : ptr").find("no such field"),
            std::string::npos);
  EXPECT_NE(rawBreach("%q = ptr.index %p, %f mem !0 : ptr").find("an s64"), std::string::npos);
  EXPECT_NE(rawBreach("%q = ptr.load %p : f32").find("names no memory type"), std::string::npos);
  EXPECT_NE(rawBreach("%q = ptr.load %p mem !0 : f64").find("result's type"), std::string::npos);
  EXPECT_NE(rawBreach("ptr.store %p, %k mem !0").find("value's type"), std::string::npos);
  EXPECT_NE(rawBreach("%r = call %k callee \"g\" : f32").find("another type than the parameter"),
            std::string::npos);
  EXPECT_NE(rawBreach("call %f callee \"g\"").find("gives 1 results"), std::string::npos);
  EXPECT_EQ(rawBreach("%r = call %f callee \"g\" : f32"), "");
}

// What text cannot express: ids that are out of range or owned twice.
TEST(Verifier, BrokenIds) {
  Module module = parsed(irSample("prefix_sums"));
  const Function original = module.functions[0];
  auto breach = [&](auto change) {
    module.functions[0] = original;
    change(module.functions[0]);
    return verifyError(module);
  };
  EXPECT_EQ(breach([](Function &) {}), "");
  EXPECT_NE(breach([](Function &f) {
              f.ops.back().operands.push_back(ValueId(999));
            }).find("operand 0 is out of range"),
            std::string::npos);
  EXPECT_NE(breach([](Function &f) { f.body = RegionId(99); }).find("no body"), std::string::npos);
  EXPECT_NE(breach([](Function &f) {
              std::vector<OpId> &ops = f.region(f.body).ops;
              ops.insert(ops.begin(), ops[0]);
            }).find("has two owners"),
            std::string::npos);
  EXPECT_NE(breach([](Function &f) { f.regions[1].parent = OpId(0); }).find("its parent"),
            std::string::npos);
  EXPECT_NE(breach([](Function &f) { f.values[1].def = OpId(5); }).find("its definition"),
            std::string::npos);
  EXPECT_NE(breach([](Function &f) {
              for (Op &op : f.ops)
                if (op.opcode == Opcode::Load)
                  op.array = ArrayId(7);
            }).find("the array is out of range"),
            std::string::npos);
  EXPECT_NE(breach([](Function &f) { f.scalars[0].value = ValueId(3); }).find("no argument"),
            std::string::npos);
  EXPECT_NE(breach([](Function &f) {
              for (Op &op : f.ops)
                if (op.opcode == Opcode::Constant)
                  op.scalar.bits = uint64_t(1) << 40 | 1;
            }).find("bits above its width"),
            std::string::npos);
}

TEST(Verifier, ListsAllBreachesUpToALimit) {
  std::string ops;
  for (int i = 0; i < 50; ++i)
    ops += "check %n\n";
  std::string errors = verifyError(parsed(canonical(ops)));
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 20);
}

} // namespace

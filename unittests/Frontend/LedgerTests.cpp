//===- LedgerTests.cpp - Nothing of the source is lost ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Faults are planted: of each source, every operation that stands for a part of it is taken
// out of the raw IR, one at a time. Each must be missed.
//
//===----------------------------------------------------------------------===//

#include "Drops.h"
#include "Lowering.h"

using namespace colonnade;
using namespace colonnade::test;
using ir::Opcode;

namespace {

struct Drops {
  unsigned before = 0; // losses of the module as it is
  unsigned dropped = 0;
  std::string missed; // operations whose loss is not seen
};

void dropFrom(ir::Module &module, FunctionId at, llvm::function_ref<unsigned(FunctionId)> losses,
              Drops &drops) {
  ir::Function &function = module.function(at);
  drops.before += losses(at);
  // Of the library's own headers, much is left out because the graph shows that it is not
  // reached; taking it out is no loss.
  if (llvm::StringRef(function.name).starts_with("std::"))
    return;
  dropEach(function, [&](OpId id) {
    ++drops.dropped;
    if (losses(at) == 0)
      drops.missed += std::string(mnemonic(function.op(id).opcode)) + " %" +
                      std::to_string(id.index) + " in " + function.name + "\n";
  });
}

Drops dropsOf(const std::string &source, const char *suffix,
              std::vector<std::string> functions = {"f"}) {
  Drops drops;
  Lowered lowered = lower({{source.c_str(), suffix}}, std::move(functions),
                          [&](ir::Module &module, llvm::function_ref<unsigned(FunctionId)> losses) {
                            for (size_t i = 0; i < module.functions.size(); ++i)
                              dropFrom(module, FunctionId(i), losses, drops);
                          });
  EXPECT_FALSE(lowered.failed) << lowered.text;
  drops.missed += drops.missed.empty() ? "" : lowered.text + lowered.ledger;
  return drops;
}

struct Source {
  const char *suffix;
  const char *text;
};

class LedgerOf : public testing::TestWithParam<Source> {};
TEST_P(LedgerOf, SeesEachLoss) {
  Drops drops = dropsOf(GetParam().text, GetParam().suffix);
  EXPECT_EQ(drops.before, 0u);
  EXPECT_GT(drops.dropped, 2u);
  EXPECT_EQ(drops.missed, "");
}

INSTANTIATE_TEST_SUITE_P(
    Statements, LedgerOf,
    testing::Values(
        Source{"c", "int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i];"
                    " while (s > 9) s /= 3; do s++; while (s < n); return s; }"},
        Source{"c", "int f(int *a, int n) { if (a[0] > n) return a[1]; else a[2] = n;"
                    " for (int i = 0; i < n; i++) { if (a[i]) continue; if (a[i + 1]) break; }"
                    " return 0; }"},
        Source{"c", "int f(int *a, int n) { switch (a[n]) { case 1: a[0]++; case 2: a[1]--; break;"
                    " default: a[2] = 0; } return n; }"},
        Source{"c", "void f(int n, int *a) { int t[n]; typedef int row[n + 1]; row r;"
                    " t[0] = a[0]; r[0] = t[0]; a[1] = r[0]; }"},
        Source{"c", "int f(int *a) { static const int t[] = {1, 2, 3}; int x = ({ a[0]++; a[1]; });"
                    " __asm__(\"\" : \"+r\"(x)); return x + t[a[2] & 1]; }"},
        Source{"cpp", "long f(int *a) { int t[2] = {a[0], a[1]}; long s = 0;"
                      " for (const long &x : t) s += x; return s; }"},
        Source{"cpp", "int f(int *a) { int t[4] = {1, a[0]}; int s = 0; for (int x : t) s += x;"
                      " for (int &x : t) x = s; return t[3]; }"}));

INSTANTIATE_TEST_SUITE_P(
    Expressions, LedgerOf,
    testing::Values(
        Source{"c", "int f(int *a, int n) { return (a[0] && a[1]) || !a[2] ? a[3] : n ?: a[4]; }"},
        Source{"c", "int f(int *a, int *b) { int x = a[0] = b[0]; a[1] += x++ - --x; b = a + 1;"
                    " *b++ = x; return (a[3], *b); }"},
        Source{"c", "struct p { int x, y[3]; }; int f(struct p *a, struct p *b) { *a = *b;"
                    " struct p c = *a, d = {1}; c.y[1] = d.x; *b = c; return a->y[b->x & 1]; }"},
        Source{"c", "int f(int *a, int n) { int *p = n ? a : a + 1; (n ? p : a)[1] = 2;"
                    " return *(int *)p; }"},
        Source{"cpp", "int f(int *a, int n) { int x = 1, y = a[0]; (n ? x : y) = a[1];"
                      " (x, y) += 2; ++(y = a[2]); return n ? x : y; }"},
        Source{"cpp", "int f(int *a, int n) { int x = a[0] ?: a[1]; return x ?: n; }"},
        Source{"c", "int f(int *a) { return __builtin_annotation(a[0], \"x\") + a[1]; }"},
        Source{"cpp", "#include <bit>\nint f(float *a) { return std::bit_cast<int>(a[0]) + 1; }"},
        Source{"cpp", "#include <tuple>\nint f(int *a, int n) { std::tuple<int, int> t{a[0], n};"
                      " return a[std::get<1>(t)]; }"}));

INSTANTIATE_TEST_SUITE_P(
    CallsAndObjects, LedgerOf,
    testing::Values(
        Source{"cpp", "int g(int &x, int y = 7) { return x += y; }"
                      "int f(int *a) { return g(a[0]) + g(a[1], a[2]) + g(*a); }"},
        Source{"cpp", "struct V { double x = 1, y = x + 2; V() {} V(double v) : x(v) {}"
                      " V operator+(const V &o) const { V r(x + o.x); r.y = y + o.y; return r; } };"
                      "double f(double *a) { V u, v(a[0]), w = u + v; V t[2]; t[1] = w;"
                      " return w.x + t[1].y; }"},
        Source{"cpp", "struct B { int b; B(int v) : b(v) {} }; struct D : B { int &r; int t[2];"
                      " D(int *a) : B(a[0]), r(a[1]), t{a[2]} { r = 3; } };"
                      "int f(int *a) { D d(a); D e = d; return e.t[0] + d.b; }"},
        Source{"cpp", "int f(int *a, int n) { int k = a[0]; auto g = [&, n](int i) { k += a[i]; "
                      "return n; }; return g(1) + k; }"},
        Source{"cpp", "struct P { int x, y; }; int f(P *a) { auto [u, v] = a[0]; auto &[p, q] = "
                      "a[1]; p = u; q += v; return p; }"},
        Source{"cpp",
               "#include <algorithm>\n#include <array>\n#include <cmath>\n#include <cstring>\n"
               "float f(float *a, int n) { std::array<float, 4> t = {a[0]}, u = t;"
               " t[1] = std::max(a[1], a[2]); std::swap(a[4], a[5]);"
               " std::memcpy(a, u.data(), sizeof(u)); std::memset(a, 0, 4);"
               " return std::sqrt(t[n]) + u.back(); }"}));

INSTANTIATE_TEST_SUITE_P(
    InheritedAndViews, LedgerOf,
    testing::Values(
        Source{"cpp",
               "struct P { int v[2]; }; struct B { int u; B(int *a, int k, P p, const int &r)"
               " { u = a[k] + p.v[1] + r; } }; struct D : B { using B::B; int w = 3; };"
               "struct E : D { using D::D; };"
               "int f(int *a) { D d(a, a[1], {{1, 2}}, a[2]); E e(a, 1, {{a[0]}}, 4);"
               " return d.u + e.w; }"},
        Source{"cpp", "unsigned f(int *a) { reinterpret_cast<unsigned &>(a[1]) += 2;"
                      " return reinterpret_cast<unsigned &>(a[0]); }"},
        Source{"c",
               "#include <strings.h>\nvoid f(int *a) { int t[4] = {1}; bzero(t, 8); a[0] = t[1];"
               " __builtin_bzero(a + 1, 4); }"}));

TEST(LedgerOfSubset, SeesEachLoss) {
  Drops cxx =
      dropsOf(input("subset.cpp"), "cpp",
              {"ns::g", "vecs", "arrays", "mathy", "tables", "lambdas", "classes", "sw", "loops",
               "enums", "ops", "mem", "bits", "recur", "misc", "byval", "ret", "big"});
  EXPECT_EQ(cxx.before, 0u);
  EXPECT_EQ(cxx.missed, "");
  Drops c = dropsOf(input("subset.c"), "c",
                    {"vla", "use_make", "ptrs", "macros", "tables", "logic", "chars", "dup"});
  EXPECT_EQ(c.before, 0u);
  EXPECT_EQ(c.missed, "");
}

/// What is left out must be so for a reason that stands in Discards.def.
std::string ledgerOf(const char *source, const char *suffix) {
  Lowered lowered = lower({{source, suffix}}, {"f"});
  return lowered.ledger;
}

struct Left {
  const char *rule;
  const char *suffix;
  const char *source;
};
class Discarded : public testing::TestWithParam<Left> {};
TEST_P(Discarded, ByItsRule) {
  std::string ledger = ledgerOf(GetParam().source, GetParam().suffix);
  EXPECT_NE(ledger.find("discarded, " + std::string(GetParam().rule) + "\n"), std::string::npos)
      << ledger;
  EXPECT_EQ(ledger.find("lost"), std::string::npos) << ledger;
}
TEST(Ledger, ConstantOfAnotherFile) {
  Lowered lowered =
      lower({{"extern const double k; double f(double *a) { return a[0] * k; }", "cpp"},
             {"extern const double k = 0.5;", "cpp"}},
            {"f"});
  EXPECT_NE(lowered.ledger.find("discarded, ConstantVariable\n"), std::string::npos)
      << lowered.ledger;
  EXPECT_EQ(lowered.ledger.find("lost"), std::string::npos) << lowered.ledger;
}

/// The comparisons of an inner call are its own; what it chose, the outer one reads.
TEST(Ledger, NestedComparisons) {
  Lowered lowered = lowerCxx("#include <algorithm>\nint f(const int *b, int n) {"
                             " return std::max(0, std::min(7, std::clamp(b[n], b[0], n)))"
                             " + std::min(b[1], (int)(std::max(b[2], n))); }");
  EXPECT_EQ(lowered.ledger.find("lost"), std::string::npos) << lowered.ledger;
}

/// Sources in which every operation of a kind stands for an evaluation.
unsigned unseen(const char *source, Opcode opcode) {
  unsigned dropped = 0, unseen = 0;
  lower({{source, "cpp"}}, {"f"},
        [&](ir::Module &module, llvm::function_ref<unsigned(FunctionId)> losses) {
          for (ir::Region &region : module.functions[0].regions)
            for (size_t i = 0; i < region.ops.size(); ++i) {
              OpId id = region.ops[i];
              if (module.functions[0].op(id).opcode != opcode)
                continue;
              region.ops.erase(region.ops.begin() + i);
              ++dropped;
              unseen += losses(FunctionId(0)) == 0;
              region.ops.insert(region.ops.begin() + i, id);
            }
        });
  EXPECT_GT(dropped, 1u);
  return unseen;
}

TEST(Ledger, SeesEachLostLabel) {
  const char *source = "int f(int *a) { switch (a[0]) { case 1: case 2: return a[1]; case 4 ... 6:"
                       " return a[2]; default: return 0; } }";
  EXPECT_EQ(unseen(source, Opcode::Eq), 0u);
  EXPECT_EQ(unseen("int f(int *a) { switch (a[0]) { case 4 ... 6: return 1; case 7 ... 9: return 2;"
                   " } return 3; }",
                   Opcode::Ge),
            0u);
}

/// Each of the comparisons reads what the inner ones have chosen.
TEST(Ledger, SeesEachLossOfNestedComparisons) {
  Drops drops = dropsOf("#include <algorithm>\nint f(const int *b, int n) {"
                        " return std::max(b[3], std::min(b[4], std::clamp(b[n], b[0], n)))"
                        " + std::clamp(std::max(b[1], b[2]), b[5], std::min(n, b[6])); }",
                        "cpp");
  EXPECT_EQ(drops.before, 0u);
  EXPECT_EQ(drops.missed, "");
}

/// Nothing is written where all that becomes zero is outside the subset: no loss.
TEST(Ledger, ZeroOfWhatIsOutsideTheSubset) {
  Lowered lowered = lowerCxx("union U { int i; short f; }; struct B { U u; void (*call)(); };"
                             "struct D : B { int x; D() : B(), x(1) {} };"
                             "int f() { D d; B b = B(), t[2] = {}; return d.x; }");
  EXPECT_NE(lowered.ledger.find("discarded, ZeroOutside\n"), std::string::npos) << lowered.ledger;
  EXPECT_EQ(lowered.ledger.find("lost"), std::string::npos) << lowered.ledger;
}

/// The value of a static member is a constant, what is written with it is not.
TEST(Ledger, SeesALostWriteOfAConstantMember) {
  const char *source = "struct P { int x; static const int k = 5; };"
                       " int f(P *a, int *b) { int r = a[b[0] = 1].k; return r; }";
  EXPECT_EQ(unseen(source, Opcode::PtrStore), 1u) << "only the constant's own copy";
}

/// A copy without one of the object's values makes no access for it. Each field of the copied type
/// is taken out, whatever its type.
TEST(Ledger, SeesEachValueThatIsNotCopied) {
  const std::string types =
      "union U { int i; short f; }; struct B { int b; }; enum E { e };"
      "struct S : B { U u; void (*call)(); volatile int v; int bits : 3;"
      " float __attribute__((vector_size(16))) four; int B::*m; long double l;"
      " int t[2]; E kind; int &r; double x; };";
  for (const char *body : {"void f(S *a) { S c = a[1]; }", "void f(S *a) { S c(*a); S d = c; }",
                           "void g(S s) { s.t[0] = 1; } void f(S *a) { g(*a); }",
                           "struct T { S s[2]; }; void f(T *a) { T t = *a; }"}) {
    unsigned fields = 0;
    Lowered lowered =
        lower({{types + body, "cpp"}}, {"f"},
              [&](ir::Module &module, llvm::function_ref<unsigned(FunctionId)> losses) {
                EXPECT_EQ(losses(FunctionId(0)), 0u);
                for (ir::MemType &type : module.memTypes)
                  for (size_t i = 0; type.name == "S" && i < type.fields.size(); ++i) {
                    const ir::MemType whole = type;
                    type.fields.erase(type.fields.begin() + i);
                    EXPECT_GT(losses(FunctionId(0)), 0u) << body << i;
                    type = whole;
                    ++fields;
                  }
              });
    EXPECT_EQ(fields, 12u) << body << lowered.text;
  }
}

/// Who reaches a function with a loss is refused.
TEST(Ledger, RefusesWhatIsLost) {
  Lowered lowered = lower({{"int f(int *a) { return a[0]; }", "c"}}, {"f"},
                          [](ir::Module &module, llvm::function_ref<unsigned(FunctionId)>) {
                            ir::Function &f = module.functions[0];
                            for (ir::Op &op : f.ops) // the operation stays, and stands for nothing
                              op.provenance = op.opcode == Opcode::PtrLoad ? 0 : op.provenance;
                          });
  EXPECT_TRUE(contains(lowered, "unsupported index 1 text \"a read\"")) << lowered.text;
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Discarded,
    testing::Values(
        Left{"Refused", "c", "int g(int *); int f(int *a) { return g(a) + a[0]; }"},
        Left{"Constant", "cpp", "constexpr int n = 3; int f(int *a) { return a[n]; }"},
        Left{"ConstantObject", "c", "int f(int i) { const int t[] = {1, 2, 3}; return t[i]; }"},
        Left{"TableCopy", "c",
             "int f(int i) { int t[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9};"
             " t[0] = 1; return t[i]; }"},
        Left{"RunsOnce", "c", "void f(int *a) { do { a[0]++; } while (0); }"},
        Left{"OneTarget", "c", "void f(int *a) { switch (a[1]) { case 1: default: a[0]++; } }"},
        Left{"Unreached", "c", "int f(int *a) { return a[0]; a[1]++; }"}));

INSTANTIATE_TEST_SUITE_P(
    Excuses, Discarded,
    testing::Values(
        Left{"StoredValue", "cpp", "int f(int *a, int n) { return n = a[0]; }"},
        Left{"NoPlace", "cpp", "int f(int n) { return static_cast<const int &>(n + 1); }"},
        Left{"ArrayCounter", "cpp",
             "#include <array>\n"
             "int f(int *a) { std::array<int, 2> t{a[0], a[1]}; int s = 0;"
             " for (int x : t) s += x; return s; }"},
        Left{"ArrayCounter", "cpp",
             "int f(int *a) { int t[2] = {a[0], a[1]}, s = 0;"
             " for (int x : t) s += x; return s; }"},
        Left{"ResultItself", "cpp",
             "struct S { int v, *p; S(int k) : v(k), p(&v) {} };"
             "static S made(int k) { S s(k); s.v += 2; return s; }"
             "int f(int *a) { S s = made(a[0]); *s.p = 1; return s.v; }"},
        Left{"ArgumentItself", "cpp",
             "struct P { int x; }; int g(P p) { return p.x; } int f(P *a) { return g(*a); }"},
        Left{"ScalarTemporary", "cpp", "int f(int n) { return static_cast<const int &>(n + 1); }"},
        Left{"TrivialConstructor", "cpp",
             "struct P { int x; }; int f(int *a) { P p; p.x = a[0]; return p.x; }"},
        Left{"NoEffect", "c", "int f(int *a) { return __builtin_expect(a[0], 1); }"},
        Left{"Unevaluated", "c", "int f(int *a) { __builtin_assume(a[1] > 0); return a[0]; }"},
        Left{"Unevaluated", "c", "int f(int *a) { return __builtin_constant_p(a[0]++); }"},
        Left{"Unevaluated", "c", "int f(int *a) { return __builtin_classify_type(a[0]++); }"},
        Left{"ConstantIf", "cpp",
             "int f(int *a) { if constexpr (sizeof(int) == 4) return a[0]; return a[1]; }"},
        Left{"ZeroOutside", "cpp",
             "struct P { int x; long double wide; };"
             " int f(int *a) { P p = {a[0]}; return p.x; }"}));

} // namespace

//===- LibraryTests.cpp - The table of functions known by name ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every row of the table is reached by a call of its own, and no call is meant by two
// rows. What is not in the table is called, or refused by name.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/Table.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace colonnade;
using namespace colonnade::test;
namespace library = colonnade::frontend::library;
using library::LibraryFunction;

namespace {

/// Calls in a function with d (doubles), f (floats), i (ints), u, w (unsigned, 4 and 8
/// bytes) and r (std::array): for each name, one for each of its rows in their order.
/// The other rows are called with doubles, or floats if the name ends in f.
const std::multimap<std::string, std::string> &examples() {
  static const std::multimap<std::string, std::string> calls = {
      {"abs", "i[0] = std::abs(i[1])"},
      {"isinf_sign", "i[0] = __builtin_isinf_sign(d[0])"},
      {"frexp", "d[0] = std::frexp(d[1], i)"},
      {"frexpf", "f[0] = frexpf(f[1], i)"},
      {"modf", "d[0] = std::modf(d[1], d)"},
      {"modff", "f[0] = modff(f[1], f)"},
      {"lerp", "d[0] = std::lerp(d[1], d[2], d[3])"},
      {"popcount", "i[0] = __builtin_popcount(u[0])"},
      {"popcount", "i[0] = std::popcount(u[0])"},
      {"popcountl", "i[0] = __builtin_popcountl(w[0])"},
      {"popcountll", "i[0] = __builtin_popcountll(w[0])"},
      {"clz", "i[0] = __builtin_clz(u[0])"},
      {"clzl", "i[0] = __builtin_clzl(w[0])"},
      {"clzll", "i[0] = __builtin_clzll(w[0])"},
      {"ctz", "i[0] = __builtin_ctz(u[0])"},
      {"ctzl", "i[0] = __builtin_ctzl(w[0])"},
      {"ctzll", "i[0] = __builtin_ctzll(w[0])"},
      {"parity", "i[0] = __builtin_parity(u[0])"},
      {"parityl", "i[0] = __builtin_parityl(w[0])"},
      {"parityll", "i[0] = __builtin_parityll(w[0])"},
      {"ffs", "i[0] = __builtin_ffs(i[1])"},
      {"ffsl", "i[0] = __builtin_ffsl(i[1])"},
      {"ffsll", "i[0] = __builtin_ffsll(i[1])"},
      {"countl_zero", "i[0] = std::countl_zero(u[0])"},
      {"countr_zero", "i[0] = std::countr_zero(u[0])"},
      {"__memcmp", "u[0] = !std::__memcmp(i, i + 2, 2)"},
      {"byteswap", "u[0] = std::byteswap(u[1])"},
      {"bswap16", "u[0] = __builtin_bswap16(u[1])"},
      {"bswap32", "u[0] = __builtin_bswap32(u[1])"},
      {"bswap64", "w[0] = __builtin_bswap64(w[1])"},
      {"rotl", "u[0] = std::rotl(u[1], i[0])"},
      {"rotr", "u[0] = std::rotr(u[1], i[0])"},
      {"rotateleft8", "u[0] = __builtin_rotateleft8(u[1], u[2])"},
      {"rotateleft16", "u[0] = __builtin_rotateleft16(u[1], u[2])"},
      {"rotateleft32", "u[0] = __builtin_rotateleft32(u[1], u[2])"},
      {"rotateleft64", "w[0] = __builtin_rotateleft64(w[1], w[2])"},
      {"rotateright8", "u[0] = __builtin_rotateright8(u[1], u[2])"},
      {"rotateright16", "u[0] = __builtin_rotateright16(u[1], u[2])"},
      {"rotateright32", "u[0] = __builtin_rotateright32(u[1], u[2])"},
      {"rotateright64", "w[0] = __builtin_rotateright64(w[1], w[2])"},
      {"memcpy", "std::memcpy(i, i + 8, 16)"},
      {"__memcpy_chk", "__builtin___memcpy_chk(i, i + 8, 16, 64)"},
      {"memcpy_inline", "__builtin_memcpy_inline(i, i + 8, 16)"},
      {"memmove", "std::memmove(i, i + 1, 16)"},
      {"__memmove_chk", "__builtin___memmove_chk(i, i + 1, 16, 64)"},
      {"memset", "std::memset(i, 0, 16)"},
      {"bzero", "bzero(i, 16)"},
      {"__memset_chk", "__builtin___memset_chk(i, 0, 16, 64)"},
      {"memcmp", "i[0] = std::memcmp(i, i + 8, 16) == 0"},
      {"bcmp", "i[0] = bcmp(i, i + 8, 16) == 0"},
      {"min", "i[0] = std::min({i[1], i[2]})"},
      {"min", "i[0] = std::min(i[1], i[2])"},
      {"max", "i[0] = std::max({i[1], i[2]})"},
      {"max", "i[0] = std::max(i[1], i[2])"},
      {"clamp", "i[0] = std::clamp(i[1], i[2], i[3])"},
      {"move", "i[0] = std::move(i[1])"},
      {"forward", "i[0] = std::forward<int &>(i[1])"},
      {"as_const", "i[0] = std::as_const(i[1])"},
      {"move_if_noexcept", "i[0] = std::move_if_noexcept(i[1])"},
      {"addressof", "i[0] = *std::addressof(i[1]) + *__builtin_addressof(i[2])"},
      {"__addressof", "i[0] = *std::__addressof(i[1])"},
      {"swap", "std::swap(i[0], i[1])"},
      {"swap", "r.swap(r)"},
      {"clrsb", "i[0] = __builtin_clrsb(i[1])"},
      {"clrsbl", "i[0] = __builtin_clrsbl(w[1])"},
      {"clrsbll", "i[0] = __builtin_clrsbll(w[1])"},
      {"add_overflow", "i[0] = __builtin_add_overflow(i[1], i[2], i)"},
      {"sadd_overflow", "i[0] = __builtin_sadd_overflow(i[1], i[2], i)"},
      {"saddl_overflow", "i[0] = __builtin_saddl_overflow(i[1], i[2], (long *)w)"},
      {"saddll_overflow", "i[0] = __builtin_saddll_overflow(i[1], i[2], (long long *)w)"},
      {"uadd_overflow", "i[0] = __builtin_uadd_overflow(i[1], i[2], u)"},
      {"uaddl_overflow", "i[0] = __builtin_uaddl_overflow(i[1], i[2], w)"},
      {"uaddll_overflow", "i[0] = __builtin_uaddll_overflow(i[1], i[2], (unsigned long long *)w)"},
      {"sub_overflow", "i[0] = __builtin_sub_overflow(i[1], i[2], i)"},
      {"ssub_overflow", "i[0] = __builtin_ssub_overflow(i[1], i[2], i)"},
      {"ssubl_overflow", "i[0] = __builtin_ssubl_overflow(i[1], i[2], (long *)w)"},
      {"ssubll_overflow", "i[0] = __builtin_ssubll_overflow(i[1], i[2], (long long *)w)"},
      {"usub_overflow", "i[0] = __builtin_usub_overflow(i[1], i[2], u)"},
      {"usubl_overflow", "i[0] = __builtin_usubl_overflow(i[1], i[2], w)"},
      {"usubll_overflow", "i[0] = __builtin_usubll_overflow(i[1], i[2], (unsigned long long *)w)"},
      {"mul_overflow", "i[0] = __builtin_mul_overflow(i[1], i[2], i)"},
      {"smul_overflow", "i[0] = __builtin_smul_overflow(i[1], i[2], i)"},
      {"smull_overflow", "i[0] = __builtin_smull_overflow(i[1], i[2], (long *)w)"},
      {"smulll_overflow", "i[0] = __builtin_smulll_overflow(i[1], i[2], (long long *)w)"},
      {"umul_overflow", "i[0] = __builtin_umul_overflow(i[1], i[2], u)"},
      {"umull_overflow", "i[0] = __builtin_umull_overflow(i[1], i[2], w)"},
      {"umulll_overflow", "i[0] = __builtin_umulll_overflow(i[1], i[2], (unsigned long long *)w)"},
      {"bit_cast", "u[0] = std::bit_cast<unsigned>(f[0])"},
      {"size", "i[0] = r.size()"},
      {"max_size", "i[0] = r.max_size()"},
      {"empty", "i[0] = r.empty()"},
      {"data", "i[0] = *r.data()"},
      {"begin", "i[0] = *r.begin()"},
      {"cbegin", "i[0] = *r.cbegin()"},
      {"front", "i[0] = r.front()"},
      {"end", "i[0] = r.end() != i"},
      {"cend", "i[0] = r.cend() != i"},
      {"back", "i[0] = r.back()"},
      {"operator[]", "i[0] = r[i[1]]"},
      {"at", "i[0] = r.at(i[1])"},
      {"fill", "r.fill(i[0])"},
      {"get", "i[0] = std::get<1>(r)"},
      {"annotation", "__builtin_annotation(i[0] > 0, \"colonnade.assume:i[0] > 0\")"},
      {"expect", "i[0] = __builtin_expect(i[1], 0)"},
      {"expect_with_probability", "i[0] = __builtin_expect_with_probability(i[1], 0, 0.9)"},
      {"assume_aligned", "i[0] = *(int *)__builtin_assume_aligned(i, 16)"},
      {"launder", "i[0] = *__builtin_launder(i)"},
      {"assume", "__builtin_assume(i[0] > 0)"},
      {"unreachable", "__builtin_unreachable()"},
      {"prefetch", "__builtin_prefetch(i)"},
      {"debugtrap", "__builtin_debugtrap()"},
      {"trap", "__builtin_trap()"},
  };
  return calls;
}

/// d[0] = atan2(d[1], d[1]) and its kin.
std::string defaultCall(const LibraryFunction &row) {
  bool isFloat = row.name.ends_with("f") && row.name != "erf";
  std::string cell = isFloat ? "f[1]" : "d[1]", call = row.name.str() + "(" + cell;
  for (unsigned i = 1; i < row.fewest; ++i)
    call += ", " + cell;
  return "d[0] = ::" + call + ")";
}

/// A call for each row that has a handler, in the order of the table.
std::vector<std::pair<const LibraryFunction *, std::string>> callsOfRows() {
  std::vector<std::pair<const LibraryFunction *, std::string>> calls;
  std::map<std::string, size_t> seen;
  for (const LibraryFunction &row : library::allFunctions()) {
    if (row.sources == library::NoBody)
      continue;
    auto [first, last] = examples().equal_range(row.name.str());
    if (first == last) {
      calls.emplace_back(&row, defaultCall(row));
      continue;
    }
    size_t nth = seen[row.name.str()]++;
    if (nth < size_t(std::distance(first, last)))
      calls.emplace_back(&row, std::next(first, nth)->second);
    else
      ADD_FAILURE() << "no example of row " << nth << " of " << row.name.str();
  }
  return calls;
}

/// The text of one function of the printed module.
std::string functionText(const Lowered &lowered, const std::string &name) {
  size_t begin = lowered.text.find("func \"" + name + "\"");
  if (begin == std::string::npos)
    return "";
  return lowered.text.substr(begin, lowered.text.find("\nfunc ", begin) - begin);
}

// The last two are declared in a header that the 3 marks as one of the system.
const char *const header = R"source(
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <math.h>
#include <memory>
#include <strings.h>
#include <utility>
# 1 "library.h" 3
extern "C" int signbitf(float);
namespace std { unsigned byteswap(unsigned); }
# 1 "source.cpp"
)source";

TEST(Library, NoCallIsMeantByTwoRows) {
  std::map<std::string, std::vector<const LibraryFunction *>> byName;
  for (const LibraryFunction &row : library::allFunctions()) {
    EXPECT_LE(row.fewest, row.most) << row.name.str();
    for (const LibraryFunction *other : byName[row.name.str()])
      EXPECT_TRUE((row.sources & other->sources) == 0 || row.fewest > other->most ||
                  row.most < other->fewest)
          << row.name.str();
    byName[row.name.str()].push_back(&row);
  }
  EXPECT_GT(byName.size(), 150u);
}

TEST(Library, RowsHaveAHandlerOrARefusal) {
  for (const LibraryFunction &row : library::allFunctions())
    EXPECT_EQ(row.lower || row.read, row.refusal.empty()) << row.name.str();
}

TEST(Library, EveryHandlerIsReached) {
  auto calls = callsOfRows();
  std::string source = header;
  std::vector<std::string> names;
  for (const auto &[row, call] : calls) {
    names.push_back("call" + std::to_string(names.size()));
    source += "void " + names.back() +
              "(double *d, float *f, int *i, unsigned *u, unsigned long *w,"
              " std::array<int, 4> &r) { " +
              call + "; }\n";
  }
  Lowered lowered = lower({{source, "cpp"}}, names);
  ASSERT_FALSE(lowered.failed) << lowered.text;
  for (size_t i = 0; i < calls.size(); ++i) {
    std::string text = functionText(lowered, names[i]), call = calls[i].second;
    ASSERT_NE(text, "") << call;
    EXPECT_EQ(text.find(" callee "), std::string::npos) << call << "\n" << text;
    bool isRefused = text.find("unsupported") != std::string::npos;
    auto handler = calls[i].first->lower;
    EXPECT_EQ(isRefused, handler == library::longDouble || handler == library::trap) << call << "\n"
                                                                                     << text;
  }
}

TEST(Library, FunctionsWithoutABodyAreNamed) {
  std::string declarations, calls;
  size_t count = 0;
  for (const LibraryFunction &row : library::allFunctions())
    if (row.sources == library::NoBody) {
      declarations += "int " + row.name.str() + "();\n";
      calls += row.name.str() + "();\n";
      ++count;
    }
  Lowered lowered = lowerC(declarations + "void f(void) {\n" + calls + "}");
  EXPECT_GT(count, 30u);
  for (const LibraryFunction &row : library::allFunctions())
    if (row.sources == library::NoBody) {
      EXPECT_TRUE(contains(lowered, row.refusal.str() + ": call of '" + row.name.str() + "'"))
          << row.name.str();
    }
}

TEST(Library, UnknownNamesAreRefused) {
  EXPECT_UNSUPPORTED(
      lowerC("int g(int); int f(int a) { return g(a); }"),
      "\"call of 'g', which has no visible body; name the file that defines it, too\"");
  EXPECT_UNSUPPORTED(lowerC("#include <math.h>\ndouble f(double a) { return nextafter(a, 1); }"),
                     "\"call of 'nextafter', a function of <cmath> outside the subset; write it "
                     "out\"");
  EXPECT_UNSUPPORTED(lowerC("int f(int *a) { return *(int *)__builtin_alloca(a[0]); }"),
                     "\"builtin function '__builtin_alloca'\"");
}

/// The name alone means nothing: these have bodies of their own.
TEST(Library, UsersFunctionsAreCalled) {
  Lowered lowered = lowerCxx("namespace own { double sqrt(double a) { return a + 1; }"
                             " int popcount(unsigned a) { return a; }"
                             " struct array { int size() const { return 3; } }; }"
                             "double f(double a, own::array &r) {"
                             " return own::sqrt(a) + own::popcount(3) + r.size(); }");
  EXPECT_SUPPORTED(lowered);
  for (const char *name : {"own::sqrt", "own::popcount", "own::array::size"})
    EXPECT_TRUE(contains(lowered, std::string("func \"") + name)) << lowered.text;
}

/// A form that the handler does not know: its arguments belong to the call alone.
TEST(Library, OtherFormsEvaluateTheirArgumentsOnce) {
  Lowered lowered = lowerCxx("#include <cmath>\nbool f(float *a, int *b, int i) {"
                             " return std::isless(a[i++], b[0]); }");
  std::string text = functionText(lowered, "f");
  EXPECT_NE(text.find(" callee "), std::string::npos) << text;
  size_t additions = 0;
  for (size_t at = text.find("= add "); at != std::string::npos; at = text.find("= add ", at + 1))
    ++additions;
  EXPECT_EQ(additions, 1u) << text;
}

} // namespace

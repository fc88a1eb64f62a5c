//===- SummedLoopsTest.cpp - Running totals of iterations -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ClosedLoops.h"
#include "Model/OperationCounts.h"

#include "IRText.h"
#include "RandomNest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace colonnade;
using namespace colonnade::model;

namespace {

const std::string Certificate = R"(func "f" canonical mangled "f" {
  array @b : f32[100000] parameter instance reads of b
)";
const std::string Kernel = R"(func "f" kernel threads 256 mangled "f" {
  array @b : f32[100000] parameter instance reads of b in memory
)";
const std::string BodyBegin = "  body(%n : s64) scalar %n n {\n"
                              "    %0 = const 0 : s64\n"
                              "    %1 = const 1 : s64\n"
                              "    %2 = const 2 : s64\n"
                              "    %3 = const 50000 : s64\n"
                              "    %minus = const -1 : s64\n";

/// Values have numbers in the text, and names here.
ir::Module parsedOf(const std::string &head, const std::string &body) {
  std::map<std::string, size_t> numbers;
  std::string text;
  for (size_t at = 0; at < body.size();) {
    size_t end = at + 1;
    while (body[at] == '%' && end < body.size() && llvm::isAlnum(body[end]))
      ++end;
    const std::string token = body.substr(at, end - at);
    text += body[at] != '%'
                ? token
                : "%" + std::to_string(numbers.try_emplace(token, numbers.size()).first->second);
    at = end;
  }
  return ir::parsed(head + text);
}

/// Of one of a nest's loops: `for (c = low; c < high; c += step)`, behind a value from outside it.
struct Bounds {
  std::string before, low, high, test = "lt", step = "%1";
};

/// A load in each loop, at what the counters i, j, k, l add to; `inner` is in the innermost one.
std::string nestOf(llvm::ArrayRef<Bounds> loops, const std::string &inner = {}) {
  static const char *const Names[] = {"%i", "%j", "%k", "%l"};
  std::string text, end, sum = "%3";
  for (auto [depth, of] : llvm::enumerate(loops)) {
    const std::string counter = Names[depth];
    text += of.before + llvm::formatv("for {0} : s64 = {1} {2} {3} step {4} () {{\n", counter,
                                      of.low, of.test, of.high, of.step)
                            .str();
    const std::string next = counter + "sum", times = counter + "times";
    text += llvm::formatv("{0} = mul {1}, %{2} : s64\n{3} = add {4}, {0} : s64\n", times, counter,
                          1 + depth % 2, next, sum);
    text += llvm::formatv("{0}load = load @b[{1}] access {2} : f32\n", counter, next, depth);
    sum = next;
    end = "yield\n} -> " + counter + "end : s64\n" + end;
  }
  return text + inner + end + "return\n}\n}\n";
}

/// The access in the innermost loop, by residue.
std::vector<uint64_t> countsOf(llvm::ArrayRef<Bounds> loops, int64_t n, uint64_t operations) {
  const ir::Module module = parsedOf(Certificate, BodyBegin + nestOf(loops));
  WalkLimits limits;
  limits.operations = operations;
  auto summary =
      summarize(module.functions[0], std::vector<ir::ArrayData>(1), scalarsOf(n), 32, limits);
  return summary ? summary->sites[loops.size() - 1].counts : std::vector<uint64_t>();
}

const std::string ToI = "%in = add %i, %n : s64\n", ToJ = "%jn = add %j, %n : s64\n";

/// i < n, j in i … n, k in j … i + n, l in k … j + n: each loop's iterations are those of the loop
/// before, and one more or less. n = 150: 2 * 10^8 accesses.
TEST(SummedLoops, BetweenTwoCounters) {
  constexpr int64_t N = 150;
  const std::vector<uint64_t> counts = countsOf(
      {{"", "%0", "%n"}, {"", "%i", "%n"}, {ToI, "%j", "%in"}, {ToJ, "%k", "%jn"}}, N, 200'000);
  std::vector<uint64_t> expected(32);
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = i; j < N; ++j)
      for (int64_t k = j; k < i + N; ++k)
        for (int64_t l = k; l < j + N; ++l)
          ++expected[static_cast<uint64_t>(50'000 + i + 2 * j + k + 2 * l) % 32];
  EXPECT_EQ(counts, expected);
}

/// k in i … j, l in k … j: j is known, and a counter that is known runs through ranges of its own.
TEST(SummedLoops, OfCountersThatAreKnown) {
  constexpr int64_t N = 150;
  const std::vector<uint64_t> counts = countsOf(
      {{"", "%0", "%n"}, {"", "%i", "%n"}, {"", "%i", "%j"}, {"", "%k", "%j"}}, N, 600'000);
  std::vector<uint64_t> expected(32);
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = i; j < N; ++j)
      for (int64_t k = i; k < j; ++k)
        for (int64_t l = k; l < j; ++l)
          ++expected[static_cast<uint64_t>(50'000 + i + 2 * j + k + 2 * l) % 32];
  EXPECT_EQ(counts, expected);
}

/// As in triangulation: from the last i on, so that there is one iteration more each time, at the
/// beginning.
TEST(SummedLoops, GrowAtEitherEnd) {
  constexpr int64_t N = 1000;
  const std::vector<Bounds> loops = {{"%last = sub %n, %1 : s64\n", "%last", "%0", "ge", "%minus"},
                                     {"%next = add %i, %1 : s64\n", "%next", "%n"},
                                     {"", "%i", "%j"}};
  std::vector<uint64_t> expected(32);
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = i + 1; j < N; ++j)
      for (int64_t k = i; k < j; ++k)
        ++expected[static_cast<uint64_t>(50'000 + i + 2 * j + k) % 32];
  EXPECT_EQ(countsOf(loops, N, 100'000), expected);
}

/// Nests whose bounds are other counters, or near them.
class RandomBounds {
public:
  explicit RandomBounds(unsigned seed) : random_(seed) {
    const unsigned depth = 3 + draw(2);
    std::vector<std::string> values = {"%0", "%n"};
    for (unsigned d = 0; d < depth; ++d) {
      Bounds loop;
      loop.low = near(loop, values);
      loop.high = near(loop, values);
      const bool falls = draw(4) == 0;
      static const char *const Rising[] = {"lt", "le"}, *const Falling[] = {"gt", "ge"};
      loop.test = (falls ? Falling : Rising)[draw(2)];
      loop.step = falls ? "%minus" : draw(4) ? "%1" : "%2";
      loops_.push_back(loop);
      values.push_back(std::string("%") + "ijkl"[d]);
    }
    if (draw(2) == 0)
      inner_ = llvm::formatv("%c = {0} {1}, {2} : bool\nif %c {{\n%m = load @b[%ksum] access 9 : "
                             "f32\nyield\n} else {{\nyield\n}\n",
                             draw(2) ? "lt" : "ne", pick(values), pick(values));
  }
  std::string text() const { return BodyBegin + nestOf(loops_, inner_); }

private:
  unsigned draw(unsigned values) { return random_() % values; }
  std::string pick(const std::vector<std::string> &values) { return values[draw(values.size())]; }
  std::string near(Bounds &loop, const std::vector<std::string> &values) {
    const unsigned kind = draw(4);
    if (kind < 2)
      return pick(values);
    const std::string name = "%x" + std::to_string(last_++);
    loop.before += name + (draw(3) ? " = add " : " = sub ") + pick(values) + ", " +
                   (kind == 2 ? "%1" : pick(values)) + " : s64\n";
    return name;
  }

  std::mt19937 random_;
  std::vector<Bounds> loops_;
  std::string inner_;
  unsigned last_ = 0;
};

size_t regionOf(const ir::Function &function, OpId op) {
  return static_cast<size_t>(
      llvm::find_if(function.regions,
                    [&](const ir::Region &region) { return llvm::is_contained(region.ops, op); }) -
      function.regions.begin());
}

TEST(SummedLoops, AreWhatTheWalkFinds) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const RandomBounds nest(seed);
    const ir::Module module = parsedOf(Certificate, nest.text());
    const ir::Module kernel = parsedOf(Kernel, nest.text());
    std::vector<ir::ArrayData> arrays(1);
    for (int64_t n = 0; n <= 12; n += 1 + n / 4)
      for (uint64_t remembered : {uint64_t(40), uint64_t(1)}) {
        auto walked = walk(module, module.functions[0], arrays, scalarsOf(n), 32);
        ASSERT_TRUE(bool(walked)) << llvm::toString(walked.takeError());
        WalkLimits limits;
        limits.remembered = remembered;
        auto summary = summarize(module.functions[0], arrays, scalarsOf(n), 32, limits);
        ASSERT_TRUE(summary) << nest.text();
        for (size_t s = 0; s < walked->sites.size(); ++s)
          ASSERT_EQ(summary->sites[s].counts, walked->sites[s].counts)
              << "n = " << n << ", seed " << seed << "\n"
              << nest.text();
        auto executions = executionsOf(kernel.functions[0], arrays, scalarsOf(n), limits);
        ASSERT_TRUE(bool(executions)) << llvm::toString(executions.takeError());
        for (const Site &site : walked->sites) {
          ASSERT_EQ((*executions)[regionOf(kernel.functions[0], site.op)].all, site.total())
              << "n = " << n << ", seed " << seed << "\n"
              << nest.text();
        }
      }
  }
}

} // namespace

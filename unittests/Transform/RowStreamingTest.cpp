//===- RowStreamingTest.cpp - Long rows through shared memory -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that stream rows give what the canonical function gives, for any number of instances and
// in any order of their threads; a barrier that is dropped is found; and loops that do not go
// through their cells in order are refused.
//
//===----------------------------------------------------------------------===//

#include "RowKernels.h"

#include "Transform/RowStreaming.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

std::string streamFunction(const std::string &arrays, const std::string &body) {
  return "func \"f\" canonical mangled \"f\" {\n" + arrays + "\nbody() {\n" + body +
         "\nreturn\n}\n}\n";
}
std::string streamArray(const std::string &name, const std::string &type, unsigned cells,
                        const std::string &use) {
  return "array @" + name + " : " + type + "[" + std::to_string(cells) + "] parameter instance " +
         use + " of " + name + "\n";
}
std::string streamNumber(const std::string &name, int64_t value) {
  return "%" + name + " = const " + std::to_string(value) + " : s64\n";
}
/// %i from one number to before another.
std::string streamLoop(int64_t low, int64_t high, const std::string &body) {
  return streamNumber("low", low) + streamNumber("high", high) + streamNumber("one", 1) +
         "for %i : s64 = %low lt %high step %one () {\n" + body + "yield\n} -> %end : s64";
}
std::string at(const std::string &name, int64_t slope, int64_t offset) {
  return streamNumber(name + "s", slope) + streamNumber(name + "o", offset) + "%" + name +
         "p = mul %i, %" + name + "s : s64\n%" + name + " = add %" + name + "p, %" + name +
         "o : s64\n";
}

struct Streamed {
  Module module;
  std::optional<Function> kernel;
  std::string refusal;

  explicit Streamed(llvm::StringRef text) : module(parsed(text)) {
    const Function &function = module.functions[0];
    EXPECT_EQ(verifyError(module), "") << text.str();
    LoweringOptions options;
    options.plans.rows.kind = RowPlan::Kind::Streamed;
    auto kernels = lowerToThreads(module, function, verifyOblivious(module, function), options);
    if (!kernels) {
      refusal = llvm::toString(kernels.takeError());
      return;
    }
    kernel = kernels->back();
    EXPECT_EQ(verifyError(module, *kernel), "") << textOf(*kernel);
    EXPECT_EQ(textOf(parsed(textOf(*kernel)).functions[0]), textOf(*kernel));
  }
};

void expectSame(const Streamed &streamed) {
  ASSERT_TRUE(streamed.kernel) << streamed.refusal;
  for (uint64_t count : {1u, 31u, 33u, 70u})
    EXPECT_EQ(runRows(streamed.module, *streamed.kernel, count, 1), "") << textOf(*streamed.kernel);
}

std::string streamedSums(const std::string &type, unsigned cells) {
  return streamFunction(streamArray("b", type, cells, "reads writes"),
                        streamLoop(1, cells,
                                   at("p", 1, -1) + "%x = load @b[%p] access 0 : " + type +
                                       "\n%y = load @b[%i] access 1 : " + type +
                                       "\n%s = add %y, %x : " + type +
                                       "\nstore @b[%i], %s access 2\n"));
}

TEST(RowStreaming, PrefixSums) {
  for (unsigned cells : {300u, 513u, 1000u, 1024u})
    expectSame(Streamed(streamedSums("u32", cells)));
  expectSame(Streamed(streamedSums("u8", 3000)));
  expectSame(Streamed(streamedSums("u16", 1500)));
  expectSame(Streamed(streamedSums("u64", 401)));
  const Streamed one(streamedSums("u32", 1000));
  EXPECT_EQ(arrayNamed(*one.kernel, "b_strip").extents[1].asConstant(), 256);
  EXPECT_EQ(arrayNamed(*one.kernel, "b_strip").pitch, 260u); // 65 times 16 bytes
}

/// From what is only read to what is only written: its ends stay as they were.
TEST(RowStreaming, Neighbours) {
  for (unsigned cells : {400u, 1024u})
    expectSame(Streamed(streamFunction(streamArray("a", "u32", cells, "reads") +
                                           streamArray("c", "u32", cells, "writes"),
                                       streamLoop(1, cells - 1,
                                                  at("p", 1, -1) + at("q", 1, 1) +
                                                      "%x = load @a[%p] access 0 : u32\n"
                                                      "%y = load @a[%q] access 1 : u32\n"
                                                      "%s = add %x, %y : u32\n"
                                                      "store @c[%i], %s access 2\n"))));
}

/// Every cell of what is only written is, so it is not read.
TEST(RowStreaming, AllWritten) {
  const auto copy = [](unsigned cells) {
    return Streamed(streamFunction(streamArray("a", "u32", cells, "reads") +
                                       streamArray("c", "u32", cells, "writes"),
                                   streamLoop(0, cells,
                                              "%x = load @a[%i] access 0 : u32\n"
                                              "store @c[%i], %x access 1\n")));
  };
  const auto stages = [](const Streamed &streamed) {
    return llvm::count_if(streamed.kernel->ops,
                          [](const Op &op) { return op.opcode == Opcode::Stage; });
  };
  expectSame(copy(1024));
  EXPECT_EQ(stages(copy(1024)), 2);
  expectSame(copy(1000)); // the last strip has cells of the one before
  EXPECT_EQ(stages(copy(1000)), 3);
}

TEST(RowStreaming, Descending) {
  for (int64_t cells : {300, 1024})
    expectSame(Streamed(streamFunction(
        streamArray("b", "u32", unsigned(cells), "reads writes"),
        streamNumber("first", cells - 2) + streamNumber("last", 0) + streamNumber("down", -1) +
            "for %i : s64 = %first ge %last step %down () {\n" + at("q", 1, 1) +
            "%x = load @b[%q] access 0 : u32\n%y = load @b[%i] access 1 : u32\n"
            "%s = add %y, %x : u32\nstore @b[%i], %s access 2\nyield\n} -> %end : s64")));
}

/// What a loop carries, what comes before it, and what comes behind.
TEST(RowStreaming, CarriedThroughStrips) {
  expectSame(Streamed(streamFunction(
      streamArray("a", "u32", 700, "reads") + streamArray("c", "u32", 700, "writes") +
          streamArray("total", "u32", 1, "writes"),
      streamNumber("zero", 0) + streamNumber("high", 700) + streamNumber("one", 1) +
          "%begin = load @a[%zero] access 0 : u32\n"
          "for %i : s64 = %zero lt %high step %one (%s : u32 = %begin) {\n"
          "%x = load @a[%i] access 1 : u32\n%t = add %s, %x : u32\nstore @c[%i], %t access 2\n"
          "yield %t\n} -> %end : s64, %sum : u32\n"
          "%number = cast %end : u32\n%all = add %sum, %number : u32\n"
          "store @total[%zero], %all access 3")));
}

/// Cells in pairs, and rows of a matrix.
TEST(RowStreaming, SeveralCellsAnIteration) {
  expectSame(Streamed(streamFunction(streamArray("b", "u32", 800, "reads writes"),
                                     streamLoop(0, 400,
                                                at("p", 2, 0) + at("q", 2, 1) +
                                                    "%x = load @b[%p] access 0 : u32\n"
                                                    "%y = load @b[%q] access 1 : u32\n"
                                                    "store @b[%p], %y access 2\n"
                                                    "store @b[%q], %x access 3\n"))));
  expectSame(Streamed(streamFunction(
      streamArray("b", "u32", 60 * 40, "reads writes"),
      streamNumber("zero", 0) + streamNumber("rows", 60) + streamNumber("columns", 40) +
          streamNumber("one", 1) +
          "for %i : s64 = %zero lt %rows step %one () {\n%row = mul %i, %columns : s64\n"
          "for %j : s64 = %one lt %columns step %one () {\n%cell = add %row, %j : s64\n"
          "%before = sub %cell, %one : s64\n%x = load @b[%before] access 0 : u32\n"
          "%y = load @b[%cell] access 1 : u32\n%s = add %y, %x : u32\n"
          "store @b[%cell], %s access 2\nyield\n} -> %jend : s64\nyield\n} -> %end : s64")));
}

/// Some stores depend on data.
TEST(RowStreaming, Masked) {
  expectSame(Streamed(
      streamFunction(streamArray("a", "u32", 500, "reads") + streamArray("c", "u32", 500, "writes"),
                     streamNumber("half", 50) +
                         streamLoop(0, 500,
                                    "%x = load @a[%i] access 0 : u32\n%h = cast %half : u32\n"
                                    "%is = lt %x, %h : bool\nif %is {\nstore @c[%i], %x access 1\n"
                                    "yield\n} else {\nyield\n}\n"))));
}

/// A loop there and one back, with a single cell between them.
TEST(RowStreaming, ThereAndBack) {
  const std::string there = streamLoop(1, 600,
                                       at("p", 1, -1) + "%x = load @b[%p] access 0 : u32\n"
                                                        "%y = load @b[%i] access 1 : u32\n"
                                                        "%s = add %y, %x : u32\n"
                                                        "store @b[%i], %s access 2\n"),
                    between = streamNumber("last", 599) + streamNumber("minus", -1) +
                              streamNumber("zero", 0) +
                              "%z = load @b[%last] access 3 : u32\n%w = add %z, %z : u32\n"
                              "store @b[%last], %w access 4\n",
                    back = "for %k : s64 = %last gt %zero step %minus () {\n"
                           "%q = sub %k, %one : s64\n%u = load @b[%k] access 5 : u32\n"
                           "%v = load @b[%q] access 6 : u32\n%t = add %u, %v : u32\n"
                           "store @b[%q], %t access 7\nyield\n} -> %kend : s64";
  expectSame(Streamed(
      streamFunction(streamArray("b", "u32", 600, "reads writes"), there + "\n" + between + back)));
}

/// x = l \ b, or from the last row upwards: `cells` says where row i begins to be needed.
std::string triangle(unsigned n, bool isUpper) {
  const std::string size = std::to_string(n), count = isUpper ? "%below" : "%i",
                    column = isUpper ? "%right" : "%j";
  return streamFunction(
      streamArray("l", "u32", n * n, "reads") + streamArray("b", "u32", n, "reads") +
          streamArray("x", "u32", n, "reads writes"),
      streamNumber("n", n) + streamNumber("zero", 0) + streamNumber("one", 1) +
          "for %k : s64 = %zero lt %n step %one () {\n" +
          (isUpper ? "%last = sub %n, %one : s64\n%i = sub %last, %k : s64\n"
                   : "%i = add %k, %zero : s64\n") +
          "%row = mul %i, %n : s64\n%next = add %i, %one : s64\n%below = sub %n, %next : s64\n"
          "%start = load @b[%i] access 0 : u32\n"
          "for %j : s64 = %zero lt " +
          count +
          " step %one (%s : u32 = %start) {\n%right = add %next, %j : s64\n%at = add %row, " +
          column + " : s64\n%c = load @l[%at] access 1 : u32\n%v = load @x[" + column +
          "] access 2 : u32\n%p = mul %c, %v : u32\n%t = sub %s, %p : u32\nyield %t\n"
          "} -> %jend : s64, %sum : u32\n%diagonal = add %row, %i : s64\n"
          "%d = load @l[%diagonal] access 3 : u32\n%y = mul %sum, %d : u32\n"
          "store @x[%i], %y access 4\nyield\n} -> %kend : s64");
}
std::vector<int64_t> stripWidths(const Streamed &streamed, llvm::StringRef name) {
  std::vector<int64_t> widths;
  for (const Array &array : streamed.kernel->arrays)
    if (array.name == name)
      widths.push_back(*array.extents[1].asConstant());
  return widths;
}

/// Of each row only what is needed, by pairs of sectors, while vectors are in registers; the next
/// strip is on its way, so there are two rows of each width.
TEST(RowStreaming, Triangles) {
  const Streamed lower(triangle(32, false)), upper(triangle(32, true));
  expectSame(lower);
  expectSame(upper);
  EXPECT_EQ(stripWidths(lower, "l_strip"), (std::vector<int64_t>{16, 16, 128, 128}));
  EXPECT_EQ(stripWidths(upper, "l_strip"),
            (std::vector<int64_t>{16, 16, 128, 128})); // from the last row
  for (unsigned n : {13u, 20u, 31u, 33u}) {
    SCOPED_TRACE(n);
    expectSame(Streamed(triangle(n, false)));
    expectSame(Streamed(triangle(n, true)));
  }
}

/// More than registers hold: the loops stay rolled, and what is not streamed stays in memory.
TEST(RowStreaming, LargeTriangles) {
  for (bool isUpper : {false, true}) {
    const Streamed large(triangle(140, isUpper));
    expectSame(large);
    EXPECT_EQ(stripWidths(large, "l_strip").size(), 2u);
  }
}

unsigned waitsForSome(const Function &kernel) {
  return static_cast<unsigned>(llvm::count_if(
      kernel.ops, [](const Op &op) { return op.opcode == Opcode::Wait && op.index > 0; }));
}

/// A strip is on its way while the one before it is worked on, where a thread has many; and if each
/// has cells of its own.
TEST(RowStreaming, Ahead) {
  const Streamed sums(streamedSums("u32", 16384)), few(streamedSums("u32", 1024)),
      odd(streamedSums("u32", 129 * 128));
  EXPECT_EQ(waitsForSome(*sums.kernel), 2u);
  EXPECT_EQ(waitsForSome(*few.kernel), 0u);
  EXPECT_EQ(waitsForSome(*odd.kernel), 0u) << "strips are in pairs";
  for (uint64_t count : {1u, 33u})
    EXPECT_EQ(runRows(sums.module, *sums.kernel, count, 1), "") << textOf(*sums.kernel);
  EXPECT_EQ(waitsForSome(*Streamed(triangle(32, false)).kernel), 18u); // of 16 and 4 strips
}

/// A Wait that leaves one Stage more on its way than it may is found.
TEST(RowStreaming, WaitsForTooFewAreFound) {
  const Streamed streamed(streamedSums("u32", 16384));
  unsigned planted = 0, found = 0;
  for (size_t op = 0; op < streamed.kernel->ops.size(); ++op)
    if (streamed.kernel->ops[op].opcode == Opcode::Wait) {
      Function wrong = *streamed.kernel;
      ++wrong.ops[op].index;
      ++planted;
      found += !runRows(streamed.module, wrong, 33, 1).empty();
    }
  EXPECT_EQ(planted, 3u);
  EXPECT_EQ(found, planted);
}

TEST(RowStreaming, DroppedBarriersAreFound) {
  const Streamed streamed(streamedSums("u32", 1000));
  ASSERT_TRUE(streamed.kernel);
  unsigned inStrips = 0, found = 0;
  for (size_t r = 0; r < streamed.kernel->regions.size(); ++r)
    for (size_t op = 0; op < streamed.kernel->regions[r].ops.size(); ++op) {
      if (streamed.kernel->op(streamed.kernel->regions[r].ops[op]).opcode != Opcode::Barrier ||
          RegionId(r) == streamed.kernel->body)
        continue;
      Function without = *streamed.kernel;
      without.regions[r].ops.erase(without.regions[r].ops.begin() + op);
      ++inStrips;
      found += !runRows(streamed.module, without, 40, 1).empty();
    }
  EXPECT_EQ(inStrips, 3u);
  EXPECT_EQ(found, inStrips);
}

TEST(RowStreaming, Refused) {
  // Cells in the order of another array's: not known.
  const Streamed gather(streamFunction(
      streamArray("a", "u32", 600, "reads") + streamArray("c", "u32", 600, "writes"),
      streamNumber("n", 600) + streamLoop(0, 600,
                                          "%r = mul %i, %i : s64\n%m = rem %r, %n : s64\n"
                                          "%x = load @a[%m] access 0 : u32\n"
                                          "%s = sub %n, %i : s64\n%t = mul %s, %s : s64\n"
                                          "%u = rem %t, %n : s64\nstore @c[%u], %x access 1\n")));
  EXPECT_EQ(gather.refusal, "no loop of the body goes through the cells of an array in order");
}

/// Random loops over arrays of several slopes, with stores of several offsets.
TEST(RowStreaming, RandomLoops) {
  std::mt19937 random(7);
  unsigned streamed = 0;
  for (unsigned k = 0; k < 60; ++k) {
    const int64_t iterations = 60 + random() % 400, reach = 1 + random() % 3;
    std::string arrays, body, sum = "%s0";
    body = "%s0 = cast %i : u32\n";
    unsigned access = 0;
    for (const char *name : {"a", "b", "c"}) {
      const int64_t slope = 1 + random() % 2, sign = random() % 4 == 0 ? -1 : 1;
      const unsigned cells = unsigned(slope * (iterations + 2 * reach) + random() % 40);
      arrays += streamArray(name, "u32", cells, "reads writes");
      const int64_t base = sign > 0 ? slope * reach : slope * (iterations + reach) - 1;
      for (unsigned part = 0; part < 2; ++part) {
        const std::string own = name + std::to_string(part);
        body += at(own, sign * slope, base + int64_t(random() % (2 * reach)) - reach);
        const std::string id = std::to_string(access);
        if (random() % 2) {
          body += "%x" + id + " = load @" + name + "[%" + own + "] access " + id + " : u32\n%t" +
                  id + " = add " + sum + ", %x" + id + " : u32\n";
          sum = "%t" + id;
        } else {
          body += "store @" + std::string(name) + "[%" + own + "], " + sum + " access " + id + "\n";
        }
        ++access;
      }
    }
    const Streamed one(streamFunction(arrays, streamLoop(0, iterations, body)));
    if (!one.kernel)
      continue;
    ++streamed;
    EXPECT_EQ(runRows(one.module, *one.kernel, 33, k), "") << textOf(*one.kernel);
  }
  llvm::outs() << "streamed: " << streamed << " of 60 random loops, seed 7\n";
  EXPECT_GT(streamed, 40u);
}

} // namespace

//===- TeamRequestsTest.cpp - What a warp of teams asks of memory ---------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is counted of kernels of teams is what the block interpreter's threads access, laid side by
// side: lanes at one operation in the same iterations are a request.
//
//===----------------------------------------------------------------------===//

#include "Model/TeamRequests.h"

#include "IRText.h"

#include "IR/BlockInterpreter.h"
#include "Model/TeamTrace.h"
#include "Transform/Transform.h"

#include <random>
#include <set>

using namespace colonnade;
using namespace colonnade::ir;
using namespace colonnade::model;

namespace {

/// Stores to c what is computed from a and the uniform array t, in nests of loops of which some are
/// triangular; cells of 1, 4 and 8 bytes.
std::string randomNest(unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](unsigned values) { return static_cast<unsigned>(random() % values); };
  const std::string number = std::to_string(5 + draw(12)), times = std::to_string(1 + draw(7)),
                    shift = std::to_string(draw(40)),
                    cell = draw(3) == 0   ? "u8"
                           : draw(2) == 0 ? "u64"
                                          : "u32";
  const std::string begin = draw(2) ? "%i" : "%none", wide = draw(2) ? "%i" : "%j";
  return "func \"f\" canonical mangled \"f\" {\n"
         "array @a : " +
         cell +
         "[300] parameter instance reads of a\n"
         "array @t : f32[200] parameter uniform const reads of t\n"
         "array @c : u64[400] parameter instance reads writes of c\n"
         "body() {\n"
         "%none = const 0 : s64\n%one = const 1 : s64\n%n = const " +
         number +
         " : s64\n"
         "%times = const " +
         times + " : s64\n%shift = const " + shift +
         " : s64\n"
         "%row = const 20 : s64\n"
         "for %i : s64 = %none lt %n step %one () {\n"
         "for %j : s64 = " +
         begin +
         " lt %n step %one () {\n"
         "%p = mul " +
         wide +
         ", %times : s64\n%q = add %p, %shift : s64\n"
         "%x = load @a[%q] access 0 : " +
         cell +
         "\n"
         "%r = mul %j, %times : s64\n%s = add %r, %i : s64\n"
         "%y = load @t[%s] access 1 : f32\n"
         "%z = cast %x : u64\n%w = cast %y : u64\n%v = add %z, %w : u64\n"
         "%u = mul %i, %row : s64\n%o = add %u, %j : s64\n"
         "store @c[%o], %v access 2\n"
         "yield\n} -> %ej : s64\nyield\n} -> %ei : s64\n"
         "return\n}\n}\n";
}

/// nullopt: the plan is none for it.
std::optional<Function> teamKernel(const Module &module, unsigned team) {
  const Function &function = module.functions[0];
  LoweringOptions options;
  options.plans.rows = {RowPlan::Kind::Team, team};
  auto kernels = lowerToThreads(module, function, verifyOblivious(module, function), options);
  if (!kernels) {
    llvm::consumeError(kernels.takeError());
    return std::nullopt;
  }
  return kernels->back();
}

std::vector<ArrayData> randomCells(const Function &kernel, uint64_t count) {
  std::mt19937 random(1);
  std::vector<ArrayData> cells(kernel.arrays.size());
  for (size_t a = 0; a < cells.size(); ++a)
    if (const Array &array = kernel.arrays[a]; array.isPassed())
      for (uint64_t c = 0; c < *array.constantCells() * (array.isPerInstance() ? count : 1); ++c)
        cells[a].cells.push_back(random() % 100);
  return cells;
}

std::vector<ModelArray> shapesOf(const Function &kernel, int64_t base = 0) {
  std::vector<ModelArray> shapes;
  for (const Array &array : kernel.arrays)
    shapes.push_back({static_cast<int64_t>(array.constantCells().value_or(0)),
                      !array.isPerInstance(), static_cast<int64_t>(sizeBytes(array.cell)), base});
  return shapes;
}

struct Place {
  uint64_t warp;
  size_t op;
  std::vector<int64_t> iterations;
  auto operator<=>(const Place &) const = default;
};
/// By place, the cell of each lane.
using Traced = std::map<Place, std::map<uint32_t, int64_t>>;

Traced traced(const Module &module, const Function &kernel, uint64_t count) {
  Traced found;
  BlockOptions options;
  const uint64_t warpsOfBlock = std::get<ThreadShape>(*kernel.launch).perBlock / LanesPerWarp;
  options.onAccess = [&](const BlockAccess &access) {
    if (kernel.op(access.op).opcode != Opcode::Stage)
      found[{access.block * warpsOfBlock + access.thread / LanesPerWarp, access.op.index,
             access.iterations.vec()}][access.thread % LanesPerWarp] = access.cell;
  };
  std::vector<ArrayData> cells = randomCells(kernel, count);
  EXPECT_FALSE(interpretBlocks(module, kernel, count, cells, {}, options));
  return found;
}

/// Words of a request to rows in shared memory, as its lanes lie in it: the most of one bank, less
/// one. Cells of 8 bytes are answered for 16 lanes at a time.
uint64_t waits(const Array &array, unsigned team, const std::map<uint32_t, int64_t> &lanes) {
  const uint64_t bytes = sizeBytes(array.cell), together = bytes == 8 ? 16 : 32;
  const auto width = static_cast<int64_t>(*array.extents[1].asConstant());
  uint64_t sum = 0, number = 0;
  std::map<uint64_t, std::set<uint64_t>> banks;
  const auto end = [&] {
    uint64_t most = 1;
    for (const auto &[bank, words] : banks)
      most = std::max<uint64_t>(most, words.size());
    sum += most - 1;
    banks.clear();
  };
  for (const auto &[lane, flat] : lanes) {
    EXPECT_EQ(static_cast<uint64_t>(flat / width), lane / team);
    const auto cell = static_cast<uint64_t>(flat % width);
    const uint64_t first = (static_cast<uint64_t>(flat / width) * array.rowPitch() + cell +
                            (array.skew ? cell / array.skew : 0)) *
                           bytes;
    for (uint64_t word = first / 4; word <= (first + bytes - 1) / 4; ++word)
      banks[word % 32].insert(word);
    if (++number % together == 0)
      end();
  }
  end();
  return sum;
}

/// Where a cell is a word: the most lanes of one bank, or the most of its words.
void addStages(BankStages &sum, const Array &array, const std::map<uint32_t, int64_t> &lanes) {
  const auto width = static_cast<int64_t>(*array.extents[1].asConstant());
  std::map<uint64_t, std::multiset<uint64_t>> banks;
  for (const auto &[lane, flat] : lanes) {
    const auto cell = static_cast<uint64_t>(flat % width);
    const uint64_t word = static_cast<uint64_t>(flat / width) * array.rowPitch() + cell +
                          (array.skew ? cell / array.skew : 0);
    banks[word % 32].insert(word);
  }
  uint64_t all = 0, distinct = 0;
  for (const auto &[bank, words] : banks) {
    all = std::max<uint64_t>(all, words.size());
    distinct = std::max<uint64_t>(distinct, std::set(words.begin(), words.end()).size());
  }
  sum.apart += all;
  sum.broadcast += distinct;
}

/// Arrays in memory begin `base` cells behind a line.
std::map<uint32_t, TeamSite> sitesOf(const Function &kernel, const Traced &found, int64_t base) {
  std::map<uint32_t, TeamSite> sites;
  const uint64_t warpsOfTeam = std::max(1u, kernel.team() / LanesPerWarp);
  for (const auto &[place, lanes] : found) {
    const Op &op = kernel.ops[place.op];
    const Array &array = kernel.array(op.array);
    TeamSite &site = sites[op.accessId];
    site.requests += place.warp < warpsOfTeam;
    if (array.isShared()) {
      site.excessWavefronts += waits(array, kernel.team(), lanes);
      if (place.warp < warpsOfTeam)
        addStages(site.stages, array, lanes);
      continue;
    }
    std::set<uint64_t> sectors, lines, groups;
    for (const auto &[lane, fromFirst] : lanes) {
      const auto cell = static_cast<uint64_t>(fromFirst + base);
      sectors.insert(cell * sizeBytes(array.cell) / 32);
      lines.insert(cell * sizeBytes(array.cell) / 128);
      groups.insert(cell / 32);
    }
    site.groups += groups.size();
    site.sectors += sectors.size();
    site.lines += lines.size();
  }
  for (auto &[access, site] : sites) // the mean of a team's warps
    for (uint64_t *each : {&site.requests, &site.stages.apart, &site.stages.broadcast})
      *each = (*each + warpsOfTeam - 1) / warpsOfTeam;
  return sites;
}

TEST(TeamRequests, AreWhatThreadsAccess) {
  unsigned kept = 0, withExcess = 0, partial = 0, ofWarps = 0;
  for (unsigned seed = 0; seed < 60; ++seed)
    for (unsigned team : {4u, 8u, 16u, 32u, 64u, 128u}) {
      const Module module = parsed(randomNest(seed));
      const std::optional<Function> kernel = teamKernel(module, team);
      if (!kernel || kernel->team() != team)
        continue;
      const uint64_t count = 1 + seed % 11 + 32 / team;
      const int64_t base = seed % 4;
      auto counted = teamRequests(*kernel, shapesOf(*kernel, base), Layout::Row,
                                  static_cast<int64_t>(count), {}, {});
      ASSERT_TRUE(static_cast<bool>(counted));
      const auto expected = sitesOf(*kernel, traced(module, *kernel, count), base);
      ASSERT_EQ(counted->sites.size(), expected.size());
      for (const TeamSite &site : counted->sites) {
        const TeamSite &wanted = expected.at(site.accessId);
        const std::string where = "seed " + std::to_string(seed) + ", team " +
                                  std::to_string(team) + ", access " +
                                  std::to_string(site.accessId);
        EXPECT_EQ(site.requests, wanted.requests) << where;
        EXPECT_EQ(site.sectors, wanted.sectors) << where;
        EXPECT_EQ(site.lines, wanted.lines) << where;
        EXPECT_EQ(site.groups, wanted.groups) << where;
        EXPECT_EQ(site.stages.apart, wanted.stages.apart) << where;
        EXPECT_EQ(site.stages.broadcast, wanted.stages.broadcast) << where;
        EXPECT_EQ(site.excessWavefronts, wanted.excessWavefronts) << where;
        withExcess += site.excessWavefronts > 0;
      }
      ++kept;
      partial += team < LanesPerWarp && count % (LanesPerWarp / team) != 0;
      ofWarps += team > LanesPerWarp;
    }
  EXPECT_GT(kept, 100u);
  EXPECT_GT(withExcess, 50u);
  EXPECT_GT(partial, 50u);
  EXPECT_GT(ofWarps, 20u);
}

/// Of the members 0 to 3 of each team, those from 2 on have three iterations more; then the first
/// stores alone.
const char *const Parting = R"(func "f" kernel threads 128 together row_wise team 4 mangled "f" {
  array @t : f32[64] parameter uniform const reads of t in uniform
  array @c : f32[1] parameter instance writes of c in memory
  body() {
    %0 = member : varying s64
    %1 = has.instance : varying bool
    %2 = const 0 : s64
    %3 = const 1 : s64
    %4 = const 2 : s64
    %5 = const 3 : s64
    %6 = const 0.0 : f32
    if %1 {
      %7 = ge %0, %4 : varying bool
      %8 = cast %7 : varying s64
      %9 = mul %8, %5 : varying s64
      %10 = add %9, %3 : varying s64
      for %11 : s64 = %2 lt %10 step %3 () {
        %12 = const 8 : s64
        %13 = mul %0, %12 : varying s64
        %14 = add %13, %11 : varying s64
        %15 = load @t[%14] access 0 : varying f32
        yield
      } -> %16 : varying s64
      %17 = eq %0, %2 : varying bool
      if %17 {
        store @c[%2], %6 access 1
        yield
      } else {
        yield
      }
      yield
    } else {
      yield
    }
    return
  }
}
)";

/// A first request for a sector of each member, then three for those of two. Warps of eight
/// instances store to a sector each, one more warp to a part of one.
TEST(TeamRequests, MembersPart) {
  const Module module = parsed(Parting);
  ASSERT_EQ(verifyError(module), "");
  const Function &kernel = module.functions[0];
  auto counted = teamRequests(kernel, shapesOf(kernel), Layout::Row, 27, {}, {});
  ASSERT_TRUE(static_cast<bool>(counted));
  ASSERT_EQ(counted->sites.size(), 2u);
  EXPECT_EQ(counted->sites[0].requests, 4u);
  EXPECT_EQ(counted->sites[0].sectors, 4 * (4 + 3 * 2u));
  EXPECT_EQ(counted->sites[0].lines, 4 * 4u);
  EXPECT_EQ(counted->sites[1].requests, 1u);
  EXPECT_EQ(counted->sites[1].sectors, 4u);
  EXPECT_EQ(counted->partings, 2u);
  auto trace = teamTrace(kernel, {}, {});
  ASSERT_TRUE(static_cast<bool>(trace));
  RegionId loop, stores;
  for (const Op &op : kernel.ops) {
    if (op.opcode == Opcode::For)
      loop = op.regions[0];
    if (op.opcode == Opcode::If && kernel.region(op.regions[0]).ops.size() == 2)
      stores = op.regions[0];
  }
  EXPECT_EQ(trace->ofTeam[loop.index], (Executions{4, 0}));
  EXPECT_EQ(trace->ofMembers[loop.index], (Executions{10, 0}));
  EXPECT_EQ(trace->ofMembers[stores.index], (Executions{1, 0}));
}

std::string whyNot(const std::string &text, uint64_t maxSteps = MaxTeamSteps) {
  const Module module = parsed(text);
  auto trace = teamTrace(module.functions[0], {}, {}, maxSteps);
  return trace ? "" : llvm::toString(trace.takeError());
}

TEST(TeamRequests, SayWhatIsNotCounted) {
  EXPECT_EQ(whyNot(Parting, 100), "its threads take too many steps to walk");
  std::string data = Parting;
  const std::string bound = "%10 = add %9, %3 : varying s64";
  data.replace(data.find(bound), bound.size(),
               "%20 = load @t[%2] access 2 : f32\n      %10 = cast %20 : varying s64");
  EXPECT_EQ(whyNot(data), "data decides when a loop ends");
}

} // namespace

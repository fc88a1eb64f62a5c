//===- HmmTest.cpp - Kernels on the hierarchical memory machine -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Hmm.h"

#include "IRText.h"

#include <colonnade/detail/bitonic_sort/plan.hpp>
#include <colonnade/detail/sort_network/window.hpp>

using namespace colonnade;
using namespace colonnade::model;

namespace {

/// t[i] = b[i]; b[i] = weights[i % 4], with t beside b or in the DMM's memory.
std::string kernelText(const std::string &spaceOfT) {
  return "func \"f\" kernel threads 256 mangled \"f\" {\n"
         "  array @b : f32[n] parameter instance reads writes of b in memory\n"
         "  array @t : f32[n] local instance reads writes in " +
         spaceOfT +
         "\n"
         "  array @weights : f32[4] table uniform const reads in constant = {1.0, 2.0, 3.0, 4.0}\n"
         R"(  body(%n#0 : s64) scalar %n#0 n {
    %1 = const 0 : s64
    %2 = const 1 : s64
    %3 = const 4 : s64
    for %i#4 : s64 = %1 lt %n#0 step %2 () {
      %5 = load @b[%i#4] access 0 : varying f32
      store @t[%i#4], %5 access 1
      %6 = rem %i#4, %3 : s64
      %7 = load @weights[%6] access 2 : f32
      store @b[%i#4], %7 access 3
      yield
    } -> %8 : s64
    return
  }
}
)";
}

struct Subject {
  ir::Module module;
  AccessProfile profile;
  std::vector<ModelArray> arrays;

  Subject(const std::string &text, int64_t n, int64_t width)
      : module(ir::parsed(text)), arrays{{n, false}, {n, false}, {4, true}} {
    std::vector<ir::ArrayData> data(3);
    data[0].cells.resize(static_cast<size_t>(n));
    const std::vector<ir::Scalar> scalars = {{ir::ScalarType::S64, static_cast<uint64_t>(n)}};
    auto walked = walk(module, module.functions[0], data, scalars, static_cast<uint64_t>(width));
    if (walked)
      profile = std::move(*walked);
    else
      ADD_FAILURE() << llvm::toString(walked.takeError());
  }
  const ir::Function &kernel() const { return module.functions[0]; }

  HmmCost cost(const HmmMachine &machine, Layout layout, int64_t p) const {
    auto result = hmmCost(machine, kernel(), layout, {profile, arrays, p});
    if (result)
      return *result;
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
};

/// Step by step, from the addresses of each DMM's warps.
uint64_t simulated(const HmmMachine &machine, const Subject &subject, Layout layout, int64_t p) {
  const int64_t w = machine.width, numWarps = (p + w - 1) / w;
  const int64_t each = (numWarps + machine.dmms - 1) / machine.dmms;
  uint64_t time = 0;
  for (const Step &step : *subject.profile.steps) {
    const ArrayId id = subject.profile.sites[step.site].array;
    const ir::Space space = *subject.kernel().array(id).space;
    std::vector<std::vector<WarpAddresses>> dmms(static_cast<size_t>(machine.dmms));
    std::vector<WarpAddresses> all;
    for (int64_t warp = 0; warp < numWarps; ++warp) {
      WarpAddresses addresses;
      for (int64_t j = warp * w; j < std::min(p, (warp + 1) * w); ++j) {
        const int64_t cells = subject.arrays[id.index].cells, first = warp / each * each * w;
        if (space == ir::Space::Constant)
          addresses.push_back(step.residue);
        else if (space == ir::Space::Local) // column by column over the warp's threads
          addresses.push_back((j - first) / w * w * cells + step.residue * w + j % w);
        else
          addresses.push_back(Arrangement{layout, cells, p, w}.address(step.residue, j));
      }
      all.push_back(addresses);
      dmms[static_cast<size_t>(warp / each)].push_back(addresses);
    }
    const bool isShared = space == ir::Space::Constant || space == ir::Space::Local;
    time += isShared ? sharedTime(machine, dmms) : globalTime(machine, all);
  }
  return time;
}

/// The grid of the UMM's tests, and numbers of DMMs that divide the warps or do not.
TEST(Hmm, IsWhatTheSimulatorFinds) {
  for (int64_t w : {2, 4, 8, 32})
    for (int64_t n : {w - 1, w, w + 1})
      for (const char *space : {"local", "scratch", "registers"}) {
        const Subject subject(kernelText(space), n, w);
        for (int64_t p : {w, 3 * w, 31 * w, 3 * w + 1})
          for (int64_t l : {1, 5, 40, 600})
            for (int64_t d : {1, 2, 3, 40})
              for (Layout layout : allLayouts()) {
                const HmmMachine machine{d, w, l, d == 2};
                const HmmCost cost = subject.cost(machine, layout, p);
                if (subject.kernel().arrays[1].space == ir::Space::Local) {
                  ASSERT_EQ(cost.stepwise, simulated(machine, subject, layout, p))
                      << w << " " << n << " " << p << " " << l << " " << d;
                  ASSERT_EQ(cost.sharedSteps, static_cast<uint64_t>(2 * n));
                }
                EXPECT_GE(cost.stepwise, cost.lowerBound);
              }
      }
}

/// d = 1 and nothing in shared memory: registers cost nothing, so t is that of b.
TEST(Hmm, IsTheUmmWithoutSharedMemory) {
  for (int64_t w : {4, 32})
    for (int64_t p : {w, 31 * w, 3 * w + 1}) {
      Subject subject(kernelText("registers"), 5, w);
      AccessProfile onlyB = subject.profile;
      for (Site &site : onlyB.sites)
        if (site.array.index != 0)
          std::fill(site.counts.begin(), site.counts.end(), 0);
      subject.profile = onlyB;
      onlyB.steps.reset();
      for (Layout layout : allLayouts()) {
        const MemoryMachine umm{MemoryModel::Umm, w, w, 40, false};
        auto expected = bulkCost(umm, layout, {onlyB, subject.arrays, p});
        ASSERT_TRUE(bool(expected));
        EXPECT_EQ(subject.cost({1, w, 40, false}, layout, p).stepwise, expected->stepwise);
        EXPECT_EQ(subject.cost({7, w, 40, false}, layout, p).stepwise, expected->stepwise);
      }
    }
}

/// A table that all lanes read at one cell: w stages a warp, 1 with broadcast. Twice the DMMs take
/// half the time.
TEST(Hmm, DmmsWorkSideBySide) {
  const int64_t w = 8, n = 5, p = 24 * w, l = 40;
  const Subject subject(kernelText("local"), n, w);
  for (int64_t d : {1, 2, 4, 8}) {
    const uint64_t global = 2 * n * (24 + l - 1), warps = static_cast<uint64_t>(24 / d);
    EXPECT_EQ(subject.cost({d, w, l, false}, Layout::Column, p).stepwise,
              global + n * (warps + warps * w));
    EXPECT_EQ(subject.cost({d, w, l, true}, Layout::Column, p).stepwise, global + 2 * n * warps);
  }
}

/// The shared-memory maps of the runtime's bitonic sort, as its host tier has them: all windows of
/// a part, a part on each DMM. Ours take a stage a warp and access; without its slots they take
/// more.
TEST(Hmm, MapsOfTheRuntimesBitonicSort) {
  constexpr uint32_t Bits = 3, log2Part = 10;
  constexpr uint32_t threads = 1u << (log2Part - Bits);
  const HmmMachine machine{4, 32, 600, false};
  const detail::bitonic_plan plan{1u << 13, log2Part, Bits};
  uint64_t ours = 0, straight = 0, steps = 0, global = 0;
  plan.for_each_pass([&](const detail::bitonic_pass &pass) {
    for (uint32_t bottom = 0; bottom + Bits <= log2Part; ++bottom)
      for (uint32_t r = 0; r < 1u << Bits; ++r) {
        std::vector<std::vector<WarpAddresses>> slots(4), places(4);
        std::vector<WarpAddresses> items;
        for (uint32_t part = 0; part < 4; ++part)
          for (uint32_t warp = 0; warp < threads; warp += 32) {
            WarpAddresses slot, place, item;
            const auto map = detail::part_map::of(pass, part, log2Part);
            for (uint32_t lane = 0; lane < 32; ++lane) {
              const detail::register_window<Bits> window(bottom, false, warp + lane);
              place.push_back(window.place(r));
              slot.push_back(detail::shared_slot<Bits>(window.place(r)));
              item.push_back(static_cast<int64_t>(map.base + map.offset(window.place(r))));
            }
            slots[part].push_back(slot);
            places[part].push_back(place);
            items.push_back(item);
          }
        ++steps;
        ours += sharedTime(machine, slots);
        straight += sharedTime(machine, places);
        if (bottom == log2Part - Bits) { // loads
          global += 1;
          EXPECT_EQ(globalTime(machine, items), 4 * threads / 32 + 599);
        }
      }
    return true;
  });
  EXPECT_EQ(ours, steps * threads / 32);
  EXPECT_GT(straight, ours);
  EXPECT_EQ(global, (plan.num_passes() - 1) * (1u << Bits));
}

TEST(Hmm, NothingTakesNoTime) {
  EXPECT_EQ(globalTime({2, 4, 5, false}, {}), 0u);
  EXPECT_EQ(sharedTime({2, 4, 5, false}, {}), 0u);
  EXPECT_EQ(threadsOfFullestDmm({2, 4, 5, false}, 3), 3);
  EXPECT_EQ(threadsOfFullestDmm({2, 4, 5, false}, 12), 8);
}

} // namespace

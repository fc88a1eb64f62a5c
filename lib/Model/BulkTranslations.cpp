//===- BulkTranslations.cpp - A bulk execution on the VAT machine ---------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/BulkTranslations.h"

#include "Model/ForesightNodes.h"
#include "Model/RecurringTranslations.h"

namespace colonnade::model {
namespace {

/// Nodes and pages of what may recur.
constexpr uint64_t MaxKept = 10'000'000;

/// One array of all instances in the address space.
struct PlacedArray {
  Arrangement arrangement;
  uint64_t start = 0; // byte
  int64_t bytes = 1;  // of a cell
  bool isShared = false;
};

struct Wave {
  int64_t begin, end; // instances
};

class BulkTranslations {
public:
  BulkTranslations(const VatMachine &machine, Layout layout, const VatInput &input);

  uint64_t bytes() const { return bytes_; }
  llvm::Expected<uint64_t> recent(const TranslationTree &tree, Replacement policy) const;
  llvm::Expected<uint64_t> foresight(const TranslationTree &tree, Replacement policy) const;

private:
  int64_t resident() const;
  bool isInside(const CellAccess &access) const;
  uint64_t pageOf(const PlacedArray &array, int64_t cell, int64_t instance) const;
  std::vector<uint64_t> pages(const CellAccess &access, Wave wave) const;
  llvm::Error wave(RecurringTranslations &translations, Wave wave, uint64_t &insertions,
                   uint64_t &left) const;

  const VatMachine &machine_;
  const VatInput &input_;
  std::vector<PlacedArray> arrays_;
  uint64_t bytes_ = 0;
};

} // namespace

BulkTranslations::BulkTranslations(const VatMachine &machine, Layout layout, const VatInput &input)
    : machine_(machine), input_(input) {
  const auto page = static_cast<uint64_t>(machine.pageBytes);
  uint64_t start = 0;
  for (const ModelArray &array : input.arrays) {
    PlacedArray placed{{layout, array.cells, array.isShared ? 1 : input.count, input.tile},
                       start,
                       array.bytes,
                       array.isShared};
    int64_t count = placed.arrangement.count;
    if (layout == Layout::Tiled && !array.isShared)
      count = (count + input.tile - 1) / input.tile * input.tile;
    const auto bytes = static_cast<uint64_t>(array.cells * count * array.bytes);
    bytes_ = bytes > 0 ? start + bytes : bytes_;
    start += (bytes + page - 1) / page * page;
    arrays_.push_back(placed);
  }
}

int64_t BulkTranslations::resident() const {
  return machine_.resident > 0 ? std::min(machine_.resident, input_.count) : input_.count;
}

bool BulkTranslations::isInside(const CellAccess &access) const {
  return access.cell >= 0 && access.cell < arrays_[access.array.index].arrangement.cells;
}

uint64_t BulkTranslations::pageOf(const PlacedArray &array, int64_t cell, int64_t instance) const {
  const int64_t address = array.isShared ? cell : array.arrangement.address(cell, instance);
  return (array.start + static_cast<uint64_t>(address * array.bytes)) /
         static_cast<uint64_t>(machine_.pageBytes);
}

/// Of all instances of the wave, one after the other; a page that is visited again at once, once:
/// its path is in the cache still.
std::vector<uint64_t> BulkTranslations::pages(const CellAccess &access, Wave wave) const {
  const PlacedArray &array = arrays_[access.array.index];
  std::vector<uint64_t> pages;
  for (int64_t instance = wave.begin; instance < wave.end;) {
    const uint64_t page = pageOf(array, access.cell, instance);
    if (pages.empty() || pages.back() != page)
      pages.push_back(page);
    // Addresses grow with instances: their last one in this page is found by doubling and halving.
    int64_t same = instance, other = wave.end;
    for (int64_t ahead = 1; other - same > 1; ahead *= 2) {
      const int64_t next = same + std::min(ahead, (other - same + 1) / 2);
      (pageOf(array, access.cell, next) == page ? same : other) = next;
    }
    instance = other;
  }
  return pages;
}

llvm::Error BulkTranslations::wave(RecurringTranslations &translations, Wave wave,
                                   uint64_t &insertions, uint64_t &left) const {
  std::map<std::pair<uint32_t, int64_t>, RecurringTranslations::ListId> lists;
  translations.forget();
  for (const CellAccess &access : input_.accesses) {
    if (!isInside(access))
      continue;
    const uint64_t before = translations.simulated();
    uint64_t listed = 0;
    auto [known, isNew] = lists.try_emplace({access.array.index, access.cell});
    if (isNew) {
      const std::vector<uint64_t> list = pages(access, wave);
      listed = list.size();
      known->second = translations.add(list);
    }
    insertions += translations.translate(known->second);
    const uint64_t done = std::max({translations.simulated() - before, listed, uint64_t(1)});
    if (done > left)
      return llvm::createStringError("more than " + std::to_string(input_.maxTranslations) +
                                     " page visits: too many to simulate; give fewer instances, "
                                     "or larger pages");
    left -= done;
    if (translations.kept() > MaxKept) {
      lists.clear();
      translations.forget();
    }
  }
  return llvm::Error::success();
}

llvm::Expected<uint64_t> BulkTranslations::recent(const TranslationTree &tree,
                                                  Replacement policy) const {
  RecurringTranslations translations(RecentNodes(tree, machine_.cache, policy));
  uint64_t insertions = 0, left = input_.maxTranslations;
  for (int64_t begin = 0; begin < input_.count; begin += resident()) {
    const Wave one{begin, std::min(begin + resident(), input_.count)};
    if (llvm::Error error = wave(translations, one, insertions, left))
      return error;
  }
  return insertions;
}

llvm::Expected<uint64_t> BulkTranslations::foresight(const TranslationTree &tree,
                                                     Replacement policy) const {
  uint64_t visits;
  if (__builtin_mul_overflow(input_.accesses.size(), static_cast<uint64_t>(input_.count),
                             &visits) ||
      visits > MaxForeseenVisits)
    return tooManyToForesee(policy, visits);
  std::vector<uint64_t> all;
  for (int64_t begin = 0; begin < input_.count; begin += resident())
    for (const CellAccess &access : input_.accesses)
      for (int64_t j = begin; isInside(access) && j < std::min(begin + resident(), input_.count);
           ++j)
        all.push_back(pageOf(arrays_[access.array.index], access.cell, j));
  return foresightInsertions(tree, machine_.cache, policy, all);
}

static llvm::Expected<TranslationTree> treeFor(const VatMachine &machine, uint64_t bytes) {
  const auto page = static_cast<uint64_t>(machine.pageBytes);
  const unsigned least = depthFor((bytes + page - 1) / page, machine.fanout);
  const unsigned depth = machine.depth.value_or(least);
  if (depth < least)
    return llvm::createStringError("a tree of depth " + std::to_string(depth) +
                                   " does not translate all addresses: --depth has to be " +
                                   std::to_string(least) + " or more");
  if (machine.cache <= depth)
    return llvm::createStringError("a translation cache of " + std::to_string(machine.cache) +
                                   " nodes does not hold a path of " + std::to_string(depth + 1) +
                                   ": give a larger --cache");
  return TranslationTree{machine.fanout, depth};
}

llvm::Expected<VatMemory> vatMemory(const VatMachine &machine, Layout layout,
                                    const VatInput &input) {
  const uint64_t bytes = BulkTranslations(machine, layout, input).bytes();
  auto tree = treeFor(machine, bytes);
  if (!tree)
    return tree.takeError();
  return VatMemory{bytes, *tree};
}

std::vector<std::string> brokenOrderRelations(const VatMachine &machine, const VatMemory &memory) {
  return brokenOrderRelations(memory.tree, machine.cache, machine.tau,
                              static_cast<uint64_t>(machine.pageBytes), memory.bytes);
}

llvm::Expected<VatCost> vatCost(const VatMachine &machine, Layout layout, Replacement policy,
                                const VatInput &input) {
  const BulkTranslations translations(machine, layout, input);
  auto tree = treeFor(machine, translations.bytes());
  if (!tree)
    return tree.takeError();
  const bool isRecent = policy == Replacement::Lru || policy == Replacement::IsLru;
  auto insertions =
      isRecent ? translations.recent(*tree, policy) : translations.foresight(*tree, policy);
  if (!insertions)
    return insertions.takeError();
  return VatCost{input.accesses.size() * static_cast<uint64_t>(input.count), *insertions};
}

} // namespace colonnade::model

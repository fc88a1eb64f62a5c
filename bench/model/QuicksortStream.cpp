//===- QuicksortStream.cpp - Quicksort on the K-model ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuicksortStream.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace colonnade::bench {

QuicksortForms quicksortForms(unsigned log2Keys, unsigned log2Units) {
  const double n = std::ldexp(1.0, static_cast<int>(log2Keys)), levels = log2Keys;
  const double k = std::ldexp(1.0, static_cast<int>(log2Units));
  return {(n + 2 * n / k + 4 * n / (k * k) + 2) * levels, (2 * n + 2 * n / k) * levels,
          (2 * n / k + 4 * (log2Keys - log2Units)) * levels};
}

namespace {

struct Sequence {
  uint64_t begin, end;
  uint64_t size() const { return end - begin; }
};

/// The sequences of one level, kernel by kernel.
class Quicksort {
public:
  Quicksort(std::vector<uint32_t> &keys, const SortShape &shape)
      : keys_(keys), auxiliary_(keys.size()), shape_(shape), k_(uint64_t(1) << shape.log2Units),
        cost_(static_cast<int64_t>(k_)) {}

  QuicksortCost run();

private:
  using Counters = std::vector<uint64_t>;
  struct Counted {
    Counters below, others; // by thread
  };

  template <class Visit> void forEachRead(const Sequence &sequence, Visit visit) const;
  Counted count(const Sequence &sequence, uint32_t pivot);
  void scan(Counters &counters);
  void sweep(uint64_t counters, uint64_t distance);
  uint64_t scatter(const Sequence &sequence, uint32_t pivot, Counted places);
  uint64_t split(const Sequence &sequence);
  void sortLeaf(const Sequence &sequence);
  uint32_t pivotOf(const Sequence &sequence) const;

  std::vector<uint32_t> &keys_, auxiliary_;
  const SortShape shape_;
  const uint64_t k_;
  QuicksortCost cost_;
};

} // namespace

static std::vector<int64_t> consecutive(uint64_t first, uint64_t size) {
  std::vector<int64_t> addresses(size);
  std::iota(addresses.begin(), addresses.end(), static_cast<int64_t>(first));
  return addresses;
}

/// visit(first key, how many, first thread): k keys at a time, k*k to an element of the stream.
template <class Visit> void Quicksort::forEachRead(const Sequence &sequence, Visit visit) const {
  for (uint64_t first = sequence.begin; first < sequence.end; first += k_) {
    const uint64_t element = (first - sequence.begin) / (k_ * k_);
    visit(first, std::min(k_, sequence.end - first), element * k_);
  }
}

/// Kernel 1: a comparison of each key.
Quicksort::Counted Quicksort::count(const Sequence &sequence, uint32_t pivot) {
  const uint64_t threads = (sequence.size() + k_ * k_ - 1) / (k_ * k_) * k_;
  Counted counted{Counters(threads), Counters(threads)};
  forEachRead(sequence, [&](uint64_t first, uint64_t size, uint64_t thread) {
    cost_.count.external(consecutive(first, size));
    cost_.count.compute(size);
    for (uint64_t lane = 0; lane < size; ++lane)
      ++(keys_[first + lane] < pivot ? counted.below : counted.others)[thread + lane];
  });
  for (int set = 0; set < 2; ++set)
    for (uint64_t thread = 0; thread < threads; thread += k_)
      cost_.count.external(consecutive(thread, k_));
  return counted;
}

/// A sweep through the tree of sums: a thread for each pair at this distance.
void Quicksort::sweep(uint64_t counters, uint64_t distance) {
  for (uint64_t left = counters / (2 * distance); left > 0; left -= std::min(left, k_))
    cost_.scan.compute(std::min(left, k_));
}

/// Kernel 2: exclusive sums, up and down the tree.
void Quicksort::scan(Counters &counters) {
  for (int way = 0; way < 2; ++way)
    for (uint64_t first = 0; first < counters.size(); first += k_)
      cost_.scan.external(consecutive(first, k_));
  for (uint64_t distance = 1; distance < counters.size(); distance *= 2)
    for (int way = 0; way < 2; ++way)
      sweep(std::bit_ceil(counters.size()), distance);
  std::exclusive_scan(counters.begin(), counters.end(), counters.begin(), uint64_t(0));
}

/// Kernel 3. Returns where the others begin.
uint64_t Quicksort::scatter(const Sequence &sequence, uint32_t pivot, Counted places) {
  uint64_t numBelow = 0;
  forEachRead(sequence, [&](uint64_t first, uint64_t size, uint64_t thread) {
    cost_.scatter.external(consecutive(first, size));
    cost_.scatter.compute(size);
    std::vector<int64_t> down, up;
    for (uint64_t lane = 0; lane < size; ++lane) {
      const uint32_t key = keys_[first + lane];
      const bool isBelow = key < pivot;
      const uint64_t place = isBelow ? sequence.begin + places.below[thread + lane]++
                                     : sequence.end - 1 - places.others[thread + lane]++;
      numBelow += isBelow;
      auxiliary_[place] = key;
      (isBelow ? down : up).push_back(static_cast<int64_t>(place));
    }
    cost_.divergent += !down.empty() && !up.empty();
    cost_.scatter.external(down); // two instructions: no unit is in both
    cost_.scatter.external(up);
  });
  return sequence.begin + numBelow;
}

/// The median of three.
uint32_t Quicksort::pivotOf(const Sequence &sequence) const {
  uint32_t three[] = {keys_[sequence.begin], keys_[sequence.begin + sequence.size() / 2],
                      keys_[sequence.end - 1]};
  std::sort(std::begin(three), std::end(three));
  return three[1];
}

uint64_t Quicksort::split(const Sequence &sequence) {
  const uint32_t pivot = pivotOf(sequence);
  Counted counted = count(sequence, pivot);
  scan(counted.below);
  scan(counted.others);
  const uint64_t middle = scatter(sequence, pivot, std::move(counted));
  std::copy(auxiliary_.begin() + static_cast<ptrdiff_t>(sequence.begin),
            auxiliary_.begin() + static_cast<ptrdiff_t>(sequence.end),
            keys_.begin() + static_cast<ptrdiff_t>(sequence.begin)); // arrays change places
  cost_.split += sequence.size();
  ++cost_.sequences;
  return middle;
}

/// In shared memory, filled up to a power of two.
void Quicksort::sortLeaf(const Sequence &sequence) {
  if (sequence.size() < 2)
    return;
  std::vector<uint32_t> keys(keys_.begin() + static_cast<ptrdiff_t>(sequence.begin),
                             keys_.begin() + static_cast<ptrdiff_t>(sequence.end));
  keys.resize(std::max(std::bit_ceil(keys.size()), static_cast<size_t>(k_)), UINT32_MAX);
  const auto log2 = static_cast<unsigned>(std::countr_zero(keys.size()));
  const StreamCost leaf = bitonicSort(keys, {log2, log2, shape_.log2Units});
  cost_.leaves.latency += leaf.latency;
  cost_.leaves.length += leaf.length;
  cost_.leaves.contention += leaf.contention;
  for (int way = 0; way < 2; ++way) // where its keys lie
    for (uint64_t first = sequence.begin; first < sequence.end; first += k_)
      cost_.leaves.external(consecutive(first, std::min(k_, sequence.end - first)));
  std::copy_n(keys.begin(), sequence.size(),
              keys_.begin() + static_cast<ptrdiff_t>(sequence.begin));
}

QuicksortCost Quicksort::run() {
  const uint64_t leaf = uint64_t(1) << shape_.log2Part;
  std::vector<Sequence> level = {{0, keys_.size()}}, next;
  while (!level.empty()) {
    uint64_t before = cost_.sequences;
    for (const Sequence &sequence : level) {
      if (sequence.size() <= leaf) {
        sortLeaf(sequence);
        continue;
      }
      const uint64_t middle = split(sequence);
      next.push_back({sequence.begin, middle});
      next.push_back({middle, sequence.end});
    }
    cost_.levels += cost_.sequences > before;
    level = std::exchange(next, {});
  }
  return cost_;
}

QuicksortCost quicksort(std::vector<uint32_t> &keys, const SortShape &shape) {
  return Quicksort(keys, shape).run();
}

} // namespace colonnade::bench

//===- BitonicStream.cpp - The K-model's bitonic sort ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BitonicStream.h"

#include <algorithm>
#include <numeric>

namespace colonnade::bench {

uint64_t bitonicPasses(const SortShape &shape) {
  const unsigned most = shape.log2Part - shape.log2Units; // steps of a pass that is spread
  uint64_t passes = 1;
  for (unsigned stage = shape.log2Part + 1; stage <= shape.log2Keys; ++stage)
    passes += (stage - shape.log2Part + most - 1) / most + 1;
  return passes;
}

uint64_t bitonicTransactions(const SortShape &shape) {
  return (uint64_t(2) << (shape.log2Keys - shape.log2Units)) * bitonicPasses(shape);
}

uint64_t bitonicLength(const SortShape &shape) {
  const uint64_t log2 = shape.log2Keys;
  return (uint64_t(1) << log2) * (log2 * log2 + log2) / 4;
}

uint64_t bitonicLatency(const SortShape &shape) {
  uint64_t queues = 0;
  for (unsigned stage = 1; stage <= shape.log2Keys; ++stage)
    queues += stage + std::min(stage, shape.log2Units);
  return (queues << shape.log2Keys) >> (shape.log2Units + 1);
}

uint64_t StepPartition::index(uint64_t part, uint64_t place) const {
  uint64_t index = part;
  for (size_t bit = 0; bit < steps_.size(); ++bit)
    index = insertBit(index, place >> bit & 1, steps_[bit]);
  return index;
}

namespace {

class BitonicSort {
public:
  BitonicSort(std::vector<uint32_t> &keys, const SortShape &shape)
      : keys_(keys), shape_(shape), k_(int64_t(1) << shape.log2Units), cost_(k_) {}

  StreamCost run();

private:
  /// Steps top … bottom of stages first … last: more stages than one only if all are in a tile.
  struct Pass {
    unsigned firstStage, lastStage, top, bottom;
  };
  void pass(const Pass &pass);
  void part(const Pass &pass, const StepPartition &partition, uint64_t number);
  void step(const std::vector<uint64_t> &index, unsigned stage, unsigned bit);
  void transfer(const std::vector<uint64_t> &index);

  std::vector<uint32_t> &keys_;
  const SortShape shape_;
  const int64_t k_;
  StreamCost cost_;
};

} // namespace

StreamCost BitonicSort::run() {
  const unsigned most = shape_.log2Part - shape_.log2Units;
  pass({1, shape_.log2Part, shape_.log2Part - 1, 0});
  for (unsigned stage = shape_.log2Part + 1; stage <= shape_.log2Keys; ++stage) {
    for (unsigned above = stage; above > shape_.log2Part;) { // steps above … not done yet
      const unsigned steps = std::min(most, above - shape_.log2Part);
      pass({stage, stage, above - 1, above - steps});
      above -= steps;
    }
    pass({stage, stage, shape_.log2Part - 1, 0});
  }
  return cost_;
}

/// Its parts have the pass's steps, and below them as many of the lowest bits as there is room for.
void BitonicSort::pass(const Pass &pass) {
  const unsigned steps = pass.top - pass.bottom + 1;
  std::vector<unsigned> bits(shape_.log2Part);
  std::iota(bits.begin(), bits.end(), 0u);
  for (unsigned s = 0; s < steps; ++s)
    bits[shape_.log2Part - steps + s] = pass.bottom + s;
  const StepPartition partition(bits);
  for (uint64_t number = 0; number < keys_.size() / partition.partSize(); ++number)
    part(pass, partition, number);
}

void BitonicSort::part(const Pass &pass, const StepPartition &partition, uint64_t number) {
  std::vector<uint64_t> index(partition.partSize());
  for (uint64_t place = 0; place < index.size(); ++place)
    index[place] = partition.index(number, place);
  transfer(index);
  const unsigned below = shape_.log2Part - 1 - pass.top + pass.bottom; // bits that are no steps
  for (unsigned stage = pass.firstStage; stage <= pass.lastStage; ++stage)
    for (unsigned c = std::min(stage - 1, pass.top) + 1; c-- > pass.bottom;)
      step(index, stage, below + c - pass.bottom);
  transfer(index);
}

/// k consecutive places at a time.
void BitonicSort::transfer(const std::vector<uint64_t> &index) {
  for (size_t first = 0; first < index.size(); first += static_cast<size_t>(k_)) {
    std::vector<int64_t> addresses(index.begin() + static_cast<ptrdiff_t>(first),
                                   index.begin() + static_cast<ptrdiff_t>(first) + k_);
    cost_.external(addresses);
  }
}

/// Algorithm 2's lines 5 to 8: unit id compares pairs id, id + k, …
void BitonicSort::step(const std::vector<uint64_t> &index, unsigned stage, unsigned bit) {
  for (uint64_t first = 0; first < index.size() / 2; first += static_cast<uint64_t>(k_)) {
    std::vector<int64_t> asked;
    for (uint64_t j = first; j < std::min(first + static_cast<uint64_t>(k_), index.size() / 2);
         ++j) {
      const uint64_t p = insertBit(j, 0, bit), q = insertBit(j, 1, bit);
      asked.push_back(static_cast<int64_t>(p)); // q's banks have the same queues
      uint32_t &lower = keys_[index[p]], &upper = keys_[index[q]];
      const bool isRising = !(index[p] >> stage & 1);
      if (isRising ? lower > upper : lower < upper)
        std::swap(lower, upper);
    }
    cost_.shared(asked);
  }
}

StreamCost bitonicSort(std::vector<uint32_t> &keys, const SortShape &shape) {
  return BitonicSort(keys, shape).run();
}

} // namespace colonnade::bench

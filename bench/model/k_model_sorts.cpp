//===- k_model_sorts.cpp - Sorts on the K-model, in figures ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The evaluation of "K-model: A New Computational Model for Stream Processors", section VI:
//
//   k-model-sorts table LOG2_N...             quicksort over bitonic sort, from the instructions of
//                                             a run, for k = 16 and sigma from 2^8 to 2^13; and by
//                                             the formulas
//   k-model-sorts kernels LOG2_N LOG2_SIGMA   transactions of both for k = 32, by kernel
//   k-model-sorts figure                      figure 3: transactions of both by the formulas, as
//   CSV
//
// Exits 3 if the arguments are wrong.
//
//===----------------------------------------------------------------------===//

#include "QuicksortStream.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>

using namespace colonnade::bench;

static constexpr unsigned Log2Units = 4; // the paper's device has half warps of 16

static std::vector<uint32_t> shuffled(unsigned log2Keys) {
  std::vector<uint32_t> keys(size_t(1) << log2Keys);
  std::iota(keys.begin(), keys.end(), 0u);
  std::shuffle(keys.begin(), keys.end(), std::mt19937(1));
  return keys;
}

/// Bitonic sort by its closed forms, which the tests hold against its run.
static void printTable(unsigned log2Keys) {
  for (unsigned log2Part = 8; log2Part <= 13; ++log2Part) {
    const SortShape shape{log2Keys, log2Part, Log2Units};
    std::vector<uint32_t> keys = shuffled(log2Keys);
    const QuicksortCost quick = quicksort(keys, shape);
    const uint64_t waiting = bitonicLatency(shape) - (bitonicLength(shape) >> Log2Units);
    std::printf("%u,%u,%" PRIu64 ",%" PRIu64 ",%.0f,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
                log2Keys, log2Part, bitonicTransactions(shape), quick.transactions(),
                quicksortForms(log2Keys, Log2Units).transactions, waiting, quick.leaves.contention,
                quick.divergent);
    std::fflush(stdout);
  }
}

/// As a GPU's warps have it; bitonic sort by its closed form, whose kernels are its passes.
static void printKernels(unsigned log2Keys, unsigned log2Part) {
  const SortShape shape{log2Keys, log2Part, 5};
  std::vector<uint32_t> keys = shuffled(log2Keys);
  const QuicksortCost quick = quicksort(keys, shape);
  std::printf("kernel,transactions\nbitonic_pass,%" PRIu64 "\ncount_keys,%" PRIu64
              "\nadd_up,%" PRIu64 "\nscatter_keys,%" PRIu64 "\nsort_leaves,%" PRIu64 "\n",
              bitonicTransactions(shape), quick.count.transactions, quick.scan.transactions,
              quick.scatter.transactions, quick.leaves.transactions);
}

static void printFigure() {
  std::printf("log2_n,log2_sigma,bitonic_sort,quicksort\n");
  for (unsigned log2Part : {8, 10, 12, 13})
    for (unsigned log2Keys = log2Part; log2Keys <= 30; ++log2Keys)
      std::printf("%u,%u,%" PRIu64 ",%.0f\n", log2Keys, log2Part,
                  bitonicTransactions({log2Keys, log2Part, Log2Units}),
                  quicksortForms(log2Keys, Log2Units).transactions);
}

static unsigned powerIn(const char *text, int least) {
  const int power = std::atoi(text);
  if (power >= least && power <= 26)
    return static_cast<unsigned>(power);
  std::fprintf(stderr, "'%s' is no number from %d to 26\n", text, least);
  std::exit(3);
}

int main(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "figure" && argc == 2)
    return printFigure(), 0;
  if (what == "kernels" && argc == 4) {
    const unsigned log2Part = powerIn(argv[3], 6); // above k
    return printKernels(powerIn(argv[2], static_cast<int>(log2Part)), log2Part), 0;
  }
  if (what != "table" || argc < 3) {
    std::fprintf(stderr, "k-model-sorts table LOG2_N... | kernels LOG2_N LOG2_SIGMA | figure\n");
    return 3;
  }
  std::printf("log2_n,log2_sigma,bitonic_transactions,quicksort_transactions,"
              "quicksort_formula,bitonic_contention,quicksort_contention,quicksort_divergent\n");
  for (int i = 2; i < argc; ++i)
    printTable(powerIn(argv[i], 13));
  return 0;
}

//===- k_model_sorts.cpp - Sorts on the K-model, in figures ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The evaluation of "K-model: A New Computational Model for Stream Processors", section VI:
//
//   k-model-sorts table LOG2_N...   quicksort over bitonic sort, from the instructions of a run,
//   for
//                                   k = 16 and sigma from 2^8 to 2^13; and by the formulas
//   k-model-sorts figure            figure 3: transactions of both by the formulas, as CSV
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

static void printFigure() {
  std::printf("log2_n,log2_sigma,bitonic_sort,quicksort\n");
  for (unsigned log2Part : {8, 10, 12, 13})
    for (unsigned log2Keys = log2Part; log2Keys <= 30; ++log2Keys)
      std::printf("%u,%u,%" PRIu64 ",%.0f\n", log2Keys, log2Part,
                  bitonicTransactions({log2Keys, log2Part, Log2Units}),
                  quicksortForms(log2Keys, Log2Units).transactions);
}

int main(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "figure" && argc == 2)
    return printFigure(), 0;
  if (what != "table" || argc < 3) {
    std::fprintf(stderr, "k-model-sorts table LOG2_N... | figure\n");
    return 3;
  }
  std::printf("log2_n,log2_sigma,bitonic_transactions,quicksort_transactions,"
              "quicksort_formula,bitonic_contention,quicksort_contention,quicksort_divergent\n");
  for (int i = 2; i < argc; ++i) {
    const int log2Keys = std::atoi(argv[i]);
    if (log2Keys < 13 || log2Keys > 26)
      return std::fprintf(stderr, "'%s' is no number from 13 to 26\n", argv[i]), 3;
    printTable(static_cast<unsigned>(log2Keys));
  }
  return 0;
}

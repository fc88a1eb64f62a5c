//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// word_sort.cuh: sorts indices by words, stably, where they stand, if there are any.
//
//   few words   by one block                                           merging/block_order.hpp
//   else        by digits: a histogram, and a scatter pass for each    digits/digit_passes.cuh
//
// In: words and indices, two arrays of each; on the device, how many there are, often none. Out:
// both sorted, in the first arrays. Invariant: there is an even number of digits, so the items end
// where they began.
//
// Why: counters of digits are 18 KB and more, which is too much beside a few thousand points. And
// the host does not know whether there is something to sort, so all passes are launched. Those of
// digit_passes.cuh would zero counters and look-back words, and take tickets; these end at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/digits/digit_passes.cuh>
#include <colonnade/detail/digits/key_words.hpp>
#include <colonnade/detail/merging/block_order.hpp>

namespace colonnade::detail {

/// The arguments of a scatter pass that may have nothing to do.
template <class Arguments> struct maybe_none : Arguments {};

template <class Tuning, class Bits, class Arguments, class Machine>
class scatter_block<Tuning, Bits, maybe_none<Arguments>, Machine> {
public:
  COLONNADE_KERNEL_CODE scatter_block(const Machine &machine, const maybe_none<Arguments> &a,
                                      char *shared)
      : machine_(machine), a_(a), shared_(shared) {}

  COLONNADE_KERNEL_CODE void run() {
    if (*a_.d_num_items != 0)
      scatter_block<Tuning, Bits, Arguments, Machine>(machine_, a_, shared_).run();
  }

private:
  const Machine &machine_;
  const Arguments &a_;
  char *shared_;
};

template <class Word>
using word_histogram_arguments =
    digit_histogram_arguments<const Word *, word_ids<integer_word<Word>>, nothing, item_count>;
template <class Word, class Machine>
using word_histogram_block =
    digit_histogram_block<const Word *, word_ids<integer_word<Word>>, nothing, Machine, item_count>;

/// Few words with their indices, sorted by one block.
template <class Word> struct few_words_arguments {
  Word *words;
  uint32_t *indices;
  item_count num_words;
};
template <class Word, class Machine> class few_words_block {
public:
  using arguments = few_words_arguments<Word>;
  struct item {
    Word word;
    uint32_t index;
  };
  using cell = item_cell<item>;
  static constexpr uint32_t most_threads = 1024, items = order_items_per_thread(sizeof(item));
  static constexpr uint64_t most_words = most_threads * items;
  static constexpr size_t shared_bytes(uint32_t threads) {
    return order_cells<items>(threads) * sizeof(cell);
  }
  static COLONNADE_KERNEL_CODE void run(const Machine &machine, const arguments &a, char *shared) {
    order_items<items, item>(
        machine, whole_block<Machine>{machine}, reinterpret_cast<cell *>(shared),
        static_cast<uint32_t>(a.num_words.now()),
        [&](uint32_t i) { return item{a.words[i], a.indices[i]}; },
        [&](uint32_t i, const item &x) {
          a.words[i] = x.word;
          a.indices[i] = x.index;
        },
        [](const item &x, const item &y) { return x.word < y.word; });
  }
};

inline namespace COLONNADE_ABI {

template <class Word>
__global__ void __launch_bounds__(few_words_block<Word, device_machine>::most_threads)
    few_words_kernel(const __grid_constant__ few_words_arguments<Word> a) {
  extern __shared__ __align__(16) char few_words_shared[];
  const device_machine machine;
  machine.wait_for_previous_kernel();
  if (a.num_words.now() != 0)
    few_words_block<Word, device_machine>::run(machine, a, few_words_shared);
}

/// Without items, nobody reads what it would write.
template <class Word>
__global__ void __launch_bounds__(digit_buckets)
    word_histogram_kernel(const __grid_constant__ word_histogram_arguments<Word> a) {
  extern __shared__ __align__(16) char word_histogram_shared[];
  const device_machine machine;
  machine.wait_for_previous_kernel();
  if (a.num_items.now() != 0)
    word_histogram_block<Word, device_machine>(machine, a, word_histogram_shared).run();
}

/// d_num_words: how many there are, on the device; at most as many as planned. is_begun: a kernel
/// before has zeroed the plan's header.
template <class Policy, class Word> class word_sort {
public:
  using passes = digit_passes<Policy, Word, uint32_t, item_count>;

  /// No digits: one block sorts all.
  static digit_passes_plan plan(gpu_architecture architecture, uint64_t most_words,
                                const digit_list &digits) {
    return passes::plan(architecture, most_words,
                        most_words <= few::most_words ? digit_list{} : digits);
  }
  word_sort(const device_properties &gpu, const digit_passes_plan &plan, void *d_temp,
            cudaStream_t stream, const uint64_t *d_num_words, bool is_begun = false)
      : gpu_(gpu), plan_(plan), d_temp_(d_temp), stream_(stream), d_num_words_(d_num_words),
        is_begun_(is_begun) {}

  cudaError_t run(Word *const (&words)[2], uint32_t *const (&indices)[2]) {
    if (plan_.digits.count == 0)
      return sort_few({words[0], indices[0], {d_num_words_, plan_.num_items}});
    if (const cudaError_t error = count(words[0]))
      return error;
    for (uint32_t pass = 0; pass < plan_.digits.count; ++pass) {
      const uint32_t from = pass % 2, to = 1 - from;
      if (const cudaError_t error =
              scatter(pass, words[from], words[to], indices[from], indices[to]))
        return error;
    }
    return cudaSuccess;
  }

private:
  using block = word_histogram_block<Word, device_machine>;
  using few = few_words_block<Word, device_machine>;

  cudaError_t sort_few(const few_words_arguments<Word> &a) const {
    static allowed_devices allowed;
    if (const cudaError_t error = allow_shared_memory(
            few_words_kernel<Word>, few::shared_bytes(few::most_threads), gpu_.device, allowed))
      return error;
    const uint32_t threads = order_threads(plan_.num_items, few::items);
    return launch(few_words_kernel<Word>,
                  {1, threads, few::shared_bytes(threads), stream_, gpu_.overlaps_launches()}, a);
  }
  cudaError_t count(const Word *words) {
    if (!is_begun_)
      if (const cudaError_t error =
              cudaMemsetAsync(plan_.counts(d_temp_), 0, plan_.header_bytes, stream_))
        return error;
    empty_.zeroed(plan_.num_words);
    const uint64_t chunks = plan_.num_items / block::chunk::items_per_chunk + 1;
    const uint64_t most = uint64_t{block::tuning.blocks_per_sm} * gpu_.num_sms;
    return launch(word_histogram_kernel<Word>,
                  {static_cast<uint32_t>(std::min(chunks, most)), block::threads,
                   block::shared_bytes(plan_.digits.count), stream_,
                   is_begun_ && gpu_.overlaps_launches()},
                  word_histogram_arguments<Word>{words,
                                                 {},
                                                 plan_.digits,
                                                 {d_num_words_, plan_.num_items},
                                                 {},
                                                 plan_.counts(d_temp_),
                                                 plan_.bases(d_temp_, 0),
                                                 temp_storage::at<uint64_t>(d_temp_, plan_.kept),
                                                 plan_.done(d_temp_),
                                                 look_back_words(),
                                                 plan_.num_words,
                                                 nullptr});
  }
  cudaError_t scatter(uint32_t pass, const Word *from, Word *to, const uint32_t *indices_from,
                      uint32_t *indices_to) {
    using ids = digit_ids<integer_word<Word>>;
    using arguments = scatter_arguments<const Word *, Word *, const uint32_t *, uint32_t *, ids>;
    const maybe_none<arguments> a{{{from, to, indices_from, indices_to},
                                   ids(integer_word<Word>{}, plan_.digits.at[pass]),
                                   0,
                                   0,
                                   0,
                                   nullptr,
                                   nullptr,
                                   look_back_words(),
                                   nullptr,
                                   d_num_words_}};
    return launch_scatter<typename passes::tunings, ranked_bits<digit_bits>>(
        gpu_, plan_,
        {plan_.bases(d_temp_, pass), temp_storage::at<uint64_t>(d_temp_, plan_.odd_base)},
        plan_.tickets(d_temp_, pass), empty_, a, stream_);
  }
  uint32_t *look_back_words() const { return temp_storage::at<uint32_t>(d_temp_, plan_.words); }

  const device_properties &gpu_;
  const digit_passes_plan &plan_;
  void *d_temp_;
  cudaStream_t stream_;
  const uint64_t *d_num_words_;
  bool is_begun_;
  empty_words empty_;
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail

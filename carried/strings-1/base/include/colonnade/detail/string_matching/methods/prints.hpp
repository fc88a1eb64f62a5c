//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// prints.hpp: the fingerprints of the pattern, by one block.
//
// In: a job. Out: job.prints, and for two_stage job.chunk_prints. Invariant: a chunk that the
// pattern ends in is as if zeros followed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/methods/job.hpp>
#include <colonnade/detail/string_matching/methods/scan.hpp>

namespace colonnade::detail {

template <uint32_t Threads> struct prints_storage {
  block_scan_storage<matrix_scan, Threads> matrices;
  block_scan_storage<affine_scan, Threads> numbers;
};

template <uint32_t Threads, class Machine>
COLONNADE_KERNEL_CODE void make_prints(const Machine &machine, const method_job &job,
                                       prints_storage<Threads> &shared) {
  const uint32_t bits = job.character_bits, mask = job.character_mask();
  const uint64_t share = (job.length + Threads - 1) / Threads, begin = machine.thread() * share,
                 end = begin + share < job.length ? begin + share : job.length;
  matrix product_of_mine{{1, 0, 0, 1}};
  affine_scan::value number = affine_scan::identity();
  for (uint64_t i = begin; i < end; ++i) {
    const uint32_t character = job.pattern[i] & mask;
    product_of_mine = product(product_of_mine, fundamental_matrix(character, bits), job.mod);
    number = affine_scan::combine(number, {{1u << bits, character}}, job.mod);
  }
  matrix_scan::value product_of_all;
  affine_scan::value number_of_all;
  block_exclusive_scan<matrix_scan>(machine, job.mod,
                                    matrix_scan::both(product_of_mine, matrix{{1, 0, 0, 1}}),
                                    shared.matrices, product_of_all);
  block_exclusive_scan<affine_scan>(machine, job.mod, number, shared.numbers, number_of_all);
  if (machine.thread() == 0) {
    uint64_t exact = 0;
    for (uint64_t i = 0; i < job.part_length && i < 64; ++i)
      exact = exact << bits | (job.pattern[job.part_offset + i] & mask);
    *job.prints = {product_of_all.forward(), exact, number_of_all.word[1]};
  }
  if (job.chunk_prints)
    for (uint64_t chunk = machine.thread(); 32 * chunk < job.length; chunk += Threads) {
      uint32_t print = 0;
      for (uint64_t i = 32 * chunk; i < 32 * chunk + 32; ++i)
        print = job.mod.of(uint64_t{print} << bits | (i < job.length ? job.pattern[i] & mask : 0));
      job.chunk_prints[chunk] = print;
    }
}

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cooperative.hpp: the fingerprints of all prefixes of a text, by scans; from those at its two ends
// comes the fingerprint of a window.
//
// In: a portion of the text, and in a hybrid the piece of a block, which is scanned in shared
// memory. Out: which windows have the pattern's fingerprint. Invariant: a portion's windows lie
// wholly in it.
//
// Source: S. Ashkiani, thesis (2017), 2.3.2, 2.6.1, 2.6.3 and 2.7.1. Here the matrices of
// characters are not stored before they are scanned: two arrays of 16 bytes a character, not four.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/methods/job.hpp>
#include <colonnade/detail/string_matching/methods/scan.hpp>

#include <cstddef>

namespace colonnade::detail {

constexpr uint32_t characters_per_thread = 8,
                   characters_per_tile = method_threads * characters_per_thread;

/// The table of fundamental matrices.
struct matrix_table {
  matrix of[256];

  /// By all threads of a block. Ends with a barrier.
  template <class Machine>
  COLONNADE_KERNEL_CODE void fill(const Machine &machine, const method_job &job) {
    for (uint32_t z = machine.thread(); z >> job.character_bits == 0; z += machine.num_threads())
      of[z] = fundamental_matrix(z, job.character_bits);
    machine.block_sync();
  }
};
COLONNADE_KERNEL_CODE bool same_matrix(const matrix &a, const matrix &b) {
  return a.entry[0] == b.entry[0] && a.entry[1] == b.entry[1] && a.entry[2] == b.entry[2] &&
         a.entry[3] == b.entry[3];
}

/// What is scanned of a portion, whose characters are numbered from 0.
struct portion_matrices {
  using scan = matrix_scan;

  COLONNADE_KERNEL_CODE static scan::value element(const method_job &job, const matrix_table &table,
                                                   uint64_t i) {
    const matrix m = table.of[character_at(job, job.first + i)];
    return scan::both(m, inverse(m, job.mod));
  }
  COLONNADE_KERNEL_CODE static void store(const method_job &job, uint64_t i,
                                          const scan::value &before, const scan::value &inclusive) {
    job.backward[i] = before.backward();
    job.forward[i] = inclusive.forward();
  }
  COLONNADE_KERNEL_CODE static bool hit(const method_job &job, uint64_t i) {
    return same_matrix(product(job.backward[i], job.forward[i + job.length - 1], job.mod),
                       job.prints->product);
  }
};
/// x_i = 2^b x_(i-1) + (y_i - 2^(b m) y_(i-m)), of Blelloch.
struct portion_numbers {
  using scan = affine_scan;

  COLONNADE_KERNEL_CODE static scan::value element(const method_job &job, const matrix_table &,
                                                   uint64_t i) {
    uint64_t added = character_at(job, job.first + i);
    if (i >= job.length)
      added += uint64_t{job.leaving} * character_at(job, job.first + i - job.length);
    return {{1u << job.character_bits, job.mod.of(added)}};
  }
  COLONNADE_KERNEL_CODE static void store(const method_job &job, uint64_t i, const scan::value &,
                                          const scan::value &inclusive) {
    job.numbers[i] = inclusive.word[1];
  }
  COLONNADE_KERNEL_CODE static bool hit(const method_job &job, uint64_t i) {
    return job.numbers[i + job.length - 1] == job.prints->number;
  }
};

template <class Portion> struct portion_storage {
  block_scan_storage<typename Portion::scan, method_threads> scan;
  matrix_table table;
};

/// A tile of a portion, by one block.
template <class Portion, class Machine> class portion_tile {
  using scan = typename Portion::scan;
  using value = typename scan::value;

public:
  COLONNADE_KERNEL_CODE portion_tile(const Machine &machine, const method_job &job,
                                     portion_storage<Portion> &shared)
      : machine_(machine), job_(job), shared_(shared),
        values_(static_cast<value *>(job.tile_values)),
        begin_(uint64_t{machine.block()} * characters_per_tile +
               machine.thread() * characters_per_thread),
        end_(job.portion_positions + job.length - 1) {
    shared.table.fill(machine, job);
  }
  /// First for each tile; then the tiles' values are scanned.
  COLONNADE_KERNEL_CODE void combine() {
    value all;
    before_mine(all);
    if (machine_.thread() == 0)
      values_[machine_.block()] = all;
  }
  /// Then each tile is scanned.
  COLONNADE_KERNEL_CODE void write() {
    value all;
    value before = scan::combine(values_[machine_.block()], before_mine(all), job_.mod);
    COLONNADE_UNROLL_BY(1)
    for (uint64_t i = begin_; i < begin_ + characters_per_thread && i < end_; ++i) {
      const value inclusive =
          scan::combine(before, Portion::element(job_, shared_.table, i), job_.mod);
      Portion::store(job_, i, before, inclusive);
      before = inclusive;
    }
  }

private:
  COLONNADE_KERNEL_CODE value before_mine(value &all) {
    value mine = scan::identity();
    COLONNADE_UNROLL_BY(1)
    for (uint64_t i = begin_; i < begin_ + characters_per_thread && i < end_; ++i)
      mine = scan::combine(mine, Portion::element(job_, shared_.table, i), job_.mod);
    return block_exclusive_scan<scan>(machine_, job_.mod, mine, shared_.scan, all);
  }
  const Machine &machine_;
  const method_job &job_;
  portion_storage<Portion> &shared_;
  value *const values_;
  const uint64_t begin_, end_;
};

/// Hits from the arrays of a portion.
template <class Portion> struct portion_hits {
  const method_job &job;

  COLONNADE_KERNEL_CODE uint64_t begin() const { return 0; }
  COLONNADE_KERNEL_CODE uint32_t at(uint64_t offset) const {
    uint32_t hits = 0;
    COLONNADE_UNROLL_BY(1)
    for (uint32_t k = 0; k < windows_per_lane && offset + k < job.portion_positions; ++k)
      hits |= uint32_t{Portion::hit(job, offset + k)} << k;
    return hits;
  }
  template <class Machine>
  COLONNADE_KERNEL_CODE uint32_t confirmed(const Machine &, uint32_t hits, uint64_t) const {
    return hits;
  }
};

/// Of a block of `hybrid_threads`, whose windows and their characters are scanned in shared memory.
/// Two arrays follow it, one of them forward.
struct alignas(16) hybrid_storage {
  static constexpr uint32_t windows = hybrid_threads * windows_per_lane;
  block_scan_storage<matrix_scan, hybrid_threads> scan;
  matrix_table table;

  /// Of an array. One is left free after each 32, so that lanes' windows begin in different banks.
  static constexpr COLONNADE_HOST_DEVICE uint32_t room(uint64_t length) {
    const auto characters = static_cast<uint32_t>(windows + length - 1);
    return characters + characters / 32 + 1;
  }
  static constexpr size_t bytes(uint64_t length);
};
constexpr size_t hybrid_storage::bytes(uint64_t length) {
  return sizeof(hybrid_storage) + 2 * room(length) * sizeof(matrix);
}
class hybrid_hits {
public:
  COLONNADE_KERNEL_CODE hybrid_hits(const method_job &job, hybrid_storage &shared, uint64_t block)
      : job_(job), shared_(shared), forward_(reinterpret_cast<matrix *>(&shared + 1)),
        backward_(forward_ + hybrid_storage::room(job.length)),
        first_(block * hybrid_storage::windows) {}

  COLONNADE_KERNEL_CODE uint64_t begin() const { return 0; }
  /// By all threads of a block. Ends with a barrier.
  template <class Machine> COLONNADE_KERNEL_CODE void fill(const Machine &machine) {
    shared_.table.fill(machine, job_);
    const uint64_t left = job_.num_positions + job_.length - 1 - first_;
    const auto characters = static_cast<uint32_t>(left < hybrid_storage::windows + job_.length - 1
                                                      ? left
                                                      : hybrid_storage::windows + job_.length - 1);
    const uint32_t share = (characters + hybrid_threads - 1) / hybrid_threads,
                   from = machine.thread() * share,
                   to = from + share < characters ? from + share : characters;
    matrix_scan::value mine = matrix_scan::identity(), all;
    for (uint32_t i = from; i < to; ++i)
      mine = matrix_scan::combine(mine, element(i), job_.mod);
    matrix_scan::value before =
        block_exclusive_scan<matrix_scan>(machine, job_.mod, mine, shared_.scan, all);
    for (uint32_t i = from; i < to; ++i) {
      backward_[i + i / 32] = before.backward();
      before = matrix_scan::combine(before, element(i), job_.mod);
      forward_[i + i / 32] = before.forward();
    }
    machine.block_sync();
  }
  COLONNADE_KERNEL_CODE uint32_t at(uint64_t offset) const {
    const matrix wanted = job_.prints->product;
    uint32_t hits = 0;
    COLONNADE_UNROLL_BY(1)
    for (uint32_t k = 0; k < windows_per_lane && offset + k < job_.num_positions; ++k) {
      const auto i = static_cast<uint32_t>(offset + k - first_),
                 last = static_cast<uint32_t>(i + job_.length - 1);
      const matrix window = product(backward_[i + i / 32], forward_[last + last / 32], job_.mod);
      hits |= uint32_t{same_matrix(window, wanted)} << k;
    }
    return hits;
  }
  template <class Machine>
  COLONNADE_KERNEL_CODE uint32_t confirmed(const Machine &, uint32_t hits, uint64_t) const {
    return hits;
  }

private:
  COLONNADE_KERNEL_CODE matrix_scan::value element(uint32_t i) const {
    return portion_matrices::element(job_, shared_.table, first_ + i);
  }
  const method_job &job_;
  hybrid_storage &shared_;
  matrix *const forward_, *const backward_;
  const uint64_t first_;
};

} // namespace colonnade::detail

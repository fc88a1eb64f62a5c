//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels of convex hulls whose resources are budgeted.
//
//===----------------------------------------------------------------------===//
#include "kernel_record.hpp"

#include <colonnade/bulk_convex_hull.cuh>
#include <colonnade/convex_hull.cuh>
#include <colonnade/marriage_hull.cuh>

namespace colonnade::testing {

namespace {
using namespace detail;

template <class Block> kernel_record tile_record(const char *name) {
  return record<hull_tile_kernel<Block>>(name, Block::threads, sizeof(typename Block::storage));
}
template <class Word> kernel_record words_record(const char *name) {
  using block = few_words_block<Word, device_machine>;
  return record<few_words_kernel<Word>>(name, block::most_threads,
                                        block::shared_bytes(block::most_threads));
}
template <class T>
using blocks_of = hull_blocks<convex_hull_policy, interleaved_points<T>, index_vertices<uint32_t>,
                              device_machine>;
template <class T>
using bulk_blocks_of =
    bulk_blocks<bulk_hull_policy, interleaved_points<T>, uint32_t, uint32_t, device_machine>;
} // namespace

kernel_records convex_hull_kernels() {
  using narrow = blocks_of<float>;
  using wide = blocks_of<double>;
  using narrow_sets = bulk_blocks_of<float>;
  using wide_sets = bulk_blocks_of<double>;
  using marriage = marriage_blocks<marriage_hull_policy, interleaved_points<float>,
                                   index_vertices<uint32_t>, device_machine>;
  return {
      tile_record<narrow_sets::lanes>("sets of a thread, float"),
      tile_record<wide_sets::lanes>("sets of a thread, double"),
      tile_record<narrow_sets::sifted>("sets sifted by warps, float"),
      tile_record<narrow_sets::narrow>("sets of a narrow block, float"),
      tile_record<wide_sets::narrow>("sets of a narrow block, double"),
      tile_record<narrow_sets::wide>("sets of a wide block, float"),
      tile_record<wide_sets::wide>("sets of a wide block, double"),
      tile_record<narrow_sets::wide_rest>("sets of a wide block with many points left, float"),
      tile_record<narrow_sets::sieved>("sets that are sieved, float"),
      tile_record<wide_sets::sieved>("sets that are sieved, double"),
      tile_record<narrow::sample>("sample, float"),
      tile_record<wide::sample>("sample, double"),
      tile_record<narrow::filter>("filter, float"),
      tile_record<wide::filter>("filter, double"),
      tile_record<narrow::thin>("hoods of tiles of a few, float"),
      tile_record<narrow::few>("few points, float"),
      tile_record<wide::few>("few points, double"),
      words_record<uint32_t>("few words by one block, float"),
      words_record<uint64_t>("few words by one block, double"),
      tile_record<narrow::tile>("hoods of tiles, float"),
      tile_record<wide::tile>("hoods of tiles, double"),
      tile_record<narrow::tile_of<true>>("hoods of tiles of points by x, float"),
      tile_record<wide::settle>("runs of one word, double"),
      tile_record<narrow::join>("joining, float"),
      tile_record<wide::join>("joining, double"),
      tile_record<marriage::count_outside>("outside a quadrilateral, float"),
      tile_record<marriage::split>("splitting, float"),
      tile_record<marriage::independent>("independent, float"),
  };
}

} // namespace colonnade::testing

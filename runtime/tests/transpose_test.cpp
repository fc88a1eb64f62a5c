//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Transposes are checked cell by cell against the layouts' definitions, the CPU
// ones and the GPU ones alike: the GPU code's threads are run one by one.
// Red zones around both arrays catch a byte too many.
//
//===----------------------------------------------------------------------===//

#include "planted.hpp"

#include <colonnade/bulk/transpose.hpp>
#include <colonnade/bulk/transpose_tile.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

using namespace colonnade::bulk;

namespace {

uint64_t laid_index(layout l, uint64_t tile, uint64_t count, uint64_t cells, uint64_t j,
                    uint64_t i) {
  if (l == layout::column_wise)
    return i * count + j;
  return j / tile * cells * tile + i * tile + j % tile;
}

constexpr size_t zone = 64;

// An array with a red zone on either side; the cells are 64-byte aligned.
template <class Cell> struct guarded {
  std::vector<uint8_t> bytes;
  size_t start, num_bytes;
  explicit guarded(uint64_t num_cells, uint8_t fill)
      : bytes(num_cells * sizeof(Cell) + 3 * zone, fill), num_bytes(num_cells * sizeof(Cell)) {
    start = zone + (zone - reinterpret_cast<uintptr_t>(bytes.data()) % zone) % zone;
    for (size_t i = 0; i < bytes.size(); ++i)
      if (i < start || i >= start + num_bytes)
        bytes[i] = 0xa5;
  }
  Cell *cells() { return reinterpret_cast<Cell *>(bytes.data() + start); }
  bool intact() const {
    for (size_t i = 0; i < bytes.size(); ++i)
      if ((i < start || i >= start + num_bytes) && bytes[i] != 0xa5)
        return false;
    return true;
  }
};

template <class Cell> void randomise(Cell *cells, size_t num_cells) {
  std::mt19937_64 random(num_cells);
  for (size_t i = 0; i < num_cells; ++i)
    cells[i] = static_cast<Cell>(random());
}

struct cpu {
  template <class Cell>
  static void lay(layout l, uint64_t tile, const Cell *rows, Cell *laid, uint64_t p, uint64_t n) {
    rows_to_layout(l, tile, rows, laid, p, n, sizeof(Cell));
  }
  template <class Cell>
  static void unlay(layout l, uint64_t tile, const Cell *laid, Cell *rows, uint64_t p, uint64_t n) {
    layout_to_rows(l, tile, laid, rows, p, n, sizeof(Cell));
  }
};

// The GPU kernel's body, thread by thread; shared memory starts as garbage. Small
// tiles, so that few cells meet all borders: whole rows up to 64 cells, pieces of
// 128 bytes.
struct gpu_threads {
  static constexpr uint32_t threads = 128;
  // Faults to be planted.
  static inline bool drop_block_sync = false; // a warp stores when it has loaded itself
  static inline uint64_t lost_tiles = 0;      // at the end

  template <detail::transpose_way Way, class Cell>
  static void run(layout l, uint64_t w, const Cell *source, Cell *target, uint64_t p, uint64_t n) {
    const detail::transpose_tuning whole = {threads, 4, 1, 32 * 65 * 4, 32, 0};
    const detail::transpose_tuning cut = {threads, 4, 1, 32 * 65 * 4, 0, 128};
    if (detail::transpose_fits(whole, n, sizeof(Cell)))
      tiles<Way, true>(detail::make_transpose_shape(l, w, p, n, sizeof(Cell), whole), source,
                       target);
    else
      tiles<Way, false>(detail::make_transpose_shape(l, w, p, n, sizeof(Cell), cut), source,
                        target);
  }
  template <detail::transpose_way Way, bool WholeRows, class Cell>
  static void tiles(const detail::transpose_shape &s, const Cell *source, Cell *target) {
    constexpr uint32_t v = detail::cells_per_word(sizeof(Cell));
    for (uint64_t index = 0; index < s.num_tiles - lost_tiles; ++index) {
      const detail::transpose_tile tile = detail::tile_at(s, index);
      if (tile.instances < s.tile_instances) {
        for (uint32_t t = 0; t < threads; ++t)
          detail::move_partial_tile<threads, Way>(s, tile, source, target, t);
        continue;
      }
      guarded<Cell> shared(transpose_shared_words(s, sizeof(Cell)) * v, 0xcc);
      const uint32_t together = drop_block_sync ? 32 : threads;
      for (uint32_t first = 0; first < threads; first += together) {
        for (uint32_t t = first; t < first + together; ++t)
          detail::load_tile<Way, WholeRows, threads, 4>(s, tile, source, shared.cells(), t);
        for (uint32_t t = first; t < first + together; ++t)
          detail::store_tile<Way, WholeRows, threads, 4>(s, tile, shared.cells(), target, t);
      }
      ASSERT_TRUE(shared.intact());
    }
  }
  template <class Cell>
  static void lay(layout l, uint64_t w, const Cell *rows, Cell *laid, uint64_t p, uint64_t n) {
    run<detail::transpose_way::rows_to_layout>(l, w, rows, laid, p, n);
  }
  template <class Cell>
  static void unlay(layout l, uint64_t w, const Cell *laid, Cell *rows, uint64_t p, uint64_t n) {
    run<detail::transpose_way::layout_to_rows>(l, w, laid, rows, p, n);
  }
};

template <class Machine, class Cell> void check(layout l, uint64_t tile, uint64_t p, uint64_t n) {
  SCOPED_TRACE(::testing::Message()
               << "bytes " << sizeof(Cell) << " p " << p << " n " << n << " tile " << tile);
  guarded<Cell> rows(p * n, 0), back(p * n, 0);
  guarded<Cell> laid(storage_cells(l, tile, p, n), 0x11);
  randomise(rows.cells(), p * n);
  Machine::lay(l, tile, rows.cells(), laid.cells(), p, n);
  for (uint64_t j = 0; j < p; ++j)
    for (uint64_t i = 0; i < n; ++i)
      ASSERT_EQ(laid.cells()[laid_index(l, tile, p, n, j, i)], rows.cells()[j * n + i])
          << "instance " << j << " cell " << i;
  Machine::unlay(l, tile, laid.cells(), back.cells(), p, n);
  for (uint64_t k = 0; k < p * n; ++k)
    ASSERT_EQ(back.cells()[k], rows.cells()[k]) << "cell " << k << " on the way back";
  EXPECT_TRUE(rows.intact() && laid.intact() && back.intact());
}

template <class Machine> void check_all(const std::vector<uint64_t> &tiles) {
  for (uint64_t p : {1, 2, 3, 31, 32, 33, 97, 128, 257, 509, 1031})
    for (uint64_t n :
         {1, 2, 3, 4, 5, 7, 8, 16, 17, 32, 33, 64, 65, 67, 100, 128, 129, 131, 300, 1100})
      for (uint64_t tile : tiles) {
        const layout l = tile ? layout::tiled : layout::column_wise;
        check<Machine, uint8_t>(l, tile, p, n);
        check<Machine, uint16_t>(l, tile, p, n);
        check<Machine, uint32_t>(l, tile, p, n);
        check<Machine, uint64_t>(l, tile, p, n);
        if (::testing::Test::HasFatalFailure())
          return;
      }
}

TEST(Transpose, CpuMatchesTheLayouts) { check_all<cpu>({0, 4, 8, 16, 32, 64}); }
TEST(Transpose, GpuThreadsMatchTheLayouts) { check_all<gpu_threads>({0, 8, 32}); }

TEST(Transpose, GpuThreadsManyInstancesOfThreeCells) {
  check<gpu_threads, uint8_t>(layout::column_wise, 0, 10007, 3);
  check<gpu_threads, uint16_t>(layout::tiled, 32, 10007, 3);
  check<gpu_threads, uint32_t>(layout::column_wise, 0, 10007, 3);
  check<gpu_threads, uint64_t>(layout::tiled, 32, 10007, 3);
}

// The tables' promises: every row ends in a tuning that cuts, tiles keep to their
// shared memory, a step of the row side is whole stretches between padding, and rows
// of a cut are a constant distance apart modulo a word.
TEST(Transpose, TuningsFit) {
  using namespace detail;
  for (transpose_way way : {transpose_way::rows_to_layout, transpose_way::layout_to_rows})
    for (uint32_t cell_bytes : {1, 2, 4, 8})
      for (uint64_t n :
           {2, 3, 31, 32, 33, 64, 65, 128, 131, 250, 272, 273, 544, 1000, 4096, 70000}) {
        uint32_t rank = 0;
        while (!transpose_fits(transpose_tuning_at(way, cell_bytes, rank), n, cell_bytes))
          ASSERT_LT(++rank, num_transpose_tunings);
        const transpose_tuning tuning = transpose_tuning_at(way, cell_bytes, rank);
        const uint32_t v = cells_per_word(cell_bytes);
        for (layout l : {layout::column_wise, layout::tiled}) {
          const transpose_shape s = make_transpose_shape(l, 32, 1 << 20, n, cell_bytes, tuning);
          SCOPED_TRACE(::testing::Message() << "bytes " << cell_bytes << " n " << n);
          EXPECT_LE(transpose_shared_words(s, cell_bytes) * v * cell_bytes, tuning.tile_bytes);
          EXPECT_EQ(tuning.threads % 128, 0u);
          EXPECT_EQ(tuning.threads / 32 % v, 0u);
          EXPECT_EQ(s.row_pitch % v, n % v);
          EXPECT_LE(bank_conflicts(s.row_pitch, s.log2_pad, v * cell_bytes), 4u);
        }
      }
}

TEST(Transpose, CpuPaddingLanesAreZero) {
  const uint32_t rows[] = {1, 2, 3, 4, 5, 6}; // p = 3, n = 2
  uint32_t laid[8];
  std::fill(std::begin(laid), std::end(laid), 99u);
  rows_to_layout(layout::tiled, 4, rows, laid, 3, 2, 4);
  const uint32_t expected[] = {1, 3, 5, 0, 2, 4, 6, 0};
  EXPECT_TRUE(std::equal(std::begin(laid), std::end(laid), expected));
}

TEST(Transpose, RowWiseIsACopy) {
  const uint16_t rows[] = {1, 2, 3, 4};
  uint16_t laid[4] = {};
  rows_to_layout(layout::row_wise, 1, rows, laid, 2, 2, 2);
  EXPECT_TRUE(std::equal(std::begin(rows), std::end(rows), laid));
}

/// Rows to columns and back.
std::string there_and_back(bool drop_block_sync, uint64_t lost_tiles) {
  gpu_threads::drop_block_sync = drop_block_sync;
  gpu_threads::lost_tiles = lost_tiles;
  const uint64_t p = 97, n = 33;
  guarded<uint32_t> rows(p * n, 0), laid(p * n, 0x11), back(p * n, 0x22);
  randomise(rows.cells(), p * n);
  gpu_threads::lay(layout::column_wise, 0, rows.cells(), laid.cells(), p, n);
  gpu_threads::unlay(layout::column_wise, 0, laid.cells(), back.cells(), p, n);
  for (uint64_t k = 0; k < p * n; ++k)
    if (laid.cells()[laid_index(layout::column_wise, 0, p, n, k / n, k % n)] != rows.cells()[k] ||
        back.cells()[k] != rows.cells()[k])
      return "cell " + std::to_string(k);
  return "";
}

TEST(Transpose, PlantedFaultsAreSeen) { // in processes of their own
  using namespace colonnade::testing;
  const auto sound = [](unsigned) { return there_and_back(false, 0); };
  expect_caught(
      "bulk", "dropped_block_sync", [](unsigned) { return there_and_back(true, 0); }, sound);
  expect_caught(
      "bulk", "off_by_one_tail", [](unsigned) { return there_and_back(false, 1); }, sound);
  has_none("bulk", "dropped_warp_sync");
  has_none("bulk", "unreset_ticket");
}

} // namespace

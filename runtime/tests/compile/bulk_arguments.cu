//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What bulk/transpose.cuh refuses before any CUDA call.
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/bulk/transpose.cuh>

using namespace colonnade::runtime;

namespace {

some_memory<uint32_t> rows, laid;

cudaError_t there(const uint32_t *from, uint32_t *to, layout l = layout::tiled, uint64_t tile = 32,
                  uint64_t p = 100, uint64_t n = 3, size_t cell_bytes = 4) {
  return transpose_to_layout<4>(l, tile, from, to, p, n, cell_bytes);
}
cudaError_t back(const uint32_t *from, uint32_t *to, layout l = layout::tiled, uint64_t tile = 32,
                 uint64_t p = 100, uint64_t n = 3, size_t cell_bytes = 4) {
  return transpose_to_rows<4>(l, tile, from, to, p, n, cell_bytes);
}

template <class Transpose> void test(Transpose *move) {
  const layout all[] = {layout::row_wise, layout::column_wise, layout::tiled};
  for (layout l : all) {
    REACHES_CUDA(move(rows.in(), laid.get(), l, 32, 100, 3, 4));
    REACHES_CUDA(move(rows.in(), laid.get(), l, 32, 100, 1, 4));
    EXPECT(move(nullptr, nullptr, l, 32, 0, 3, 4) == cudaSuccess, "no instances");
    EXPECT(move(nullptr, nullptr, l, 32, 100, 0, 4) == cudaSuccess, "no cells");
    REFUSED(move(nullptr, laid.get(), l, 32, 100, 3, 4));
    REFUSED(move(rows.in(), nullptr, l, 32, 100, 3, 4));
    REFUSED(move(rows.in(), rows.get(), l, 32, 100, 3, 4));
    REFUSED(move(rows.in(), rows.get() + 299, l, 32, 100, 3, 4));
    REFUSED(move(rows.in(), laid.get(), l, 32, 100, 3, 0));
    REFUSED(move(rows.in(), laid.get(), l, 32, 100, 3, 3));
  }
  REFUSED(move(rows.at(2), laid.get(), layout::tiled, 32, 100, 3, 4));
  REFUSED(move(rows.in(), laid.at(1), layout::column_wise, 32, 100, 3, 4));
  for (uint64_t tile : {0, 1, 2, 3, 5, 33, 64})
    REFUSED(move(rows.in(), laid.get(), layout::tiled, tile, 100, 3, 4));
  REFUSED(move(rows.in(), laid.get(), layout::tiled, 32, 100, 3, 8)); // not among CellSizes
}

} // namespace

int main() {
  require_no_gpu();
  test(there);
  test(back);
  return gpu_result("arguments of transposes");
}

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Transposes against the device's copy bandwidth. Targets: 0.8 for cells of 4 and
// 8 bytes and n >= 32, any p >= 1M including primes; 0.5 for n = 3 and for cells
// of 1 and 2 bytes. n is odd, even, a multiple of 8, and beyond whole rows.
//
//===----------------------------------------------------------------------===//

#include "bench.hpp"

#include <colonnade/bulk/transpose.cuh>

using namespace colonnade::bulk;

static void measure(bench::report &out, layout l, uint64_t p, uint64_t n, size_t cell_bytes) {
  const uint64_t row_bytes = p * n * cell_bytes;
  void *d_rows = bench::random_memory(row_bytes);
  void *d_laid = bench::random_memory((p + 31) / 32 * 32 * n * cell_bytes);
  const std::string shape = std::to_string(cell_bytes) + "-byte cells, n = " + std::to_string(n) +
                            ", p = " + std::to_string(p);
  const std::string name = l == layout::tiled ? "tiles" : "columns";
  const double bytes = 2.0 * static_cast<double>(row_bytes);
  bench::against_copy(out, "transpose rows to " + name + ", " + shape, bytes, [&] {
    CUDA_OK(transpose_to_layout(l, 32, d_rows, d_laid, p, n, cell_bytes));
  });
  bench::against_copy(out, "transpose " + name + " to rows, " + shape, bytes,
                      [&] { CUDA_OK(transpose_to_rows(l, 32, d_laid, d_rows, p, n, cell_bytes)); });
  CUDA_OK(cudaFree(d_rows));
  CUDA_OK(cudaFree(d_laid));
}

static uint64_t next_prime(uint64_t from) {
  for (uint64_t p = from | 1;; p += 2) {
    bool prime = true;
    for (uint64_t d = 3; d * d <= p && prime; d += 2)
      prime = p % d != 0;
    if (prime)
      return p;
  }
}

int main(int argc, char **argv) {
  require_gpu();
  bench::report out(argc, argv);
  for (layout l : {layout::column_wise, layout::tiled})
    for (size_t cell_bytes : {1, 2, 4, 8}) {
      const uint64_t megabyte = 1 << 20, cells = 1024 * megabyte / cell_bytes;
      measure(out, l, cells / 32, 32, cell_bytes);
      for (uint64_t n : {3, 32, 33, 128, 131, 250, 1000, 1001})
        measure(out, l, next_prime(std::max(cells / n, megabyte)), n, cell_bytes);
    }
  return out.finish();
}

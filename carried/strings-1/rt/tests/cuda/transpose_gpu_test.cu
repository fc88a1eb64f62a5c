//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Transposes on the GPU against the layouts' definitions: small shapes cell by
// cell with red zones, large ones on the device by sampling every cell.
//
//===----------------------------------------------------------------------===//

#include "gpu_test.hpp"

#include <colonnade/bulk/transpose.cuh>

#include <cstring>
#include <vector>

using namespace colonnade::bulk;

static uint64_t laid_cells(layout l, uint64_t p, uint64_t n) {
  return l == layout::tiled ? (p + 31) / 32 * 32 * n : p * n;
}

__host__ __device__ static uint64_t laid_index(layout l, uint64_t p, uint64_t n, uint64_t j,
                                               uint64_t i) {
  return l == layout::tiled ? j / 32 * 32 * n + i * 32 + j % 32 : i * p + j;
}

template <class Cell> __global__ void fill(Cell *cells, uint64_t num_cells) {
  for (uint64_t k = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; k < num_cells;
       k += uint64_t{gridDim.x} * blockDim.x)
    cells[k] = static_cast<Cell>(scramble(k));
}

/// Counts cells of `laid` that are not the row-wise cell they should be.
template <class Cell>
__global__ void count_wrong(layout l, const Cell *laid, uint64_t p, uint64_t n,
                            unsigned long long *wrong) {
  for (uint64_t k = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; k < p * n;
       k += uint64_t{gridDim.x} * blockDim.x)
    if (laid[laid_index(l, p, n, k / n, k % n)] != static_cast<Cell>(scramble(k)))
      atomicAdd(wrong, 1ull);
}

template <class Cell>
__global__ void count_wrong_rows(const Cell *rows, uint64_t num_cells, unsigned long long *wrong) {
  for (uint64_t k = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; k < num_cells;
       k += uint64_t{gridDim.x} * blockDim.x)
    if (rows[k] != static_cast<Cell>(scramble(k)))
      atomicAdd(wrong, 1ull);
}

static bool zone_intact(const unsigned char *d_zone) {
  unsigned char zone[256];
  CUDA_OK(cudaMemcpy(zone, d_zone, sizeof zone, cudaMemcpyDeviceToHost));
  for (unsigned char byte : zone)
    if (byte != 0xa5)
      return false;
  return true;
}

template <class Cell> static void check(layout l, uint64_t p, uint64_t n) {
  const uint64_t laid_bytes = laid_cells(l, p, n) * sizeof(Cell), row_bytes = p * n * sizeof(Cell);
  const uint64_t stride = (laid_bytes + 255) / 256 * 256;
  unsigned char *d_memory = nullptr;
  unsigned long long *d_wrong = nullptr;
  CUDA_OK(cudaMalloc(&d_memory, 3 * stride + 4 * 256));
  CUDA_OK(cudaMalloc(&d_wrong, 8));
  CUDA_OK(cudaMemset(d_memory, 0xa5, 3 * stride + 4 * 256));
  CUDA_OK(cudaMemset(d_wrong, 0, 8));
  Cell *d_rows = reinterpret_cast<Cell *>(d_memory + 256);
  Cell *d_laid = reinterpret_cast<Cell *>(d_memory + 512 + stride);
  Cell *d_back = reinterpret_cast<Cell *>(d_memory + 768 + 2 * stride);
  fill<<<1024, 256>>>(d_rows, p * n);
  CUDA_OK(transpose_to_layout(l, 32, d_rows, d_laid, p, n, sizeof(Cell)));
  count_wrong<<<1024, 256>>>(l, d_laid, p, n, d_wrong);
  CUDA_OK(transpose_to_rows(l, 32, d_laid, d_back, p, n, sizeof(Cell)));
  count_wrong_rows<<<1024, 256>>>(d_back, p * n, d_wrong);
  unsigned long long wrong = 0;
  CUDA_OK(cudaMemcpy(&wrong, d_wrong, 8, cudaMemcpyDeviceToHost));
  const char *where = l == layout::tiled ? "tiled" : "columns";
  EXPECT(wrong == 0, "%llu wrong cells, %s, %zu bytes, p %llu, n %llu", wrong, where, sizeof(Cell),
         (unsigned long long)p, (unsigned long long)n);
  EXPECT(zone_intact(d_memory) && zone_intact(d_memory + 256 + stride) &&
             zone_intact(d_memory + 512 + 2 * stride) && zone_intact(d_memory + 768 + 3 * stride),
         "red zone, %s, %zu bytes, p %llu, n %llu", where, sizeof(Cell), (unsigned long long)p,
         (unsigned long long)n);
  // Bytes between the array's end and the zone belong to nobody either.
  std::vector<unsigned char> tail(stride - row_bytes % stride < 256 ? stride - row_bytes : 0);
  if (!tail.empty()) {
    CUDA_OK(cudaMemcpy(tail.data(), reinterpret_cast<unsigned char *>(d_back) + row_bytes,
                       tail.size(), cudaMemcpyDeviceToHost));
    for (unsigned char byte : tail)
      EXPECT(byte == 0xa5, "byte after the rows");
  }
  CUDA_OK(cudaFree(d_memory));
  CUDA_OK(cudaFree(d_wrong));
}

static void check_sizes(uint64_t p, uint64_t n) {
  for (layout l : {layout::column_wise, layout::tiled}) {
    check<uint8_t>(l, p, n);
    check<uint16_t>(l, p, n);
    check<uint32_t>(l, p, n);
    check<uint64_t>(l, p, n);
  }
}

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small"); // for memcheck
  for (uint64_t p : {1, 31, 32, 33, 257, 1031}) // 1031: whole tiles of all shapes, and a rest
    for (uint64_t n : {1, 2, 3, 5, 32, 33, 65, 129, 250, 321})
      check_sizes(p, n);
  if (!small) {
    check_sizes(1000003, 3);
    check_sizes(1000003, 32);
    check_sizes(100003, 250);
    check_sizes(32768, 256);
    check_sizes(40009, 546);
    check_sizes(1048583, 37);
    check_sizes(70001, 1031);
    check_sizes(3, 3000017);
    check<uint8_t>(layout::column_wise, 1500000001, 3); // beyond 32-bit indices
  }
  return gpu_result("transposes");
}

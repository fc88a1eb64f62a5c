//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// measure/cells.cuh: what arrays hold while plans are measured.
//
// In: an array's description, how many instances, their layout, and rows of an .npy file or none.
// Out: device memory, filled: instance j has row j of the file, from the first on again after the
// last; without a file random cells, of floating-point types numbers from 1 to 2. Invariant: an
// instance has the same cells in each layout and whatever the number of instances.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/kernel.cuh>
#include <colonnade/bulk/npy.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace colonnade::runtime::measure {

/// Device memory of one owner.
class device_bytes {
public:
  device_bytes() = default;
  device_bytes(const device_bytes &) = delete;
  device_bytes(device_bytes &&from) noexcept : memory_(from.memory_) { from.memory_ = nullptr; }
  device_bytes &operator=(const device_bytes &) = delete;
  ~device_bytes() { (void)cudaFree(memory_); }
  status allocate(uint64_t bytes) {
    return cuda_status(cudaMalloc(&memory_, bytes ? bytes : 1), "allocating device memory");
  }
  void *get() const { return memory_; }

private:
  void *memory_ = nullptr;
};

namespace detail {

inline constexpr unsigned fill_blocks = 1024, fill_threads = 256;

/// The constants are those of splitmix64's last step.
__device__ inline uint64_t scrambled(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

struct filled {
  void *memory;
  cell_type type;
  size_t bytes;          // of a cell
  uint64_t cells, count; // of an instance; instances
  const uint8_t *rows;   // on the device; null: random
  uint64_t num_rows;
  uint64_t seed;
};

__device__ inline void put_random(const filled &of, uint64_t at, uint64_t number) {
  const uint64_t x = scrambled(of.seed + number);
  switch (of.type) {
  case cell_type::f32:
    static_cast<float *>(of.memory)[at] = 1.0f + static_cast<float>(x >> 41) / (1 << 23);
    break;
  case cell_type::f64:
    static_cast<double *>(of.memory)[at] = 1.0 + static_cast<double>(x >> 12) / (uint64_t{1} << 52);
    break;
  case cell_type::boolean:
    static_cast<uint8_t *>(of.memory)[at] = static_cast<uint8_t>(x >> 63);
    break;
  default:
    for (size_t b = 0; b < of.bytes; ++b)
      static_cast<uint8_t *>(of.memory)[at * of.bytes + b] = static_cast<uint8_t>(x >> 8 * b);
  }
}

template <class Layout> __global__ void fill(filled of) {
  const uint64_t threads = uint64_t{gridDim.x} * blockDim.x;
  for (uint64_t k = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; k < of.cells * of.count;
       k += threads) {
    const bool is_row_wise = Layout::kind == layout::row_wise;
    const uint64_t instance = is_row_wise ? k / of.cells : k % of.count,
                   cell = is_row_wise ? k % of.cells : k / of.count;
    const instance_view view = Layout::view(instance, of.cells, of.count);
    const uint64_t at = view.base + cell * view.stride;
    if (!of.rows) {
      put_random(of, at, instance * of.cells + cell);
      continue;
    }
    const uint8_t *const from = of.rows + (instance % of.num_rows * of.cells + cell) * of.bytes;
    for (size_t b = 0; b < of.bytes; ++b)
      static_cast<uint8_t *>(of.memory)[at * of.bytes + b] = from[b];
  }
}

} // namespace detail

/// One array of a function, of any number of instances.
class array_cells {
public:
  array_cells(const array_info &array, uint64_t cells) : array_(&array), cells_(cells) {}

  uint64_t bytes(uint64_t count) const { // whole tiles
    return cells_ * size_bytes(array_->cell) * (array_->uniform ? 1 : (count + 31) / 32 * 32);
  }

  /// Its contents come from `path`. Error: another type, or other cells.
  status read(const char *path) {
    npy::array_file file;
    if (status s = npy::array_file::open(path, file); !s)
      return s;
    const auto wrong = [&](const std::string &what) {
      return status::failure(status_code::bad_file, std::string("'") + path + "': " + what);
    };
    if (file.head.structured || (file.head.fortran_order && file.head.shape.size() > 1))
      return wrong("a plain array in C order is needed");
    if (status s = npy::check_type(file.head.fields[0].code, array_->cell); !s)
      return wrong(s.message);
    if (file.head.num_items == 0 || file.head.num_items % cells_ != 0 ||
        (array_->uniform && file.head.num_items != cells_))
      return wrong(std::string(array_->name) + " has " + std::to_string(cells_) + " cells" +
                   (array_->uniform ? "" : " an instance"));
    num_rows_ = file.head.num_items / cells_;
    const uint64_t size = file.head.num_items * size_bytes(array_->cell);
    if (status s = rows_.allocate(size); !s)
      return s;
    return cuda_status(cudaMemcpy(rows_.get(), file.data(), size, cudaMemcpyHostToDevice),
                       "copying");
  }

  /// Writes the cells of `count` instances.
  status fill(void *d_memory, layout l, uint64_t count, uint64_t seed) const {
    const detail::filled of{d_memory,
                            array_->cell,
                            size_bytes(array_->cell),
                            cells_,
                            array_->uniform ? 1 : count,
                            static_cast<const uint8_t *>(rows_.get()),
                            num_rows_,
                            seed << 48}; // arrays have other cells than each other
    if (array_->uniform || l == layout::row_wise)
      detail::fill<row_wise_layout><<<detail::fill_blocks, detail::fill_threads>>>(of);
    else if (l == layout::column_wise)
      detail::fill<column_wise_layout><<<detail::fill_blocks, detail::fill_threads>>>(of);
    else
      detail::fill<tiled_layout<32>><<<detail::fill_blocks, detail::fill_threads>>>(of);
    return cuda_status(cudaGetLastError(), "filling an array");
  }

private:
  const array_info *array_;
  uint64_t cells_;
  device_bytes rows_; // of the file
  uint64_t num_rows_ = 0;
};

} // namespace colonnade::runtime::measure

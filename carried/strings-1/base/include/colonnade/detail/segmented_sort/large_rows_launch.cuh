//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// large_rows_launch.cuh: storage and launches of the sort of large rows (large_rows.hpp), those
// that the registers of a block do not hold.
//
// In: rows, the digits of their keys, a temp_storage to add arrays to. Out: the large rows sorted.
// Invariant: launches depend on counts that the host knows alone; where no row is large the kernels
// end at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/alternating_arrays.hpp>
#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/scatter/scatter_launch.cuh>
#include <colonnade/detail/segmented_sort/large_rows.hpp>
#include <colonnade/run_options.cuh>
#include <colonnade/segmented_sort_tuning.hpp>

#include <algorithm>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class Rows>
__global__ void __launch_bounds__(number_tiles_threads)
    number_tiles_kernel(const __grid_constant__ large_rows<Rows> a) {
  __shared__ uint32_t shared[33];
  number_tiles(device_machine{}, a, shared);
}
template <class Rows> struct clear_words_arguments {
  large_rows<Rows> rows;
  uint32_t *words;
  bool counts_too;
};
template <class Rows>
__global__ void __launch_bounds__(256)
    clear_words_kernel(const __grid_constant__ clear_words_arguments<Rows> a) {
  clear_words(device_machine{}, a.rows, a.words, a.counts_too);
}
template <class Key, class Word, class Rows> struct count_digits_arguments {
  large_rows<Rows> rows;
  const Key *keys;
};
template <class Key, class Word, class Rows>
__global__ void __launch_bounds__(512)
    count_digits_kernel(const __grid_constant__ count_digits_arguments<Key, Word, Rows> a) {
  __shared__ uint32_t shared[max_digits * digit_buckets];
  count_digits(device_machine{}, a.rows, a.keys, Word{}, shared);
}
template <class Rows>
__global__ void __launch_bounds__(digit_buckets)
    make_bases_kernel(const __grid_constant__ large_rows<Rows> a) {
  __shared__ uint32_t shared[8];
  make_bases(device_machine{}, a, shared);
}
template <class Rows, class Whole> struct scatter_rows_arguments {
  large_rows<Rows> rows;
  Whole whole;
  uint32_t pass;
};
template <class Tunings, class Rows, class Whole>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.min_blocks)
    scatter_rows_kernel(const __grid_constant__ scatter_rows_arguments<Rows, Whole> a) {
  extern __shared__ __align__(16) char scatter_rows_shared[];
  scatter_tiles<compiled<Tunings>>(device_machine{}, a.rows, a.whole, a.pass, scatter_rows_shared);
}

/// Key: an unsigned integer; Word makes its word. Value: `nothing` for keys alone.
template <class Policy, class Word, class Key, class Value, class Rows> class large_rows_sort {
public:
  using tunings = multisplit_tunings<Policy, digit_bits, sizeof(Key), bytes_of<Value>>;
  static constexpr bool has_values = !std::is_same_v<Value, nothing>;

  /// For at most most_rows rows of more than most_in_block items, in arrays of num_items.
  /// keys_dropped: an argsort.
  large_rows_sort(gpu_architecture architecture, uint64_t num_items, uint64_t most_rows,
                  uint32_t most_in_block, const digit_list &digits, bool keys_dropped,
                  temp_storage &storage)
      : digits_(digits), num_items_(num_items),
        tile_items_(scatter_tile_items<tunings>(architecture)) {
    most_rows_ = std::min(most_rows, num_items / (most_in_block + 1));
    if (most_rows_ == 0)
      return;
    most_tiles_ = num_items / tile_items_ + most_rows_;
    first_tile_ = storage.add<uint32_t>(most_rows_ + 1);
    tile_row_ = storage.add<uint32_t>(most_tiles_);
    counts_ = storage.add<uint32_t>(most_rows_ * digits.count * digit_buckets);
    tickets_ = storage.add<uint32_t>(max_digits);
    words_ = storage.add<uint32_t>(most_tiles_ * digit_buckets);
    const uint64_t spare = digits.count > 1 ? num_items : 0;
    spare_keys_ = storage.add<Key>(spare);
    spare_values_ = storage.add<char>(spare * bytes_of<Value>);
    dropped_ = storage.add<Key>(keys_dropped ? num_items : 0);
  }

  /// ValuesIn: a pointer, an index iterator or no_items.
  template <class ValuesIn>
  cudaError_t run(void *d_temp, const device_properties &gpu, const Rows &rows,
                  uint32_t large_class, const Key *keys_in, Key *keys_out, ValuesIn values_in,
                  Value *values_out, cudaStream_t stream) const {
    if (most_rows_ == 0)
      return cudaSuccess;
    const auto at = [&](size_t place) { return temp_storage::at<uint32_t>(d_temp, place); };
    const large_rows<Rows> a{rows,          large_class, tile_items_, digits_, at(first_tile_),
                             at(tile_row_), at(counts_), at(tickets_)};
    if (const cudaError_t error =
            launch(number_tiles_kernel<Rows>, {1, number_tiles_threads, 0, stream, false}, a))
      return error;
    if (const cudaError_t error = clear(gpu, {a, at(words_), true}, stream))
      return error;
    if (const cudaError_t error =
            launch(count_digits_kernel<Key, Word, Rows>, {blocks(gpu), 512, 0, stream, false},
                   count_digits_arguments<Key, Word, Rows>{a, keys_in}))
      return error;
    const uint64_t scans = std::min<uint64_t>(most_rows_ * digits_.count, 8ull * gpu.num_sms);
    if (const cudaError_t error =
            launch(make_bases_kernel<Rows>,
                   {static_cast<uint32_t>(scans), digit_buckets, 0, stream, false}, a))
      return error;
    if (!keys_out)
      keys_out = temp_storage::at<Key>(d_temp, dropped_);
    const alternating_arrays<Key> keys{keys_out, temp_storage::at<Key>(d_temp, spare_keys_)};
    const alternating_arrays<Value> values{values_out,
                                           temp_storage::at<Value>(d_temp, spare_values_)};
    for (uint32_t k = 0; k < digits_.count; ++k) {
      const Key *from = k ? keys.from(k, digits_.count) : keys_in;
      Key *to = keys.to(k, digits_.count);
      cudaError_t error;
      if constexpr (!has_values)
        error = run_pass(d_temp, gpu, a, k, from, to, no_items{}, nothing{}, stream);
      else if (k == 0)
        error =
            run_pass(d_temp, gpu, a, k, from, to, values_in, values.to(k, digits_.count), stream);
      else
        error = run_pass(d_temp, gpu, a, k, from, to, values.from(k, digits_.count),
                         values.to(k, digits_.count), stream);
      if (error)
        return error;
    }
    return cudaSuccess;
  }

  /// The offsets of the arrays in temporary storage that passes alternate with; dropped: the sorted
  /// keys of an argsort.
  struct spare_places {
    size_t keys, values, dropped;
  };
  bool has_spares() const { return most_rows_ > 0; }
  spare_places spares() const { return {spare_keys_, spare_values_, dropped_}; }

private:
  /// Enough blocks of any of the kernels to fill the GPU, but not more than tiles.
  uint32_t blocks(const device_properties &gpu) const {
    return static_cast<uint32_t>(std::min<uint64_t>(most_tiles_, 8ull * gpu.num_sms));
  }
  static cudaError_t clear(const device_properties &gpu, const clear_words_arguments<Rows> &a,
                           cudaStream_t stream) {
    return launch(clear_words_kernel<Rows>,
                  {2u * static_cast<uint32_t>(gpu.num_sms), 256, 0, stream, false}, a);
  }
  template <class ValuesIn, class ValuesOut>
  cudaError_t run_pass(void *d_temp, const device_properties &gpu, const large_rows<Rows> &a,
                       uint32_t k, const Key *from, Key *to, ValuesIn values_in,
                       ValuesOut values_out, cudaStream_t stream) const {
    using whole = row_scatter_arguments<const Key *, Key *, ValuesIn, ValuesOut, digit_ids<Word>>;
    whole w{{from, to, values_in, values_out},
            digit_ids<Word>(Word{}, digits_.at[k]),
            0,
            0,
            0,
            {0, nullptr},
            nullptr,
            temp_storage::at<uint32_t>(d_temp, words_),
            nullptr,
            num_items_ >> 32 != 0};
    if (k > 0)
      if (const cudaError_t error = clear(gpu, {a, w.words, false}, stream))
        return error;
    return scatter(gpu, scatter_rows_arguments<Rows, whole>{a, w, k}, stream);
  }
  template <class Whole>
  cudaError_t scatter(const device_properties &gpu, const scatter_rows_arguments<Rows, Whole> &a,
                      cudaStream_t stream) const {
    const scatter_shape shape = scatter_shape_on<tunings, digit_bits, Key, Value>(gpu.architecture);
    static allowed_devices allowed;
    const auto kernel = scatter_rows_kernel<tunings, Rows, Whole>;
    if (const cudaError_t error =
            allow_shared_memory(kernel, shape.shared_bytes, gpu.device, allowed))
      return error;
    return launch(kernel, {blocks(gpu), shape.threads, shape.shared_bytes, stream, false}, a);
  }

  digit_list digits_;
  uint64_t num_items_, most_rows_ = 0, most_tiles_ = 0;
  uint32_t tile_items_;
  size_t first_tile_ = 0, tile_row_ = 0, counts_ = 0, tickets_ = 0, words_ = 0;
  size_t spare_keys_ = 0, spare_values_ = 0, dropped_ = 0;
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail

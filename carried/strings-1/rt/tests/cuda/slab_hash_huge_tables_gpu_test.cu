//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Slab hashes of more than 2^32 pairs, which are inserted by one call:
//
//   multimap  every key of 32 bits that is not reserved, some twice, at utilisation 0.7 (49 GB)
//   map       as many different keys of 64 bits with values of 64, at utilisation 0.8 (86 GB)
//
// Statistics count all pairs; each of them is visited once, and no other; a sample is found,
// counted, replaced and erased; a flush leaves what is left. Keys and values are computed from the
// pair's number, and the number from them. What the device has no memory for is left out.
//
//   --small   a few thousand pairs
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"
#include "slab_case.cuh"

#include <chrono>
#include <cmath>

using namespace colonnade;

namespace {

using ull = unsigned long long;

/// Pair i of the multimap: the keys 0, 1, ... and the first ones again.
struct all_words {
  using key_type = uint32_t;
  using value_type = uint32_t;
  uint64_t n, different;

  __host__ __device__ uint32_t key(uint64_t i) const {
    return static_cast<uint32_t>(i % different);
  }
  __host__ __device__ uint32_t value(uint64_t i) const { return 2 * key(i) + (i >= different); }
  /// n or more: there is no such pair.
  __host__ __device__ uint64_t number(uint32_t key, uint32_t value) const {
    const uint32_t round = value - 2 * key;
    return round > 1 ? n : key + round * different;
  }
};
/// That of all words is no bijection, so that chains differ in length.
struct hash_of_words {
  __host__ __device__ uint32_t operator()(uint32_t key) const {
    return detail::spread_bits(uint64_t{key} + 0x9e3779b97f4a7c15);
  }
};

/// Pair i of the map.
struct wide_numbers {
  using key_type = uint64_t;
  using value_type = uint64_t;
  static constexpr uint64_t factor = 0x9e3779b97f4a7c15, inverse = 0xf1de83e19937733d;
  static_assert(factor * inverse == 1);
  uint64_t n;

  __host__ __device__ uint64_t key(uint64_t i) const { return i * factor; }
  __host__ __device__ uint64_t value(uint64_t i) const { return ~i; }
  __host__ __device__ uint64_t number(uint64_t key, uint64_t value) const {
    const uint64_t i = key * inverse;
    return value == ~i ? i : n;
  }
};

template <class Numbers> struct keys_of {
  Numbers numbers;
  __host__ __device__ auto operator[](uint64_t i) const { return numbers.key(i); }
};
template <class Numbers> struct values_of {
  Numbers numbers;
  __host__ __device__ auto operator[](uint64_t i) const { return numbers.value(i); }
};

/// A bit for each pair that is visited; what is none, or comes twice, is wrong.
template <class Numbers> struct tick_off {
  Numbers numbers;
  uint32_t *bits;
  ull *wrong;
  __device__ void operator()(typename Numbers::key_type key,
                             typename Numbers::value_type value) const {
    const uint64_t i = numbers.number(key, value);
    const uint32_t bit = 1u << i % 32;
    if (i >= numbers.n || (atomicOr(bits + i / 32, bit) & bit))
      atomicAdd(wrong, 1ull);
  }
};
__global__ void count_bits(const uint32_t *bits, uint64_t num_words, ull *count) {
  ull mine = 0;
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < num_words;
       i += uint64_t{gridDim.x} * blockDim.x)
    mine += static_cast<ull>(__popc(bits[i]));
  atomicAdd(count, mine);
}

template <class Map, class Numbers> class huge_table {
public:
  using key_type = typename Numbers::key_type;
  using value_type = typename Numbers::value_type;

  huge_table(const Numbers &numbers, const typename Map::options_type &options)
      : numbers_(numbers), options_(options) {
    CUDA_OK(Map::create(map, options));
    CUDA_OK(map.insert_async(temp_.get(), bytes_, keys_of<Numbers>{numbers},
                             values_of<Numbers>{numbers}, numbers.n, nullptr, nullptr,
                             {nullptr, status_.get()}));
    EXPECT(status_.read()[0].ok(), "an insertion was refused");
    step("inserted");
  }

  Map map;

  /// Of the pairs 0 to end - 1 one for each of their keys.
  void erase(uint64_t end) {
    CUDA_OK(map.erase_async(temp_.get(), bytes_, keys_of<Numbers>{numbers_}, end, nullptr,
                            {nullptr, status_.get()}));
    EXPECT(status_.read()[0].ok(), "the status after erase");
    step("erased");
  }
  void flush() {
    CUDA_OK(map.flush_async());
    step("flushed");
  }

  /// What statistics, retrieve_all and for_each say of so many pairs and tombstones.
  slab_statistics expect(uint64_t pairs, uint64_t tombstones) const {
    slab_statistics now;
    CUDA_OK(map.statistics(now));
    EXPECT(now.num_pairs == pairs && now.num_tombstones == tombstones,
           "%llu pairs and %llu tombstones, not %llu and %llu", ull{now.num_pairs},
           ull{now.num_tombstones}, ull{pairs}, ull{tombstones});
    uint64_t chains = 0;
    for (const uint64_t of_length : now.chains_of_length)
      chains += of_length;
    EXPECT(chains == options_.num_buckets && now.num_slabs >= chains &&
               now.num_slabs <= chains + options_.num_slabs,
           "%llu chains, %llu slabs", ull{chains}, ull{now.num_slabs});
    const device_array<key_type> keys(1);
    const device_array<value_type> values(1);
    const device_array<uint64_t> count(1);
    size_t bytes = 1;
    CUDA_OK(map.retrieve_all_async(temp_.get(), bytes, keys.get(), values.get(), 1, count.get(),
                                   {nullptr, status_.get()}));
    const device_status said = status_.read()[0];
    EXPECT(count.read()[0] == pairs && said.error() == data_error::buffer_too_small &&
               said.detail() == pairs,
           "%llu pairs to be retrieved", ull{count.read()[0]});
    status_.write(std::vector<device_status>(1));
    expect_each_once(pairs);
    step("counted");
    return now;
  }

  struct answers {
    std::vector<value_type> values;
    std::vector<uint8_t> present;
    std::vector<uint64_t> offsets;
  };
  /// Of these pairs' keys.
  answers ask(const std::vector<key_type> &keys) const {
    const device_array<key_type> d_keys(keys);
    const device_array<value_type> values(keys.size());
    const device_array<uint8_t> present(keys.size());
    const device_array<uint64_t> offsets(keys.size() + 1);
    device_status status;
    CUDA_OK(map.find(d_keys.get(), values.get(), keys.size(), status,
                     reinterpret_cast<bool *>(present.get())));
    EXPECT(status.ok(), "the status after find");
    CUDA_OK(map.count(d_keys.get(), offsets.get(), keys.size(), status));
    EXPECT(status.ok(), "the status after count");
    return {values.read(), present.read(), offsets.read()};
  }
  /// right(i): how many pairs the key of pair i has; their values are those of pairs.
  template <class Right> void expect_sample(Right right) const {
    const std::vector<uint64_t> asked = sample();
    std::vector<key_type> keys;
    for (const uint64_t i : asked)
      keys.push_back(numbers_.key(i));
    const answers got = ask(keys);
    for (size_t k = 0; k < asked.size(); ++k) {
      const uint64_t i = asked[k], pairs = right(i);
      const bool is_right =
          !pairs || (numbers_.number(keys[k], got.values[k]) < numbers_.n && got.present[k]);
      EXPECT(is_right && got.present[k] == (pairs != 0), "pair %llu: found", ull{i});
      EXPECT(got.offsets[k + 1] - got.offsets[k] == pairs, "pair %llu: counted %llu times", ull{i},
             ull{got.offsets[k + 1] - got.offsets[k]});
    }
  }
  /// About a million pairs from the first to the last.
  std::vector<uint64_t> sample() const {
    std::vector<uint64_t> all{numbers_.n - 1};
    const uint64_t step = std::max<uint64_t>(numbers_.n >> 20, 3);
    for (uint64_t i = 0; i < numbers_.n; i += step)
      all.push_back(i);
    return all;
  }

private:
  void expect_each_once(uint64_t pairs) const {
    const uint64_t num_words = numbers_.n / 32 + 1;
    const device_array<uint32_t> bits(num_words);
    const wrong_counter wrong;
    const device_array<ull> count(std::vector<ull>(1));
    CUDA_OK(cudaMemset(bits.get(), 0, num_words * 4));
    CUDA_OK(map.for_each_async(tick_off<Numbers>{numbers_, bits.get(), wrong.get()}));
    count_bits<<<1056, 256>>>(bits.get(), num_words, count.get());
    wrong.expect_none("pairs that there are not, or that come twice");
    EXPECT(count.read()[0] == pairs, "%llu different pairs are visited", count.read()[0]);
  }
  /// How long it took since the last one.
  void step(const char *what) const {
    CUDA_OK(cudaDeviceSynchronize());
    const auto now = std::chrono::steady_clock::now();
    std::printf("%zu + %zu bytes, %llu pairs: %s, %.2f s\n", sizeof(key_type), sizeof(value_type),
                ull{numbers_.n}, what, std::chrono::duration<double>(now - last_).count());
    last_ = now;
  }

  const Numbers numbers_;
  const typename Map::options_type options_;
  const device_array<device_status> status_{std::vector<device_status>(1)};
  const device_array<char> temp_{1};
  size_t bytes_ = 1;
  mutable std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void check_multimap(uint64_t n) {
  using map_type = slab_multimap<uint32_t, uint32_t, hash_of_words>;
  const all_words numbers{n, n >> 32 ? (uint64_t{1} << 32) - 2 : n - n / 5};
  const uint64_t twice = n - numbers.different, erased = numbers.different / 2 + 77;
  auto options = slab_map_options_for<uint32_t, uint32_t>(n, 0.7);
  if (n >> 32 == 0) // a fifth of the pairs has a key of before: chains differ more than expected
    options.num_slabs *= 2;
  huge_table<map_type, all_words> table(numbers, options);
  const slab_statistics before = table.expect(n, 0);
  EXPECT(n >> 32 == 0 || std::abs(before.utilisation() - 0.7) < 0.01, "utilisation %.3f",
         before.utilisation());
  table.expect_sample([&](uint64_t i) { return 1u + (numbers.key(i) < twice); });
  table.erase(erased);
  const auto left = [&](uint64_t i) {
    return 1u + (numbers.key(i) < twice) - (numbers.key(i) < erased);
  };
  table.expect_sample(left);
  table.expect(n - erased, erased);
  table.flush();
  const slab_statistics after = table.expect(n - erased, 0);
  EXPECT(after.num_slabs < before.num_slabs, "%llu slabs after the flush", ull{after.num_slabs});
  table.expect_sample(left);
}

void check_map(const wide_numbers &numbers, const slab_map_options<uint64_t, uint64_t> &options) {
  using map_type = slab_map<uint64_t, uint64_t>;
  const uint64_t n = numbers.n, erased = n / 5;
  huge_table<map_type, wide_numbers> table(numbers, options);
  const slab_statistics before = table.expect(n, 0);
  EXPECT(n >> 32 == 0 || std::abs(before.utilisation(16) - 0.8) < 0.01, "utilisation %.3f",
         before.utilisation(16));
  table.expect_sample([](uint64_t) { return 1u; });
  // None of the sample is inserted again; all are replaced.
  std::vector<uint64_t> keys, others;
  for (const uint64_t i : table.sample()) {
    keys.push_back(numbers.key(i));
    others.push_back(i + 5);
  }
  const device_array<uint64_t> d_keys(keys), d_others(others);
  device_status status;
  CUDA_OK(table.map.insert(d_keys.get(), d_others.get(), keys.size(), status));
  table.expect_sample([](uint64_t) { return 1u; });
  CUDA_OK(table.map.insert_or_assign(d_keys.get(), d_others.get(), keys.size(), status));
  EXPECT(status.ok() && table.ask(keys).values == others, "replaced");
  for (uint64_t &other : others)
    other = ~(other - 5);
  d_others.write(others);
  CUDA_OK(table.map.insert_or_assign(d_keys.get(), d_others.get(), keys.size(), status));
  table.erase(erased);
  table.expect_sample([&](uint64_t i) { return i >= erased ? 1u : 0u; });
  table.flush();
  EXPECT(table.expect(n - erased, 0).num_slabs < before.num_slabs, "slabs after the flush");
  table.expect_sample([&](uint64_t i) { return i >= erased ? 1u : 0u; });
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 12.2);
  check_multimap(n);
  CUDA_OK(cudaDeviceSynchronize());
  const auto options = slab_map_options_for<uint64_t, uint64_t>(n, 0.8);
  const uint64_t needed =
      (uint64_t{options.num_buckets} + options.num_slabs) * 128 + n / 4 + (uint64_t{1} << 29);
  size_t free_bytes = 0, all_bytes = 0;
  CUDA_OK(cudaMemGetInfo(&free_bytes, &all_bytes));
  if (free_bytes < needed)
    std::printf("left out: a map takes %llu bytes of device memory, of which %zu are free\n",
                ull{needed}, free_bytes);
  else
    check_map({n}, options);
  return gpu_result("slab hashes of more than 2^32 pairs");
}

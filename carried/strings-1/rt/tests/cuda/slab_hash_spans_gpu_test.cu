//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The forms of slab hashes and slab lists that take spans, on the GPU.
//
//   --small   for the sanitizers: the same
//
//===----------------------------------------------------------------------===//

#include "slab_case.cuh"

#include <colonnade/slab_list.cuh>

#include <algorithm>
#include <cuda/std/span>

using namespace colonnade;

namespace {

struct add {
  __host__ __device__ uint32_t operator()(uint32_t old, uint32_t given) const {
    return old + given;
  }
};

/// Spans are arrays that know their size; where sizes differ, nothing happens.
class span_case {
public:
  using span_in = cuda::std::span<const uint32_t>;

  void check() {
    check_multimap();
    check_map();
    check_set();
    check_list();
  }

private:
  void check_multimap() {
    slab_multimap<uint32_t, uint32_t> map;
    CUDA_OK(map.create(map, slab_map_options_for<uint32_t, uint32_t>(50)));
    EXPECT(map.insert(k, shorter, status) == cudaErrorInvalidValue &&
               map.find(k, shorter, status) == cudaErrorInvalidValue &&
               map.count(k, c, status) == cudaErrorInvalidValue &&
               map.erase_all(k, o, status) == cudaErrorInvalidValue &&
               map.find_all(k, c, f, status) == cudaErrorInvalidValue &&
               map.contains_async(temp.get(), bytes, k, p.first(3)) == cudaErrorInvalidValue &&
               map.retrieve_all_async(temp.get(), bytes, f, shorter, total.get()) ==
                   cudaErrorInvalidValue &&
               map.build(map, options, k, v.first(2)) == cudaErrorInvalidValue,
           "sizes differ");
    CUDA_OK(map.insert_async(temp.get(), bytes, k, v));
    CUDA_OK(map.count(k, o, status));
    EXPECT((offsets.read() == std::vector<uint64_t>{0, 1, 3, 4, 6, 7}), "counts");
    CUDA_OK(map.find_all(k, o, f, status));
    EXPECT(status.error() == data_error::buffer_too_small && status.detail() == 7 &&
               offsets.read()[5] == 7 && found.read()[0] == 1,
           "all values");
    CUDA_OK(map.erase(k.first(2), status));
    CUDA_OK(map.contains(k, p, status));
    EXPECT((flags.read() == std::vector<uint8_t>{0, 1, 1, 1, 1}), "erased");
    CUDA_OK(map.find(k.last(3), f.last(3), status));
    EXPECT(found.read()[4] == 5 && found.read()[2] == 3, "found");
    CUDA_OK(map.erase_all(k, c, status));
    const std::vector<uint64_t> erased = counts.read(); // key 1 is there once, and asked for twice
    EXPECT(erased[0] == 0 && erased[1] + erased[3] == 1 && erased[2] == 1 && erased[4] == 1,
           "all erased");
    CUDA_OK(map.build(map, options, k, v));
    CUDA_OK(map.erase_all_async(temp.get(), bytes, k.first(2), c.first(2)));
    EXPECT(counts.read()[1] == 2, "both erased");
  }
  void check_map() {
    word_map map;
    CUDA_OK(map.build(map, options, k, v));
    CUDA_OK(map.insert_or_assign(k.first(1), v.last(1), status));
    CUDA_OK(map.insert_or_assign_async(temp.get(), bytes, k.last(1), v.first(1)));
    CUDA_OK(map.insert_or_apply(k.first(1), v.first(1), add{}, status));
    CUDA_OK(map.insert_or_apply_async(temp.get(), bytes, k.first(1), v.first(1), add{}));
    EXPECT(map.insert_or_assign(k, shorter, status) == cudaErrorInvalidValue &&
               map.insert_or_apply(k, shorter, add{}, status) == cudaErrorInvalidValue,
           "sizes differ");
    CUDA_OK(map.find_async(temp.get(), bytes, k, f));
    EXPECT((found.read() == words{7, 4, 3, 4, 1}), "assigned and applied");
    const words host_keys{8, 9}, host_values{80, 90};
    CUDA_OK(map.from_host(map, options, host_keys, host_values));
    const device_array<uint32_t> all_keys(2), all_values(2);
    const cuda::std::span<uint32_t> to_keys(all_keys.get(), 2), to_values(all_values.get(), 2);
    CUDA_OK(map.retrieve_all_async(temp.get(), bytes, to_keys, to_values, total.get()));
    const words got = all_keys.read(), values_got = all_values.read();
    EXPECT(total.read()[0] == 2 && got[0] + got[1] == 17 && values_got[0] == got[0] * 10,
           "from the host and back");
  }
  void check_set() {
    slab_set<uint32_t> set;
    CUDA_OK(set.build(set, slab_set_options_for<uint32_t>(50), k));
    CUDA_OK(set.insert(k, status, p.data()));
    EXPECT((flags.read() == std::vector<uint8_t>(5, 1)), "all there");
    CUDA_OK(set.erase_async(temp.get(), bytes, k.first(1)));
    CUDA_OK(set.insert_async(temp.get(), bytes, k.first(1), p.data()));
    EXPECT(flags.read()[0] == 0, "came back");
    CUDA_OK(set.retrieve_all_async(temp.get(), bytes, f, total.get()));
    words all = found.read();
    std::sort(all.begin(), all.begin() + 4);
    EXPECT(total.read()[0] == 4 && (words(all.begin(), all.begin() + 4) == words{1, 3, 4, 5}),
           "all keys");
    CUDA_OK(set.from_host(set, slab_set_options_for<uint32_t>(50), words{6, 6, 2}));
    CUDA_OK(set.contains(k, p, status));
    EXPECT((flags.read() == std::vector<uint8_t>(5, 0)), "other keys");
  }
  void check_list() {
    slab_list<uint32_t, uint32_t> list;
    CUDA_OK(list.build(list, {}, k, v));
    CUDA_OK(list.find(k, f, status));
    EXPECT((found.read() == words{1, 4, 3, 4, 5}), "a list");
    CUDA_OK(list.from_host(list, {}, words{5}, words{50}));
    CUDA_OK(list.find(k.last(1), f.last(1), status));
    EXPECT(found.read()[4] == 50, "a list from the host");
  }

  const device_array<uint32_t> keys{words{3, 1, 4, 1, 5}}, values{words{1, 2, 3, 4, 5}}, found{5},
      few{2};
  const device_array<uint8_t> flags{5}, temp{4096};
  const device_array<uint64_t> counts{5}, offsets{6}, total{1};
  const span_in k{keys.get(), 5}, v{values.get(), 5};
  const cuda::std::span<uint32_t> f{found.get(), 5}, shorter{few.get(), 2};
  const cuda::std::span<uint64_t> c{counts.get(), 5}, o{offsets.get(), 6};
  const cuda::std::span<bool> p{reinterpret_cast<bool *>(flags.get()), 5};
  const slab_map_options<uint32_t, uint32_t> options = slab_map_options_for<uint32_t, uint32_t>(50);
  device_status status;
  size_t bytes = 4096;
};

} // namespace

int main() {
  require_gpu();
  span_case().check();
  return gpu_result("slab hash by spans");
}

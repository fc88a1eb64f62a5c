//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Segmented sorts of more than 2^32 items in all on the GPU: equal segments that warps,
// blocks and the whole GPU sort, and listed ones of all lengths up to 2^24; keys, and
// places. 60 GB of device memory.
//
//   --small   a few thousand items by the same code
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"

#include <colonnade/segmented_sort.cuh>

using namespace colonnade;

namespace {

/// Where segments begin: computed, or read.
struct equal_begins {
  uint64_t length;
  __device__ uint64_t operator[](uint64_t s) const { return s * length; }
};

/// What the threads of a block bring, in thread 0.
__device__ unsigned long long added_up(unsigned long long value) {
  __shared__ unsigned long long sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, value);
  __syncthreads();
  value = sum;
  __syncthreads();
  return value;
}

/// A block a segment: it rises, and its items are those of the input.
template <class Begins>
__global__ void check_keys(const uint8_t *in, const uint8_t *out, Begins begins, uint64_t count,
                           unsigned long long *wrong) {
  for (uint64_t s = blockIdx.x; s < count; s += gridDim.x) {
    const uint64_t begin = begins[s], end = begins[s + 1];
    uint64_t more = 0;
    bool falls = false;
    for (uint64_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
      more += scramble(in[i]) - scramble(out[i]);
      falls = falls || (i > begin && out[i - 1] > out[i]);
    }
    const bool other = added_up(more) != 0, falling = added_up(falls) != 0;
    if (threadIdx.x == 0 && (other || falling))
      atomicAdd(wrong, 1ull);
  }
}
/// Keys rise, and of equal keys the places: so every place comes once.
template <class Begins>
__global__ void check_places(const uint8_t *in, const uint32_t *places, Begins begins,
                             uint64_t count, unsigned long long *wrong) {
  for (uint64_t s = blockIdx.x; s < count; s += gridDim.x) {
    const uint64_t begin = begins[s], length = begins[s + 1] - begin;
    const auto rank = [&](uint64_t i) -> int64_t {
      const uint64_t place = places[begin + i];
      return place < length ? static_cast<int64_t>(uint64_t{in[begin + place]} << 32 | place) : -1;
    };
    for (uint64_t i = threadIdx.x; i < length; i += blockDim.x)
      if (rank(i) < 0 || (i > 0 && rank(i - 1) >= rank(i)))
        atomicAdd(wrong, 1ull);
  }
}

class huge_case {
public:
  explicit huge_case(uint64_t n) : n_(n), keys_(n), out_(n), places_(n) {
    fill_with_scrambled<<<2048, 256>>>(keys_.get(), n);
  }

  template <class Segments, class Begins>
  void test(const char *what, Segments segments, Begins begins) const {
    const uint8_t *in = keys_.get();
    const uint64_t count = segments.count;
    CUDA_OK(cudaMemset(out_.get(), 0xa5, n_));
    CUDA_OK(cudaMemset(places_.get(), 0xa5, n_ * sizeof(uint32_t)));
    call_twice([&](void *d_temp, size_t &bytes) {
      return segmented_sort_keys(d_temp, bytes, in, out_.get(), segments);
    });
    check_keys<<<4096, 128>>>(in, out_.get(), begins, count, wrong_.get());
    wrong_.expect_none(what);
    call_twice([&](void *d_temp, size_t &bytes) {
      return segmented_argsort(d_temp, bytes, in, places_.get(), segments);
    });
    check_places<<<4096, 128>>>(in, places_.get(), begins, count, wrong_.get());
    wrong_.expect_none(what);
    out_.expect_intact(what);
    places_.expect_intact(what);
  }

private:
  uint64_t n_;
  device_array<uint8_t> keys_, out_;
  device_array<uint32_t> places_;
  wrong_counter wrong_;
};

/// Of 0 to 2^24 items, n in all; short ones by far the most.
std::vector<uint64_t> offsets_of_all_lengths(uint64_t n) {
  std::vector<uint64_t> offsets = {0};
  for (uint64_t s = 0; offsets.back() < n; ++s) {
    const uint64_t random = scramble(s), log2 = s % 1000 == 7 ? 24 : random % 12;
    const uint64_t length = (random >> 8) % ((uint64_t{1} << log2) + 1);
    offsets.push_back(std::min(n, offsets.back() + length));
  }
  return offsets;
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 14);
  const huge_case huge(n);
  for (uint64_t length :
       {uint64_t{7}, uint64_t{100}, uint64_t{5000}, n >> 32 ? uint64_t{1} << 22 : uint64_t{3000}})
    huge.test("equal segments", equal_segments{n / length, length}, equal_begins{length});
  const std::vector<uint64_t> offsets = offsets_of_all_lengths(n);
  const device_array<uint64_t> d_offsets(offsets);
  const uint64_t *begins = d_offsets.get();
  huge.test("listed segments", segments_between(offsets.size() - 1, begins, n), begins);
  return gpu_result("segmented sort of more than 2^32 items");
}

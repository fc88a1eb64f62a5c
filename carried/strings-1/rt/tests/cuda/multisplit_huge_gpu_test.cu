//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// More than 2^32 items on the GPU: multisplit, its segmented form with a segment of
// more than 2^32, the block-level method and the two-way form. Keys of one byte, and
// where each comes from as an 8-byte value: 45 GB of device memory, or it is skipped.
//
//   --small   none of it: a few thousand items by the same code
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"
#include "multisplit_case.cuh"

#include <colonnade/multisplit_methods.cuh>
#include <colonnade/segmented_multisplit.cuh>
#include <colonnade/two_way_multisplit.cuh>

using namespace colonnade;

namespace {

struct coarse_segments : segmented_multisplit_policy {
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
};
struct coarse_default : multisplit_policy {
  static constexpr uint32_t max_buckets = 256;
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
};
struct coarse_blocks : block_level_policy {
  static constexpr uint32_t max_buckets = 256;
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
};

/// Items [first, last): a permutation whose items lie in their buckets and rise within
/// each is the stable one. Any order: and whose marks are all set once.
struct expectation {
  const uint8_t *keys;
  const uint64_t *from;
  uint64_t first, last;
  uint32_t m;
  const uint64_t *offsets; // m + 1
  uint8_t *marks;          // null: must rise
};
__global__ void count_wrong(expectation e, unsigned long long *wrong) {
  for (uint64_t i = e.first + blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < e.last;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint64_t source = e.from[i];
    const bool inside = source >= e.first && source < e.last;
    const uint32_t b = inside ? e.keys[source] % e.m : 0;
    const bool rises = e.marks || i == e.offsets[b] || e.from[i - 1] < source;
    if (!inside || i < e.offsets[b] || i >= e.offsets[b + 1] || !rises)
      atomicAdd(wrong, 1ull);
    else if (e.marks)
      e.marks[source] = 1;
  }
}
__global__ void count_unmarked(const uint8_t *marks, uint64_t n, unsigned long long *wrong) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    if (marks[i] != 1)
      atomicAdd(wrong, 1ull);
}

class huge_case {
public:
  explicit huge_case(uint64_t n)
      : n_(n), keys_(n), from_(n), offsets_(1024), wrong_(std::vector<unsigned long long>(1)) {
    fill_with_scrambled<<<2048, 256>>>(keys_.get(), n);
  }

  template <class Policy> void permute(uint32_t m, const char *what) {
    call_twice([&](void *d_temp, size_t &bytes) {
      return multisplit_permutation(d_temp, bytes, in(), from_.get(), n_, m, modulo_bucket{m},
                                    offsets_.get(), {}, Policy{});
    });
    check(0, n_, m, offsets_.get());
    EXPECT(offsets_.read()[m] == n_, "last offset, m = %u", m);
    finish(what, m);
  }
  /// Keys do not move; what does is where they come from.
  void segments(uint32_t m) {
    const uint64_t end = std::min<uint64_t>(n_ / 1000, 40000); // the second has more than 2^32
    const std::vector<uint64_t> cuts = {0, end, n_ - end, n_ - 3, n_};
    const device_array<uint64_t> d_cuts(cuts);
    call_twice([&](void *d_temp, size_t &bytes) {
      return segmented_multisplit_pairs(d_temp, bytes, in(), detail::nothing{},
                                        detail::index_iterator<uint64_t>{}, from_.get(), n_,
                                        cuts.size() - 1, d_cuts.get(), m, modulo_bucket{m},
                                        offsets_.get(), {}, coarse_segments{});
    });
    for (size_t s = 0; s + 1 < cuts.size(); ++s)
      check(cuts[s], cuts[s + 1], m, offsets_.get() + s * m);
    finish("segments", m);
  }
  void two_ways() {
    const device_array<uint8_t> marks(n_);
    CUDA_OK(cudaMemset(from_.get(), 0xff, n_ * sizeof(uint64_t)));
    call_twice([&](void *d_temp, size_t &bytes) {
      return two_way_multisplit_pairs(d_temp, bytes, in(), detail::nothing{},
                                      detail::index_iterator<uint64_t>{}, from_.get(), n_,
                                      modulo_bucket{2}, offsets_.get());
    });
    check(0, n_, 2, offsets_.get(), marks.get());
    count_unmarked<<<2048, 256>>>(marks.get(), n_, wrong_.get());
    EXPECT(offsets_.read()[2] == n_, "last offset, two ways");
    finish("two ways", 2);
  }

private:
  const uint8_t *in() const { return keys_.get(); }
  void check(uint64_t first, uint64_t last, uint32_t m, const uint64_t *d_offsets,
             uint8_t *marks = nullptr) {
    const expectation e{keys_.get(), from_.get(), first, last, m, d_offsets, marks};
    count_wrong<<<2048, 256>>>(e, wrong_.get());
  }
  void finish(const char *what, uint32_t m) {
    EXPECT(wrong_.read()[0] == 0, "%llu wrong of %llu items, %s, m = %u", wrong_.read()[0],
           static_cast<unsigned long long>(n_), what, m);
    wrong_.write({0});
    CUDA_OK(cudaMemset(from_.get(), 0xff, n_ * sizeof(uint64_t)));
  }

  uint64_t n_;
  device_array<uint8_t> keys_;
  device_array<uint64_t> from_, offsets_;
  device_array<unsigned long long> wrong_;
};

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 10.1);
  huge_case huge(n);
  for (uint32_t m : {2, 100})
    huge.permute<coarse_default>(m, "look back");
  huge.permute<coarse_blocks>(100, "block-level");
  huge.segments(100);
  huge.two_ways();
  return gpu_result("more than 2^32 items");
}

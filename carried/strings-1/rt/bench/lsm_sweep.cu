//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_sweep.cu: other ways of insertion, cleanup and the sort of a batch, side by side: no
// benchmark, for those who choose a tuning. Ways take turns on one tree; each line says the rate
// and how many times that of the tuning as it is.
//
//   lsm_sweep --job insertion --log2-batch 22     --job wide    --job cleanup    --job wide-cleanup
//             --log2-inserted 27 --runs 9         --job sort
//
//===----------------------------------------------------------------------===//

#include "lsm_sweep.hpp"
#include "timed_call.hpp"

using namespace bench;
using namespace colonnade;

namespace {

/// What is changed of the tuning as it is; 0: nothing.
struct changes {
  uint32_t threads = 0, items_per_thread = 0, min_blocks = 0, partition_lanes = 0, copied_rows = 0;
};
template <changes C> struct changed : lsm_policy {
  static constexpr lsm_tuning tuning(gpu_architecture a, size_t key, size_t value) {
    lsm_tuning t = lsm_policy::tuning(a, key, value);
    if (C.threads)
      t.threads = C.threads, t.items_per_thread = C.items_per_thread, t.min_blocks = C.min_blocks;
    if (C.partition_lanes)
      t.partition_lanes = C.partition_lanes;
    if (C.copied_rows)
      t.copied_rows = C.copied_rows;
    return t;
  }
};
constexpr changes three_of_15{.threads = 384, .items_per_thread = 15, .min_blocks = 3},
    four_of_19{.threads = 224, .items_per_thread = 19, .min_blocks = 4},
    four_of_21{.threads = 256, .items_per_thread = 21, .min_blocks = 4},
    wide_three_of_9{.threads = 256, .items_per_thread = 9, .min_blocks = 3},
    wide_four_of_9{.threads = 256, .items_per_thread = 9, .min_blocks = 4},
    wide_four_of_13{.threads = 256, .items_per_thread = 13, .min_blocks = 4},
    finer{.partition_lanes = 1 << 17}, coarser{.partition_lanes = 1 << 15},
    eight_rows{.copied_rows = 8};

/// Of pairs of 32 bits: add(name, policy).
template <class Add> void narrow_ways(Add add) {
  add("384 x 15, 3 blocks", changed<three_of_15>{});
  add("224 x 19, 4 blocks", changed<four_of_19>{});
  add("256 x 21, 4 blocks", changed<four_of_21>{});
  add("2^17 lanes", changed<finer>{});
  add("2^15 lanes", changed<coarser>{});
}
/// Of pairs of 64 bits.
template <class Add> void wide_ways(Add add) {
  add("256 x 9, 3 blocks", changed<wide_three_of_9>{});
  add("256 x 9, 4 blocks", changed<wide_four_of_9>{});
  add("256 x 13, 4 blocks", changed<wide_four_of_13>{});
}

template <class Key> void sweep_insertion(report &out, uint64_t n, uint64_t batch, int runs) {
  Key *const keys = memory<Key>(n);
  fill_uniform<<<2048, 256>>>(keys, n, 1);
  auto tree = new_tree<Key>(batch, n);
  size_t most = 0;
  char *d_temp = nullptr;
  std::vector<way> ways;
  const auto add = [&](const char *name, auto policy) {
    size_t bytes = 0;
    CUDA_OK(tree.insert_async(nullptr, bytes, keys, keys, batch, {}, policy));
    most = std::max(most, bytes);
    ways.push_back(
        {name, [&, policy] {
           CUDA_OK(tree.clear_async());
           return milliseconds([&] {
             for (uint64_t i = 0; i < n; i += batch)
               CUDA_OK(tree.insert_async(d_temp, most, keys + i, keys + i, batch, {}, policy));
           });
         }});
  };
  add("as it is", lsm_policy{});
  if constexpr (sizeof(Key) == 8)
    wide_ways(add);
  else
    narrow_ways(add);
  add("copies of 8 rows at once", changed<eight_rows>{});
  d_temp = memory<char>(most);
  take_turns(out, "insert " + size_name(n) + ", batches of " + size_name(batch), n, runs, ways);
  CUDA_OK(cudaFree(keys));
  CUDA_OK(cudaFree(d_temp));
}

/// All levels full; one element of ten is stale.
template <class Key> void sweep_cleanup(report &out, uint64_t batch, uint64_t batches, int runs) {
  const uint64_t n = batches * batch, different = n - n / 10;
  Key *const keys = memory<Key>(n);
  fill_uniform<<<2048, 256>>>(keys, n, 1);
  CUDA_OK(
      cudaMemcpy(keys + different, keys, (n - different) * sizeof(Key), cudaMemcpyDeviceToDevice));
  auto tree = new_tree<Key>(batch, n);
  inserter<Key> in(tree, keys, batch);
  size_t most = 0;
  char *d_temp = nullptr;
  std::vector<way> ways;
  const auto add = [&](const char *name, auto policy) {
    size_t bytes = 0;
    CUDA_OK(tree.cleanup_async(nullptr, bytes, {}, policy));
    most = std::max(most, bytes);
    ways.push_back({name, [&, policy] {
                      insert_all(tree, in, batches);
                      return milliseconds(
                          [&] { CUDA_OK(tree.cleanup_async(d_temp, most, {}, policy)); });
                    }});
  };
  add("as it is", lsm_policy{});
  if constexpr (sizeof(Key) == 8)
    wide_ways(add);
  else
    narrow_ways(add);
  d_temp = memory<char>(most);
  take_turns(out, "cleanup, " + std::to_string(batches) + " batches of " + size_name(batch), n,
             runs, ways);
  CUDA_OK(cudaFree(keys));
  CUDA_OK(cudaFree(d_temp));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const auto number = [&](const char *name, const char *otherwise) {
    return std::stoul(option(argc, argv, name, otherwise));
  };
  const std::string job = option(argc, argv, "--job", "insertion");
  const int runs = static_cast<int>(number("--runs", "9"));
  const uint64_t batch = uint64_t{1} << number("--log2-batch", "22"),
                 inserted = uint64_t{1} << number("--log2-inserted", "27");
  if (job == "insertion")
    sweep_insertion<uint32_t>(out, inserted, batch, runs);
  else if (job == "wide")
    sweep_insertion<uint64_t>(out, inserted / 4, batch, runs);
  else if (job == "sort")
    sweep_sorts(out, batch, runs);
  else if (job == "wide-cleanup")
    sweep_cleanup<uint64_t>(out, 1u << 19, 63, runs);
  else
    for (const uint64_t batches : {127, 63})
      sweep_cleanup<uint32_t>(out, batches == 127 ? 1u << 19 : 1u << 20, batches, runs);
  return out.finish();
}

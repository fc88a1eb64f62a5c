//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operations of all kinds on the same keys at once, by warps with tiles of several widths and by
// threads alone, in two kernels on two streams. For each key: what was inserted and not erased is
// there, once; whatever value was found had been given to that key. One key that comes and goes
// 10,000 times takes one slot. find_all lists what is there while others change its keys. Warps and
// threads flush chains of their own while others insert into theirs.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "slab_case.cuh"

#include <colonnade/slab_list.cuh>

using namespace colonnade;

namespace {

using ref = word_map::ref_type;

struct plan {
  uint32_t keys, calls; // calls of each thread
  uint32_t seed;
};
struct tallies {
  int *balance; // of each key: times it was new, less times it was erased
  uint32_t *mistakes;
};

__device__ uint32_t value_of(uint32_t key, uint32_t random) {
  return key << 16 | (random & 0xffff);
}

__device__ void record(const tallies &t, slab_operation operation, uint32_t key,
                       const slab_found<uint32_t> &found) {
  const bool inserts =
      operation == slab_operation::insert || operation == slab_operation::insert_or_assign;
  if (inserts && found.was == slab_answer::absent)
    atomicAdd(t.balance + key, 1);
  if (operation == slab_operation::erase && found.present())
    atomicSub(t.balance + key, 1);
  if (found.present() && found.value >> 16 != key)
    atomicAdd(t.mistakes, 1u);
}

__device__ slab_found<uint32_t> alone(const ref &map, slab_operation operation, uint32_t key,
                                      uint32_t value) {
  switch (operation) {
  case slab_operation::find:
    return map.find(key);
  case slab_operation::insert:
    return map.insert(key, value);
  case slab_operation::insert_or_assign:
    return map.insert_or_assign(key, value);
  default:
    return map.erase(key);
  }
}

/// use(active, operation, key, value), for each call of this thread.
template <class Use> __device__ void each_call(const plan &p, const tallies &t, Use use) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (uint32_t c = 0; c < p.calls; ++c) {
    const uint64_t random = scramble((uint64_t{p.seed} << 48 | uint64_t{thread} << 16) + c);
    const bool has = random % 8 != 0;
    const auto operation = static_cast<slab_operation>(random / 8 % 4);
    const uint32_t key = static_cast<uint32_t>(random >> 8) % p.keys;
    const slab_found<uint32_t> found =
        use(has, operation, key, value_of(key, static_cast<uint32_t>(random >> 40)));
    if (has)
      record(t, operation, key, found);
  }
}
template <uint32_t Lanes>
__device__ void by_warps(const ref &map, const plan &p, const tallies &t) {
  typename ref::warp<Lanes, 2> warp(map);
  each_call(p, t, [&](bool has, slab_operation operation, uint32_t key, uint32_t value) {
    return warp.apply(has, operation, key, value);
  });
}

__global__ void mixed_calls(ref map, plan p, tallies t) {
  switch (blockIdx.x % 4) {
  case 0:
    return by_warps<8>(map, p, t);
  case 1:
    return by_warps<16>(map, p, t);
  case 2:
    return by_warps<32>(map, p, t);
  default:
    each_call(p, t, [&](bool has, slab_operation operation, uint32_t key, uint32_t value) {
      return has ? alone(map, operation, key, value) : slab_found<uint32_t>{};
    });
  }
}

void check_mixed(uint32_t keys, uint32_t buckets, uint32_t blocks, uint32_t calls) {
  // Threads alone may each hold a slab for a moment.
  word_map map = new_map(buckets, keys / 10 + 2 * blocks * 128);
  const device_array<int> balance(std::vector<int>(keys, 0));
  const device_array<uint32_t> mistakes(words{0});
  const tallies t{balance.get(), mistakes.get()};
  cudaStream_t streams[2];
  CUDA_OK(cudaDeviceSynchronize());
  for (uint32_t s = 0; s < 2; ++s) {
    CUDA_OK(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
    mixed_calls<<<blocks, 128, 0, streams[s]>>>(map.ref(), {keys, calls, s + keys}, t);
  }
  CUDA_OK(cudaDeviceSynchronize());
  const slab_contents stands = contents_of(map);
  const std::vector<int> left = balance.read();
  EXPECT(mistakes.read()[0] == 0, "%u values of other keys", mistakes.read()[0]);
  for (uint32_t key = 0; key < keys; ++key)
    EXPECT(left[key] == static_cast<int>(stands.pairs.count(key)), "key %u of %u: %d times", key,
           keys, left[key]);
  for (const auto &[key, value] : stands.pairs)
    EXPECT(value >> 16 == key, "key %u has another's value", key);
  for (cudaStream_t stream : streams)
    CUDA_OK(cudaStreamDestroy(stream));
}

/// insert, find, erase, find, again and again.
__global__ void come_and_go(ref map, uint32_t times, uint32_t *mistakes) {
  ref::warp<> warp(map);
  const bool first = threadIdx.x == 0;
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < times; ++i) {
    wrong += warp.insert(first, 42, i).present();
    const auto found = warp.find(first, 42);
    wrong += !found.present() || found.value != i;
    wrong += !warp.erase(first, 42).present();
    wrong += warp.contains(first, 42);
  }
  if (first)
    *mistakes = wrong;
}

void check_one_slot(uint32_t times) {
  word_map map = new_map(1, 0);
  const device_array<uint32_t> mistakes(1);
  come_and_go<<<1, 32>>>(map.ref(), times, mistakes.get());
  EXPECT(mistakes.read()[0] == 0, "%u wrong answers", mistakes.read()[0]);
  const slab_contents stands = contents_of(map);
  EXPECT(stands.slots == 1 && stands.pairs.empty(), "%llu slots",
         static_cast<unsigned long long>(stands.slots));
}

/// A value says its key, and whether it is there from the beginning.
__host__ __device__ uint32_t marked(uint32_t key, bool is_first, uint32_t number) {
  return key << 16 | uint32_t{is_first} << 15 | (number & 0x7fff);
}
/// Inserts pairs of all keys again and again, until told to stop; of a map erases those of odd
/// keys.
template <class Ref>
__global__ void change_pairs(Ref map, uint32_t keys, uint32_t times,
                             const volatile uint32_t *stop) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (uint32_t i = 0; i < times && !*stop; ++i) {
    const uint32_t key = static_cast<uint32_t>(scramble(uint64_t{thread} << 32 | i)) % keys;
    if constexpr (Ref::table_type::format_type::multiple) {
      map.insert(key, marked(key, false, i));
    } else {
      map.insert(key | 1, marked(key | 1, false, i));
      map.erase((key + 2) | 1);
    }
    __nanosleep(Ref::table_type::format_type::multiple ? 5000 : 500);
  }
}

/// Each list has values of its key; pairs that stay are in it, if there is room for all.
template <class Map> void check_lists(uint32_t keys, uint32_t each, uint32_t times) {
  constexpr bool multiple = Map::ref_type::table_type::format_type::multiple;
  constexpr uint32_t blocks = 8, lists = 20, none = ~0u;
  Map map = new_map<Map>(keys / 4 + 1, keys * each + blocks * 128 * (multiple ? times : 1));
  words some, values, asked(keys);
  for (uint32_t key = 0; key < keys; ++key) {
    asked[key] = key;
    for (uint32_t i = 0; i < each; ++i) {
      some.push_back(key);
      values.push_back(marked(key, true, i));
    }
  }
  const uint64_t capacity = uint64_t{keys} * each + (multiple ? blocks * 128 * times : 0);
  const device_array<uint32_t> d_some(some), d_values(values), d_asked(asked), stop(words{0}),
      listed(capacity);
  const device_array<uint64_t> offsets(keys + 1);
  device_status status;
  CUDA_OK(map.insert(d_some.get(), d_values.get(), some.size(), status));
  cudaStream_t changing, listing;
  CUDA_OK(cudaStreamCreateWithFlags(&changing, cudaStreamNonBlocking));
  CUDA_OK(cudaStreamCreateWithFlags(&listing, cudaStreamNonBlocking));
  CUDA_OK(cudaDeviceSynchronize());
  change_pairs<<<blocks, 128, 0, changing>>>(map.ref(), keys, times, stop.get());
  uint32_t complete = 0;
  for (uint32_t turn = 0; turn < lists; ++turn) {
    CUDA_OK(cudaMemsetAsync(listed.get(), 0x11, capacity * 4, listing));
    CUDA_OK(
        map.find_all(d_asked.get(), keys, offsets.get(), listed.get(), capacity, status, listing));
    std::vector<uint64_t> at(keys + 1);
    words got(capacity);
    CUDA_OK(
        cudaMemcpyAsync(at.data(), offsets.get(), at.size() * 8, cudaMemcpyDeviceToHost, listing));
    CUDA_OK(
        cudaMemcpyAsync(got.data(), listed.get(), got.size() * 4, cudaMemcpyDeviceToHost, listing));
    CUDA_OK(cudaStreamSynchronize(listing));
    const bool has_room = at[keys] <= capacity;
    EXPECT(has_room ? status.ok() : status.error() == data_error::buffer_too_small,
           "list %u: the status", turn);
    complete += has_room;
    for (uint32_t key = 0; key < keys; ++key) {
      std::set<uint32_t> firsts;
      bool ended = false, wrong = false;
      for (uint64_t i = at[key]; i < std::min(at[key + 1], capacity); ++i) {
        ended |= got[i] == none;
        wrong |= got[i] == none ? false : ended || got[i] >> 16 != key;
        if (got[i] != none && (got[i] >> 15 & 1))
          wrong |= !firsts.insert(got[i]).second;
      }
      EXPECT(!wrong, "list %u: what key %u has not", turn, key);
      if (multiple ? has_room : key % 2 == 0)
        EXPECT(firsts.size() == each, "list %u: %zu pairs of key %u", turn, firsts.size(), key);
    }
  }
  stop.write(words{1});
  CUDA_OK(cudaDeviceSynchronize());
  std::printf("%u lists of %u keys, %u of them with room for all\n", lists, keys, complete);
  listed.expect_intact("listed");
  CUDA_OK(cudaStreamDestroy(changing));
  CUDA_OK(cudaStreamDestroy(listing));
}

/// Numbers below `window` are there after the first of the rounds, and half as many go and come in
/// each of the others.
struct moving_window {
  uint32_t window, rounds;
  __host__ __device__ uint32_t begin(uint32_t round) const { return round * (window / 2); }
  __host__ __device__ uint32_t end(uint32_t round) const { return begin(round) + window; }
};
template <class Key> __host__ __device__ Key key_of_number(uint32_t number) {
  return static_cast<Key>(detail::spread_bits(number)) * static_cast<Key>(0x10001);
}

/// Each warp has every so many chains to itself. Odd warps' threads flush alone.
template <class Ref>
__global__ void flush_own_chains(Ref map, moving_window m, uint32_t *mistakes) {
  using key_type = typename Ref::key_type;
  typename Ref::template warp<> warp(map);
  const uint32_t lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32,
                 number = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const auto operate = [&](slab_operation operation, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; i += 32) {
      const uint32_t k = i + lane;
      const key_type key = key_of_number<key_type>(k);
      const bool has = k < end && map.bucket_of(key) % warps == number;
      const auto found = warp.apply(has, operation, key, k);
      const bool right = operation == slab_operation::insert ? found.was == slab_answer::absent
                                                             : found.present() && found.value == k;
      if (has && !right)
        atomicAdd(mistakes, 1u);
    }
  };
  operate(slab_operation::insert, 0, m.end(0));
  for (uint32_t round = 1; round < m.rounds; ++round) {
    operate(slab_operation::erase, m.begin(round - 1), m.begin(round));
    __syncwarp();
    // The last lanes bring chains that there are not, or that others bring, too.
    for (uint32_t i = 0; i * warps < map.num_buckets(); i += 24) {
      const uint32_t bucket = number + (i + lane % 25) * warps;
      if (number % 2 == 0)
        warp.flush(lane < 24 || lane % 2 == 0, bucket);
      else if (lane < 25)
        map.flush(lane < 24 ? bucket : map.num_buckets());
    }
    __syncwarp();
    operate(slab_operation::insert, m.end(round - 1), m.end(round));
    operate(slab_operation::find, m.begin(round), m.end(round));
  }
}

/// Without flushes there would not be slabs enough; with them, none is taken for nothing at the end
/// but by what came since.
template <class Map> void check_flushes(uint32_t window, uint32_t rounds, uint32_t blocks) {
  using key_type = typename Map::key_type;
  constexpr uint32_t slots = Map::ref_type::table_type::format_type::slots;
  const uint32_t buckets = window / (2 * slots) + 3;
  Map map = new_map<Map>(buckets, 2 * window / slots + blocks * 4);
  const device_array<uint32_t> mistakes(words{0});
  const moving_window m{window, rounds};
  flush_own_chains<<<blocks, 128>>>(map.ref(), m, mistakes.get());
  CUDA_OK(cudaDeviceSynchronize());
  EXPECT(mistakes.read()[0] == 0, "%u wrong answers beside flushes", mistakes.read()[0]);
  const auto stands = wide_contents_of(map);
  std::vector<uint32_t> of_bucket(buckets);
  const auto table = map.ref().table();
  for (uint32_t k = m.begin(rounds - 1); k < m.end(rounds - 1); ++k) {
    const key_type key = key_of_number<key_type>(k);
    const auto at = stands.pairs.find(key);
    EXPECT(at != stands.pairs.end() && at->second == k, "number %u is gone", k);
    ++of_bucket[table.bucket_number(key)];
  }
  uint64_t linked = 0;
  for (const uint32_t pairs : of_bucket)
    linked += (std::max(pairs, 1u) - 1) / slots;
  EXPECT(stands.all_pairs.size() == window && stands.slots == window, "%llu slots of %u pairs",
         static_cast<unsigned long long>(stands.slots), window);
  EXPECT(stands.linked == linked, "%llu slabs, %llu needed",
         static_cast<unsigned long long>(stands.linked), static_cast<unsigned long long>(linked));
}

template <class Ref> __global__ void flush_list(Ref list, bool alone) {
  typename Ref::template warp<> warp(list);
  if (!alone)
    warp.flush(threadIdx.x % 3 == 0, threadIdx.x / 9);
  else if (threadIdx.x == 5)
    list.flush(0);
}
/// A list is chain 0.
void check_flushed_list(uint32_t n) {
  using list_type = slab_list<uint32_t, uint32_t>;
  for (const bool alone : {false, true}) {
    list_type list;
    CUDA_OK(list_type::create(list));
    words keys(n);
    for (uint32_t i = 0; i < n; ++i)
      keys[i] = i * 3;
    const device_array<uint32_t> d_keys(keys);
    device_status status;
    CUDA_OK(list.insert(d_keys.get(), d_keys.get(), n, status));
    CUDA_OK(list.erase(d_keys.get(), n / 2, status));
    flush_list<<<1, 32>>>(list.ref(), alone);
    slab_statistics now;
    CUDA_OK(list.statistics(now));
    const uint64_t left = n - n / 2;
    EXPECT(now.num_pairs == left && now.num_tombstones == 0 && now.num_slabs == (left - 1) / 15 + 1,
           "a list of %llu slabs after a flush", static_cast<unsigned long long>(now.num_slabs));
    words rest;
    std::vector<uint32_t> values;
    CUDA_OK(list.to_host(rest, values));
    std::sort(rest.begin(), rest.end());
    EXPECT(std::equal(rest.begin(), rest.end(), keys.begin() + n / 2, keys.end()),
           "other keys in a list after a flush");
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  if (small) {
    check_mixed(40, 2, 4, 3);
    check_one_slot(20);
    check_lists<word_map>(20, 1, 3);
    check_lists<slab_multimap<uint32_t, uint32_t>>(20, 3, 3);
    check_flushes<word_map>(600, 4, 2);
    check_flushes<slab_multimap<uint64_t, uint64_t>>(200, 3, 2);
    check_flushed_list(100);
    return gpu_result("concurrent slab hash");
  }
  for (const uint32_t keys : {1u, 10u, 137u, 5000u, 60000u})
    for (const uint32_t buckets : {2u, 1000u})
      if (keys < 5000 || buckets > 2)
        check_mixed(keys, buckets, 256, 10);
  check_one_slot(10000);
  check_lists<word_map>(5000, 1, 3000);
  check_lists<slab_multimap<uint32_t, uint32_t>>(500, 10, 200);
  check_flushes<word_map>(40000, 20, 32);
  check_flushes<slab_map<uint64_t, uint64_t>>(20000, 20, 32);
  check_flushes<slab_multimap<uint32_t, uint32_t>>(40000, 20, 32);
  check_flushes<slab_multimap<uint64_t, uint64_t>>(900, 40, 16);
  check_flushed_list(5000);
  return gpu_result("concurrent slab hash");
}

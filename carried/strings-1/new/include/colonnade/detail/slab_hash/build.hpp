//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// build.hpp: writes the chains of a group of buckets at once, from the pairs that fall into them.
//
// A multisplit has brought together the pairs of each group, in their order (build.cuh). A block
// takes a group, and of its pairs as many as fit into shared memory: it counts them by bucket, sums
// up, and puts them in order of buckets. Of equal keys the last stays. Pairs find their slots by
// counting those of their bucket that stay before them; the first slabs of all chains are composed
// in shared memory and written once, and longer chains get slabs of the pool, all at once. Further
// pairs of a large group are inserted as usual, a chunk after the other.
//
// In: the pairs of a group, and the first slabs of its chains, which need not be filled. Out: the
// chains; what found no slab is counted. Invariant: nobody else uses these chains; chunks take
// effect in order, and within a chunk keys differ (unless the dictionary is a multimap).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/slab_hash/bulk.hpp>

namespace colonnade::detail {

/// Of a block. Buckets of a group are a power of two, at most 2^most_log2_buckets.
template <uint32_t Threads, uint32_t ItemsPerThread, uint32_t MostLog2Buckets> struct build_shape {
  static constexpr uint32_t threads = Threads, items_per_thread = ItemsPerThread,
                            items = Threads * ItemsPerThread, most_log2_buckets = MostLog2Buckets,
                            most_buckets = 1u << MostLog2Buckets;
  static_assert(most_buckets <= Threads && items < 1u << 14);
};

template <class Table, class Shape> struct build_storage {
  union {
    slab image[Shape::most_buckets];
    typename Table::word pairs[Shape::items]; // in order of buckets; before there is an image
  };
  uint32_t begin[Shape::most_buckets + 1]; // of a bucket's pairs; before: how many they are
  alignas(16) uint32_t scratch[Shape::threads / 32]; // read by loads of 16 bytes: no neighbour's
  uint32_t staying[Shape::most_buckets]; // pairs of a bucket; before: whether keys may be equal;
                                         // behind: the filter of its first link
  uint32_t further_begin[Shape::most_buckets + 1]; // as begin, of slabs after the first
  uint32_t further[Shape::items / Table::format_type::slots + 1];
  uint16_t order[Shape::items]; // of pairs in the chunk, and whether they go, or are to be inserted
};

template <class Table> struct build_arguments {
  Table table;
  const typename Table::key_type *keys;
  const typename Table::value_type *values; // null: of a set
  const uint64_t *group_offsets;
  uint32_t log2_buckets;     // of a group
  const device_status *wild; // reserved keys, which are in the last group
  device_status *status;     // or null
};

template <class Machine, class Table, class Shape> class group_build {
public:
  using key = typename Table::key_type;
  using value = typename Table::value_type;
  using word = typename Table::word;
  using format = typename Table::format_type;
  using storage = build_storage<Table, Shape>;

  COLONNADE_KERNEL_CODE group_build(const Machine &machine, const build_arguments<Table> &arguments,
                                    storage &shared)
      : machine_(machine), a_(arguments), shared_(shared), worker_(machine, arguments.table),
        claims_(machine, arguments.table.pool) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint32_t group = machine_.block();
    const uint64_t end = a_.group_offsets[group + 1];
    first_bucket_ = group << a_.log2_buckets;
    const uint32_t left = a_.table.num_buckets - first_bucket_;
    num_buckets_ = left >> a_.log2_buckets ? 1u << a_.log2_buckets : left;
    uint64_t first = a_.group_offsets[group];
    for (bool is_first = true; is_first || first < end; is_first = false) {
      const uint64_t rest = first < end ? end - first : 0;
      const uint32_t count = static_cast<uint32_t>(rest < Shape::items ? rest : Shape::items);
      place(first, count, is_first);
      if (is_first)
        write_image();
      else
        insert_marked();
      first += count;
      machine_.block_sync();
    }
    if (group == 0 && machine_.thread() == 0 && a_.status)
      if (const uint64_t wild = a_.wild->first; wild != ~uint64_t{0})
        report_beside_pool_full(machine_, a_.status, slab_error::reserved_key, wild >> 8);
  }

private:
  static constexpr uint32_t per_thread = Shape::items_per_thread;
  static constexpr uint16_t goes = 1u << 15, is_inserted = 1u << 14;

  /// One pair of the chunk in a thread.
  struct item {
    word pair;
    uint32_t where; // its bucket in the group, and its place: first within the bucket, then in
                    // shared_.pairs; or `none`
    COLONNADE_KERNEL_CODE bool has() const { return where != none; }
    COLONNADE_KERNEL_CODE uint32_t bucket() const { return where >> 16; }
    COLONNADE_KERNEL_CODE uint32_t place() const { return where & 0xffff; }
  };
  static constexpr uint32_t none = ~0u;

  COLONNADE_KERNEL_CODE void open_image() {
    word *image = reinterpret_cast<word *>(shared_.image);
    for (uint32_t i = machine_.thread(); i < num_buckets_ * format::words; i += Shape::threads)
      image[i] = a_.table.format.open();
  }
  COLONNADE_KERNEL_CODE key key_of(word pair) const { return from_slab_bits<key>(low_half(pair)); }

  COLONNADE_KERNEL_CODE void place(uint64_t first, uint32_t count, bool is_first) {
    item items[per_thread];
    if (machine_.thread() < Shape::most_buckets)
      shared_.begin[machine_.thread()] = 0;
    machine_.block_sync();
    read(first, count, items);
    machine_.block_sync();
    sum_up();
    machine_.block_sync();
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < per_thread; ++k)
      if (items[k].has()) {
        items[k].where += shared_.begin[items[k].bucket()];
        shared_.pairs[items[k].place()] = items[k].pair;
        shared_.order[items[k].place()] =
            static_cast<uint16_t>(k * Shape::threads + machine_.thread());
      }
    machine_.block_sync();
    if constexpr (format::multiple)
      count_staying();
    else
      drop_earlier(items);
    find_slots(items, is_first);
    machine_.block_sync();
  }
  /// All loads before the first of them is waited for.
  COLONNADE_KERNEL_CODE void read(uint64_t first, uint32_t count, item (&items)[per_thread]) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < per_thread; ++k) {
      const uint32_t i = k * Shape::threads + machine_.thread();
      items[k] = {a_.table.format.open(), none};
      if (i < count)
        items[k].pair = load(first + i);
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < per_thread; ++k) {
      const key own = key_of(items[k].pair);
      if (a_.table.format.is_reserved(own))
        continue;
      const uint32_t bucket = a_.table.bucket_number(own) - first_bucket_;
      items[k].where = bucket << 16 | machine_.take_shared(&shared_.begin[bucket]);
    }
  }
  COLONNADE_KERNEL_CODE word load(uint64_t i) const {
    if constexpr (std::is_same_v<value, no_value>)
      return a_.table.format.live(a_.keys[i], 0);
    else
      return a_.table.format.live(a_.keys[i], slab_bits(a_.values[i]));
  }
  COLONNADE_KERNEL_CODE void sum_up() {
    const uint32_t t = machine_.thread();
    const uint32_t mine = t < Shape::most_buckets ? shared_.begin[t] : 0;
    const uint32_t before = block_exclusive_sum(machine_, mine, shared_.scratch);
    if (t < Shape::most_buckets)
      shared_.begin[t] = before;
    if (t == Shape::threads - 1)
      shared_.begin[Shape::most_buckets] = before + mine;
  }

  /// Of equal keys the last in order stays. Marks are written when all have been looked for.
  COLONNADE_KERNEL_CODE void drop_earlier(item (&items)[per_thread]) {
    const uint32_t t = machine_.thread();
    if (t < Shape::most_buckets)
      shared_.staying[t] = may_repeat(shared_.begin[t], shared_.begin[t + 1]);
    machine_.block_sync();
    uint32_t dropped = 0; // bit k
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < per_thread; ++k)
      if (items[k].has() && shared_.staying[items[k].bucket()] && has_later(items[k]))
        dropped |= 1u << k;
    machine_.block_sync();
    count_staying();
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < per_thread; ++k)
      if (dropped >> k & 1) {
        shared_.order[items[k].place()] |= goes;
        machine_.add_shared(&shared_.staying[items[k].bucket()], ~0u); // one less
        items[k].where = none;
      }
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE void count_staying() {
    const uint32_t t = machine_.thread();
    if (t < Shape::most_buckets)
      shared_.staying[t] = shared_.begin[t + 1] - shared_.begin[t];
    machine_.block_sync();
  }
  /// Whether keys of these pairs of a bucket are equal; of many pairs that is left open. For one
  /// thread: it reads each pair a few times, and has_later would for each pair read all.
  COLONNADE_KERNEL_CODE bool may_repeat(uint32_t begin, uint32_t end) const {
    constexpr uint32_t most = 64, at_once = 8;
    if (end - begin > most)
      return true;
    bool repeats = false;
    for (uint32_t first = begin; first < end; first += at_once) {
      word known[at_once];
      COLONNADE_UNROLL
      for (uint32_t u = 0; u < at_once; ++u)
        known[u] = first + u < end ? shared_.pairs[first + u] : a_.table.format.open();
      COLONNADE_UNROLL
      for (uint32_t u = 1; u < at_once; ++u)
        COLONNADE_UNROLL
      for (uint32_t v = 0; v < u; ++v)
        repeats |= first + u < end && a_.table.format.is_live(known[v], key_of(known[u]));
      for (uint32_t i = first + at_once; i < end; ++i) {
        const key other = key_of(shared_.pairs[i]);
        COLONNADE_UNROLL
        for (uint32_t u = 0; u < at_once; ++u)
          repeats |= a_.table.format.is_live(known[u], other);
      }
    }
    return repeats;
  }
  /// From the last place on: where many are equal, later ones stand there.
  COLONNADE_KERNEL_CODE bool has_later(const item &it) const {
    const uint32_t begin = shared_.begin[it.bucket()], order = shared_.order[it.place()];
    for (uint32_t i = shared_.begin[it.bucket() + 1]; i-- > begin;)
      if (shared_.order[i] > order && a_.table.format.is_live(shared_.pairs[i], key_of(it.pair)))
        return true;
    return false;
  }
  /// A slot for each pair that stays; pairs of later chunks are marked to be inserted.
  COLONNADE_KERNEL_CODE void find_slots(item (&items)[per_thread], bool is_first) {
    if (is_first) {
      open_image();
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < per_thread; ++k)
        if (items[k].has()) // the slot takes the place of the place
          items[k].where = items[k].bucket() << 16 | slot_of(items[k]);
      machine_.block_sync();
      take_further_slabs();
      write_pairs(items);
      return;
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < per_thread; ++k)
      if (items[k].has())
        shared_.order[items[k].place()] |= is_inserted;
  }
  /// Pairs of its bucket that stay, before it.
  COLONNADE_KERNEL_CODE uint32_t slot_of(const item &it) const {
    const uint32_t bucket = it.bucket(), begin = shared_.begin[bucket];
    if (shared_.staying[bucket] == shared_.begin[bucket + 1] - begin)
      return it.place() - begin; // all stay
    uint32_t slot = 0;
    for (uint32_t i = begin; i < it.place(); ++i)
      slot += !(shared_.order[i] & goes);
    return slot;
  }
  COLONNADE_KERNEL_CODE void take_further_slabs() {
    const uint32_t t = machine_.thread();
    const uint32_t pairs = t < Shape::most_buckets ? shared_.staying[t] : 0;
    const uint32_t slabs = pairs > format::slots ? (pairs - 1) / format::slots : 0;
    const uint32_t before = block_exclusive_sum(machine_, slabs, shared_.scratch);
    if (t < Shape::most_buckets) {
      shared_.further_begin[t] = before;
      shared_.staying[t] = 0; // now the filter of the bucket's first link
    }
    if (t == Shape::threads - 1)
      shared_.further_begin[Shape::most_buckets] = before + slabs;
    machine_.block_sync();
    const uint32_t all = shared_.further_begin[Shape::most_buckets];
    for (uint32_t i = machine_.warp() * 32; i < all; i += Shape::threads) {
      const uint32_t own = i + machine_.lane();
      const uint32_t taken = claims_.take(own < all);
      if (own < all)
        shared_.further[own] = taken;
    }
    machine_.block_sync();
    if (t < num_buckets_)
      link(t);
    machine_.block_sync();
  }
  /// The slabs of a bucket's chain, as far as there are.
  COLONNADE_KERNEL_CODE void link(uint32_t bucket) {
    const Table &table = a_.table;
    word *from = reinterpret_cast<word *>(shared_.image[bucket].words);
    bool is_shared = true; // the first is in shared memory
    for (uint32_t i = shared_.further_begin[bucket]; i < shared_.further_begin[bucket + 1]; ++i) {
      const uint32_t number = shared_.further[i];
      if (number == no_slab) {
        from = nullptr;
      } else if (!from) { // behind a gap
        table.pool.give_back(machine_, number);
        shared_.further[i] = no_slab;
      } else {
        if (is_shared)
          from[format::link_word] = table.format.link(number, 0);
        else
          machine_.store(from + format::link_word, table.format.link(number));
        from = table.address(machine_, number);
        is_shared = false;
      }
    }
  }
  COLONNADE_KERNEL_CODE void write_pairs(const item (&items)[per_thread]) {
    word *image = reinterpret_cast<word *>(shared_.image);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < per_thread; ++k) {
      const bool has = items[k].has();
      const uint32_t at = has ? items[k].place() : 0, slot = at % format::slots,
                     slab = at / format::slots;
      if (has && slab == 0)
        image[items[k].bucket() * format::words + slot] = items[k].pair;
      const uint32_t number =
          has && slab ? shared_.further[shared_.further_begin[items[k].bucket()] + slab - 1] : 0;
      if (has && slab && number != no_slab)
        machine_.store(a_.table.address(machine_, number) + slot, items[k].pair);
      if constexpr (format::has_filters)
        if (has && slab)
          machine_.fetch_or(&shared_.staying[items[k].bucket()],
                            format::filter_bit(a_.table.hash(key_of(items[k].pair))));
      report_refused(machine_.ballot(has && slab && number == no_slab));
    }
  }
  /// Bits: of lanes.
  COLONNADE_KERNEL_CODE void report_refused(uint32_t refused) const {
    if (refused && machine_.lane() == 0 && a_.status)
      report_pool_full(machine_, a_.status, machine_.count_ones(refused));
  }

  struct alignas(16) sixteen_bytes {
    uint64_t low, high;
  };
  COLONNADE_KERNEL_CODE void write_image() const {
    const sixteen_bytes *from = reinterpret_cast<const sixteen_bytes *>(shared_.image);
    sixteen_bytes *to = reinterpret_cast<sixteen_bytes *>(a_.table.buckets + first_bucket_);
    for (uint32_t i = machine_.thread(); i < num_buckets_ * 8; i += Shape::threads) {
      sixteen_bytes piece = from[i];
      if constexpr (format::has_filters)
        if (i % 8 == format::link_word)
          piece.high |= uint64_t{shared_.staying[i / 8]} << 32;
      to[i] = piece;
    }
  }

  /// Each warp some.
  COLONNADE_KERNEL_CODE void insert_marked() {
    using operation = fixed_operation<format::multiple ? slab_operation::insert
                                                       : slab_operation::insert_or_assign>;
    const uint32_t count = shared_.begin[Shape::most_buckets];
    for (uint32_t i = machine_.warp() * 32; i < count; i += Shape::threads) {
      const uint32_t own = i + machine_.lane();
      const bool has = own < count && (shared_.order[own] & is_inserted);
      const word pair = has ? shared_.pairs[own] : word{0};
      if (!machine_.ballot(has))
        continue;
      const auto done = worker_.run(has, operation{}, key_of(pair), high_half(pair));
      report_refused(machine_.ballot(done.was == slab_answer::no_slab));
    }
  }

  const Machine &machine_;
  const build_arguments<Table> &a_;
  storage &shared_;
  uint32_t first_bucket_ = 0, num_buckets_ = 0;
  slab_worker<Machine, Table, 8, 2> worker_;
  typename Table::pool_type::template claims<Machine> claims_;
};

} // namespace colonnade::detail

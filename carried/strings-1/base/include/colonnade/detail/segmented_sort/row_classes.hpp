//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// row_classes.hpp: classes of segments by length, and the tiles of each class.
//
// In: where segments begin and end. Out: the class of a segment, and tile by tile the segments of
// several classes. Class c has rows of up to 4 * 2^c items, as far as 256 threads of E items hold
// them; then come the class of large rows, and that of empty ones. A row of a class has one thread
// for every E items, or one thread. Invariant: the class of a segment depends on its length alone.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/segmented_sort/row_walks.hpp>

namespace colonnade::detail {

/// Items are numbered within their segment by 30 bits.
constexpr uint64_t most_row_items = (uint64_t{1} << 30) - 1;

template <uint32_t E> struct row_classes {
  static constexpr uint32_t most_items = E; // a thread
  static constexpr uint32_t block_threads = 256;
  static constexpr uint32_t most_in_block = block_threads * E;

  static constexpr COLONNADE_HOST_DEVICE uint32_t row_items(uint32_t c) { return 4u << c; }
  static constexpr uint32_t classes_up_to(uint32_t items) {
    uint32_t c = 0;
    while (row_items(c) < items)
      ++c;
    return c + 1;
  }
  static constexpr uint32_t in_one_thread = classes_up_to(E);
  static constexpr uint32_t in_warp = classes_up_to(32 * E);
  static constexpr uint32_t in_block = classes_up_to(most_in_block);
  static constexpr uint32_t large = in_block, none = large + 1, count = none + 1;

  static constexpr COLONNADE_HOST_DEVICE uint32_t log2_threads(uint32_t c) {
    return c < in_one_thread ? 0 : c + 1 - in_one_thread;
  }
  /// The class of a row that is not empty.
  static COLONNADE_HOST_DEVICE uint32_t of(uint64_t length) {
    if (length > most_in_block)
      return large;
    uint32_t c = 0;
    while ((4u << c) < length)
      ++c;
    return c;
  }
};

/// The class of a segment, as the bucket functor of a multisplit. Segments that reach beyond the
/// items, end before they begin or are too long have a bad id: multisplit reports them and puts
/// them into the last bucket, that of empty rows.
template <class Begins, class Ends, uint32_t E> struct segment_class {
  Begins begins;
  Ends ends;
  uint64_t num_items;

  COLONNADE_KERNEL_CODE uint32_t operator()(uint32_t segment) const {
    using classes = row_classes<E>;
    const uint64_t begin = static_cast<uint64_t>(begins[segment]);
    const uint64_t end = static_cast<uint64_t>(ends[segment]);
    if (begin == end)
      return classes::none;
    if (end < begin || end > num_items || end - begin > most_row_items)
      return ~0u;
    return classes::of(end - begin);
  }
};

/// Segments of several lengths, listed by class in device memory.
template <class Begins, class Ends> struct listed_rows {
  Begins begins;
  Ends ends;
  const uint32_t *list;
  const uint64_t *class_begin; // in the list; one more than classes

  COLONNADE_KERNEL_CODE uint64_t first(uint32_t c) const { return class_begin[c]; }
  COLONNADE_KERNEL_CODE uint64_t count(uint32_t c) const {
    return class_begin[c + 1] - class_begin[c];
  }
  COLONNADE_KERNEL_CODE uint32_t segment(uint64_t listed) const { return list[listed]; }
  COLONNADE_KERNEL_CODE row_span span(uint32_t segment) const {
    const uint64_t begin = static_cast<uint64_t>(begins[segment]);
    return {begin, static_cast<uint32_t>(static_cast<uint64_t>(ends[segment]) - begin)};
  }
  COLONNADE_KERNEL_CODE row_span row(uint32_t c, uint64_t r) const {
    return span(segment(first(c) + r));
  }
};

/// Segments of one length; the same for every class.
struct equal_rows {
  uint64_t num_rows;
  uint32_t length;

  COLONNADE_KERNEL_CODE uint64_t count(uint32_t) const { return num_rows; }
  COLONNADE_KERNEL_CODE row_span row(uint32_t, uint64_t r) const { return {r * length, length}; }
};

/// The row of a thread in a tile: its segment and class.
struct picked_row {
  static constexpr uint32_t no_class = ~0u, no_segment = ~0u;
  uint32_t in_class = no_class; // the same for all threads of a tile; no_class: no more tiles
  uint32_t segment = no_segment;
};

/// The tiles of the classes first, ..., end - 1, numbered from the longest rows to the shortest.
/// They must be asked for in increasing order.
template <class Classes, class Rows> class class_walk {
public:
  COLONNADE_KERNEL_CODE class_walk(const Rows &rows, uint32_t first, uint32_t end)
      : rows_(rows), first_class_(first), class_(end) {}

  /// For tiles of 2^log2_tile_threads threads.
  COLONNADE_KERNEL_CODE picked_row pick(uint64_t tile, uint32_t thread,
                                        uint32_t log2_tile_threads) {
    while (tile >= end_) {
      if (class_ == first_class_)
        return {};
      --class_;
      begin_ = end_;
      listed_ = rows_.first(class_);
      count_ = rows_.count(class_);
      log2_rows_ = log2_tile_threads - Classes::log2_threads(class_);
      end_ += (count_ + (1u << log2_rows_) - 1) >> log2_rows_;
    }
    const uint64_t r = ((tile - begin_) << log2_rows_) + (thread >> Classes::log2_threads(class_));
    return {class_, r < count_ ? rows_.segment(listed_ + r) : picked_row::no_segment};
  }
  COLONNADE_KERNEL_CODE row_span span(picked_row row) const {
    return row.segment != picked_row::no_segment ? rows_.span(row.segment) : row_span{};
  }

private:
  const Rows &rows_;
  uint32_t first_class_, class_, log2_rows_ = 0;
  uint64_t begin_ = 0, end_ = 0;    // tiles of the class
  uint64_t listed_ = 0, count_ = 0; // its segments
};

/// sort(class, row) for every step-th tile of a walk. Meanwhile the begin and end of the next
/// tile's row are loaded, and the number of the segment after that.
template <class Walk, class Sort>
COLONNADE_KERNEL_CODE void for_each_tile(Walk walk, uint64_t tile, uint64_t step, uint32_t thread,
                                         uint32_t log2_tile_threads, Sort sort) {
  picked_row here = walk.pick(tile, thread, log2_tile_threads);
  picked_row next = walk.pick(tile += step, thread, log2_tile_threads);
  row_span row = walk.span(here);
  while (here.in_class != picked_row::no_class) {
    const row_span next_row = walk.span(next);
    const picked_row behind = walk.pick(tile += step, thread, log2_tile_threads);
    sort(here.in_class, row);
    here = next;
    row = next_row;
    next = behind;
  }
}

} // namespace colonnade::detail

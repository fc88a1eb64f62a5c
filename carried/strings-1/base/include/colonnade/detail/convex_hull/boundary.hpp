//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// boundary.hpp: all points on the boundary of a hull, those within edges and those in one place
// too.
//
//   frame    where the hull's sides meet                              boundary_frame_block
//   sides    of all points                                            boundary_sides_block
//   (those on the boundary, in order of their indices)
//   words    the coordinate that grows along each point's side        boundary_words_block
//   (sorted by it, stably; then by the side, stably)
//   write                                                             write_boundary_block
//
// The sides are the lower hood (x grows), the right vertical edge (y grows), the upper hood (x
// falls) and the left vertical edge (y falls), counter-clockwise; each begins with its first
// vertex.
//
// In: the points, and the vertices of their hull. Out: indices of the points on its boundary, in
// boundary order, those in one place by index. Invariant: every decision is exact; a point is on
// one side.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/check.hpp>
#include <colonnade/detail/convex_hull/hull_order.hpp>
#include <colonnade/detail/digits/key_words.hpp>
#include <colonnade/item_count.hpp>

namespace colonnade::detail {

enum class boundary_side : uint8_t { lower, right, upper, left, none };

/// Where the sides meet, as vertices of the hull.
template <class T> struct boundary_frame {
  uint64_t num_vertices; // 0: nothing is on the boundary
  uint64_t top;          // the largest
  point_of<T> lowest_left, highest_left, lowest_right, highest_right;
};

template <class Points, class Index>
COLONNADE_HOST_DEVICE auto boundary_frame_of(const given_hull<Points, Index> &hull) {
  boundary_frame<typename Points::coordinate> frame{};
  frame.num_vertices = hull.num_vertices;
  if (hull.num_vertices == 0)
    return frame;
  const uint64_t last = hull.num_vertices - 1;
  frame.top = hull.find_top();
  frame.lowest_left = frame.highest_left = hull.vertex(0);
  if (is_equal(hull.vertex(last).x, frame.lowest_left.x))
    frame.highest_left = hull.vertex(last);
  frame.lowest_right = frame.highest_right = hull.vertex(frame.top);
  if (frame.top > 0 && is_equal(hull.vertex(frame.top - 1).x, frame.highest_right.x))
    frame.lowest_right = hull.vertex(frame.top - 1);
  return frame;
}

/// On which side points are. Of a part of the hull all points are on its only side, in the order of
/// x.
template <class Points, class Index> struct boundary_sides {
  using coordinate = typename Points::coordinate;
  given_hull<Points, Index> hull; // the whole one
  hull_part part;

  COLONNADE_HOST_DEVICE boundary_side side(const boundary_frame<coordinate> &frame,
                                           const point_of<coordinate> &p) const {
    if (frame.num_vertices == 0 || hull.side(p, frame.top) != 0)
      return boundary_side::none;
    const bool on_lower = is_on_hood(frame, p, frame.lowest_left, frame.lowest_right, 0),
               on_upper = is_on_hood(frame, p, frame.highest_left, frame.highest_right, 1);
    if (part != hull_part::whole)
      return (part == hull_part::lower ? on_lower : on_upper) ? boundary_side::lower
                                                              : boundary_side::none;
    if (is_line(frame)) // from the smallest to the largest
      return boundary_side::right;
    return on_lower                              ? boundary_side::lower
           : on_upper                            ? boundary_side::upper
           : is_equal(p.x, frame.lowest_right.x) ? boundary_side::right
                                                 : boundary_side::left;
  }
  /// Of a point on a side: what grows along it.
  COLONNADE_HOST_DEVICE auto word(boundary_side side, const point_of<coordinate> &p) const {
    using bits = typename sorted_as<coordinate>::raw;
    constexpr bits sign = bits{1} << (8 * sizeof(bits) - 1);
    const bool by_y = side == boundary_side::right || side == boundary_side::left;
    const bits word = static_cast<bits>(in_order(by_y ? p.y : p.x)) ^ sign;
    const bool falls = side == boundary_side::upper || side == boundary_side::left;
    return static_cast<bits>(falls ? ~word : word);
  }

private:
  /// Whether all points have one x.
  static COLONNADE_HOST_DEVICE bool is_line(const boundary_frame<coordinate> &frame) {
    return is_equal(frame.lowest_left.x, frame.lowest_right.x);
  }
  static COLONNADE_HOST_DEVICE bool same(const point_of<coordinate> &p,
                                         const point_of<coordinate> &q) {
    return is_equal(p.x, q.x) && is_equal(p.y, q.y);
  }
  /// Of a point on the boundary, whether it is on a hood that goes from `left` to `right`.
  COLONNADE_HOST_DEVICE bool is_on_hood(const boundary_frame<coordinate> &frame,
                                        const point_of<coordinate> &p,
                                        const point_of<coordinate> &left,
                                        const point_of<coordinate> &right, uint32_t half) const {
    if (is_equal(p.x, left.x))
      return same(p, left);
    if (is_equal(p.x, right.x))
      return same(p, right);
    return hull.orientation_at(p, frame.top, half) == 0;
  }
};

template <class Points> struct boundary_arguments {
  using coordinate = typename Points::coordinate;
  Points points;
  item_count num_points;
  const uint32_t *hull; // of the strict hull
  const uint64_t *num_hull;
  hull_part part;
  boundary_frame<coordinate> *frame;
  boundary_side *sides;      // of all points
  const uint64_t *num_found; // points on the boundary
  uint32_t *indices;         // theirs
  typename sorted_as<coordinate>::raw *words;

  COLONNADE_KERNEL_CODE boundary_sides<Points, uint32_t> hull_sides() const {
    return {{points, num_points.most, hull, *num_hull}, part};
  }
};

struct is_off_boundary {
  COLONNADE_KERNEL_CODE uint32_t operator()(boundary_side side) const {
    return side == boundary_side::none;
  }
};
struct side_of_point {
  const boundary_side *sides;
  COLONNADE_KERNEL_CODE uint32_t operator()(uint32_t i) const {
    return static_cast<uint32_t>(sides[i]);
  }
};

/// One thread.
template <class Points, class Machine> class boundary_frame_block {
public:
  using arguments = boundary_arguments<Points>;
  static constexpr uint32_t threads = 32;
  COLONNADE_KERNEL_CODE boundary_frame_block(const Machine &machine, const arguments &a)
      : machine_(machine), a_(a) {}
  COLONNADE_KERNEL_CODE void run() const {
    if (machine_.block() == 0 && machine_.thread() == 0)
      *a_.frame = boundary_frame_of(a_.hull_sides().hull);
  }

private:
  const Machine &machine_;
  const arguments &a_;
};

template <class Points, uint32_t Threads, class Machine> class boundary_sides_block {
public:
  using arguments = boundary_arguments<Points>;
  static constexpr uint32_t threads = Threads;
  COLONNADE_KERNEL_CODE boundary_sides_block(const Machine &machine, const arguments &a)
      : machine_(machine), a_(a) {}
  COLONNADE_KERNEL_CODE void run() const {
    const boundary_sides<Points, uint32_t> hull = a_.hull_sides();
    const auto frame = *a_.frame;
    const uint64_t n = a_.num_points.now(), step = uint64_t{machine_.num_blocks()} * Threads;
    for (uint64_t i = uint64_t{machine_.block()} * Threads + machine_.thread(); i < n; i += step)
      a_.sides[i] = hull.side(frame, a_.points[i]);
  }

private:
  const Machine &machine_;
  const arguments &a_;
};

template <class Points, uint32_t Threads, class Machine> class boundary_words_block {
public:
  using arguments = boundary_arguments<Points>;
  static constexpr uint32_t threads = Threads;
  COLONNADE_KERNEL_CODE boundary_words_block(const Machine &machine, const arguments &a)
      : machine_(machine), a_(a) {}
  COLONNADE_KERNEL_CODE void run() const {
    const uint64_t n = *a_.num_found, step = uint64_t{machine_.num_blocks()} * Threads;
    for (uint64_t i = uint64_t{machine_.block()} * Threads + machine_.thread(); i < n; i += step)
      a_.words[i] = a_.hull_sides().word(a_.sides[a_.indices[i]], a_.points[a_.indices[i]]);
  }

private:
  const Machine &machine_;
  const arguments &a_;
};

template <class Points, class Vertices> struct write_boundary_arguments {
  Points points;
  const uint32_t *indices; // in boundary order
  const uint64_t *num_found;
  const uint64_t *num_hull; // 0: no points, or refused, which has been said
  hull_output<Vertices> out;
};

template <class Points, class Vertices, uint32_t Threads, class Machine>
class write_boundary_block {
public:
  using arguments = write_boundary_arguments<Points, Vertices>;
  static constexpr uint32_t threads = Threads;
  COLONNADE_KERNEL_CODE write_boundary_block(const Machine &machine, const arguments &a)
      : machine_(machine), a_(a) {}
  COLONNADE_KERNEL_CODE void run() const {
    const uint64_t n = *a_.num_hull ? *a_.num_found : 0;
    const uint64_t first = uint64_t{machine_.block()} * Threads + machine_.thread();
    for (uint64_t i = first; i < n; i += uint64_t{machine_.num_blocks()} * Threads)
      a_.out.put(a_.points, i, a_.indices[i]);
    if (first == 0)
      a_.out.put_count(machine_, n);
  }

private:
  const Machine &machine_;
  const arguments &a_;
};

} // namespace colonnade::detail

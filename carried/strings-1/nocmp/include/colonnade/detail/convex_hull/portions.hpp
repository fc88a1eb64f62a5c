//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// portions.hpp: the hull of more points than are found at once: portions are hulled one after the
// other, and each hull is joined to that of all before.
//
//   begin    how many points the portion has; whether points that should come by x go on so
//   (hull)   of the portion's points
//   append   its vertices stand behind those of the hull of all portions before
//   (hull)   of both; of the last portion that is the hull of all
//   hand on  what is left stands where the next portion's is appended
//   finish   the hull of all goes to the caller
//
// In: points, portions of equal size but for the last one, room for so many vertices of a portion's
// hull and of the joined one. Out: the hull. Invariant: vertices come in the order of the input,
// portion by portion, so that of points in one place the smallest index stays, whichever hull it
// was found by; indices are those of the input. Once a portion was refused there is no hull, and
// the error with the smallest index is the caller's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/convex_hull_options.hpp>
#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/convex_hull/hull_order.hpp>
#include <colonnade/hull_points.hpp>
#include <colonnade/item_count.hpp>

#include <algorithm>
#include <type_traits>

namespace colonnade::detail {

/// Points first, first + 1, ...
template <class T>
interleaved_points<T> points_from(const interleaved_points<T> &points, uint64_t first) {
  return {points.d_coordinates + 2 * first};
}
template <class T>
separate_points<T> points_from(const separate_points<T> &points, uint64_t first) {
  return {points.d_x + first, points.d_y + first};
}

/// Points in temporary storage, as the caller's lie.
template <class Points> struct point_list;
template <class T> struct point_list<interleaved_points<T>> {
  T *coordinates;

  point_list(T *numbers, uint64_t) : coordinates(numbers) {}
  interleaved_points<T> points() const { return {coordinates}; }
  COLONNADE_KERNEL_CODE point_of<T> at(uint64_t i) const {
    return interleaved_points<T>{coordinates}[i];
  }
  COLONNADE_KERNEL_CODE void put(uint64_t i, const point_of<T> &point) const {
    memcpy(coordinates + 2 * i, &point, sizeof point);
  }
};
template <class T> struct point_list<separate_points<T>> {
  T *x, *y;

  point_list(T *numbers, uint64_t most) : x(numbers), y(numbers + most) {}
  separate_points<T> points() const { return {x, y}; }
  COLONNADE_KERNEL_CODE point_of<T> at(uint64_t i) const { return {x[i], y[i]}; }
  COLONNADE_KERNEL_CODE void put(uint64_t i, const point_of<T> &point) const {
    x[i] = point.x;
    y[i] = point.y;
  }
};

/// What is known of the portions; on the device.
struct portions_state {
  uint64_t num_points;     // of the portion
  uint64_t num_found;      // vertices of its hull
  uint64_t num_joined;     // vertices of the hull of all portions before
  uint64_t num_candidates; // both
  device_status found;     // errors of the call before
  uint64_t stopped;        // not 0: there is no hull
};

/// Vertices of hulls: places in the input's order, or nothing but points.
template <class Points> struct hull_candidates {
  point_list<Points> points;
  uint64_t *indices;
};

template <class Points, class Vertices> struct portions_arguments {
  using number = typename Vertices::number;
  Points all;
  bool by_x;              // they come so, or are refused
  Points points;          // of the portion
  uint64_t first;         // its first point's index
  uint64_t most_points;   // of a portion
  uint64_t most_vertices; // of its hull, and of the joined one
  item_count num_points;  // of all
  hull_candidates<Points> candidates, handed_on;
  number *vertices; // of the call before, as it wrote them
  portions_state *state;
  Vertices out;
  uint64_t capacity;
  uint64_t *num_hull;
  device_status *status;
};

/// Whether a hull's vertices are indices; else they are coordinates.
template <class Vertices>
constexpr bool gives_indices = std::is_same_v<Vertices, index_vertices<typename Vertices::number>>;

template <class Points, class Vertices, class Machine> class portions_blocks {
public:
  using arguments = portions_arguments<Points, Vertices>;
  using coordinate = typename Points::coordinate;

  /// One thread.
  struct begin {
    using arguments = portions_blocks::arguments;
    static constexpr uint32_t threads = 32;
    const Machine &machine;
    const arguments &a;
    COLONNADE_KERNEL_CODE begin(const Machine &m, const arguments &of) : machine(m), a(of) {}
    COLONNADE_KERNEL_CODE void run() {
      if (machine.block() != 0 || machine.thread() != 0)
        return;
      const uint64_t n = a.num_points.now(), left = n > a.first ? n - a.first : 0;
      if (a.first == 0) {
        a.num_points.report(machine, a.status);
        *a.state = {0, 0, 0, 0, {no_error}, 0};
      }
      a.state->num_points = left < a.most_points ? left : a.most_points;
      a.state->found.first = no_error;
      if (a.by_x && a.first > 0 && left > 0 && is_less(a.all[a.first].x, a.all[a.first - 1].x)) {
        a.state->stopped = 1;
        if (a.status)
          report_error(machine, a.status, data_error::index_out_of_range, a.first);
      }
    }
  };

  /// After the portion's hull.
  struct append {
    using arguments = portions_blocks::arguments;
    static constexpr uint32_t threads = 256;
    const Machine &machine;
    const arguments &a;
    COLONNADE_KERNEL_CODE append(const Machine &m, const arguments &of) : machine(m), a(of) {}
    COLONNADE_KERNEL_CODE void run() {
      const portions_state s = *a.state;
      const bool ok = s.found.first == no_error;
      for (uint64_t i = first_of(machine, threads); ok && i < s.num_found;
           i += stride_of(machine, threads))
        put(s.num_joined + i, i);
    }
    COLONNADE_KERNEL_CODE void put(uint64_t place, uint64_t i) const {
      if constexpr (gives_indices<Vertices>) {
        const uint64_t index = a.vertices[i];
        a.candidates.points.put(place, a.points[index]);
        a.candidates.indices[place] = a.first + index;
      } else {
        a.candidates.points.put(place, {a.vertices[2 * i], a.vertices[2 * i + 1]});
      }
    }
  };

  /// After append and after each joining; one thread. What a call has reported is the caller's.
  struct settle {
    using arguments = portions_blocks::arguments;
    static constexpr uint32_t threads = 32;
    const Machine &machine;
    const arguments &a;
    COLONNADE_KERNEL_CODE settle(const Machine &m, const arguments &of) : machine(m), a(of) {}
    COLONNADE_KERNEL_CODE void run() {
      if (machine.block() != 0 || machine.thread() != 0)
        return;
      portions_state &s = *a.state;
      if (s.found.first != no_error) {
        s.stopped = 1;
        report(s.found.first);
        s.found.first = no_error;
      }
      s.num_candidates = s.stopped ? 0 : s.num_joined + s.num_found;
    }
    /// A point that is refused, by its index in the input; or vertices that have no room.
    COLONNADE_KERNEL_CODE void report(uint64_t found) const {
      const data_error error = static_cast<data_error>(found & 0xff);
      if (!a.status)
        return;
      if (error == data_error::buffer_too_small)
        report_error(machine, a.status, data_error::overflow, found >> 8);
      else
        report_error(machine, a.status, error, a.first + (found >> 8));
    }
  };

  /// After joining.
  struct hand_on {
    using arguments = portions_blocks::arguments;
    static constexpr uint32_t threads = 256;
    const Machine &machine;
    const arguments &a;
    COLONNADE_KERNEL_CODE hand_on(const Machine &m, const arguments &of) : machine(m), a(of) {}
    COLONNADE_KERNEL_CODE void run() {
      const portions_state s = *a.state;
      const bool ok = s.found.first == no_error;
      for (uint64_t i = first_of(machine, threads); ok && i < s.num_joined;
           i += stride_of(machine, threads))
        if constexpr (gives_indices<Vertices>) {
          const uint64_t from = a.vertices[i];
          a.handed_on.points.put(i, a.candidates.points.at(from));
          a.handed_on.indices[i] = a.candidates.indices[from];
        } else {
          a.handed_on.points.put(i, {a.vertices[2 * i], a.vertices[2 * i + 1]});
        }
    }
  };

  /// After the last joining.
  struct finish {
    using arguments = portions_blocks::arguments;
    static constexpr uint32_t threads = 256;
    const Machine &machine;
    const arguments &a;
    COLONNADE_KERNEL_CODE finish(const Machine &m, const arguments &of) : machine(m), a(of) {}
    COLONNADE_KERNEL_CODE void run() {
      const portions_state s = *a.state;
      const uint64_t count = s.stopped ? 0 : s.num_joined;
      if (machine.block() == 0 && machine.thread() == 0)
        hull_output<Vertices>{a.out, a.capacity, a.num_hull, a.status}.put_count(machine, count);
      for (uint64_t i = first_of(machine, threads); i < count && i < a.capacity;
           i += stride_of(machine, threads))
        if constexpr (gives_indices<Vertices>)
          a.out.d_hull[i] =
              static_cast<typename Vertices::number>(a.candidates.indices[a.vertices[i]]);
        else
          for (uint64_t k = 2 * i; k < 2 * i + 2; ++k)
            a.out.d_hull[k] = a.vertices[k];
    }
  };

private:
  static constexpr uint64_t no_error = ~uint64_t{0};

  static COLONNADE_KERNEL_CODE uint64_t first_of(const Machine &machine, uint32_t threads) {
    return uint64_t{machine.block()} * threads + machine.thread();
  }
  static COLONNADE_KERNEL_CODE uint64_t stride_of(const Machine &machine, uint32_t threads) {
    return uint64_t{machine.num_blocks()} * threads;
  }
};

/// How many points a portion has, and where what stands between the portions.
template <class Points, class Vertices> struct portions_plan {
  using coordinate = typename Points::coordinate;
  using number = typename Vertices::number;
  uint64_t most_points, most_vertices, num_portions;
  temp_storage storage;
  size_t state, points[2], indices[2], vertices, hull;

  /// hull_bytes: the storage of a hull of most_points.
  portions_plan(uint64_t num_points, uint64_t portion, size_t hull_bytes)
      : most_points(portion), most_vertices(std::max<uint64_t>(portion / 4, 16)),
        num_portions((num_points + portion - 1) / portion) {
    state = storage.add<portions_state>(1);
    for (uint32_t k = 0; k < 2; ++k) {
      points[k] = storage.add<coordinate>(4 * most_vertices);
      indices[k] = storage.add<uint64_t>(gives_indices<Vertices> ? 2 * most_vertices : 0);
    }
    vertices = storage.add<number>(Vertices::numbers * most_vertices);
    hull = storage.add<char>(hull_bytes);
  }
  /// The most of a hull.
  uint64_t most_at_once() const { return std::max(most_points, 2 * most_vertices); }

  hull_candidates<Points> candidates_at(void *d_temp, uint32_t k) const {
    return {point_list<Points>(temp_storage::at<coordinate>(d_temp, points[k]), 2 * most_vertices),
            temp_storage::at<uint64_t>(d_temp, indices[k])};
  }
  void *hull_at(void *d_temp) const { return temp_storage::at<char>(d_temp, hull); }
};

/// start as in many_points_steps.hpp; hull(hull_input_is<...>, points, count, part, most, num_hull,
/// status) finds a hull, whose first `most` vertices go to the plan's `vertices`.
template <class Machine, hull_input Input, class Points, class Vertices, class Start, class Hull>
auto find_by_portions(const Start &start, const Hull &hull, const Points &points,
                      const item_count &num_points, hull_part part,
                      const hull_output<Vertices> &out, const portions_plan<Points, Vertices> &plan,
                      void *d_temp) {
  using blocks = portions_blocks<Points, Vertices, Machine>;
  using number = typename Vertices::number;
  portions_state *state = temp_storage::at<portions_state>(d_temp, plan.state);
  number *vertices = temp_storage::at<number>(d_temp, plan.vertices);
  const uint64_t most = plan.most_vertices;
  uint32_t current = 0; // of the two lists of candidates
  const auto join = [&](hull_part of) {
    return hull(hull_input_is<hull_input::in_any_order>{},
                plan.candidates_at(d_temp, current).points.points(),
                item_count(&state->num_candidates, 2 * most), of, most, &state->num_joined,
                &state->found);
  };
  decltype(join(part)) error{};
  for (uint64_t k = 0; k < plan.num_portions && !error; ++k) {
    const bool is_last = k + 1 == plan.num_portions;
    const typename blocks::arguments a{points,
                                       Input == hull_input::by_x,
                                       points_from(points, k * plan.most_points),
                                       k * plan.most_points,
                                       plan.most_points,
                                       most,
                                       num_points,
                                       plan.candidates_at(d_temp, current),
                                       plan.candidates_at(d_temp, 1 - current),
                                       vertices,
                                       state,
                                       out.vertices,
                                       out.capacity,
                                       out.num_hull,
                                       out.status};
    const uint64_t wide = (most + 255) / 256;
    const auto each = [&](auto block, uint64_t num_blocks) {
      error = error ? error : start(block, num_blocks, a);
    };
    each(std::type_identity<typename blocks::begin>{}, 1);
    error = error ? error
                  : hull(hull_input_is<Input>{}, a.points,
                         item_count(&state->num_points, plan.most_points), hull_part::whole, most,
                         &state->num_found, &state->found);
    each(std::type_identity<typename blocks::append>{}, wide);
    each(std::type_identity<typename blocks::settle>{}, 1);
    error = error ? error : join(is_last ? part : hull_part::whole);
    if (!is_last)
      each(std::type_identity<typename blocks::hand_on>{}, wide);
    each(std::type_identity<typename blocks::settle>{}, 1);
    if (is_last)
      each(std::type_identity<typename blocks::finish>{}, wide);
    current = 1 - current;
  }
  return error;
}

} // namespace colonnade::detail

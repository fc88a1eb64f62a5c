//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls of points in a disc, on a circle, of Gaussian ones and of a tight cluster with one
// far point, by the default and by marriage before conquest, in orders that could be hard for them
// (hull_orders.cuh); of pairs by marriage before conquest that prunes pairs, too. The limit is the
// same method on the same points in random order. Every hull is checked once, exactly, and has as
// many vertices.
//
//   --n 10000000
//
//===----------------------------------------------------------------------===//

#include "hull_job.cuh"
#include "hull_orders.cuh"

using namespace bench;

namespace {

struct pruning_policy : marriage_hull_policy {
  static constexpr bool prune_pairs = true;
};

template <class Policy>
void compare(report &out, const hull_job<float> &random, const hull_job<float> &ordered,
             const std::string &name) {
  timed_call ours(
      [&](void *d_temp, size_t &bytes) { return ordered.template find<Policy>(d_temp, bytes); });
  timed_call usual(
      [&](void *d_temp, size_t &bytes) { return random.template find<Policy>(d_temp, bytes); });
  alternate(
      out, name, "Gpoints/s", random.n, "the same points in random order",
      [&] { return ours.run(); }, [&] { return usual.run(); });
  EXPECT(ordered.is_right(), "%s", name.c_str());
  EXPECT(ordered.num_vertices() == random.num_vertices(), "%s: vertices", name.c_str());
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const uint64_t n = std::stoull(option(argc, argv, "--n", "10000000"));
  for (const shape kind : {shape::disc, shape::circle, shape::gaussian, shape::cluster}) {
    const hull_job<float> random(kind, n);
    for (const order how : {order::by_x, order::from_the_right, order::by_angle, order::paired}) {
      const hull_job<float> ordered(kind, n);
      put_in_order(random.points, n, how, ordered.points);
      const std::string points = std::string(shape_names[static_cast<int>(kind)]) + ", float, " +
                                 order_names[static_cast<int>(how)];
      compare<convex_hull_policy>(out, random, ordered, "hull, " + points);
      compare<marriage_hull_policy>(out, random, ordered,
                                    "hull by marriage before conquest, " + points);
      if (how == order::paired)
        compare<pruning_policy>(out, random, ordered,
                                "hull by marriage before conquest with pairs pruned, " + points);
    }
  }
  return out.finish() || gpu_failures() ? 1 : 0;
}

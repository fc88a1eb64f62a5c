//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Marriage before conquest, for Nsight Compute: figure 3.5 of the source. The model: each point is
// read and written once on each of log2 h levels, 32 at a time.
//
//   --list                the cases
//   shape n               times a case
//   shape n --once        one call, to be counted
//
//===----------------------------------------------------------------------===//

#include "hull_job.cuh"

#include <cmath>

using namespace bench;

namespace {

/// Of 128 bytes.
uint64_t model_transactions(uint64_t n, uint64_t vertices) {
  const double levels = std::log2(static_cast<double>(std::max<uint64_t>(vertices, 2)));
  return static_cast<uint64_t>(2 * static_cast<double>(n * sizeof(float2)) / 128 * levels);
}

} // namespace

int main(int argc, char **argv) {
  const shape shapes[] = {shape::square, shape::disc, shape::circle, shape::ring};
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "--list") {
    for (const bool circle : {false, true}) // the source's shapes first: time may run out
      for (const uint64_t n : {10000000, 1000000, 100000})
        for (const shape kind : shapes)
          if ((kind == shape::circle) == circle)
            std::printf("%s %llu\n", shape_names[static_cast<int>(kind)],
                        static_cast<unsigned long long>(n));
    return 0;
  }
  if (argc < 3)
    return 3;
  require_gpu();
  const bool once = argc > 3 && std::strcmp(argv[3], "--once") == 0;
  const uint64_t n = std::stoull(argv[2]);
  for (const shape kind : shapes)
    if (name == shape_names[static_cast<int>(kind)]) {
      const hull_job<float> job(kind, n);
      timed_call ours([&](void *d_temp, size_t &bytes) {
        return job.find<marriage_hull_policy>(d_temp, bytes);
      });
      std::vector<double> times;
      for (int i = 0; i < (once ? 1 : warm_ups + 9); ++i)
        if (const float time = ours.run(); once || i >= warm_ups)
          times.push_back(time);
      std::printf("{\"method\": \"marriage before conquest, %s\", \"n\": %llu, "
                  "\"model_transactions\": %llu, \"milliseconds\": %.5g}\n",
                  name.c_str(), static_cast<unsigned long long>(n),
                  static_cast<unsigned long long>(model_transactions(n, job.num_vertices())),
                  quantile(times, 0.5));
      return once || job.is_right() ? 0 : 1;
    }
  return 3;
}

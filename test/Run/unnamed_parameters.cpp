// subset: Parameters: parameters without a name; facts and data call them by their places
// languages: c++
// class: A
// arrays: a s32 4; parameter_3 f32 2; parameter_4 s32 2; out s64 4
// scalars: parameter_2 s32 5
// call: unnamed_parameters(a, parameter_2, parameter_3, parameter_4, out)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

static std::int64_t twice(int, std::int64_t x, int) { return 2 * x; }

COLONNADE_BULK
void unnamed_parameters(const std::int32_t a[4], int, const float[2], std::int32_t[2],
                        std::int64_t out[4]) {
  for (int i = 0; i < 4; i++)
    out[i] = twice(a[i], a[i], 3);
}

// Constant tables: global, static, 2-D, std::array, and one table per leaf of a struct.
// RUN: %colonnade check %s -f tables --dump=raw | FileCheck %s
#include <array>

constexpr int grid[4][2] = {{1, 2}, {3, 4}, {5}};
static const struct {
  int key;
  float weight[2];
} pairs[2] = {{1, {2, 3}}, {4, {5, 6}}};
constexpr std::array<short, 3> shorts{7, 8, 9};
const int scalar = 11;

// CHECK-DAG: array @grid : s32[4, 2] table uniform const = {1, 2, 3, 4, 5, 0, 0, 0}
// CHECK-DAG: array @pairs.key : s32[2] table uniform const = {1, 4}
// CHECK-DAG: array @pairs.weight : f32[2, 2] table uniform const = {2.0, 3.0, 5.0, 6.0}
// CHECK-DAG: array @shorts : s16[3] table uniform const = {7, 8, 9}
// CHECK-DAG: array @local : u8[3] table uniform const = {1, 2, 255}
// CHECK-DAG: array @string : s8[4] table uniform const = {97, 98, 99, 0}
int tables(int i, int j) {
  static const unsigned char local[] = {1, 2, 255};
  // CHECK-NOT: unsupported
  // CHECK: const 11
  return grid[i][j] + pairs[i].key + int(pairs[i].weight[j]) + shorts[i] + local[i] + "abc"[i] +
         scalar;
}

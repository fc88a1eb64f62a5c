//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls: rare code in relocatable device code (-rdc=true), beside a kernel that has few
// registers. ptxas refuses a function that takes more than the kernel that calls it.
//
//===----------------------------------------------------------------------===//

#include <colonnade/detail/exact/cross.hpp>

using namespace colonnade::detail;

template <class T>
__global__ void __launch_bounds__(1024, 2) find_sides(const point_of<T> *points, int *sides) {
  const point_of<T> *mine = points + 3 * threadIdx.x;
  sides[threadIdx.x] = orientation(mine[0], mine[1], mine[2]);
}
template __global__ void find_sides<float>(const point_of<float> *, int *);
template __global__ void find_sides<double>(const point_of<double> *, int *);
template __global__ void find_sides<int32_t>(const point_of<int32_t> *, int *);

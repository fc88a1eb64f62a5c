//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// marriage_hull.cuh: the convex hull of points in the plane by marriage before conquest, on the
// GPU, exact: convex_hull and convex_hull_points (convex_hull.cuh) with a marriage_hull_policy as
// the last argument. The contract is theirs, but for:
//
//   work         O(n log h) expected: each iteration finds a vertex of every subproblem along the
//                line through a random pair of its points, and drops points in between
//   traffic      three passes over the input, and a pass over the points outside of the hull so far
//                for each iteration: log2(n / split_from) of them and some more; then each warp's
//                own subproblems; a last pass finds the smallest index of each vertex
//   launches     10 and one for each iteration: 2 log2(n / split_from) + 4, most of which end at
//   once temporary    2 times the input, two bits a point, and 2 KB by_x         does not compile:
//   the order of the points is of no use here
//
// Not measured yet: its kernels ran on the host's machine, under random schedules, and not on a GPU.
//
// Source: marriage before conquest on GPUs, after T. Jurkiewicz, Toward Better Computation Models
// for Modern Machines (2013), chapter 3.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/marriage/dispatch.cuh>

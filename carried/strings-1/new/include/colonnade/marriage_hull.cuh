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
//   traffic      three passes over the input; for each iteration a pass over the points outside of
//                what is known of the hull; then each warp's own subproblems; a last pass that
//                finds the smallest index of each vertex
//   launches     10, and 28 at most for iterations, some of which end at once
//   temporary    2 times the input, two bits a point, and 3.6 MB at most: below 2.5 times the input
//                from 10,000 points on
//   by_x         does not compile: the order of the points is of no use here
//
// Source: marriage before conquest on GPUs, after T. Jurkiewicz, Toward Better Computation Models
// for Modern Machines (2013), chapter 3.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/marriage/dispatch.cuh>

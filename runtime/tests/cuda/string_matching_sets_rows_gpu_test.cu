//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sets of patterns on a GPU by keys and anchors in shared memory, as
// string_matching_sets_resident_gpu_test.cu has them, but with small texts in several segments,
// queues that are soon full, and steps of two rows.
//
//   --small    fewer cases
//   --seed S   others; --cases N   so many
//
//===----------------------------------------------------------------------===//

#include "string_set_case.cuh"

int main(int argc, char **argv) { return colonnade::testing::small_resident_test<2>(argc, argv); }

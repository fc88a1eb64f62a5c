// The text of kernels whose threads have cells of several passes in registers; it compiles.
//
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t && %colonnade emit %s -f sort --size n=256 --plan team=16 --target cuda -o %t/sort -- %include
// RUN: FileCheck %s --check-prefix=SORT < %t/sort/sort.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/sort/sort.bulk.cu
// RUN: %colonnade emit %s -f hadamard --size n=256 --plan team=32 --target cuda -o %t/hadamard -- %include
// RUN: FileCheck %s --check-prefix=HADAMARD < %t/hadamard/hadamard.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/hadamard/hadamard.bulk.cu
#include <colonnade/annotate.h>

#include <utility>

// Each thread has 16 of an instance's 256 keys at a time. In the first group they are neighbours, and
// turned round in every other thread, so that all sort in one direction: conditions on the counter
// are gone, or on the slot.
// SORT: //   row-wise instances: a team of 16 threads each; its arrays are rows in shared memory
// SORT-NEXT: //   36 passes in 8 groups: a thread has 16 cells of each array in registers until the last pass of a group
// SORT: float keys_own[16] = {};
// SORT: if (unit < 16) {
// SORT-NEXT: int64_t [[FIRST:t_[0-9]+]] = wrapping::shl<int64_t>(unit, int64_t{4});
// SORT-NEXT: #pragma unroll
// SORT-NEXT: for (int64_t slot = 0; slot < 16; ++slot) {
// SORT-NEXT: keys_own[slot] = keys_rows[{{.*}}][skewed<32>([[FIRST]] | slot)];
// SORT: bool [[TURNED:t_[0-9]+]] = (unit & 1) != 0;
// SORT: for (int64_t pair = 0; pair < 8; ++pair) {
// SORT: keys_own[pair] = [[TURNED]] ? {{.*}};
// SORT: for (int64_t number = 0; number < 8; ++number) {
// SORT-NEXT: int64_t [[LOW:t_[0-9]+]] = number << 1;
// SORT: if (([[LOW]] & 2) == 0) {
// SORT-NEXT: sel = keys_own[[[LOW]] ^ 1] < as_compared(keys_own[[[LOW]]]);
// SORT: for (int64_t pair_2 = 0; pair_2 < 8; ++pair_2) {
// SORT: __syncwarp(with_instance);
void sort(float *keys COLONNADE_EXTENT(n), int n) {
  for (int run = 2; run <= n; run *= 2)
    for (int distance = run / 2; distance > 0; distance /= 2)
      for (int i = 0; i < n; i++) {
        int partner = i ^ distance;
        if (partner < i)
          continue;
        bool ascending = (i & run) == 0;
        if (ascending ? keys[partner] < keys[i] : keys[i] < keys[partner])
          std::swap(keys[i], keys[partner]);
      }
}

// Sums and differences have no direction. In the last group, bits 6 and 7 are the passes'; with
// bit 5, a thread has eight cells there, too. Counters of both loops follow from the thread's place.
// HADAMARD: //   8 passes in 3 groups: a thread has 8 cells of each array in registers until the last pass of a group
// HADAMARD: double cells_own[8] = {};
// HADAMARD: for (int64_t slot = 0; slot < 8; ++slot) {
// HADAMARD-NOT: pair
// HADAMARD: for (int64_t number = 0; number < 4; ++number) {
// HADAMARD-NEXT: int64_t [[LOW:t_[0-9]+]] = number << 1;
// HADAMARD-NEXT: const double a = cells_own[[[LOW]]];
// HADAMARD-NEXT: const double b = cells_own[[[LOW]] ^ 1];
// HADAMARD-NEXT: cells_own[[[LOW]]] = __dadd_rn(a, b);
// HADAMARD-NEXT: cells_own[[[LOW]] ^ 1] = __dsub_rn(a, b);
// HADAMARD-NOT: pair
// HADAMARD: template
void hadamard(double *cells COLONNADE_EXTENT(n), int n) {
  for (int half = 1; half < n; half *= 2)
    for (int start = 0; start < n; start += 2 * half)
      for (int i = start; i < start + half; i++) {
        double a = cells[i], b = cells[i + half];
        cells[i] = a + b;
        cells[i + half] = a - b;
      }
}

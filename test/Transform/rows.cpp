// Row-wise instances go through shared memory: arrays in registers strip by strip, others as whole
// rows. Where that does not pay, the kernel says why.
//
// RUN: %colonnade check %s -f prefix --size n=40 --dump=kernel -- %include | FileCheck %s --check-prefix=STRIPS
// RUN: %colonnade check %s -f prefix --size n=200 --dump=kernel -- %include | FileCheck %s --check-prefix=WHOLE
// RUN: %colonnade check %s -f prefix --size n=8 --dump=kernel -- %include | FileCheck %s --check-prefix=SMALL
// RUN: %colonnade check %s -f prefix --dump=kernel -- %include | FileCheck %s --check-prefix=UNKNOWN
// RUN: %colonnade check %s -f prefix --size n=400 --dump=kernel -- %include | FileCheck %s --check-prefix=LARGE
// RUN: %colonnade check %s -f prefix --size n=2000 --dump=kernel -- %include | FileCheck %s --check-prefix=STREAMED
// RUN: %colonnade check %s -f mirrored --size n=2000 --dump=kernel -- %include | FileCheck %s --check-prefix=HUGE
// RUN: %colonnade check %s -f copied --size n=40 --dump=kernel -- %include | FileCheck %s --check-prefix=SCRATCH
#include <colonnade/annotate.h>

// Two strips of 20 cells, both on their way at the same time.
// STRIPS: kernel threads 256 mangled
// STRIPS: kernel threads 128 together row_wise
// STRIPS: array @b : f32[40] parameter instance reads writes of b in memory
// STRIPS: array @b_cells : f32[40] local instance reads writes in registers
// STRIPS: array @b_strip#[[FIRST:[0-9]+]] : f32[32, 20] local warp reads writes in shared pitch 21
// STRIPS: array @b_strip#[[SECOND:[0-9]+]] : f32[32, 20] local warp reads writes in shared pitch 21
// STRIPS: note "row-wise b: to registers and back in strips of 20 cells through shared memory"
// STRIPS: stage @b_strip#[[FIRST]] from @b at
// STRIPS: stage @b_strip#[[SECOND]] from @b at
// STRIPS-NEXT: wait
// STRIPS-NEXT: barrier warp
// STRIPS-NEXT: if
// STRIPS: barrier warp
// STRIPS-NEXT: if
// STRIPS: store @b_cells[
// STRIPS: barrier warp
// STRIPS: stage @b from @b_strip#[[FIRST]] at
// STRIPS: stage @b from @b_strip#[[SECOND]] at
//
// WHOLE: kernel threads 32 together row_wise
// WHOLE: array @b_rows : f32[32, 200] local warp reads writes in shared pitch 201
// WHOLE: stage @b_rows from @b{{$}}
// WHOLE-NEXT: wait
// WHOLE-NEXT: barrier warp
// WHOLE: store @b_rows[
// WHOLE: barrier warp
// WHOLE-NEXT: stage @b from @b_rows{{$}}
//
// SMALL-NOT: row_wise
// UNKNOWN-NOT: row_wise
//
// LARGE: kernel threads 32 together row_wise
// LARGE: array @b_rows : f32[32, 400] local warp reads writes in shared pitch 401
// LARGE: note "row-wise instances: blocks with 51328 bytes of shared memory; as others where a GPU has less"
//
// Longer rows stream: a strip is in shared memory while the iterations run that need no other cells.
// STREAMED: kernel threads 32 together row_wise
// STREAMED: array @b_strip : f32[32, 256] local warp reads writes in shared pitch 260
// STREAMED: note "row-wise b: strips of 256 cells through shared memory, for 64 iterations each"
// STREAMED: for [[STRIP:%[0-9]+]] : s64
// STREAMED: stage @b_strip from @b at [[BEGIN:%[0-9]+]]
// STREAMED-NEXT: wait
// STREAMED-NEXT: barrier warp
// STREAMED-NEXT: if
// STREAMED: for %first
// STREAMED: sub {{%[0-9]+}}, [[BEGIN]] : s64
// STREAMED: store @b_strip[
// STREAMED: barrier warp
// STREAMED-NEXT: stage @b from @b_strip at [[BEGIN]]
// STREAMED-NEXT: barrier warp
void prefix(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++)
    b[i] += b[i - 1];
}

// HUGE-NOT: kernel threads {{.*}} row_wise
// HUGE: note "row-wise instances as others: the rows take more shared memory than there is"
void mirrored(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    b[i] += b[n - 1 - i];
}

// SCRATCH: note "row-wise instances as others: kept is in scratch memory"
void copied(float *b COLONNADE_EXTENT(n), int n) {
  float kept[2000];
  for (int i = 0; i < n; i++)
    kept[i * 50] = b[i];
  for (int i = 0; i < n; i++)
    b[i] = kept[(n - 1 - i) * 50];
}

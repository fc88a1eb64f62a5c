// --plan: another plan than the best for rows, or why it is none.
//
// RUN: rm -rf %t
// RUN: %colonnade emit %s -f product --size n=8 --target cuda --plan team=4 -o %t/team -- -I%source/include
// RUN: FileCheck %s --check-prefix=TEAM < %t/team/product.bulk.cu
// RUN: %colonnade emit %s -f product --size n=8 --target cuda --plan staged -o %t/staged -- -I%source/include
// RUN: FileCheck %s --check-prefix=STAGED < %t/staged/product.bulk.cu
// RUN: %colonnade emit %s -f product --size n=8 --target cuda --plan thread -o %t/thread -- -I%source/include
// RUN: FileCheck %s --check-prefix=THREAD < %t/thread/product.bulk.cu
// RUN: %colonnade emit %s -f product --size n=8 --target cuda --plan team=16 --dump=kernel -o %t/dump -- -I%source/include > %t/dump.ir
// RUN: FileCheck %s --check-prefix=DUMP < %t/dump.ir
// RUN: %colonnade cost %s -f product --size n=8 --count 1000000 --layout row --model sectors --plan thread -- -I%source/include > %t/cost-thread
// RUN: %colonnade cost %s -f product --size n=8 --count 1000000 --layout row --model sectors --plan team=8 -- -I%source/include > %t/cost-team
// RUN: not cmp -s %t/cost-thread %t/cost-team
//
// What is asked for is not replaced.
// RUN: not %colonnade emit %s -f sums --size n=32 --target cuda --plan team -o %t/none -- -I%source/include 2> %t/carried
// RUN: FileCheck %s --check-prefix=CARRIED < %t/carried
// RUN: not %colonnade emit %s -f product --target cuda --plan team -o %t/none -- -I%source/include 2> %t/size
// RUN: FileCheck %s --check-prefix=SIZE < %t/size
// RUN: not %colonnade emit %s -f product --size n=4 --target cuda --plan streamed -o %t/none -- -I%source/include 2> %t/unstreamed
// RUN: FileCheck %s --check-prefix=UNSTREAMED < %t/unstreamed
// RUN: %colonnade emit %s -f sums --size n=1000 --target cuda --plan streamed -o %t/streamed -- -I%source/include
// RUN: FileCheck %s --check-prefix=STREAMED < %t/streamed/sums.bulk.cu
// RUN: not %colonnade emit %s -f product --target cuda --plan staged -o %t/none -- -I%source/include 2> %t/unstaged
// RUN: FileCheck %s --check-prefix=UNSTAGED < %t/unstaged
// RUN: not %colonnade emit %s -f product --target cuda --plan team=7 -o %t/none -- -I%source/include 2> %t/name
// RUN: FileCheck %s --check-prefix=NAME < %t/name
// RUN: %colonnade emit %s -f distance --size n=33 --target cuda --plan strips=8 --dump=kernel -o %t/dump -- -I%source/include > %t/strips.ir
// RUN: FileCheck %s --check-prefix=STRIPS < %t/strips.ir
// RUN: not %colonnade emit %s -f turned --size n=33 --target cuda --plan strips -o %t/none -- -I%source/include 2> %t/turned
// RUN: FileCheck %s --check-prefix=TURNED < %t/turned
// RUN: not %colonnade emit %s -f distance --target cuda --plan strips -o %t/none -- -I%source/include 2> %t/unknown
// RUN: FileCheck %s --check-prefix=UNKNOWN < %t/unknown
// RUN: not %colonnade emit %s -f product --target cpu --plan team -o %t/none -- -I%source/include 2> %t/cpu
// RUN: FileCheck %s --check-prefix=CPU < %t/cpu
// RUN: not ls %t/none
#include <colonnade/annotate.h>

// TEAM: //   expected on an H200, tiled: {{[0-9.]+}} ns an instance, 0.{{[0-9]+}} of the speed at which its arrays are copied; limit: DRAM bandwidth
// TEAM-NEXT: //   expected on an H200, column:
// TEAM-NEXT: //   row-wise instances: a team of 4 threads each
// TEAM: //   expected on an H200, row: {{[0-9.]+}} ns an instance
// STAGED-NOT: team
// STAGED: //   row-wise a: to registers
// THREAD-NOT: row-wise
// DUMP: note "expected on an H200, tiled:
// DUMP: kernel threads 128 together row_wise team 16
// SIZE: no plan 'team' for the rows of 'product': a is of unknown size
// UNSTREAMED: no plan 'streamed' for the rows of 'product': no loop of the body goes through the cells of an array in order
// STREAMED: //   row-wise b: strips of 256 cells through shared memory, for 64 iterations each
// STREAMED: row_strips<1000, 256>(instance, count).from_memory(b_strip, b_memory, [[AT:t_[0-9]+]]);
// STREAMED: row_strips<1000, 256>(instance, count).to_memory(b_memory, b_strip, [[AT]]);
// UNSTAGED: no plan 'staged' for the rows of 'product':
// NAME: error: --plan: unknown plan 'team=7'; plans are thread, staged, streamed, team, team=4, team=8, team=16, team=32, {{.*}}team=4x8{{.*}}
// CPU: error: --plan: has no use without --target cuda
void product(const float *a COLONNADE_EXTENT(n *n), const float *b COLONNADE_EXTENT(n *n),
             float *c COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

// CARRIED: error: {{.*}}cuda-plan.cpp:[[#@LINE+1]]:6: no plan 'team' for the rows of 'sums': an iteration needs a cell of b that another one has stored or loaded
void sums(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++)
    b[i] += b[i - 1];
}

// STRIPS: note "strips: 8 of 33 rows of a table are done together, what they hand on is in registers"
// STRIPS: for %i{{.*}} step {{.*}} unroll 1 (
// STRIPS: for %j{{.*}} unroll 4 (
// UNKNOWN: no plan 'strips' for the rows of 'distance': there is no loop over rows of known number, each of which has one loop
int distance(const unsigned char *a COLONNADE_EXTENT(n), const unsigned char *b COLONNADE_EXTENT(n),
             int n) {
  int row[65];
  for (int j = 0; j <= n; j++)
    row[j] = j;
  for (int i = 1; i <= n; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int best = diagonal + (a[i - 1] != b[j - 1]);
      best = row[j] + 1 < best ? row[j] + 1 : best;
      diagonal = row[j];
      row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
    }
  }
  return row[n];
}

// A row needs the cell on the right of the one above.
// TURNED: no plan 'strips' for the rows of 'turned': iteration (i, j) needs what iteration (i - 1, j + 1) stores to 'row'
int turned(const unsigned char *a COLONNADE_EXTENT(n), int n) {
  int row[65];
  for (int j = 0; j < 65; j++)
    row[j] = j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      row[j] = row[j + 1] + a[i];
  return row[0];
}

// Where teams of threads run rows, threads ask for cells of a uniform array of their own: sectors
// are no longer called exact. A warp has fewer instances.
//
// RUN: %colonnade cost %s --size n=16 --count 1000 --layout row,tiled --model sectors,l2 --machine h200 --json %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %colonnade cost %s --size n=16 --count 1000 --layout tiled --model sectors,l2 --machine h200 | FileCheck %s --check-prefix=TILED
#include <colonnade/annotate.h>

// CHECK: row: threads of a team may ask for cells of their own of 'weights': each request is counted as one for one cell
// CHECK: {{^}}estimated: sectors, L2.
// JSON: "instances_a_warp": [[FEW:[1-9]|16]],
// JSON: "of_team": true,
// JSON: "instances_a_warp": 32,
// JSON-NOT: "of_team": true,
// TILED-NOT: threads of a team
// TILED: {{^}}exact: sectors. an interval: L2.
COLONNADE_BULK
void weighted(const float *a COLONNADE_EXTENT(n * n), const float *weights COLONNADE_UNIFORM COLONNADE_EXTENT(n * n),
              float *c COLONNADE_EXTENT(n * n), int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * weights[k * n + j];
      c[i * n + j] = sum;
    }
}

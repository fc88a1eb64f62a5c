// Where teams of threads run rows, threads may ask for cells of a uniform array of their own: which, is counted. Here a
// member has a row of c, and all ask for one weight at a time: one sector. In the Fourier transform, a member has 16
// cells of each array at a time. (Where it had a pair, an H200 counted what was expected: 13,504 sectors of loads with
// 31 instances, 1,984 of them to copy rows.)
//
// RUN: %colonnade cost %s --size n=16 --plan team=16 --count 1001 --layout row,tiled --model sectors,l2,k --machine h200 --json %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %colonnade cost %s --size n=16 --plan thread --count 1001 --layout tiled --model sectors --json - | FileCheck %s --check-prefix=THREAD
// RUN: %colonnade cost %source/bench/gpu/model_check_functions.cpp -f fft_256 --count 31 --layout row --model sectors | FileCheck %s --check-prefix=FOURIER
#include <colonnade/annotate.h>

// CHECK:      {{^}}row      uniform               256              1.00            1.00          128,256
// CHECK-NOT:  threads of a team
// CHECK:      {{^}}  row    L2              32,064 to 36,064 read                     32,032 written
// CHECK:      {{^}}  row     G          144,272; teams of 16 threads: T 1,322,640, W 42,282,240, W/(kT) 1.00, members part 0 times a warp
// CHECK-NEXT: {{^}}  tiled   G          144,640; teams of 16 threads: T 1,324,143, W 42,330,288, W/(kT) 1.00, members part 0 times a warp
// CHECK:      {{^}}exact: sectors, K-model. an interval: L2.
// JSON:       "instances_a_warp": 2,
// JSON:       "shared_accesses": [
// JSON-NEXT:    {
// JSON-NEXT:      "access": 0,
// JSON-NEXT:      "array": "a_rows",
// JSON-NEXT:      "excess_wavefronts": 128000,
// JSON:           "requests": 256,
// JSON-NEXT:      "store": false,
// JSON-NEXT:      "wavefronts": 256256
// JSON-NOT:   "of_team": true,
// JSON:       "instances_a_warp": 2,
// JSON-NEXT:  "layout": "tiled",
// JSON-NEXT:  "shared_accesses": [
// THREAD:     "instances_a_warp": 32,
// THREAD-NEXT: "layout": "tiled",
// THREAD-NEXT: "shared_accesses": null,
// FOURIER:    {{^}}row      uniform               256              3.25            1.50            6,656
// FOURIER:    {{^}}row      shared                 32             15.50            3.88            3,968
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

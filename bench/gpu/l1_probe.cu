//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// l1_probe.cu: when a load finds in L1 what its thread has stored a part of.
//
// In: nothing. Out: on stderr a line for each launch, in their order; the counters are
// Nsight Compute's (docs/results/caches.md).
// Invariant: a thread has a row of its own.
//
//===----------------------------------------------------------------------===//
#include "timing.cuh"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

using u64 = uint64_t;
using u32 = uint32_t;
__device__ __forceinline__ u32 ld(const u32 *p) {
  u32 v;
  asm volatile("ld.global.u32 %0,[%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ void st(u32 *p, u32 v) {
  asm volatile("st.global.u32 [%0],%1;" ::"l"(p), "r"(v) : "memory");
}
__device__ __forceinline__ u32 wait(u32 v, int cycles) {
  if (cycles == 0)
    return v;
  u32 s = clock();
  while (clock() - s < u32(cycles))
    ;
  return v;
}
enum {
  PrefixLoop,
  IncrementLoop,
  Batch8,
  Batch8Off,
  LoadStoreLoad,
  StoreLoad,
  LoadStoreOther,
  StoreWholeLoad,
  ReadTwice,
  LoadStoreLoadSame,
  Batch8OffTail
};
__global__ void run(u32 *p, u64 count, u64 stride, int what, int cycles) {
  const u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x;
  if (i >= count)
    return;
  u32 *b = p + i * stride;
  switch (what) {
  case PrefixLoop:
#pragma unroll 1
    for (int j = 1; j < 32; ++j) {
      u32 v = ld(b + j - 1), w = ld(b + j);
      st(b + j, wait(v + w, cycles));
    }
    break;
  case IncrementLoop:
#pragma unroll 1
    for (int j = 0; j < 32; ++j) {
      u32 w = ld(b + j);
      st(b + j, wait(w + 1, cycles));
    }
    break;
  case Batch8:
  case Batch8Off:
  case Batch8OffTail:
#pragma unroll 1
    for (int j = what == Batch8 ? 0 : 1; j + 8 <= 32; j += 8) {
      u32 v[9];
#pragma unroll
      for (int k = 0; k < 9; ++k)
        v[k] = (k == 0 && what == Batch8) ? 0 : ld(b + j + k - 1);
      v[1] = wait(v[1], cycles);
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        v[k + 1] += v[k];
        st(b + j + k, v[k + 1]);
      }
    }
    if (what == Batch8OffTail)
#pragma unroll 1
      for (int j = 25; j < 32; ++j) {
        u32 v = ld(b + j - 1), w = ld(b + j);
        st(b + j, wait(v + w, cycles));
      }
    break;
  case LoadStoreLoad: { // each sector: load cell 0, store it, load cell 1
#pragma unroll 1
    for (int s = 0; s < 4; ++s) {
      u32 v = ld(b + 8 * s);
      st(b + 8 * s, v + 1);
      wait(v, cycles);
      u32 w = ld(b + 8 * s + 1);
      st(b + 8 * s + 2, w);
    }
    break;
  }
  case LoadStoreLoadSame: {
#pragma unroll 1
    for (int s = 0; s < 4; ++s) {
      u32 v = ld(b + 8 * s);
      st(b + 8 * s, v + 1);
      wait(v, cycles);
      u32 w = ld(b + 8 * s);
      if (w == 77777)
        st(b + 8 * s + 2, w);
    }
    break;
  }
  case StoreLoad: { // store cell 0, load cell 1 of it
#pragma unroll 1
    for (int s = 0; s < 4; ++s) {
      st(b + 8 * s, s);
      wait(s, cycles);
      u32 w = ld(b + 8 * s + 1);
      if (w == 77777)
        st(b + 8 * s + 2, w);
    }
    break;
  }
  case LoadStoreOther: { // load cell 0 of a sector, store the next sector of the line, load cell 1
#pragma unroll 1
    for (int s = 0; s < 4; s += 2) {
      u32 v = ld(b + 8 * s);
      st(b + 8 * s + 8, v + 1);
      wait(v, cycles);
      u32 w = ld(b + 8 * s + 1);
      if (w == 77777)
        st(b, w);
    }
    break;
  }
  case StoreWholeLoad: { // store all 8, load one
#pragma unroll 1
    for (int s = 0; s < 4; ++s) {
#pragma unroll
      for (int k = 0; k < 8; ++k)
        st(b + 8 * s + k, s + k);
      wait(s, cycles);
      u32 w = ld(b + 8 * s + 1);
      if (w == 77777)
        st(b, w);
    }
    break;
  }
  case ReadTwice: {
#pragma unroll 1
    for (int j = 0; j < 32; ++j) {
      u32 v = ld(b + j);
      v = wait(v, cycles);
      if (v == 77777)
        st(b, v);
    }
    break;
  }
  }
}
int main() {
  u32 *p;
  const u64 bytes = u64(1) << 28;
  check(cudaMalloc(&p, bytes));
  check(cudaMemset(p, 1, bytes));
  const char *names[] = {"prefix loop",
                         "increment loop",
                         "batch 8",
                         "batch 8, one off",
                         "load 0 store 0 load 1",
                         "store 0 load 1",
                         "load 0, store next sector, load 1",
                         "store all load 1",
                         "read 32",
                         "load 0 store 0 load 0",
                         "batch 8, one off, with tail"};
  for (int what = 0; what <= 10; ++what)
    for (int cycles : {0, 200, 2000})
      for (int lanes : {1, 4, 8, 16, 31, 32, 256}) {
        if (cycles == 200 && lanes != 31 && lanes != 1)
          continue;
        if (cycles == 2000 && lanes != 31)
          continue;
        run<<<(lanes + 255) / 256, 256>>>(p, lanes, 32, what, cycles);
        check(cudaGetLastError());
        fprintf(stderr, "%s | wait %d lanes %d rows of 32\n", names[what], cycles, lanes);
      }
  for (int what : {0, 1, 3, 4, 10}) {
    run<<<1, 256>>>(p, 31, 33, what, 0);
    fprintf(stderr, "%s | wait 0 lanes 31 rows of 33\n", names[what]);
    run<<<1, 256>>>(p, 31, 64, what, 0);
    fprintf(stderr, "%s | wait 0 lanes 31 rows of 64\n", names[what]);
    run<<<132, 256>>>(p, 33792, 32, what, 0);
    fprintf(stderr, "%s | wait 0 lanes 33792 rows of 32\n", names[what]);
  }
  check(cudaDeviceSynchronize());
}

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// l2_probe.cu: patterns of accesses whose traffic Nsight Compute counts: what L2 reads
// from memory and writes to it, and when L1 merges stores.
//
// In: nothing. Out: on stderr a line for each launch, in their order; the counters are
// Nsight Compute's (docs/results/caches.md).
// Invariant: each launch touches the places that its line says, in that order.
//
//===----------------------------------------------------------------------===//
#include "timing.cuh"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

using u64 = uint64_t;
using u32 = uint32_t;
__device__ u64 mix(u64 x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  x ^= x >> 33;
  return x;
}

// A permutation of [0, 2^bits): distinct places in no order.
__device__ u64 place(u64 i, int bits) {
  const u64 m = (u64(1) << bits) - 1;
  i = (i * 0x9e3779b97f4a7c15ULL + 12345) & m;
  i ^= i >> (bits / 2);
  i = (i * 0xd1342543de82ef95ULL + 777) & m;
  i ^= i >> (bits / 2 + 1);
  return i & m;
}

enum { LoadSector, Load64, StorePart, StoreSector, UpdatePart, UpdateSector, LoadLine, StorePair };
// n = 2^bits places of `unit` bytes; each once, one thread each.
__global__ void scattered(char *p, int bits, u64 n, int unit, int what, u32 *out) {
  u32 sum = 0;
  for (u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x; i < n;
       i += u64(gridDim.x) * blockDim.x) {
    char *at = p + place(i, bits) * unit;
    switch (what) {
    case LoadSector:
      sum += *(volatile u32 *)at;
      break;
    case Load64:
      sum += *(volatile u32 *)at + *(volatile u32 *)(at + 32);
      break;
    case StorePart:
      *(u32 *)at = u32(i);
      break;
    case StoreSector:
      ((uint4 *)at)[0] = uint4{1, 2, 3, u32(i)};
      ((uint4 *)at)[1] = uint4{1, 2, 3, u32(i)};
      break;
    case UpdatePart: {
      u32 v = *(volatile u32 *)at;
      *(u32 *)at = v + 1;
      break;
    }
    case UpdateSector: {
      uint4 v = ((uint4 *)at)[0], w = ((uint4 *)at)[1];
      v.x++;
      w.x++;
      ((uint4 *)at)[0] = v;
      ((uint4 *)at)[1] = w;
      break;
    }
    case LoadLine:
      sum += *(volatile u32 *)at + *(volatile u32 *)(at + 32) + *(volatile u32 *)(at + 64) +
             *(volatile u32 *)(at + 96);
      break;
    case StorePair: {
      ((uint4 *)at)[0] = uint4{1, 2, 3, u32(i)};
      ((uint4 *)at)[1] = uint4{1, 2, 3, u32(i)};
      ((uint4 *)at)[2] = uint4{1, 2, 3, u32(i)};
      ((uint4 *)at)[3] = uint4{1, 2, 3, u32(i)};
      break;
    }
    }
  }
  if (sum == 0x12345678)
    *out = sum;
}
// Passes over `bytes`, side by side. 0 read, 1 write, 2 update.
__global__ void cyclic(uint4 *p, u64 n, int passes, int what, u32 *out) {
  u32 sum = 0;
  for (int k = 0; k < passes; ++k)
    for (u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x; i < n;
         i += u64(gridDim.x) * blockDim.x) {
      if (what == 0) {
        uint4 v;
        asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(p + i));
        sum += v.x;
      } else if (what == 1)
        p[i] = uint4{1, 2, 3, u32(i + k)};
      else {
        uint4 v;
        asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(p + i));
        v.x++;
        p[i] = v;
      }
    }
  if (sum == 0x12345678)
    *out = sum;
}
// Rows of `cells` words, a thread each: cell by cell. 0: reads (L2 only), 1: stores, 2: both in
// place, 3: b to c.
template <int What>
__global__ void rows(u32 *b, u32 *c, u64 count, int cells, int passes, u32 *out) {
  const u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x;
  if (i >= count)
    return;
  u32 sum = 0;
  for (int k = 0; k < passes; ++k)
#pragma unroll 1
    for (int j = 0; j < cells; ++j) {
      u32 v = 0;
      if (What != 1)
        asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(v) : "l"(b + i * cells + j));
      if (What == 0)
        sum += v;
      if (What == 1)
        asm volatile("st.global.u32 [%0],%1;" ::"l"(b + i * cells + j), "r"(u32(j + k)));
      if (What == 2)
        asm volatile("st.global.u32 [%0],%1;" ::"l"(b + i * cells + j), "r"(v + 1));
      if (What == 3)
        asm volatile("st.global.u32 [%0],%1;" ::"l"(c + i * cells + j), "r"(v + 1));
    }
  if (sum == 0x12345678)
    *out = sum;
}
// A warp's stores one after the other to neighbouring words, Gap dependent operations between; each
// lane its own place `stride` bytes on.
template <int Gap, class Cell> __global__ void merged(char *p, u64 stride, int times, u32 seed) {
  char *at = p + (blockIdx.x * u64(blockDim.x) + threadIdx.x) * stride;
  u32 v = seed;
#pragma unroll 1
  for (int k = 0; k < times; ++k) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      asm volatile("" ::: "memory");
      *(volatile Cell *)(at + sizeof(Cell) * j) = Cell(v);
#pragma unroll
      for (int g = 0; g < Gap; ++g)
        asm volatile("xor.b32 %0,%0,%1;" : "+r"(v) : "r"(seed));
    }
    at += 8 * sizeof(Cell);
    __nanosleep(200);
  }
}
// The same, with a load of elsewhere between.
template <class Cell>
__global__ void merged_loads(char *p, const u32 *q, u64 stride, int times, u32 *out) {
  char *at = p + (blockIdx.x * u64(blockDim.x) + threadIdx.x) * stride;
  u32 sum = 0;
#pragma unroll 1
  for (int k = 0; k < times; ++k) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      *(volatile Cell *)(at + sizeof(Cell) * j) = Cell(k);
      sum += *(volatile const u32 *)(q + 8 * (k * 8 + j));
    }
    at += 8 * sizeof(Cell);
    __nanosleep(200);
  }
  if (sum == 0x12345678)
    *out = sum;
}
template <int Gap> void gaps(char *p) {
  for (int stride : {256, 32, 8})
    for (int threads : {1, 32, 256}) {
      if (threads == 1 && stride != 256)
        continue;
      merged<Gap, u32><<<1, threads>>>(p, stride, stride == 256 ? 8 : 1, 3);
      check(cudaGetLastError());
      fprintf(stderr, "merged gap %d stride %d threads %d words %d\n", Gap, stride, threads,
              threads * 8 * (stride == 256 ? 8 : 1));
    }
}
int main() {
  char *p;
  u32 *out;
  const u64 big = u64(4) << 30;
  check(cudaMalloc(&p, big));
  check(cudaMalloc(&out, 4));
  check(cudaMemset(p, 1, big));
  const int blocks = 132 * 8;
  struct {
    const char *name;
    int what, unit;
  } kinds[] = {
      {"load sector of 64", LoadSector, 64},    {"load sector of 128", LoadSector, 128},
      {"load pair of 128", Load64, 128},        {"load line", LoadLine, 128},
      {"store part, of 64", StorePart, 64},     {"store part, of 128", StorePart, 128},
      {"store sector, of 64", StoreSector, 64}, {"store pair, of 128", StorePair, 128},
      {"store part, of 32", StorePart, 32},     {"load sector, of 32", LoadSector, 32},
      {"store sector, of 32", StoreSector, 32}, {"update part, of 64", UpdatePart, 64},
      {"update part, of 32", UpdatePart, 32},   {"update sector, of 64", UpdateSector, 64}};
  for (auto &k : kinds) {
    const int bits = k.unit == 32 ? 26 : k.unit == 64 ? 25 : 24; // 2 GiB
    scattered<<<blocks, 256>>>(p, bits, u64(1) << bits, k.unit, k.what, out);
    check(cudaGetLastError());
    fprintf(stderr, "scattered %s places %llu\n", k.name, 1ull << bits);
  }
  for (int what : {0, 1, 2})
    for (int mb : {16, 24, 32, 40, 44, 48, 52, 56, 60, 64, 72, 80, 100, 128, 192}) {
      const u64 n = u64(mb) * 1000000 / 16;
      const int passes = 5;
      cyclic<<<blocks, 256>>>((uint4 *)p, n, passes, what, out);
      check(cudaGetLastError());
      fprintf(stderr, "cyclic %s MB %d passes %d sectors a pass %llu\n",
              what == 0   ? "read"
              : what == 1 ? "write"
                          : "update",
              mb, passes, (unsigned long long)(n / 2));
    }
  for (int cells : {16, 32, 40, 48, 56, 64, 96, 128, 256})
    for (int passes : {1, 3}) {
      const u64 count = 1000000;
      const u64 words = count * cells;
      rows<0><<<(count + 255) / 256, 256>>>((u32 *)p, nullptr, count, cells, passes, out);
      fprintf(stderr, "rows read cells %d passes %d sectors %llu resident MB %.1f\n", cells, passes,
              (unsigned long long)(words / 8), 132 * 2048 * cells * 4e-6);
      rows<1><<<(count + 255) / 256, 256>>>((u32 *)p, nullptr, count, cells, passes, out);
      fprintf(stderr, "rows store cells %d passes %d sectors %llu\n", cells, passes,
              (unsigned long long)(words / 8));
      rows<2><<<(count + 255) / 256, 256>>>((u32 *)p, nullptr, count, cells, passes, out);
      fprintf(stderr, "rows update cells %d passes %d sectors %llu\n", cells, passes,
              (unsigned long long)(words / 8));
      rows<3><<<(count + 255) / 256, 256>>>((u32 *)p, (u32 *)(p + (big / 2)), count, cells, passes,
                                            out);
      fprintf(stderr, "rows copy cells %d passes %d sectors %llu\n", cells, passes,
              (unsigned long long)(words / 8));
      check(cudaGetLastError());
    }
  gaps<0>(p);
  gaps<1>(p);
  gaps<2>(p);
  gaps<3>(p);
  gaps<4>(p);
  gaps<6>(p);
  gaps<8>(p);
  gaps<12>(p);
  gaps<16>(p);
  gaps<24>(p);
  for (int stride : {256, 32})
    for (int threads : {1, 32}) {
      merged_loads<u32>
          <<<1, threads>>>(p, (u32 *)(p + big / 2), stride, stride == 256 ? 8 : 1, out);
      fprintf(stderr, "merged with loads stride %d threads %d words %d\n", stride, threads,
              threads * 8 * (stride == 256 ? 8 : 1));
      merged<0, uint8_t><<<1, threads>>>(p, stride, stride == 256 ? 8 : 1, 3);
      fprintf(stderr, "merged bytes stride %d threads %d words %d\n", stride, threads,
              threads * 8 * (stride == 256 ? 8 : 1));
      merged<0, u64><<<1, threads>>>(p, stride < 64 ? 64 : stride, 1, 3);
      fprintf(stderr, "merged doubles stride %d threads %d words %d\n", stride < 64 ? 64 : stride,
              threads, threads * 8);
    }
  check(cudaDeviceSynchronize());
}

//===- cuda_runtime.h - Just enough CUDA for clang without a toolkit -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations that emitted .cu files and the runtime's CUDA headers use, so that
// clang can check them on a machine without the toolkit:
//
//   clang++-19 -x cuda --cuda-gpu-arch=sm_90 -nocudainc -nocudalib
//     --cuda-path=/nonexistent --cuda-feature=+ptx83 -std=c++20 -fsyntax-only
//     -isystem test/Inputs/cuda-prelude -include cuda_runtime.h -I runtime/include f.bulk.cu
//
// Nothing here is ever linked or run.
//
//===----------------------------------------------------------------------===//
#pragma once

#define __CUDACC__ 1
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))

typedef __SIZE_TYPE__ size_t;
#include <stdlib.h>

struct uint3 { unsigned x, y, z; };
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
      : x(a), y(b), z(c) {}
};
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;

enum cudaError_t {
  cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorNoDevice,
  cudaErrorInsufficientDriver, cudaErrorMisalignedAddress
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount,
  cudaDevAttrComputeCapabilityMajor,
  cudaDevAttrMaxSharedMemoryPerBlockOptin
};
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };
typedef struct stream_object *cudaStream_t;
typedef struct event_object *cudaEvent_t;
enum cudaLaunchAttributeID {
  cudaLaunchAttributeProgrammaticStreamSerialization,
  cudaLaunchAttributeClusterDimension
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  struct {
    int programmaticStreamSerializationAllowed;
    struct { unsigned x, y, z; } clusterDim;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};
struct cudaDeviceProp { char name[256]; int multiProcessorCount; };

extern "C" {
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaMalloc(void **, size_t);
cudaError_t cudaFree(void *);
cudaError_t cudaMallocHost(void **, size_t);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind, cudaStream_t);
cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t,
                              cudaMemcpyKind, cudaStream_t);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaPeekAtLastError();
struct cudaFuncAttributes {
  int ptxVersion, binaryVersion;
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};
const char *cudaGetErrorName(cudaError_t);
const char *cudaGetErrorString(cudaError_t);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = nullptr);
}
template <class... Expected, class... Actual>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, void (*)(Expected...), Actual &&...);
template <class T> cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int);
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, T *);
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, Kernel, int, size_t);
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveClusters(int *, Kernel, const cudaLaunchConfig_t *);

__device__ void __syncthreads();
__device__ size_t __cvta_generic_to_shared(const void *);
__device__ void __barrier_sync_count(unsigned barrier, unsigned threads);
__device__ void __syncwarp(unsigned mask = 0xffffffff);
__device__ unsigned __ballot_sync(unsigned mask, int predicate);
__device__ unsigned long long atomicMin(unsigned long long *, unsigned long long);

extern "C" {
__device__ float __fadd_rn(float, float), __fsub_rn(float, float), __fmul_rn(float, float),
    __fdiv_rn(float, float), __fsqrt_rn(float), __fmaf_rn(float, float, float);
__device__ double __dadd_rn(double, double), __dsub_rn(double, double), __dmul_rn(double, double),
    __ddiv_rn(double, double), __dsqrt_rn(double), __fma_rn(double, double, double);
__device__ float sinf(float), cosf(float), tanf(float), asinf(float), acosf(float), atanf(float),
    sinhf(float), coshf(float), tanhf(float), expf(float), exp2f(float), expm1f(float),
    logf(float), log2f(float), log10f(float), log1pf(float), cbrtf(float), erff(float),
    erfcf(float), fabsf(float), floorf(float), ceilf(float), truncf(float), rintf(float),
    roundf(float), atan2f(float, float), powf(float, float), hypotf(float, float),
    copysignf(float, float), fminf(float, float), fmaxf(float, float), fmodf(float, float);
__device__ double sin(double), cos(double), tan(double), asin(double), acos(double),
    atan(double), sinh(double), cosh(double), tanh(double), exp(double), exp2(double),
    expm1(double), log(double), log2(double), log10(double), log1p(double), cbrt(double),
    erf(double), erfc(double), fabs(double), floor(double), ceil(double), trunc(double),
    rint(double), round(double), atan2(double, double), pow(double, double),
    hypot(double, double), copysign(double, double), fmin(double, double), fmax(double, double),
    fmod(double, double);
}

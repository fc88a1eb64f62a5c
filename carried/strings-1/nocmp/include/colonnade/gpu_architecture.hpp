//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// gpu_architecture.hpp: the GPU architectures that tunings know, and which one of them is used.
//
// A policy's tuning functions get the architecture and return a value. A kernel has one
// name for all of them: its template arguments hold the policy alone, and inside, the
// value is that of the architecture that the code is compiled for. The host takes the
// value of the code that the device really runs, which is not always the device's own
// architecture: code for sm_80 alone runs on an sm_89 too, and PTX for compute_80 is
// compiled for whatever there is when it is loaded.
//
// In: an architecture's version, 10 * major + minor. Out: the nearest listed one that is
// not above it. Invariant: there is always one: an architecture below all of them counts as
// the first.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace colonnade {

enum class gpu_architecture : uint8_t { sm_80 = 80, sm_90 = 90, sm_100 = 100, sm_120 = 120 };

/// All of them, rising.
constexpr gpu_architecture gpu_architectures[] = {gpu_architecture::sm_80, gpu_architecture::sm_90,
                                                  gpu_architecture::sm_100,
                                                  gpu_architecture::sm_120};

constexpr gpu_architecture nearest_architecture(uint32_t version) {
  gpu_architecture nearest = gpu_architectures[0];
  for (const gpu_architecture listed : gpu_architectures)
    if (static_cast<uint32_t>(listed) <= version)
      nearest = listed;
  return nearest;
}

/// Shared memory of an SM, which its blocks share; each of them takes 1 KB more for the system. A
/// block can have all that is left then, which is at least 98 KB everywhere.
constexpr size_t shared_bytes_per_sm(gpu_architecture architecture) {
  switch (architecture) {
  case gpu_architecture::sm_80:
    return 164 * 1024;
  case gpu_architecture::sm_90:
  case gpu_architecture::sm_100:
    return 228 * 1024;
  case gpu_architecture::sm_120:
    return 100 * 1024;
  }
  return 100 * 1024;
}

/// How many blocks of block_bytes of shared memory fit on an SM: 1 to `wanted`, since registers are
/// not to be divided among more.
constexpr uint32_t blocks_that_fit(gpu_architecture architecture, size_t block_bytes,
                                   uint32_t wanted) {
  const size_t fit = shared_bytes_per_sm(architecture) / (block_bytes + 1024);
  return fit < 1 ? 1 : fit < wanted ? static_cast<uint32_t>(fit) : wanted;
}

namespace detail {

/// In device code: the architecture that it is compiled for. Kernels that tests run on the host are
/// tuned as for sm_90.
#if defined(__CUDA_ARCH__)
constexpr gpu_architecture compiled_architecture = nearest_architecture(__CUDA_ARCH__ / 10);
#else
constexpr gpu_architecture compiled_architecture = gpu_architecture::sm_90;
#endif

/// Inside a kernel: the tuning for the architecture that it is compiled for, as a type.
/// Tunings: a type with a template `on` of an architecture, which holds the `value`.
template <class Tunings> using compiled = typename Tunings::template on<compiled_architecture>;

/// The tunings that a policy chooses for these arguments, such as bytes of keys and values, for all
/// architectures: a template argument of kernels.
template <class Policy, auto... Arguments> struct policy_tunings {
  template <gpu_architecture Architecture> struct on {
    static constexpr auto value = Policy::tuning(Architecture, Arguments...);
  };
};

/// A type as a value (std::type_identity is of C++20; generated code is C++17).
template <class T> struct type_value {
  using type = T;
};

/// On the host: what ask(type_value<tuning>) gives for one architecture. `ask` is compiled for all
/// of them, so it must read numbers from the type and not name a kernel.
template <class Tunings, size_t I = 0, class Ask>
constexpr auto ask_tuning(gpu_architecture architecture, Ask ask) {
  if constexpr (I + 1 < std::size(gpu_architectures))
    if (architecture != gpu_architectures[I])
      return ask_tuning<Tunings, I + 1>(architecture, ask);
  return ask(type_value<typename Tunings::template on<gpu_architectures[I]>>{});
}

/// The largest size_on(architecture) of all. Temporary storage has the size that the most demanding
/// architecture needs, because its size is asked for without any CUDA call.
template <class SizeOn> uint64_t most_on_any(SizeOn size_on) {
  uint64_t most = 0;
  for (const gpu_architecture listed : gpu_architectures) {
    const uint64_t size = size_on(listed);
    most = size > most ? size : most;
  }
  return most;
}

} // namespace detail

} // namespace colonnade

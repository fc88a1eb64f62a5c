//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// text_kinds.cuh: what kernels have to know of a kind of text: its job, and its skimmer.
//
// In: a job in a kernel. Out: a skimmer's type, and what it is made from. Invariant: a kind has
// job_type; may_overlap, whether any of its patterns can overlap itself; noted_windows, as its
// skimmers have it; and with_skimmer, which
// calls work.operator()<Skimmer>(what a skimmer is made from) once in every thread.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/string_matching/dense.hpp>
#include <colonnade/detail/string_matching/wide/skim.hpp>

#include <type_traits>

namespace colonnade::detail {

/// Bytes or 16-bit characters, with a part of Width of them.
template <class Character, uint32_t Width> struct character_text {
  /// As which notes are written: they do not depend on the part.
  using noted_as = character_text<Character, 4>;
  using job_type = matching_job;
  static constexpr bool may_overlap = Width > 1;
  static constexpr uint32_t noted_windows = 16 / static_cast<uint32_t>(sizeof(Character));
  template <class Tuning>
  using skimmer_type =
      std::conditional_t<std::is_same_v<Character, uint8_t>, skimmer<Tuning, Width, device_machine>,
                         wide_skimmer<Tuning, Width, device_machine>>;
  template <class Tuning, class Work>
  __device__ __forceinline__ static void with_skimmer(const device_machine &,
                                                      const matching_job &job, Work work) {
    work.template operator()<skimmer_type<Tuning>>(job);
  }
  /// Whether another kernel does it all.
  __device__ __forceinline__ static bool leaves_out(const matching_job &job) {
    return Width == 4 && std::is_same_v<Character, uint8_t> && job.chosen && job.chosen->dense;
  }
};

/// Bytes, where the sample says that every part of the pattern is often in the text.
struct dense_text : character_text<uint8_t, 4> {
  template <class Tuning, class Work>
  __device__ __forceinline__ static void with_skimmer(const device_machine &,
                                                      const matching_job &job, Work work) {
    work.template operator()<dense_skimmer<Tuning, device_machine>>(job);
  }
  __device__ __forceinline__ static bool leaves_out(const matching_job &job) {
    return !job.chosen->dense;
  }
};

/// run.operator()<Width>(): by the length of a pattern, up to 4.
template <class Run> cudaError_t with_width(uint64_t length, Run run) {
  switch (length) {
  case 1:
    return run.template operator()<1>();
  case 2:
    return run.template operator()<2>();
  case 3:
    return run.template operator()<3>();
  default:
    return run.template operator()<4>();
  }
}

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The main kernels of string_matching.cuh, string_matching_classes.cuh,
// string_matching_mismatches.cuh, string_matching_packed.cuh and string_matching_sets.cuh, under
// the default policies, and of string_matching_methods.cuh.
//
//===----------------------------------------------------------------------===//

#include "kernel_record.hpp"

#include <colonnade/string_matching.cuh>
#include <colonnade/string_matching_classes.cuh>
#include <colonnade/string_matching_methods.cuh>
#include <colonnade/string_matching_mismatches.cuh>
#include <colonnade/string_matching_packed.cuh>
#include <colonnade/string_matching_sets.cuh>
#include <colonnade/string_matching_wide.cuh>

namespace colonnade::testing {

namespace {
using namespace detail;

template <uint32_t Width> using bytes = character_text<uint8_t, Width>;
template <uint32_t Width> using wide = character_text<uint16_t, Width>;

template <auto Kernel> kernel_record matching_record(const char *name) {
  return record_on<Kernel>(name, [](gpu_architecture architecture) {
    return block_of_bytes{string_matching_policy::tuning(architecture).threads, 0};
  });
}
template <auto Kernel> kernel_record class_record(const char *name) {
  return record_on<Kernel>(name, [](gpu_architecture architecture) {
    return block_of_bytes{string_class_policy::tuning(architecture).threads, 0};
  });
}
template <auto Kernel> kernel_record mismatch_record(const char *name) {
  return record_on<Kernel>(name, [](gpu_architecture architecture) {
    return block_of_bytes{string_mismatch_policy::tuning(architecture).threads, 0};
  });
}
template <auto Kernel, class Filters> kernel_record set_record(const char *name) {
  return record_on<Kernel>(name, [](gpu_architecture architecture) {
    return block_of_bytes{string_set_policy::tuning(architecture).threads,
                          set_memory_bytes<string_set_policy, Filters>(architecture)};
  });
}
/// Empty where a block has too little shared memory.
template <auto Kernel, auto Bytes, auto Threads> kernel_record resident_record(const char *name) {
  return record_on<Kernel>(name, [](gpu_architecture architecture) {
    const string_set_tuning tuning = string_set_policy::tuning(architecture);
    return block_of_bytes{tuning.resident_threads ? tuning.*Threads : 32, Bytes(architecture)};
  });
}
template <set_result Result> kernel_record keys_record(const char *name) {
  return resident_record<search_resident_kernel<string_set_tunings<string_set_policy>, Result>,
                         resident_memory_bytes<string_set_policy>,
                         &string_set_tuning::resident_threads>(name);
}
template <anchor_kind Kind, class Keys> kernel_record anchors_record(const char *name) {
  return resident_record<count_anchored_kernel<string_set_tunings<string_set_policy>, Kind, Keys>,
                         anchored_memory_bytes<string_set_policy, Kind, Keys>,
                         &string_set_tuning::anchor_threads>(name);
}
} // namespace

kernel_records string_matching_kernels() {
  using tunings = string_matching_tunings<string_matching_policy>;
  using class_tunings = string_matching_tunings<string_class_policy>;
  using mismatch_tunings = string_matching_tunings<string_mismatch_policy>;
  using set_tunings = string_set_tunings<string_set_policy>;
  constexpr auto count = matching_result::count, positions = matching_result::positions;
  return {
      matching_record<skim_kernel<tunings, bytes<2>, count>>("count, 2 bytes"),
      matching_record<skim_kernel<tunings, bytes<4>, count>>("count, 4 bytes and more"),
      matching_record<skim_kernel<tunings, bytes<2>, positions>>("note positions, 2 bytes"),
      matching_record<skim_kernel<tunings, bytes<4>, positions>>(
          "note positions, 4 bytes and more"),
      matching_record<skim_kernel<tunings, dense_text, count>>("count, dense"),
      matching_record<skim_kernel<tunings, dense_text, positions>>("note positions, dense"),
      matching_record<write_notes_kernel<tunings, bytes<4>>>("write positions, 4 bytes and more"),
      matching_record<write_notes_kernel<tunings, wide<4>>>(
          "write positions, 4 wide characters and more"),
      matching_record<skim_kernel<tunings, wide<2>, count>>("count, 2 wide characters"),
      matching_record<skim_kernel<tunings, wide<4>, count>>("count, 4 wide characters and more"),
      matching_record<skim_kernel<tunings, wide<4>, positions>>(
          "note positions, 4 wide characters and more"),
      record<sample_kernel<uint16_t>>("sample, wide characters", sample_threads),
      matching_record<apart_kernel<tunings, bytes<4>, apart_pass::count>>(
          "count apart, 4 bytes and more"),
      matching_record<apart_kernel<tunings, bytes<4>, apart_pass::note>>(
          "note positions apart, 4 bytes and more"),
      matching_record<apart_kernel<tunings, bytes<4>, apart_pass::write>>(
          "write positions apart, 4 bytes and more"),
      record<place_apart_kernel<>>("put pieces together", apart_threads),
      record<sample_kernel<uint8_t>>("sample", sample_threads),
      matching_record<skim_kernel<tunings, text_of_bits<1>, count>>("count, 1 bit"),
      matching_record<skim_kernel<tunings, text_of_bits<2>, count>>("count, 2 bits"),
      matching_record<skim_kernel<tunings, text_of_bits<2>, positions>>("note positions, 2 bits"),
      matching_record<write_matches_kernel<tunings, text_of_bits<2>>>("write positions, 2 bits"),
      record<divide_kernel<matching_method::divide, method_pass::count>>("count, DRK",
                                                                         method_threads),
      record<divide_kernel<matching_method::two_stage, method_pass::count>>("count, DRK-2S",
                                                                            method_threads),
      record<write_tile_kernel<portion_matrices>>("scan, CRK", method_threads),
      record<hybrid_kernel<method_pass::count>>("count, HRK, 16 characters", hybrid_threads,
                                                hybrid_storage::bytes(16)),
      set_record<search_set_kernel<set_tunings, long_filters, set_result::count>, long_filters>(
          "count, set of long patterns"),
      set_record<search_set_kernel<set_tunings, mixed_filters, set_result::count>, mixed_filters>(
          "count, set of mixed patterns"),
      set_record<search_set_kernel<set_tunings, short_filters, set_result::count>, short_filters>(
          "count, set of short patterns"),
      set_record<search_set_kernel<set_tunings, mixed_filters, set_result::each>, mixed_filters>(
          "count of each, set of mixed patterns"),
      set_record<search_set_kernel<set_tunings, mixed_filters, set_result::matches>, mixed_filters>(
          "note positions, set of mixed patterns"),
      keys_record<set_result::count>("count, keys in shared memory"),
      keys_record<set_result::each>("count of each, keys in shared memory"),
      keys_record<set_result::matches>("note positions, keys in shared memory"),
      anchors_record<anchor_kind::eights, resident_keys>("count, anchors of 8 bytes"),
      anchors_record<anchor_kind::longer, resident_keys>("count, anchors of long patterns"),
      anchors_record<anchor_kind::longer, few_keys>("count, few anchors of long patterns"),
      anchors_record<anchor_kind::mixed, resident_keys>("count, anchors and short patterns"),
      anchors_record<anchor_kind::mixed, few_keys>("count, few anchors and short patterns"),
      record<sample_frequency_kernel<>>("sample, sets", frequency_threads),
      record_on<write_set_kernel<set_tunings>>(
          "write matches, sets",
          [](gpu_architecture architecture) {
            return block_of_bytes{string_set_policy::tuning(architecture).threads, 0};
          }),
      class_record<skim_classes_kernel<class_tunings, false, count>>("count, up to 32 classes"),
      class_record<skim_classes_kernel<class_tunings, true, count>>("count, more than 32 classes"),
      class_record<skim_classes_kernel<class_tunings, false, positions>>(
          "note positions, up to 32 classes"),
      class_record<write_class_matches_kernel<class_tunings, false>>(
          "write positions, up to 32 classes"),
      mismatch_record<skim_kernel<mismatch_tunings, text_of_pieces, count>>(
          "count, mismatches by pieces"),
      mismatch_record<skim_kernel<mismatch_tunings, text_of_counts, count>>(
          "count, mismatches counted"),
      mismatch_record<skim_kernel<mismatch_tunings, text_of_pieces, positions>>(
          "note positions, mismatches by pieces"),
      mismatch_record<skim_kernel<mismatch_tunings, text_of_counts, positions>>(
          "note positions, mismatches counted"),
      mismatch_record<write_matches_kernel<mismatch_tunings, text_of_pieces>>(
          "write positions, mismatches by pieces"),
      mismatch_record<write_matches_kernel<mismatch_tunings, text_of_counts>>(
          "write positions, mismatches counted"),
      record<number_mismatches_kernel<>>("numbers of mismatches", number_threads),
  };
}

} // namespace colonnade::testing

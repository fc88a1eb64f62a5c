//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// String matching in relocatable device code (-rdc=true): kernels that have rare code beside few
// registers. ptxas refuses a function that takes more than the kernel that calls it.
//
//===----------------------------------------------------------------------===//

#include <colonnade/string_matching.cuh>
#include <colonnade/string_matching_mismatches.cuh>

using namespace colonnade;
using namespace colonnade::detail;

using tunings = string_matching_tunings<string_matching_policy>;
using mismatch_tunings = string_matching_tunings<string_mismatch_policy>;
using bytes = character_text<uint8_t, 4>;

/// Matches that do not overlap; mismatches of patterns of more than 32 bytes.
extern const void *const kernels_with_rare_code[];
const void *const kernels_with_rare_code[] = {
    reinterpret_cast<const void *>(&apart_kernel<tunings, bytes, apart_pass::note>),
    reinterpret_cast<const void *>(
        &skim_kernel<mismatch_tunings, text_of_counts, matching_result::count>),
};

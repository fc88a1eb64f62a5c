//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sets of patterns on a GPU by keys and anchors in shared memory, as
// string_matching_sets_resident_gpu_test.cu has them, but with small texts in several segments,
// queues that are soon full, and steps of one row and of two.
//
//   --small    fewer cases
//   --seed S   others; --cases N   so many
//
//===----------------------------------------------------------------------===//

#include "string_set_case.cuh"

using namespace colonnade;
using namespace colonnade::testing;

namespace {

struct two_rows : resident_set_blocks {
  static constexpr uint32_t most_rounds = 1;
  static constexpr string_set_tuning tuning(gpu_architecture architecture) {
    return {64, 2,  1, 40, 1, string_set_policy::tuning(architecture).resident_threads ? 96u : 0u,
            40, 64, 96};
  }
};
struct one_row : two_rows {
  static constexpr uint32_t most_rounds = 3;
  static constexpr string_set_tuning tuning(gpu_architecture architecture) {
    string_set_tuning chosen = two_rows::tuning(architecture);
    chosen.loads = 3;
    return chosen;
  }
};

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const case_options options(argc, argv, small_run(argc, argv) ? 40 : 666);
  with_resident_cases(options.cases, options.seed,
                      [](uint64_t i, const string_set_case &c, const uint8_t *d_text,
                         uint64_t capacity, const std::string &what) {
                        if (i / 3 % 2)
                          check<two_rows>(c, d_text, capacity, what.c_str());
                        else
                          check<one_row>(c, d_text, capacity, what.c_str());
                      });
  return gpu_result("sets of patterns in shared memory, by small steps");
}

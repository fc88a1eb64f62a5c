//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What string_matching_mismatches.cuh refuses before any CUDA call.
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/string_matching_mismatches.cuh>

using namespace colonnade;

namespace {

static_assert(std::is_trivially_copyable_v<mismatch_matcher_ref>);
static_assert(!std::is_copy_constructible_v<mismatch_matcher> &&
              std::is_nothrow_move_constructible_v<mismatch_matcher>);
some_memory<uint8_t> text, temp, mismatches;
some_memory<uint64_t> positions, number;

void test_creation() {
  mismatch_matcher m;
  const std::string longest(mismatch_matcher::most_length, 'x'), longer = longest + "x";
  const mismatch_options pieces{false, mismatch_method::pieces};
  REACHES_CUDA(mismatch_matcher::create(m, "abcdefghi", 9, 8));
  REACHES_CUDA(mismatch_matcher::create(m, "a", 1, 0));
  REACHES_CUDA(mismatch_matcher::create(m, longest.data(), longest.size(), 3));
  REACHES_CUDA(mismatch_matcher::create(m, longest.data(), 21, 2, pieces));
  REFUSED(mismatch_matcher::create(m, longer.data(), longer.size(), 3));
  REFUSED(mismatch_matcher::create(m, "abcdefghi", 0, 0));
  REFUSED(mismatch_matcher::create(m, nullptr, 9, 2));
  REFUSED(mismatch_matcher::create(m, "abcdefghi", 8, 8)); // everything would match
  REFUSED(mismatch_matcher::create(m, longest.data(), 20, 9));
  REFUSED(mismatch_matcher::create(m, longest.data(), 20, 2, pieces));
  REFUSED(mismatch_matcher::create(m, text.get(), negative, 2));
  REFUSED(mismatch_matcher::create(m, "abcdefghi", 9, static_cast<uint32_t>(-1)));
}

/// A matcher that was never created.
void test_empty_handle() {
  const mismatch_matcher m;
  size_t bytes = 1000;
  EXPECT(m.bytes() == 0 && m.ref().length() == 0 && m.ref().most_mismatches() == 0 &&
             m.ref().method() == mismatch_method::automatic,
         "memory without a device");
  REFUSED(count_matches(nullptr, bytes, m.ref(), text.get(), 10, number.get()));
  REFUSED(count_matches(temp.get(), bytes, m.ref(), text.get(), 10, number.get()));
  REFUSED(find_matches(temp.get(), bytes, m.ref(), text.get(), 10, positions.get(),
                       mismatches.get(), 10, number.get()));
  REFUSED(find_first(temp.get(), bytes, m.ref(), text.get(), 10, number.get()));
}

} // namespace

int main() {
  require_no_gpu();
  test_creation();
  test_empty_handle();
  return gpu_result("arguments of matching with mismatches");
}

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What string_matching.cuh, its methods, string_matching_packed.cuh and string_matching_wide.cuh
// refuse before any CUDA call. (A matcher whose arguments are right cannot be created without a
// device: what calls refuse is tested on a GPU.)
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/string_matching_methods.cuh>
#include <colonnade/string_matching_packed.cuh>
#include <colonnade/string_matching_stream.cuh>
#include <colonnade/string_matching_wide.cuh>

using namespace colonnade;

namespace {

static_assert(std::is_trivially_copyable_v<matcher_ref>); // kernels' arguments are made of it
static_assert(!std::is_copy_constructible_v<matcher> &&
              std::is_nothrow_move_constructible_v<matcher>);
some_memory<uint8_t> text, temp;
some_memory<uint64_t> positions, number;
some_memory<uint16_t> characters;

void test_creation() {
  matcher m;
  REACHES_CUDA(matcher::create(m, text.get(), 1));
  REACHES_CUDA(matcher::create(m, text.at(3), 1000));
  REFUSED(matcher::create(m, text.get(), 0));
  REFUSED(matcher::create(m, nullptr, 10));
  REFUSED(matcher::create(m, text.get(), matcher::most_length + 1));
  REFUSED(matcher::create(m, text.get(), negative));
}

/// A matcher that was never created.
void test_empty_handle() {
  const matcher m;
  size_t bytes = 1000;
  EXPECT(m.bytes() == 0 && m.ref().length() == 0, "memory without a device");
  REFUSED(count_matches(nullptr, bytes, m.ref(), text.get(), 10, number.get()));
  REFUSED(count_matches(temp.get(), bytes, m.ref(), text.get(), 10, number.get()));
  REFUSED(
      find_matches(temp.get(), bytes, m.ref(), text.get(), 10, positions.get(), 10, number.get()));
  REFUSED(count_matches(temp.get(), bytes, m.ref(match_selection::non_overlapping), text.get(), 10,
                        number.get()));
  REFUSED(find_first(temp.get(), bytes, m.ref(), text.get(), 10, number.get()));
  REFUSED(count_matches_by({}, temp.get(), bytes, m.ref(), text.get(), 10, number.get()));
}

void test_packed_creation() {
  packed_matcher m;
  REACHES_CUDA(packed_matcher::create(m, "GATTACA", 7));
  REACHES_CUDA(packed_matcher::create(m, "gattaca", 7, two_bit_file));
  REACHES_CUDA(packed_matcher::create(m, "\x0f", 1, {4, packed_letters::numbers}));
  REFUSED(packed_matcher::create(m, "GATTACA", 0));
  REFUSED(packed_matcher::create(m, nullptr, 7));
  REFUSED(packed_matcher::create(m, text.get(), packed_matcher::most_length + 1));
  REFUSED(packed_matcher::create(m, "GATNACA", 7));
  REFUSED(packed_matcher::create(m, "gattaca", 7));
  REFUSED(packed_matcher::create(m, "\x10", 1, {4, packed_letters::numbers}));
  REFUSED(packed_matcher::create(m, "GATTACA", 7, {4}));
  REFUSED(packed_matcher::create(m, "\1", 1, {8, packed_letters::numbers}));
}

void test_empty_packed_handle() {
  const packed_matcher m;
  size_t bytes = 1000;
  const packed_text characters{text.get(), 10};
  REFUSED(count_matches(nullptr, bytes, m.ref(), characters, number.get()));
  REFUSED(find_matches(temp.get(), bytes, m.ref(), characters, positions.get(), 10, number.get()));
  REFUSED(find_first(temp.get(), bytes, m.ref(), characters, number.get()));
}

void test_wide() {
  wide_matcher m;
  REACHES_CUDA(wide_matcher::create(m, characters.get(), 7));
  REFUSED(wide_matcher::create(m, characters.get(), 0));
  REFUSED(wide_matcher::create(m, nullptr, 7));
  REFUSED(wide_matcher::create(m, characters.get(), wide_matcher::most_length + 1));
  size_t bytes = 1000;
  REFUSED(count_matches(nullptr, bytes, m.ref(), characters.get(), 10, number.get()));
  REFUSED(find_first(temp.get(), bytes, m.ref(), characters.get(), 10, number.get()));
}

void test_stream() {
  text_stream stream({1 << 20, 2, {}});
  uint64_t matches = 1;
  EXPECT(stream.count_matches(matcher().ref(), memory_text("text", 4), matches).error ==
                 cudaErrorInvalidValue &&
             matches == 0 && stream.bytes() == 0,
         "a stream without a pattern");
}

} // namespace

int main() {
  require_no_gpu();
  test_creation();
  test_empty_handle();
  test_packed_creation();
  test_empty_packed_handle();
  test_wide();
  test_stream();
  return gpu_result("arguments of string matching");
}

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What string_matching_sets.cuh refuses before any CUDA call. (A set whose arguments are right
// cannot be created without a device: what calls refuse of one is tested by
// string_matching_sets_memory.)
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/string_matching_sets_stream.cuh>

using namespace colonnade;

namespace {

static_assert(std::is_trivially_copyable_v<matcher_set_ref>);
static_assert(!std::is_copy_constructible_v<matcher_set> &&
              std::is_nothrow_move_constructible_v<matcher_set>);
some_memory<uint8_t> text, temp;
some_memory<uint64_t> positions, number;
some_memory<uint32_t> numbers;

void test_creation() {
  matcher_set set;
  const std::vector<uint8_t> bytes(most_set_pattern + 1, 'x');
  const auto of = [&](uint64_t length) { return set_pattern{bytes.data(), length}; };
  const set_pattern one[] = {of(1)}, several[] = {of(7), of(most_set_pattern), of(3)},
                    empty[] = {of(5), of(0)}, longer[] = {of(5), of(most_set_pattern + 1)},
                    null[] = {of(5), {nullptr, 5}};
  REACHES_CUDA(matcher_set::create(set, one, 1));
  REACHES_CUDA(matcher_set::create(set, several, 3));
  REFUSED(matcher_set::create(set, one, 0));
  REFUSED(matcher_set::create(set, nullptr, 1));
  REFUSED(matcher_set::create(set, empty, 2));
  REFUSED(matcher_set::create(set, longer, 2));
  REFUSED(matcher_set::create(set, null, 2));
  std::vector<set_pattern> many(most_set_patterns, of(3));
  REACHES_CUDA(matcher_set::create(set, many.data(), most_set_patterns));
  many.push_back(of(3));
  REFUSED(matcher_set::create(set, many.data(), most_set_patterns + 1));
  std::vector<set_pattern> large(most_set_bytes / most_set_pattern, of(most_set_pattern));
  large.push_back(of(1));
  REFUSED(matcher_set::create(set, large.data(), static_cast<uint32_t>(large.size())));
}

/// A set that was never created.
void test_empty_handle() {
  const matcher_set set;
  size_t bytes = 1000;
  EXPECT(set.bytes() == 0 && set.ref().num_patterns() == 0, "memory without a device");
  REFUSED(count_matches_of_set(nullptr, bytes, set.ref(), text.get(), 10, number.get()));
  REFUSED(count_matches_of_set(temp.get(), bytes, set.ref(), text.get(), 10, number.get()));
  REFUSED(count_matches_of_each(temp.get(), bytes, set.ref(), text.get(), 10, number.get()));
  REFUSED(find_matches_of_set(temp.get(), bytes, set.ref(), text.get(), 10, positions.get(),
                              numbers.get(), 10, number.get()));
  text_stream stream;
  uint64_t matches = 1;
  REFUSED(count_matches_of_set(stream, set.ref(), memory_text("text", 4), matches).error);
  EXPECT(matches == 0 && stream.bytes() == 0, "memory for no set");
}

} // namespace

int main() {
  require_no_gpu();
  test_creation();
  test_empty_handle();
  return gpu_result("arguments of sets of patterns");
}

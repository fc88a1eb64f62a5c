//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What string_matching_classes.cuh refuses before any CUDA call.
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/string_matching_classes.cuh>

using namespace colonnade;

namespace {

static_assert(std::is_trivially_copyable_v<class_matcher_ref>);
static_assert(!std::is_copy_constructible_v<class_matcher> &&
              std::is_nothrow_move_constructible_v<class_matcher>);
some_memory<uint8_t> text, temp;
some_memory<uint64_t> positions, number;

void test_creation() {
  class_matcher m;
  const class_options codes{class_letters::iupac};
  const std::string longest(most_classes, '.'), longer(most_classes + 1, '.');
  REACHES_CUDA(class_matcher::create(m, "[a-z].", 6));
  REACHES_CUDA(class_matcher::create(m, "GRTANC", 6, codes));
  REACHES_CUDA(class_matcher::create(m, longest.data(), longest.size()));
  REFUSED(class_matcher::create(m, longer.data(), longer.size()));
  REFUSED(class_matcher::create(m, "[a-z].", 0));
  REFUSED(class_matcher::create(m, nullptr, 6));
  REFUSED(class_matcher::create(m, "[a-z].", 4)); // not closed
  REFUSED(class_matcher::create(m, "[z-a]", 5));
  REFUSED(class_matcher::create(m, "a\\", 2));
  REFUSED(class_matcher::create(m, "GRTAXC", 6, codes));
  REFUSED(class_matcher::create(m, text.get(), negative));
}

/// A matcher that was never created.
void test_empty_handle() {
  const class_matcher m;
  size_t bytes = 1000;
  EXPECT(m.bytes() == 0 && m.ref().length() == 0, "memory without a device");
  REFUSED(count_matches(nullptr, bytes, m.ref(), text.get(), 10, number.get()));
  REFUSED(count_matches(temp.get(), bytes, m.ref(), text.get(), 10, number.get()));
  REFUSED(
      find_matches(temp.get(), bytes, m.ref(), text.get(), 10, positions.get(), 10, number.get()));
  REFUSED(find_first(temp.get(), bytes, m.ref(), text.get(), 10, number.get()));
}

} // namespace

int main() {
  require_no_gpu();
  test_creation();
  test_empty_handle();
  return gpu_result("arguments of character classes");
}

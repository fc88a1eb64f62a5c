//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// text_watch.hpp: sees loads of many bytes that are misaligned, or not inside of a text.
//
// In: the memory around a text, while kernels run on the host. Out: what is wrong with their loads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/text.hpp>

#include <string>
#include <utility>
#include <vector>

namespace colonnade::testing {

/// What kernels may read of the memory around a text; ended() says what they should not have.
class text_watch {
public:
  text_watch() = default;
  text_watch(const std::vector<uint8_t> &memory, const uint8_t *text, uint64_t bytes) {
    allowed_.memory = memory.data(), allowed_.memory_end = memory.data() + memory.size();
    allowed_.text = text, allowed_.text_end = text + bytes;
  }
  void begin() const { detail::loads_of_host = allowed_; }
  static std::string ended() {
    const detail::host_loads seen = std::exchange(detail::loads_of_host, {});
    return std::string(seen.misaligned ? "a load is misaligned\n" : "") +
           (seen.outside ? "a load is not inside the text\n" : "");
  }

private:
  detail::host_loads allowed_;
};

} // namespace colonnade::testing

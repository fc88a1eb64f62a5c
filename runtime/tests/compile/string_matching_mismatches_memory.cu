//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory of matchers with mismatches, from a resource of the user; what calls refuse of one that is
// there; and the jobs that kernels are given: the blocks have room for all of a text, and what they
// write lies in temporary storage.
//
//===----------------------------------------------------------------------===//

#include "faked_runtime.hpp"

#include <colonnade/string_matching_mismatches.cuh>

#include <string>

using namespace colonnade;

namespace {

using matcher_type = basic_mismatch_matcher<faked::resource>;

uint8_t text[100];
uint64_t positions[100], number[1];
uint8_t mismatches[100];

cudaError_t create(matcher_type &m, uint64_t length) {
  std::string pattern;
  for (uint64_t i = 0; i < length; ++i)
    pattern += static_cast<char>(i);
  return matcher_type::create(m, pattern.data(), length, length / 8, {}, faked::stream(1), {7});
}

void check_memory() {
  faked::each_failure<matcher_type>(
      "create", [](matcher_type &m) { CUDA_OK(create(m, 10)); },
      [](matcher_type &m) { return create(m, 60); },
      [](const matcher_type &m) { return m.ref().length() == 10; });
}

// The job that is expected, and the storage of the call.
uint64_t num_positions = 0;
bool walks = false;   // find_first
bool numbers = false; // of mismatches are asked for
const char *storage = nullptr;
size_t storage_bytes = 0;

void look_at(const cudaLaunchConfig_t &config, void **arguments) {
  const auto &job = *static_cast<const detail::matching_job *>(arguments[0]);
  const string_matching_tuning tuning = string_mismatch_policy::tuning(gpu_architecture::sm_90);
  EXPECT(job.num_positions == num_positions && job.rounds > 0, "positions, rounds %u", job.rounds);
  if (config.blockDim.x != tuning.threads || numbers)
    return; // one block, or the numbers of mismatches
  const uint64_t warps = uint64_t{config.gridDim.x} * config.blockDim.x / 32;
  const uint64_t segment = uint64_t{job.rounds} * detail::row_bytes * tuning.loads;
  EXPECT((walks || warps * segment >= num_positions + 15) && segment <= 65536,
         "%llu segments of %llu", static_cast<unsigned long long>(warps),
         static_cast<unsigned long long>(segment));
  if (!job.slots)
    return;
  const auto in_storage = [](const void *from, const void *to) {
    return static_cast<const char *>(from) >= storage &&
           static_cast<const char *>(to) <= storage + storage_bytes;
  };
  EXPECT(in_storage(job.block_counts, job.block_counts + config.gridDim.x), "blocks' counts");
  EXPECT(in_storage(job.segment_counts, job.segment_counts + warps), "segments' counts");
  EXPECT(in_storage(job.slots, job.slots + warps * (segment / detail::windows_per_slot)), "slots");
}

/// Both phases; storage is never followed, as no kernel runs.
template <class Call> void expect_jobs(uint64_t n, uint64_t length, uint32_t launches, Call call) {
  size_t bytes = 0;
  EXPECT(!call(nullptr, bytes) && bytes > 0, "the bytes for %llu",
         static_cast<unsigned long long>(n));
  storage = reinterpret_cast<const char *>(uintptr_t{1} << 50) + 3;
  storage_bytes = bytes;
  num_positions = n - length + 1;
  faked::launches = 0;
  faked::seen = look_at;
  EXPECT(!call(const_cast<char *>(storage), bytes), "call");
  faked::seen = nullptr;
  EXPECT(faked::launches == launches, "%u launches, n = %llu", faked::launches,
         static_cast<unsigned long long>(n));
}

void check_jobs() {
  faked::on = true;
  faked::book = {};
  const uint64_t mega = uint64_t{1} << 20, giga = mega << 10;
  for (const uint64_t length : {1, 9, 32, 64})
    for (const uint64_t n : {uint64_t{1000}, uint64_t{4096}, 3 * mega, 100 * mega + 7, 8 * giga}) {
      matcher_type m;
      CUDA_OK(create(m, length));
      const uint8_t *const d_text = reinterpret_cast<const uint8_t *>((uintptr_t{1} << 49) + 5);
      const uint32_t several = n > 16384;
      expect_jobs(n, length, 1, [&](void *t, size_t &b) {
        return count_matches(t, b, m.ref(), d_text, n, number);
      });
      walks = true;
      expect_jobs(n, length, 1,
                  [&](void *t, size_t &b) { return find_first(t, b, m.ref(), d_text, n, number); });
      walks = false;
      expect_jobs(n, length, 1 + 2 * several, [&](void *t, size_t &b) {
        return find_matches(t, b, m.ref(), d_text, n, positions, nullptr, 100, number);
      });
      numbers = true;
      expect_jobs(n, length, 2 + 2 * several, [&](void *t, size_t &b) {
        return find_matches(t, b, m.ref(), d_text, n, positions, mismatches, 100, number);
      });
      numbers = false;
    }
  faked::on = false;
}

void check_calls() {
  faked::on = true;
  faked::book = {};
  {
    matcher_type m;
    CUDA_OK(create(m, 10));
    faked::expect_asynchronous("count_matches", [&](void *t, size_t &b) {
      return count_matches(t, b, m.ref(), text, 100, number);
    });
    faked::expect_asynchronous("find_matches", [&](void *t, size_t &b) {
      return find_matches(t, b, m.ref(), text, 100, positions, mismatches, 100, number);
    });
    faked::expect_asynchronous("find_first", [&](void *t, size_t &b) {
      return find_first(t, b, m.ref(), text, 100, number);
    });
    faked::expect_not_captured("create", [&] { return create(m, 20); });
    faked::launches = 0;
    char temp[2000];
    size_t bytes = sizeof temp;
    const auto refused = [&](const uint8_t *from, uint64_t n, uint64_t *to, uint64_t *count,
                             uint8_t *numbers_to = nullptr) {
      return find_matches(temp, bytes, m.ref(), from, n, to, numbers_to, 100, count) ==
             cudaErrorInvalidValue;
    };
    EXPECT(refused(nullptr, 100, positions, number), "no text");
    EXPECT(refused(text, 100, nullptr, number), "no positions");
    EXPECT(refused(text, 100, positions, nullptr), "no number");
    EXPECT(refused(text, 100, positions, positions + 50), "the number among the positions");
    EXPECT(refused(text, uint64_t{1} << 48, positions, number), "too long");
    EXPECT(refused(text, 100, positions, number, text + 99), "numbers of mismatches in the text");
    EXPECT(refused(text, 100, positions, number, reinterpret_cast<uint8_t *>(positions + 99)),
           "numbers of mismatches among the positions");
    EXPECT(refused(text, 100, positions, number, reinterpret_cast<uint8_t *>(number) - 99),
           "the number among the numbers of mismatches");
    EXPECT(faked::launches == 0, "launched");
  }
  faked::on = false;
}

} // namespace

int main() {
  check_memory();
  check_calls();
  check_jobs();
  return gpu_result("memory and jobs of matching with mismatches");
}

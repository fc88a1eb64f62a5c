//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory of matchers, from a resource of the user; what calls refuse of a matcher that is there;
// and the jobs that kernels are given: the blocks have room for all of a text, and what they write
// lies in temporary storage; streams of text.
//
//===----------------------------------------------------------------------===//

#include "faked_runtime.hpp"
#include "string_stream_memory.cuh"

#include <colonnade/string_matching_methods.cuh>
#include <colonnade/string_matching_packed.cuh>
#include <colonnade/string_matching_wide.cuh>

using namespace colonnade;

namespace {

using matcher_type = basic_matcher<faked::resource>;

char pattern[20000];
uint8_t text[100];
uint64_t positions[100], number[1];
char temp_bytes[1];

cudaError_t create(matcher_type &m, uint64_t length) {
  return matcher_type::create(m, pattern, length, {}, faked::stream(1), {7});
}

void check_memory() {
  faked::each_failure<matcher_type>(
      "create", [](matcher_type &m) { CUDA_OK(create(m, 10)); },
      [](matcher_type &m) { return create(m, 1000); },
      [](const matcher_type &m) { return m.ref().length() == 10; });
}

// The job that is expected, and the storage of the call.
uint64_t num_positions = 0;
uint32_t per_byte = 1; // characters
uint32_t width = 1;    // bytes of a character that has some
bool walks = false;    // find_first: blocks that run at once, each with many segments
const char *storage = nullptr;
size_t storage_bytes = 0;

/// The job is the first member of every kernel's argument.
void look_at(const cudaLaunchConfig_t &config, void **arguments) {
  const auto &job = *static_cast<const detail::matching_job *>(arguments[0]);
  EXPECT(job.num_positions == num_positions && job.rounds > 0, "positions, rounds %u", job.rounds);
  const auto in_storage = [](const void *from, const void *to) {
    return static_cast<const char *>(from) >= storage &&
           static_cast<const char *>(to) <= storage + storage_bytes;
  };
  EXPECT(!job.block_pieces || (in_storage(job.block_pieces, job.block_pieces + config.gridDim.x) &&
                               in_storage(job.block_cursors, job.block_cursors + config.gridDim.x)),
         "blocks' pieces");
  EXPECT(!job.chosen || in_storage(job.chosen, job.chosen + 1), "choice");
  if (config.blockDim.x != string_matching_policy::tuning(gpu_architecture::sm_90).threads)
    return; // one block
  // Those that write notes are fewer than those that took them.
  const uint32_t blocks = job.noting_blocks ? job.noting_blocks : config.gridDim.x;
  EXPECT(config.gridDim.x == blocks || config.gridDim.x == (blocks + job.writes - 1) / job.writes,
         "%u blocks of %u", config.gridDim.x, blocks);
  EXPECT(job.writes > 0 && config.blockDim.x / 32 % job.writes == 0, "%u segments", job.writes);
  const uint64_t warps = uint64_t{blocks} * config.blockDim.x / 32;
  const uint64_t segment = job.rounds * detail::row_bytes *
                           string_matching_policy::tuning(gpu_architecture::sm_90).loads;
  EXPECT((walks || warps * segment * per_byte >= width * num_positions + 16 * per_byte - 1) &&
             segment * per_byte <= 65536,
         "%llu segments of %llu", static_cast<unsigned long long>(warps),
         static_cast<unsigned long long>(segment));
  detail::device_properties gpu;
  EXPECT(!walks || (!detail::query_device(gpu) &&
                    config.gridDim.x <=
                        static_cast<uint32_t>(gpu.num_sms) *
                            string_matching_policy::tuning(gpu_architecture::sm_90).min_blocks),
         "%u blocks", config.gridDim.x);
  if (!job.slots)
    return;
  EXPECT(!job.block_pieces || in_storage(job.segment_pieces, job.segment_pieces + warps),
         "segments' pieces");
  EXPECT(in_storage(job.block_counts, job.block_counts + blocks), "blocks' counts");
  EXPECT(in_storage(job.segment_counts, job.segment_counts + warps), "segments' counts");
  const uint64_t rows = segment / detail::row_bytes;
  const uint64_t units = job.block_pieces || per_byte > 1 ? segment / detail::windows_per_slot
                                                          : rows * (32 / width + 1);
  EXPECT(in_storage(job.slots, job.slots + warps * units), "slots or notes");
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
  for (const uint64_t length : {1, 2, 3, 4, 5, 1000, 20000})
    for (const uint64_t n : {uint64_t{1000}, uint64_t{4096}, 3 * mega, 100 * mega + 7, 8 * giga}) {
      if (n < length)
        continue;
      const uint64_t more = length > detail::long_pattern ? 48000 : 8000; // long segments
      matcher_type m;
      CUDA_OK(create(m, length));
      const uint8_t *const d_text = reinterpret_cast<const uint8_t *>((uintptr_t{1} << 49) + 5);
      const uint32_t sampled = length > 4 && n >= mega, several = n > 16384;
      // Texts that are sampled have a kernel more, where the pattern is found to be everywhere.
      expect_jobs(n, length, 1 + 2 * sampled, [&](void *t, size_t &b) {
        return count_matches(t, b, m.ref(), d_text, n, number);
      });
      walks = true;
      expect_jobs(n, length, 1 + sampled,
                  [&](void *t, size_t &b) { return find_first(t, b, m.ref(), d_text, n, number); });
      walks = false;
      expect_jobs(n, length, 1 + 2 * sampled + 2 * several, [&](void *t, size_t &b) {
        return find_matches(t, b, m.ref(), d_text, n, positions, 100, number);
      });
      EXPECT(storage_bytes < n / 8 + n / 100 + more, "%zu bytes to find", storage_bytes);
      constexpr auto apart = match_selection::non_overlapping;
      const uint32_t placed = several && length > 1;
      expect_jobs(n, length, 1 + sampled + placed, [&](void *t, size_t &b) {
        return count_matches(t, b, m.ref(apart), d_text, n, number);
      });
      EXPECT(length == 1 || storage_bytes < n / 200 + more, "%zu bytes to count", storage_bytes);
      expect_jobs(n, length, 1 + sampled + 2 * several, [&](void *t, size_t &b) {
        return find_matches(t, b, m.ref(apart), d_text, n, positions, 100, number);
      });
      EXPECT(storage_bytes < (length > 1 ? n / 16 : n / 8 + n / 100) + more,
             "%zu bytes to find apart", storage_bytes);
    }
  faked::on = false;
}

void check_wide_jobs() {
  faked::on = true;
  faked::book = {};
  width = 2;
  const uint64_t mega = uint64_t{1} << 20;
  for (const uint64_t length : {1, 4, 5, 1000})
    for (const uint64_t n : {uint64_t{1000}, 3 * mega, 4096 * mega}) {
      basic_wide_matcher<faked::resource> m;
      const std::vector<uint16_t> of_one(length, 1);
      CUDA_OK(basic_wide_matcher<faked::resource>::create(m, of_one.data(), length, {},
                                                          faked::stream(1), {7}));
      const auto *const d_text = reinterpret_cast<const uint16_t *>((uintptr_t{1} << 49) + 6);
      const uint32_t sampled = length > 4 && n >= mega, several = n > 8192;
      constexpr auto apart = match_selection::non_overlapping;
      expect_jobs(n, length, 1 + sampled, [&](void *t, size_t &b) {
        return count_matches(t, b, m.ref(), d_text, n, number);
      });
      expect_jobs(n, length, 1 + sampled + 2 * several, [&](void *t, size_t &b) {
        return find_matches(t, b, m.ref(), d_text, n, positions, 100, number);
      });
      expect_jobs(n, length, 1 + sampled + 2 * several, [&](void *t, size_t &b) {
        return find_matches(t, b, m.ref(apart), d_text, n, positions, 100, number);
      });
      walks = true;
      expect_jobs(n, length, 1 + sampled,
                  [&](void *t, size_t &b) { return find_first(t, b, m.ref(), d_text, n, number); });
      walks = false;
      faked::expect_asynchronous("find_matches, wide", [&](void *t, size_t &b) {
        return find_matches(t, b, m.ref(), d_text, n, positions, 100, number);
      });
      size_t bytes = 1 << 20;
      EXPECT(count_matches(temp_bytes, bytes, m.ref(),
                           reinterpret_cast<const uint16_t *>((uintptr_t{1} << 49) + 5), n,
                           number) == cudaErrorInvalidValue,
             "half a character");
    }
  width = 1;
  faked::on = false;
}

using packed_type = basic_packed_matcher<faked::resource>;
const std::vector<char> bases(packed_type::most_length, 'C');

void check_packed_memory() {
  const auto create = [](packed_type &m, uint64_t length) {
    return packed_type::create(m, bases.data(), length, {}, faked::stream(1), {7});
  };
  faked::each_failure<packed_type>(
      "create, packed", [&](packed_type &m) { CUDA_OK(create(m, 10)); },
      [&](packed_type &m) { return create(m, 1000); },
      [](const packed_type &m) { return m.ref().length() == 10; });
}

void check_packed_jobs() {
  faked::on = true;
  faked::book = {};
  for (const uint32_t bits : {1u, 2u, 4u})
    for (const uint64_t length : {1, 20, 1000})
      for (const uint64_t n : {uint64_t{1000}, uint64_t{100} << 20, uint64_t{1} << 35}) {
        per_byte = 8 / bits;
        packed_type m;
        const std::vector<char> pattern(length, 1);
        CUDA_OK(packed_type::create(m, pattern.data(), length, {bits, packed_letters::numbers},
                                    faked::stream(1), {7}));
        const packed_text in{reinterpret_cast<const uint8_t *>((uintptr_t{1} << 49) + 5), n};
        expect_jobs(n, length, 1,
                    [&](void *t, size_t &b) { return count_matches(t, b, m.ref(), in, number); });
        walks = true;
        expect_jobs(n, length, 1,
                    [&](void *t, size_t &b) { return find_first(t, b, m.ref(), in, number); });
        walks = false;
        expect_jobs(n, length, n > 1000 ? 3 : 1, [&](void *t, size_t &b) {
          return find_matches(t, b, m.ref(), in, positions, 100, number);
        });
        expect_jobs(n, length, n > 1000 ? (length > 1 ? 2 : 1) : 1, [&](void *t, size_t &b) {
          return count_matches(t, b, m.ref(match_selection::non_overlapping), in, number);
        });
        expect_jobs(n, length, n > 1000 ? 3 : 1, [&](void *t, size_t &b) {
          return find_matches(t, b, m.ref(match_selection::non_overlapping), in, positions, 100,
                              number);
        });
        faked::expect_asynchronous("find_matches, packed", [&](void *t, size_t &b) {
          return find_matches(t, b, m.ref(), in, positions, 100, number);
        });
      }
  per_byte = 1;
  faked::on = false;
}

void check_packed_refusals() {
  faked::on = true;
  faked::book = {};
  faked::launches = 0;
  {
    packed_type m;
    CUDA_OK(packed_type::create(m, bases.data(), 10, {}, faked::stream(1), {7}));
    char temp[2000];
    size_t bytes = sizeof temp;
    const auto refused = [&](const packed_text &in, uint64_t *d_positions, uint64_t *d_number) {
      return find_matches(temp, bytes, m.ref(), in, d_positions, 100, d_number) ==
             cudaErrorInvalidValue;
    };
    const auto *const unknown = reinterpret_cast<const unknown_characters *>(positions);
    EXPECT(refused({nullptr, 100}, positions, number), "no text");
    EXPECT(refused({text, 100, nullptr, 1}, positions, number), "no intervals");
    EXPECT(refused({text, 100, unknown, 1}, positions, number), "positions over intervals");
    EXPECT(refused({text, uint64_t{1} << 48}, positions, number), "too long");
    EXPECT(refused({text, 400, nullptr, 0}, positions, reinterpret_cast<uint64_t *>(text)),
           "the number in the text");
    EXPECT(refused({text, 100, unknown, ~uint64_t{0}}, positions, number), "too many intervals");
    EXPECT(faked::launches == 0, "launched");
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
      return find_matches(t, b, m.ref(), text, 100, positions, 100, number);
    });
    faked::expect_asynchronous("find_first", [&](void *t, size_t &b) {
      return find_first(t, b, m.ref(), text, 100, number);
    });
    constexpr auto apart = match_selection::non_overlapping;
    faked::expect_asynchronous("count_matches, apart", [&](void *t, size_t &b) {
      return count_matches(t, b, m.ref(apart), text, 100, number);
    });
    faked::expect_asynchronous("find_matches, apart", [&](void *t, size_t &b) {
      return find_matches(t, b, m.ref(apart), text, 100, positions, 100, number);
    });
    faked::expect_not_captured("create", [&] { return create(m, 20); });
  }
  faked::on = false;
}

/// Launches of methods: what each portion takes; storage is within what the policy allows.
void check_methods() {
  faked::on = true;
  faked::book = {};
  {
    matcher_type m;
    CUDA_OK(create(m, 4));
    const uint8_t *const d_text = reinterpret_cast<const uint8_t *>((uintptr_t{1} << 49) + 5);
    using method = matching_method;
    const auto check = [&](const matching_method_options &options, uint64_t n, uint32_t launches) {
      size_t bytes = 0;
      EXPECT(!find_matches_by(options, nullptr, bytes, m.ref(), d_text, n, positions, 100, number),
             "bytes");
      const bool portions =
          options.method == method::cooperative || options.method == method::cooperative_affine;
      EXPECT(!portions || bytes <= options.most_temporary_bytes + 65536, "%zu bytes", bytes);
      faked::launches = 0;
      char *const d_temp = reinterpret_cast<char *>(uintptr_t{1} << 50) + 3;
      EXPECT(!find_matches_by(options, d_temp, bytes, m.ref(), d_text, n, positions, 100, number),
             "call");
      EXPECT(faked::launches == launches, "method %d: %u launches, not %u",
             static_cast<int>(options.method), faked::launches, launches);
      faked::expect_asynchronous("find_matches_by", [&](void *t, size_t &b) {
        return find_matches_by(options, t, b, m.ref(), d_text, n, positions, 100, number);
      });
      bytes = 1;
      EXPECT(find_matches_by(options, d_temp, bytes, m.ref(), d_text, n, positions, 100, number) ==
                 cudaErrorInvalidValue,
             "too little storage");
    };
    const uint64_t mega = uint64_t{1} << 20;
    for (const method one :
         {method::divide, method::divide_32, method::divide_64, method::hybrid, method::two_stage})
      check({one}, 3 * mega, 4);
    for (const method several : {method::cooperative, method::cooperative_affine}) {
      check({several}, mega, 1 + 6);
      const uint64_t each = several == method::cooperative ? 33 : 5;
      check({several, 8, 1, each * mega + 3 * each}, 3 * mega, 1 + 3 * 6);
    }
    size_t bytes = 0;
    EXPECT(count_matches_by({method::cooperative, 8, 1, 1000}, nullptr, bytes, m.ref(), d_text,
                            mega, number) == cudaErrorInvalidValue,
           "too few bytes for a portion");
    EXPECT(count_matches_by({method::divide_32, 8}, nullptr, bytes, m.ref(), d_text,
                            uint64_t{1} << 40, number) == cudaErrorInvalidValue,
           "too long");
  }
  faked::on = false;
}

template <class... Arguments> bool refused(matcher_ref pattern_of, Arguments... arguments) {
  char temp[2000];
  size_t bytes = sizeof temp;
  return find_matches(temp, bytes, pattern_of, arguments...) == cudaErrorInvalidValue;
}

void check_refusals() {
  faked::on = true;
  faked::book = {};
  faked::launches = 0;
  {
    matcher_type m;
    CUDA_OK(create(m, 10));
    uint8_t *const at = text;
    uint64_t *const shared = reinterpret_cast<uint64_t *>(positions + 50);
    EXPECT(refused(m.ref(), nullptr, 100, positions, 100, number), "no text");
    EXPECT(refused(m.ref(), at, 100, nullptr, 100, number), "no positions");
    EXPECT(refused(m.ref(), at, 100, positions, 100, nullptr), "no number");
    EXPECT(refused(m.ref(), at, 100, positions, 100, shared), "the number among the positions");
    EXPECT(refused(m.ref(), reinterpret_cast<uint8_t *>(positions), 100, positions, 100, number),
           "positions over the text");
    EXPECT(refused(m.ref(), at, uint64_t{1} << 48, positions, 100, number), "too long");
    char temp[1];
    size_t bytes = 1;
    EXPECT(find_matches(temp, bytes, m.ref(), at, 100, positions, 100, number) ==
               cudaErrorInvalidValue,
           "too little storage");
    EXPECT(faked::launches == 0, "launched");
  }
  faked::on = false;
}

} // namespace

int main() {
  check_memory();
  check_calls();
  check_jobs();
  check_refusals();
  check_methods();
  check_wide_jobs();
  check_packed_memory();
  check_packed_jobs();
  check_packed_refusals();
  colonnade::testing::stream_memory_test().run();
  return gpu_result("memory and jobs of string matching");
}

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory of sets of patterns, from a resource of the user; what calls refuse of a set that is
// there; and the jobs that kernels are given: the segments have room for all of a text, what is
// written lies in temporary storage, no more blocks are started than run at once. Streams of text
// over the faked runtime, in which each kernel is a search on the host: what is copied and looked
// at, and the memory that that takes.
//
//===----------------------------------------------------------------------===//

#include "../string_set_cases.hpp"
#include "faked_runtime.hpp"

#include <colonnade/host_string_matching_sets.hpp>
#include <colonnade/string_matching_sets_stream.cuh>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

using set_type = basic_matcher_set<faked::resource>;

const std::vector<char> pattern = [] {
  std::vector<char> bytes(2000, 'p');
  for (size_t i = 1; i < bytes.size(); i += 2) // not one byte again and again
    bytes[i] = 'q';
  return bytes;
}();
uint8_t text[100];
uint64_t positions[100], number[1], each[2];
uint32_t patterns[100];

/// Two patterns.
cudaError_t create(set_type &set, uint64_t length) {
  const set_pattern both[] = {{pattern.data(), length}, {pattern.data(), length + 6}};
  return set_type::create(set, both, 2, {}, faked::stream(1), {7});
}

void check_memory() {
  faked::each_failure<set_type>(
      "create", [](set_type &set) { CUDA_OK(create(set, 10)); },
      [](set_type &set) { return create(set, 1000); },
      [](const set_type &set) { return set.ref().num_patterns() == 2; });
  faked::on = true;
  faked::book = {};
  {
    set_type set;
    faked::expect_not_captured("create", [&] { return create(set, 10); });
  }
  faked::on = false;
}

// The job that is expected, and the storage of the call.
uint64_t num_items = 0;
const char *storage = nullptr;
size_t storage_bytes = 0;

void look_at(const cudaLaunchConfig_t &config, void **arguments) {
  const auto &job = *static_cast<const detail::set_job *>(arguments[0]);
  const string_set_tuning tuning = string_set_policy::tuning(gpu_architecture::sm_90);
  const uint64_t segment = uint64_t{job.rounds} * detail::row_bytes * tuning.loads;
  EXPECT(job.num_items == num_items && job.rounds > 0, "items, rounds %u", job.rounds);
  EXPECT(job.num_segments * segment >= num_items + 15 + detail::bytes_before && segment <= 65536,
         "%llu segments", static_cast<unsigned long long>(job.num_segments));
  const auto in_storage = [](const void *from, const void *to) {
    return static_cast<const char *>(from) >= storage &&
           static_cast<const char *>(to) <= storage + storage_bytes;
  };
  EXPECT(in_storage(job.next_segment, job.next_segment + 1), "the next segment");
  EXPECT(!job.member_counts ||
             in_storage(job.member_counts, job.member_counts + 2 * detail::tally_copies),
         "members");
  if (job.slots) {
    const uint64_t segments = job.num_segments;
    EXPECT(in_storage(job.segment_matches, job.segment_matches + segments), "matches");
    EXPECT(in_storage(job.segment_positions, job.segment_positions + segments), "positions");
    const uint64_t units = segment / detail::row_bytes * detail::row_notes<16>::stored;
    EXPECT(in_storage(job.slots, job.slots + segments * units), "notes");
    EXPECT(in_storage(job.groups, job.groups + (segments + 31) / 32), "groups");
  }
  detail::device_properties gpu;
  EXPECT(!detail::query_device(gpu), "device");
  EXPECT(config.gridDim.x <= static_cast<uint32_t>(gpu.num_sms) * tuning.min_blocks, "%u blocks",
         config.gridDim.x);
}

/// Both phases. No kernel runs: of the storage only what is set to 0 is there, its beginning.
template <class Call> void expect_jobs(uint64_t n, uint32_t launches, Call call) {
  size_t bytes = 0;
  EXPECT(!call(nullptr, bytes) && bytes > 0, "the bytes for %llu",
         static_cast<unsigned long long>(n));
  std::vector<char> beginning(std::min<size_t>(bytes, 10000));
  storage = beginning.data();
  storage_bytes = bytes;
  num_items = n;
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
  for (const uint64_t length : {1, 2, 7, 8})
    for (const uint64_t n : {uint64_t{1}, uint64_t{4096}, 3 * mega, 100 * mega + 7, 8 * giga}) {
      set_type set;
      CUDA_OK(create(set, length));
      const uint8_t *const d_text = reinterpret_cast<const uint8_t *>((uintptr_t{1} << 49) + 5);
      // The sample, and the walk that it may ask for: by anchors, and by keys of 8 bytes.
      const bool sampled = n >= string_set_policy::least_sampled;
      const uint32_t anchors = sampled && length >= 4 ? 2 : 0,
                     keys = sampled && length == 8 ? 2 : 0;
      expect_jobs(n, 1 + anchors, [&](void *t, size_t &b) {
        return count_matches_of_set(t, b, set.ref(), d_text, n, number);
      });
      expect_jobs(n, 2 + keys, [&](void *t, size_t &b) {
        return count_matches_of_each(t, b, set.ref(), d_text, n, each);
      });
      expect_jobs(n, 3 + keys, [&](void *t, size_t &b) {
        return find_matches_of_set(t, b, set.ref(), d_text, n, positions, patterns, 100, number);
      });
    }
  faked::on = false;
}

void check_calls() {
  faked::on = true;
  faked::book = {};
  {
    set_type set;
    CUDA_OK(create(set, 10));
    faked::expect_asynchronous("count_matches_of_set", [&](void *t, size_t &b) {
      return count_matches_of_set(t, b, set.ref(), text, 100, number);
    });
    faked::expect_asynchronous("count_matches_of_each", [&](void *t, size_t &b) {
      return count_matches_of_each(t, b, set.ref(), text, 100, each);
    });
    faked::expect_asynchronous("find_matches_of_set", [&](void *t, size_t &b) {
      return find_matches_of_set(t, b, set.ref(), text, 100, positions, patterns, 100, number);
    });
    faked::launches = 0;
    faked::expect_asynchronous("an empty text", [&](void *t, size_t &b) {
      return find_matches_of_set(t, b, set.ref(), nullptr, 0, positions, patterns, 100, number);
    });
    EXPECT(faked::launches == 0, "launched without a text");
  }
  faked::on = false;
}

template <class... Arguments> bool refused(matcher_set_ref set, Arguments... arguments) {
  char temp[8000];
  size_t bytes = sizeof temp;
  return find_matches_of_set(temp, bytes, set, arguments...) == cudaErrorInvalidValue;
}

void check_refusals() {
  faked::on = true;
  faked::book = {};
  faked::launches = 0;
  {
    set_type set;
    CUDA_OK(create(set, 10));
    const matcher_set_ref ref = set.ref();
    uint8_t *const over = reinterpret_cast<uint8_t *>(positions);
    uint32_t *const among = reinterpret_cast<uint32_t *>(positions + 50);
    EXPECT(refused(ref, nullptr, 100, positions, patterns, 100, number), "no text");
    EXPECT(refused(ref, text, 100, nullptr, patterns, 100, number), "no positions");
    EXPECT(refused(ref, text, 100, positions, nullptr, 100, number), "no patterns");
    EXPECT(refused(ref, text, 100, positions, patterns, 100, nullptr), "no number");
    EXPECT(refused(ref, text, 100, positions, patterns, 100, positions + 50),
           "the number among the positions");
    EXPECT(refused(ref, text, 100, positions, among, 100, number), "patterns over positions");
    EXPECT(refused(ref, over, 100, positions, patterns, 100, number), "positions over the text");
    EXPECT(refused(ref, text, uint64_t{1} << 48, positions, patterns, 100, number), "too long");
    EXPECT(refused(ref, text, 100, positions, patterns, uint64_t{1} << 48, number), "too many");
    char temp[1];
    size_t bytes = 1;
    EXPECT(find_matches_of_set(temp, bytes, ref, text, 100, positions, patterns, 100, number) ==
               cudaErrorInvalidValue,
           "too little storage");
    char enough[4000];
    bytes = sizeof enough;
    EXPECT(count_matches_of_each(enough, bytes, ref, reinterpret_cast<uint8_t *>(each), 16, each) ==
               cudaErrorInvalidValue,
           "numbers over the text");
    EXPECT(faked::launches == 0, "launched");
  }
  faked::on = false;
}

const host_matcher_set *streamed = nullptr;

/// Instead of the first kernel of a call, and again of the others.
void search_instead(const cudaLaunchConfig_t &, void **arguments) {
  const auto &job = *static_cast<const detail::set_job *>(arguments[0]);
  const std::vector<set_match> right = streamed->find_matches(job.text, job.num_items);
  *job.num_matches = right.size();
  for (uint64_t i = 0; job.positions && i < std::min<uint64_t>(job.capacity, right.size()); ++i) {
    job.positions[i] = right[i].position;
    job.patterns[i] = right[i].pattern;
  }
}

void check_stream(const string_set_case &c) {
  set_type set;
  const std::vector<set_pattern> all = c.given();
  const auto size = static_cast<uint32_t>(all.size());
  const host_matcher_set on_host(all.data(), size);
  streamed = &on_host;
  CUDA_OK(set_type::create(set, all.data(), size, {}, nullptr, {7}));
  const std::vector<set_match> right = on_host.find_matches(c.text.data(), c.text.size());
  const memory_text source(c.text.data(), c.text.size());
  for (const bool pinned : {false, true}) {
    faked::is_pinned = pinned ? c.text.data() : nullptr;
    basic_text_stream<faked::resource> stream({1 << 20, 2, {}}, {7});
    uint64_t number = 0;
    EXPECT(count_matches_of_set(stream, set.ref(), source, number).ok() && number == right.size(),
           "%llu matches, not %zu", static_cast<unsigned long long>(number), right.size());
    std::vector<set_match> matches;
    EXPECT(find_matches_of_set(stream, set.ref(), source, matches).ok() && matches == right,
           "%zu matches, not %zu", matches.size(), right.size());
    EXPECT(stream.bytes() <= 3 << 20, "%zu bytes of device memory", stream.bytes());
  }
  faked::is_pinned = nullptr;
  // Memory ends at each allocation in turn; then there is enough.
  for (uint32_t k = 1;; ++k) {
    basic_text_stream<faked::resource> stream({1 << 20, 1, {}}, {7});
    std::vector<set_match> matches;
    faked::book.calls = 0;
    faked::book.fail_at = k;
    const stream_outcome outcome = find_matches_of_set(stream, set.ref(), source, matches);
    faked::book.fail_at = ~0u;
    if (outcome.ok()) {
      EXPECT(k == 11, "%u allocations", k - 1); // of each buffer: five
      break;
    }
    EXPECT(outcome.error == cudaErrorMemoryAllocation && matches.empty(), "allocation %u", k);
    EXPECT(find_matches_of_set(stream, set.ref(), source, matches).ok() && matches == right,
           "again after allocation %u", k);
  }
}

void check_streams() {
  faked::on = true;
  faked::book = {};
  faked::seen = search_instead;
  std::mt19937 random(1);
  const uint64_t n = (2 << 20) + 12345;
  string_set_case c{some_text(n, text_kind::random, 4, random), {}, false};
  for (const uint64_t length : {uint64_t{9}, uint64_t{12}, most_set_pattern, uint64_t{9}}) {
    const auto from = c.text.begin() + static_cast<int64_t>(random() % (n - length));
    c.patterns.emplace_back(from, from + static_cast<int64_t>(length));
  }
  c.patterns.push_back({c.patterns[0].begin(), c.patterns[0].begin() + 7});
  check_stream(c);
  faked::seen = nullptr;
  EXPECT(faked::book.live.empty() && faked::streams == 0 && faked::pinned == 0,
         "%zu allocations, %u streams, %zu pinned allocations are left", faked::book.live.size(),
         faked::streams, faked::pinned);
  faked::on = false;
}

} // namespace

int main() {
  check_streams();
  check_memory();
  check_calls();
  check_jobs();
  check_refusals();
  return gpu_result("memory and jobs of sets of patterns");
}

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulkgrep.cu: searches on the GPU; on the CPU where there is none.
//
//===----------------------------------------------------------------------===//

#include "bulkgrep.hpp"

#include <colonnade/string_matching_sets_stream.cuh>

#include <map>

namespace {

class gpu_search : public search {
public:
  explicit gpu_search(const command &c)
      : fold_case_(c.fold_case), on_host_(c, "a long pattern"),
        stream_({options_.chunk_bytes, 0, [this](uint64_t done, uint64_t all) {
                   if (progress_)
                     (*progress_)(done, all);
                 }}) {}

  std::string find(const std::string &pattern, colonnade::match_selection selection,
                   const searched_text &text, const position_sink &sink,
                   const progress_function &progress) override {
    if (pattern.size() > colonnade::matcher::most_length)
      return on_host_.find(pattern, selection, text, sink, progress);
    colonnade::matcher &matcher = matchers_[pattern];
    if (matcher.ref().length() == 0)
      if (const cudaError_t error =
              colonnade::matcher::create(matcher, pattern.data(), pattern.size(), {fold_case_}))
        return cudaGetErrorString(error);
    method_ = "chunks of " + std::to_string(options_.chunk_bytes >> 20) +
              " MB are copied and skimmed for up to four bytes of the pattern, those that are "
              "rarest in a sample of the chunk; where they are, the whole pattern is compared";
    return run(progress, [&] {
      uint64_t number = 0;
      return stream_.find_matches(matcher.ref(selection), *text.source, sink, number);
    });
  }

  std::string find_several(const std::vector<std::string> &patterns, const searched_text &text,
                           const match_sink &sink, const progress_function &progress) override {
    if (sets_.empty() && long_.empty())
      if (const std::string wrong = create_sets(patterns); !wrong.empty())
        return wrong;
    passes_ = sets_.size() + long_.size();
    const std::string wrong = passes_ == 1 && long_.empty()
                                  ? find_in_set(sets_[0], text, sink, progress)
                                  : find_by_passes(patterns, text, sink, progress);
    // At last: a pass for a single pattern has said what it did.
    method_ = "chunks of " + std::to_string(options_.chunk_bytes >> 20) +
              " MB are copied, and all patterns are looked up in them at once, by filters of some "
              "bytes of each and a table of their beginnings";
    if (passes_ > 1)
      method_ += "; " + std::to_string(passes_) + " passes, as a set has room for " +
                 std::to_string(colonnade::most_set_patterns) + " patterns of 64 KB, 64 MB in all";
    return wrong;
  }
  std::string method() const override {
    cudaDeviceProp properties{};
    (void)cudaGetDeviceProperties(&properties, 0);
    return std::string("on the GPU (") + properties.name + "), which is there: " + method_;
  }

private:
  struct pattern_set {
    colonnade::matcher_set set;
    std::vector<uint32_t> numbers; // of its patterns among all
  };

  /// By as many sets as it takes. Those that are too long for any are looked for one by one. If one
  /// cannot be created, there are none, so that the next file does not go without it.
  std::string create_sets(const std::vector<std::string> &patterns) {
    std::vector<pattern_set> sets;
    std::vector<uint32_t> too_long;
    std::vector<colonnade::set_pattern> members;
    std::vector<uint32_t> numbers;
    uint64_t bytes = 0;
    const auto finish = [&]() -> std::string {
      if (members.empty())
        return "";
      pattern_set fresh;
      if (const cudaError_t error = colonnade::matcher_set::create(
              fresh.set, members.data(), static_cast<uint32_t>(members.size()), {fold_case_}))
        return cudaGetErrorString(error);
      fresh.numbers = std::move(numbers);
      sets.push_back(std::move(fresh));
      members.clear(), numbers.clear(), bytes = 0;
      return "";
    };
    for (uint32_t i = 0; i < patterns.size(); ++i) {
      const uint64_t length = patterns[i].size();
      if (length > colonnade::most_set_pattern) {
        too_long.push_back(i);
        continue;
      }
      if (members.size() == colonnade::most_set_patterns ||
          bytes + length > colonnade::most_set_bytes)
        if (const std::string wrong = finish(); !wrong.empty())
          return wrong;
      members.push_back({patterns[i].data(), length});
      numbers.push_back(i);
      bytes += length;
    }
    if (const std::string wrong = finish(); !wrong.empty())
      return wrong;
    sets_ = std::move(sets);
    long_ = std::move(too_long);
    return "";
  }
  std::string find_in_set(const pattern_set &of, const searched_text &text, const match_sink &sink,
                          const progress_function &progress) {
    std::vector<uint32_t> numbers;
    const match_sink renumbered = [&](const uint64_t *positions, const uint32_t *patterns,
                                      uint64_t count) {
      numbers.resize(count);
      for (uint64_t i = 0; i < count; ++i)
        numbers[i] = of.numbers[patterns[i]];
      return sink(positions, numbers.data(), count);
    };
    return run(progress, [&] {
      uint64_t number = 0;
      return colonnade::find_matches_of_set(stream_, of.set.ref(), *text.source, renumbered,
                                            number);
    });
  }
  /// All matches, then in their order, as those of one pass may overlap those of another.
  std::string find_by_passes(const std::vector<std::string> &patterns, const searched_text &text,
                             const match_sink &sink, const progress_function &progress) {
    std::vector<colonnade::set_match> matches;
    uint64_t pass = 0;
    const progress_function of_all = [&](uint64_t done, uint64_t all) {
      progress(pass * all + done, passes_ * all);
    };
    for (const pattern_set &of : sets_) {
      const std::string wrong = find_in_set(
          of, text,
          [&](const uint64_t *positions, const uint32_t *numbers, uint64_t count) {
            for (uint64_t i = 0; i < count; ++i)
              matches.push_back({positions[i], numbers[i]});
            return true;
          },
          of_all);
      if (!wrong.empty())
        return wrong;
      ++pass;
    }
    for (const uint32_t number : long_) {
      const std::string wrong = find(
          patterns[number], colonnade::match_selection::all, text,
          [&](const uint64_t *positions, uint64_t count) {
            for (uint64_t i = 0; i < count; ++i)
              matches.push_back({positions[i], number});
            return true;
          },
          of_all);
      if (!wrong.empty())
        return wrong;
      ++pass;
    }
    std::sort(matches.begin(), matches.end());
    for (const colonnade::set_match &match : matches)
      if (!sink(&match.position, &match.pattern, 1))
        break;
    return "";
  }
  /// Empty, or what is wrong.
  template <class Call> std::string run(const progress_function &progress, Call call) {
    progress_ = &progress;
    const colonnade::stream_outcome outcome = call();
    progress_ = nullptr;
    if (outcome.read_error)
      return std::string(std::strerror(outcome.read_error)) + " at byte " +
             std::to_string(outcome.read_offset);
    return outcome.error ? cudaGetErrorString(outcome.error) : "";
  }

private:
  bool fold_case_;
  host_search on_host_;
  const colonnade::text_stream_options options_;
  const progress_function *progress_ = nullptr;
  std::map<std::string, colonnade::matcher> matchers_;
  std::vector<pattern_set> sets_;
  std::vector<uint32_t> long_; // patterns
  uint64_t passes_ = 1;
  std::string method_ = "none";
  colonnade::text_stream stream_;
};

} // namespace

std::unique_ptr<search> make_search(const command &c) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    return std::make_unique<host_search>(c, "there is no GPU");
  return std::make_unique<gpu_search>(c);
}

int main(int argc, char **argv) { return grep_main(argc, argv); }

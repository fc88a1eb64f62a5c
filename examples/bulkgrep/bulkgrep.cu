//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulkgrep.cu: searches on the GPU; on the CPU where there is none.
//
//===----------------------------------------------------------------------===//

#include "bulkgrep.hpp"

#include <colonnade/string_matching_stream.cuh>

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
    progress_ = &progress;
    uint64_t number = 0;
    const colonnade::stream_outcome outcome =
        stream_.find_matches(matcher.ref(selection), *text.source, sink, number);
    progress_ = nullptr;
    if (outcome.read_error)
      return std::string(std::strerror(outcome.read_error)) + " at byte " +
             std::to_string(outcome.read_offset);
    return outcome.error ? cudaGetErrorString(outcome.error) : "";
  }
  std::string method() const override {
    cudaDeviceProp properties{};
    (void)cudaGetDeviceProperties(&properties, 0);
    return std::string("on the GPU (") + properties.name + "), which is there: chunks of " +
           std::to_string(options_.chunk_bytes >> 20) +
           " MB are copied and skimmed for up to four bytes of a pattern, those that are rarest in "
           "a sample of the chunk; where they are, the whole pattern is compared";
  }

private:
  bool fold_case_;
  host_search on_host_;
  const colonnade::text_stream_options options_;
  const progress_function *progress_ = nullptr;
  std::map<std::string, colonnade::matcher> matchers_;
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

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Log-structured merge trees with batches of every size b to 64 and every number r of them to 64,
// on the GPU against std::map: r mixed batches with repeated keys, queries, a cleanup, and the same
// queries again.
//
//   --small   a few of them, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "lsm_case.cuh"

#include <memory>

using namespace lsm_test;

namespace {

constexpr uint64_t num_queries = 128, num_ranges = 8, most = 64;

/// Storage that serves every call.
class storage {
public:
  template <class Call> void run(Call call) {
    size_t bytes = 0;
    CUDA_OK(call(static_cast<void *>(nullptr), bytes));
    if (bytes > bytes_) {
      memory_ = std::make_unique<device_array<uint8_t>>(bytes, 0, contents_of_storage());
      bytes_ = bytes;
    }
    CUDA_OK(call(static_cast<void *>(memory_->get()), bytes));
  }

private:
  size_t bytes_ = 0;
  std::unique_ptr<device_array<uint8_t>> memory_;
};

/// Batches of b, and what is in the tree after r of them.
class tree_of_batches {
public:
  tree_of_batches(uint64_t b, lsm_order order)
      : b_(b), different_(1 + scramble(b) % (20 * b)), order_(order), keys_(most * b),
        values_(most * b), erases_(most * b), queries_(num_queries), found_(num_queries),
        next_(num_queries), before_(num_queries), first_(num_ranges), last_(num_ranges),
        listed_(different_), listed_values_(different_), offsets_(num_ranges + 1) {
    batches_ = random_batch<uint32_t, uint32_t>(most * b, different_, change::update, b);
    keys_.write(batches_.keys);
    values_.write(batches_.values);
    erases_.write(batches_.erases);
    lsm_options options;
    options.batch_size = b;
    options.capacity = most * b;
    options.order = order;
    CUDA_OK(tree_.create(tree_, options));
  }

  /// After r batches, one more than the time before, or some more.
  void check(uint64_t r) {
    for (; recorded_ < r; ++recorded_)
      record(recorded_);
    CUDA_OK(tree_.clear_async());
    for (uint64_t i = 0; i < r; ++i)
      temp_.run([&](void *temp, size_t &bytes) {
        return tree_.update_async(temp, bytes, keys_.get() + i * b_, values_.get() + i * b_,
                                  reinterpret_cast<const bool *>(erases_.get() + i * b_), b_);
      });
    expect_elements(r * b_, "inserted", r);
    check_queries("inserted", r);
    temp_.run([&](void *temp, size_t &bytes) { return tree_.cleanup_async(temp, bytes); });
    expect_elements(model_.size(), "cleaned up", r);
    check_queries("cleaned up", r);
  }

private:
  void record(uint64_t batch) {
    const bool deletions_win = order_ == lsm_order::deletions_win;
    for (uint64_t i = batch * b_; i < (batch + 1) * b_; ++i)
      if (!batches_.erases[i])
        model_[batches_.keys[i]] = batches_.values[i];
      else if (!deletions_win)
        model_.erase(batches_.keys[i]);
    for (uint64_t i = batch * b_; deletions_win && i < (batch + 1) * b_; ++i)
      if (batches_.erases[i])
        model_.erase(batches_.keys[i]);
  }
  void expect_elements(uint64_t right, const char *when, uint64_t r) const {
    lsm_statistics now;
    CUDA_OK(tree_.statistics(now));
    EXPECT(now.num_elements == right, "b = %llu, r = %llu, %s: %llu elements",
           static_cast<unsigned long long>(b_), static_cast<unsigned long long>(r), when,
           static_cast<unsigned long long>(now.num_elements));
  }
  void check_queries(const char *when, uint64_t r) {
    const auto queries =
        random_batch<uint32_t, uint32_t>(num_queries, different_ + 2, change::insert, 64 * r + b_);
    std::vector<uint32_t> last;
    for (uint64_t i = 0; i < num_ranges; ++i)
      last.push_back(i == 0 ? ~0u : queries.keys[i] + 3 * (static_cast<uint32_t>(i) << i));
    queries_.write(queries.keys);
    first_.write({queries.keys.begin(), queries.keys.begin() + num_ranges});
    last_.write(last);
    if (r % 4 == 2)
      ask(by_threads{});
    else
      ask(lsm_policy{});
    temp_.run([&](void *temp, size_t &bytes) {
      return tree_.range_async(temp, bytes, first_.get(), last_.get(), num_ranges, offsets_.get(),
                               listed_.get(), listed_values_.get(), different_);
    });
    EXPECT(right_answers(queries.keys) && right_ranges(queries.keys, last),
           "b = %llu, r = %llu, %s", static_cast<unsigned long long>(b_),
           static_cast<unsigned long long>(r), when);
  }
  template <class Policy> void ask(Policy policy) {
    temp_.run([&](void *temp, size_t &bytes) {
      return tree_.find_async(temp, bytes, queries_.get(), found_.get(), num_queries, nullptr, 5,
                              {}, policy);
    });
    temp_.run([&](void *temp, size_t &bytes) {
      return tree_.successor_async(temp, bytes, queries_.get(), num_queries, nullptr, next_.get(),
                                   nullptr, 6, {}, policy);
    });
    temp_.run([&](void *temp, size_t &bytes) {
      return tree_.predecessor_async(temp, bytes, queries_.get(), num_queries, nullptr,
                                     before_.get(), nullptr, 7, {}, policy);
    });
  }
  bool right_answers(const std::vector<uint32_t> &queries) const {
    const auto found = found_.read(), next = next_.read(), before = before_.read();
    const auto value = [&](auto at, uint32_t absent) {
      return at == model_.end() ? absent : at->second;
    };
    for (uint64_t i = 0; i < num_queries; ++i) {
      const auto lower = model_.lower_bound(queries[i]);
      if (found[i] != value(model_.find(queries[i]), 5) ||
          next[i] != value(model_.upper_bound(queries[i]), 6) ||
          before[i] != (lower == model_.begin() ? 7 : std::prev(lower)->second))
        return false;
    }
    return true;
  }
  bool right_ranges(const std::vector<uint32_t> &first, const std::vector<uint32_t> &last) const {
    const auto offsets = offsets_.read();
    const auto keys = listed_.read(), values = listed_values_.read();
    uint64_t n = 0;
    for (uint64_t i = 0; i < num_ranges; ++i) {
      if (offsets[i] != n)
        return false;
      for (auto at = model_.lower_bound(first[i]); at != model_.end() && at->first <= last[i];
           ++at, ++n)
        if (n < different_ && (keys[n] != at->first || values[n] != at->second))
          return false;
    }
    return offsets[num_ranges] == n;
  }

  uint64_t b_, different_, recorded_ = 0;
  lsm_order order_;
  batch<uint32_t, uint32_t> batches_;
  std::map<uint32_t, uint32_t> model_;
  lsm_map<uint32_t, uint32_t> tree_;
  storage temp_;
  device_array<uint32_t> keys_, values_;
  device_array<uint8_t> erases_;
  device_array<uint32_t> queries_, found_, next_, before_, first_, last_, listed_, listed_values_;
  device_array<uint64_t> offsets_;
};

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  for (uint64_t b = 1; b <= most; b += small ? 21 : 1) {
    tree_of_batches tree(b, b % 2 ? lsm_order::in_order : lsm_order::deletions_win);
    for (uint64_t r = 1; r <= most; r += small ? 21 : 1)
      tree.check(r);
  }
  return gpu_result("log-structured merge trees of every small size");
}

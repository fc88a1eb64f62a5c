//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_device.hpp: a device over host memory, for tests of the chunk scheduler.
//
// Nothing runs when it is issued. At a synchronising call, queued operations run
// in a random order that keeps each stream in order and respects recorded
// events: the worst an asynchronous device may do. Memory is counted against a
// limit, starts as garbage, and every copy is checked against its allocation.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/device.hpp>
#include <colonnade/bulk/transpose.hpp>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace colonnade::bulk::testing {

class host_device : public device {
public:
  explicit host_device(uint64_t limit_bytes, unsigned seed = 1)
      : limit_bytes_(limit_bytes), random_(seed) {}
  ~host_device() override { complain(!allocations_.empty(), "memory was not released"); }

  std::vector<std::string> complaints;
  uint64_t peak_bytes = 0;
  uint64_t launches = 0;
  std::function<void()> on_first_launch;
  /// Fails the n-th call that can fail, counted down; 0: none.
  unsigned fail_after = 0;
  /// A fault to be planted: an event is reached before the work it stands for.
  bool early_events = false;

  const char *name() const override { return "host"; }
  /// Those that a test says there are.
  std::function<device *(status &, unsigned)> behind;
  device *open_behind(status &result, unsigned number) const override {
    return behind(result, number);
  }
  status use() override { return fails() ? failure() : status::success(); }
  uint64_t free_bytes() override { return limit_bytes_ - used_bytes_; }
  uint64_t tile(const function_info &f) const override { return f.cpu_tile; }
  uint64_t full_load() const override { return 1; }

  status allocate(uint64_t bytes, void **d_memory) override {
    if (fails())
      return failure();
    if (bytes > free_bytes())
      return status::failure(status_code::out_of_memory, "device memory exhausted");
    char *memory = static_cast<char *>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
    std::memset(memory, 0xcd, bytes);
    allocations_[memory] = bytes;
    used_bytes_ += bytes;
    peak_bytes = std::max(peak_bytes, used_bytes_);
    *d_memory = memory;
    return status::success();
  }
  void release(void *d_memory) override {
    const auto it = allocations_.find(static_cast<char *>(d_memory));
    if (it == allocations_.end())
      return complain(true, "release of unknown memory");
    used_bytes_ -= it->second;
    allocations_.erase(it);
    std::free(d_memory);
  }
  status allocate_pinned(uint64_t bytes, void **memory) override {
    if (fails())
      return failure();
    *memory = std::malloc(bytes);
    return status::success();
  }
  void release_pinned(void *memory) override { std::free(memory); }

  status create_stream(stream *result) override {
    if (fails())
      return failure();
    streams_.push_back(std::make_unique<queue>());
    *result = streams_.back().get();
    return status::success();
  }
  void destroy_stream(stream) override {}
  status create_event(event *result) override {
    if (fails())
      return failure();
    events_.push_back(std::make_unique<marker>());
    *result = events_.back().get();
    return status::success();
  }
  void destroy_event(event) override {}

  status record(event e, stream s) override {
    marker *m = static_cast<marker *>(e);
    const uint64_t ticket = ++m->recorded;
    if (early_events)
      m->reached = ticket;
    return push(s, {m, 0, [m, ticket] { m->reached = std::max(m->reached, ticket); }});
  }
  status wait(stream s, event e) override {
    marker *m = static_cast<marker *>(e);
    return push(s, {m, m->recorded, [] {}});
  }
  status synchronize_event(event e) override {
    marker *m = static_cast<marker *>(e);
    while (m->reached < m->recorded)
      if (!run_one())
        return status::failure(status_code::device_error, "deadlock");
    return status::success();
  }
  status synchronize() override {
    while (run_one()) {
    }
    for (const auto &s : streams_)
      if (!s->empty())
        return status::failure(status_code::device_error, "deadlock");
    return status::success();
  }

  status copy_in(void *d_target, const void *source, const copy_shape &c, stream s) override {
    check_range(d_target, (c.rows - 1) * c.device_pitch_bytes + c.width_bytes);
    return push(s, {nullptr, 0, [=] {
                      for (uint64_t r = 0; r < c.rows; ++r)
                        std::memcpy(static_cast<char *>(d_target) + r * c.device_pitch_bytes,
                                    static_cast<const char *>(source) + r * c.host_pitch_bytes,
                                    c.width_bytes);
                    }});
  }
  status copy_out(void *target, const void *d_source, const copy_shape &c, stream s) override {
    check_range(d_source, (c.rows - 1) * c.device_pitch_bytes + c.width_bytes);
    return push(s, {nullptr, 0, [=] {
                      for (uint64_t r = 0; r < c.rows; ++r)
                        std::memcpy(static_cast<char *>(target) + r * c.host_pitch_bytes,
                                    static_cast<const char *>(d_source) + r * c.device_pitch_bytes,
                                    c.width_bytes);
                    }});
  }
  status publish(void *target, const void *d_source, uint64_t bytes, stream s) override {
    return copy_out(target, d_source, {bytes, 1, bytes, bytes}, s);
  }
  status fill(void *d_target, uint8_t value, uint64_t bytes, stream s) override {
    check_range(d_target, bytes);
    return push(s, {nullptr, 0, [=] { std::memset(d_target, value, bytes); }});
  }
  status rows_to_layout(layout l, const void *d_rows, void *d_laid, uint64_t tile, uint64_t count,
                        uint64_t cells, size_t cell_bytes, stream s) override {
    check_range(d_rows, count * cells * cell_bytes);
    check_range(d_laid, storage_cells(l, tile, count, cells) * cell_bytes);
    return push(s, {nullptr, 0, [=] {
                      bulk::rows_to_layout(l, tile, d_rows, d_laid, count, cells, cell_bytes);
                    }});
  }
  status layout_to_rows(layout l, const void *d_laid, void *d_rows, uint64_t tile, uint64_t count,
                        uint64_t cells, size_t cell_bytes, stream s) override {
    check_range(d_rows, count * cells * cell_bytes);
    check_range(d_laid, storage_cells(l, tile, count, cells) * cell_bytes);
    return push(s, {nullptr, 0, [=] {
                      bulk::layout_to_rows(l, tile, d_laid, d_rows, count, cells, cell_bytes);
                    }});
  }
  status launch(const function_info &f, const raw_arguments &arguments, layout l, void *d_status,
                stream s) override {
    if (launches++ == 0 && on_first_launch)
      on_first_launch();
    std::vector<void *> arrays(arguments.arrays, arguments.arrays + f.num_arrays);
    const raw_arguments kept{nullptr, arguments.scalars, arguments.cells, arguments.count};
    return push(s, {nullptr, 0, [this, &f, kept, arrays, l, d_status] {
                      raw_arguments now = kept;
                      now.arrays = arrays.data();
                      const status result = f.run_cpu(now, l, {1, nullptr});
                      if (result.code == status_code::failed_check)
                        static_cast<device_status *>(d_status)->first_failure = result.instance
                                                                                << 16;
                      else
                        complain(!result.ok(), result.message);
                    }});
  }

private:
  struct marker {
    uint64_t recorded = 0, reached = 0;
  };
  struct operation {
    marker *event; // a wait until `reached` is `ticket`, if not null
    uint64_t ticket;
    std::function<void()> run;
  };
  using queue = std::deque<operation>;

  status push(stream s, operation op) {
    if (fails())
      return failure();
    static_cast<queue *>(s)->push_back(std::move(op));
    if (random_() % 4 == 0) // some work starts before anybody waits for it
      run_one();
    return status::success();
  }
  bool run_one() {
    std::vector<queue *> ready;
    for (const auto &s : streams_)
      if (!s->empty() && (!s->front().event || s->front().event->reached >= s->front().ticket))
        ready.push_back(s.get());
    if (ready.empty())
      return false;
    queue &chosen = *ready[random_() % ready.size()];
    const operation op = std::move(chosen.front());
    chosen.pop_front();
    op.run();
    return true;
  }
  void check_range(const void *d_memory, uint64_t bytes) {
    const char *begin = static_cast<const char *>(d_memory);
    auto it = allocations_.upper_bound(const_cast<char *>(begin));
    const bool inside =
        it != allocations_.begin() && begin + bytes <= std::prev(it)->first + std::prev(it)->second;
    complain(!inside, "an operation exceeds its allocation");
  }
  void complain(bool wrong, const std::string &what) {
    if (wrong)
      complaints.push_back(what);
  }
  bool fails() { return fail_after > 0 && --fail_after == 0; }
  static status failure() {
    return status::failure(status_code::device_error, "an injected failure");
  }

  uint64_t limit_bytes_, used_bytes_ = 0;
  std::mt19937 random_;
  std::map<char *, uint64_t> allocations_;
  std::vector<std::unique_ptr<queue>> streams_;
  std::vector<std::unique_ptr<marker>> events_;
};

} // namespace colonnade::bulk::testing

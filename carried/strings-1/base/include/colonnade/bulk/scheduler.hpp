//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// scheduler.hpp: runs a function over more instances than fit in a device's memory, on one device
// or several.
//
// In: checked arguments over host memory, and a chunk plan. Out: the results in host
// memory, or the first failure. Each device takes the next chunk when it has room for it; copies
// and kernels of the chunks that it takes one after the other overlap:
//
//   copy-in stream    ── in c ────────── in c+1 ───────── in c+2 ──
//   compute stream       └▶ lay, run, unlay c, publish its status ─▶ … c+1 ─▶
//   copy-out stream                       └▶ out c ─▶ … out c+1
//
// "Lay" is the transpose from the host's layout to the kernel's, "unlay" the one back.
// A slot is the device memory of one chunk; events order its three stages. Before the
// host fills a slot again it waits for that slot's copy-out, while the chunks after it
// are queued: the streams neither run empty nor are their queues longer for more
// chunks. Invariant: on any failure all work is finished before the memory is freed. Chunks are
// taken in order, and what was taken before one failed is finished: so which check of which
// instance is reported does not depend on the number of devices.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/chunk_plan.hpp>
#include <colonnade/bulk/device_resources.hpp>

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace colonnade::runtime {

/// Told of instances that are done, after every chunk.
using progress_callback = std::function<void(uint64_t done, uint64_t count)>;

namespace detail {

/// The chunks of a run, which devices take in turn, and what is done.
class shared_chunks {
public:
  shared_chunks(uint64_t num_chunks, uint64_t num_instances, const progress_callback &progress)
      : num_chunks_(num_chunks), num_instances_(num_instances), progress_(progress) {}

  /// False: there is none, or a device has failed.
  bool take(uint64_t &chunk) {
    if (is_stopped_)
      return false;
    chunk = next_++;
    return chunk < num_chunks_;
  }
  void stop() { is_stopped_ = true; }
  void add_done(uint64_t instances) {
    if (!progress_)
      return;
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ += instances;
    progress_(done_, num_instances_);
  }

private:
  const uint64_t num_chunks_, num_instances_;
  const progress_callback &progress_;
  std::atomic<uint64_t> next_{0};
  std::atomic<bool> is_stopped_{false};
  std::mutex mutex_;
  uint64_t done_ = 0;
};

/// One device's part of a run. The k-th chunk that it takes uses slot k % slots.
class chunk_pipeline {
public:
  chunk_pipeline(device &d, const function_info &f, const raw_arguments &arguments,
                 layout host_layout, const chunk_plan &plan, shared_chunks &chunks)
      : device_(d), function_(f), arguments_(arguments), host_layout_(host_layout), plan_(plan),
        chunks_(chunks), resources_(d) {}

  status run() {
    status result = prepare();
    uint64_t chunk = 0;
    for (; result.ok() && chunks_.take(chunk); ++taken_)
      result = step(taken_, chunk);
    if (result.ok() && plan_.slots > 1 && taken_ > 0)
      result = issue_out(taken_ - 1);
    const status drained = device_.synchronize();
    for (uint64_t k = finished_; result.ok() && drained.ok() && k < taken_; ++k)
      result = finish(k);
    if (!result)
      chunks_.stop();
    return result.ok() ? drained : result;
  }

private:
  struct slot {
    uint64_t chunk = 0;
    char *d_memory = nullptr;
    device_status *status = nullptr; // pinned
    device::event filled = nullptr, computed = nullptr, drained = nullptr;
  };

  // The copy-out of a chunk is issued after the copy-in of the next one: a copy from or to
  // host memory that is not pinned blocks the host until it is done, and the device would
  // wait for its input meanwhile. With one slot there is no next chunk to copy in first.
  status step(uint64_t k, uint64_t chunk) {
    slot_of(k).chunk = chunk;
    status result = issue_in_and_compute(slot_of(k));
    const uint64_t lag = plan_.slots > 1 ? 1 : 0;
    if (result.ok() && k >= lag)
      result = issue_out(k - lag);
    if (result.ok() && k + 1 >= plan_.slots)
      result = finish(k + 1 - plan_.slots);
    return result;
  }

  uint64_t first(uint64_t c) const { return c * plan_.chunk; }
  uint64_t size(uint64_t c) const { return std::min(plan_.chunk, arguments_.count - first(c)); }
  slot &slot_of(uint64_t k) { return slots_[k % plan_.slots]; }

  // One allocation for everything: a call of cudaMalloc takes as long as copying megabytes.
  status prepare() {
    for (device::stream *s : {&in_, &compute_, &out_})
      if (status made = resources_.create_stream(s); !made)
        return made;
    if (status s =
            resources_.allocate(plan_.uniform_bytes + plan_.slots * plan_.slot_bytes, &d_uniform_);
        !s)
      return s;
    if (status s = copy_uniform(); !s)
      return s;
    slots_.resize(plan_.slots);
    char *d_next = d_uniform_ + plan_.uniform_bytes;
    for (slot &s : slots_) {
      s.d_memory = std::exchange(d_next, d_next + plan_.slot_bytes);
      for (device::event *e : {&s.filled, &s.computed, &s.drained})
        if (status made = resources_.create_event(e); !made)
          return made;
    }
    return status::success();
  }

  // Allocating pinned memory takes longest, so it is done while the first copies run; and
  // before any copy-out, so that where it fails the output arrays are unchanged.
  status pin_statuses() {
    if (slots_.front().status)
      return status::success();
    void *pinned = nullptr;
    const status made = resources_.allocate_pinned(plan_.slots * sizeof(device_status), &pinned);
    for (size_t i = 0; made.ok() && i < slots_.size(); ++i)
      slots_[i].status = static_cast<device_status *>(pinned) + i;
    return made;
  }

  // Uniform arrays are copied once; the first chunk's copy-in follows on the same stream.
  status copy_uniform() {
    for (uint32_t a = 0; a < function_.num_arrays; ++a) {
      const uint64_t bytes = arguments_.cells[a] * size_bytes(function_.arrays[a].cell);
      if (!function_.arrays[a].uniform || bytes == 0)
        continue;
      if (status s = device_.copy_in(d_uniform_ + plan_.uniform_offsets[a], arguments_.arrays[a],
                                     {bytes, 1, bytes, bytes}, in_);
          !s)
        return s;
    }
    return status::success();
  }

  // Where chunk c of array a begins on the host, and the shape of its copy: one piece if the
  // host is row-wise, else one piece for each cell of an instance.
  char *host_chunk(uint32_t a, uint64_t c) const {
    const array_plan &array = plan_.arrays[a];
    const uint64_t cells = host_layout_ == layout::row_wise ? first(c) * array.cells : first(c);
    return static_cast<char *>(arguments_.arrays[a]) + cells * array.cell_bytes;
  }
  copy_shape chunk_shape(const array_plan &a, uint64_t c) const {
    const uint64_t piece = size(c) * a.cell_bytes;
    if (host_layout_ == layout::column_wise)
      return {piece, a.cells, piece, arguments_.count * a.cell_bytes};
    return {piece * a.cells, 1, piece * a.cells, piece * a.cells};
  }

  status issue_in_and_compute(slot &s) {
    const uint64_t c = s.chunk;
    status result; // the slot's last copy-out is done: finish() has waited for it
    for (uint32_t a = 0; result.ok() && a < plan_.arrays.size(); ++a)
      if (plan_.arrays[a].present && plan_.arrays[a].copy_in)
        result = device_.copy_in(s.d_memory + plan_.arrays[a].staging_offset, host_chunk(a, c),
                                 chunk_shape(plan_.arrays[a], c), in_);
    if (result.ok())
      result = device_.record(s.filled, in_);
    if (result.ok())
      result = device_.wait(compute_, s.filled);
    if (result.ok())
      result = compute(c, s);
    if (result.ok())
      result = pin_statuses();
    if (result.ok())
      result = device_.publish(s.status, d_status(s), sizeof(device_status), compute_);
    return result.ok() ? device_.record(s.computed, compute_) : result;
  }

  status compute(uint64_t c, slot &s) {
    status result = transposes_in(c, s);
    if (result.ok())
      result = launch(c, s);
    for (const array_plan &a : plan_.arrays)
      if (result.ok() && a.present && a.transposed && a.copy_out)
        result = device_.layout_to_rows(plan_.device_layout, s.d_memory + a.laid_offset,
                                        s.d_memory + a.staging_offset, plan_.tile, size(c), a.cells,
                                        a.cell_bytes, compute_);
    return result;
  }

  /// Fills the kernel's inputs: zeros, or the transpose of what was copied in.
  status transposes_in(uint64_t c, slot &s) {
    status result;
    for (const array_plan &a : plan_.arrays) {
      if (!result.ok() || !a.present)
        continue;
      if (a.zero_fill)
        result = device_.fill(s.d_memory + a.laid_offset, 0,
                              storage_cells(plan_.device_layout, plan_.tile, size(c), a.cells) *
                                  a.cell_bytes,
                              compute_);
      else if (a.transposed && a.copy_in)
        result = device_.rows_to_layout(plan_.device_layout, s.d_memory + a.staging_offset,
                                        s.d_memory + a.laid_offset, plan_.tile, size(c), a.cells,
                                        a.cell_bytes, compute_);
    }
    return result;
  }

  /// The last bytes of a slot.
  void *d_status(const slot &s) const { return s.d_memory + plan_.slot_bytes - device_alignment; }

  status launch(uint64_t c, slot &s) {
    std::vector<void *> d_arrays(function_.num_arrays);
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      d_arrays[a] = function_.arrays[a].uniform ? d_uniform_ + plan_.uniform_offsets[a]
                                                : s.d_memory + plan_.arrays[a].laid_offset;
    const raw_arguments chunk{d_arrays.data(), arguments_.scalars, arguments_.cells, size(c)};
    if (status cleared = device_.fill(d_status(s), 0xff, sizeof(device_status), compute_); !cleared)
      return cleared;
    return device_.launch(function_, chunk, plan_.device_layout, d_status(s), compute_);
  }

  status issue_out(uint64_t k) {
    slot &s = slot_of(k);
    const uint64_t c = s.chunk;
    status result = device_.wait(out_, s.computed);
    for (uint32_t a = 0; result.ok() && a < plan_.arrays.size(); ++a)
      if (plan_.arrays[a].present && plan_.arrays[a].copy_out)
        result = device_.copy_out(host_chunk(a, c), s.d_memory + plan_.arrays[a].staging_offset,
                                  chunk_shape(plan_.arrays[a], c), out_);
    return result.ok() ? device_.record(s.drained, out_) : result;
  }

  // Waits for the k-th chunk, and reads its status before the slot is filled again.
  status finish(uint64_t k) {
    slot &s = slot_of(k);
    if (status waited = device_.synchronize_event(s.drained); !waited)
      return waited;
    finished_ = k + 1;
    if (s.status->first_failure != device_status::none)
      return failure(s.chunk, s.status->first_failure);
    chunks_.add_done(size(s.chunk));
    return status::success();
  }

  /// packed: (instance within the chunk << 16) | site, see device_status.
  status failure(uint64_t c, uint64_t packed) const {
    const uint64_t instance = first(c) + (packed >> 16);
    const char *what = function_.cuda_failure
                           ? function_.cuda_failure(static_cast<uint32_t>(packed & 0xffff))
                           : "a check failed";
    return status::failure(status_code::failed_check,
                           "instance " + std::to_string(instance) + ": " + what, instance);
  }

  device &device_;
  const function_info &function_;
  const raw_arguments &arguments_;
  const layout host_layout_;
  const chunk_plan &plan_;
  shared_chunks &chunks_;
  device_resources resources_;
  uint64_t taken_ = 0, finished_ = 0;
  device::stream in_ = nullptr, compute_ = nullptr, out_ = nullptr;
  char *d_uniform_ = nullptr; // the slots follow
  std::vector<slot> slots_;
};

/// The failure that is reported of two: of failed checks that of the lower instance, which all
/// devices together have reached; a device that failed otherwise may not have.
inline const status &first_failure(const status &a, const status &b) {
  if (a.ok() || b.ok())
    return a.ok() ? b : a;
  if (a.code != status_code::failed_check || b.code != status_code::failed_check)
    return a.code == status_code::failed_check ? b : a;
  return a.instance <= b.instance ? a : b;
}

} // namespace detail

using device_list = std::vector<device *>; // one at least

/// Runs arguments that check_arguments has accepted over host memory (row-wise or
/// column-wise) on `devices`, with a plan made by make_chunk_plan for them: on the first by the
/// caller's thread, on each of the others by one of its own; if there is no thread for one, the
/// others do its chunks. Returns when all is done. The first failed check of a chunk ends the run
/// with failed_check and the instance.
inline status run_chunks(const device_list &devices, const function_info &f,
                         const raw_arguments &arguments, layout host_layout, const chunk_plan &plan,
                         const progress_callback &progress = {}) {
  const uint64_t num_chunks = (arguments.count + plan.chunk - 1) / plan.chunk;
  detail::shared_chunks chunks(num_chunks, arguments.count, progress);
  std::vector<status> results(devices.size());
  const auto run = [&](size_t i) {
    try {
      results[i] =
          detail::chunk_pipeline(*devices[i], f, arguments, host_layout, plan, chunks).run();
    } catch (const std::bad_alloc &) {
      results[i] = status::failure(status_code::out_of_memory, "not enough host memory");
      chunks.stop();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(devices.size());
  for (size_t i = 1; i < devices.size() && i < num_chunks; ++i)
    try {
      threads.emplace_back([&, i] {
        results[i] = devices[i]->use();
        if (results[i].ok())
          run(i);
        else
          chunks.stop();
      });
    } catch (const std::exception &) { // no thread, or no memory for one
      break;
    }
  run(0);
  for (std::thread &t : threads)
    t.join();
  status result;
  for (const status &each : results)
    result = detail::first_failure(result, each);
  return result;
}

} // namespace colonnade::runtime

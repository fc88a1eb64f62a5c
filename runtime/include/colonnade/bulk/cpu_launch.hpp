//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_launch.hpp: runs a generated CPU kernel over host arrays in any layout, on all cores.
//
// In: a function's kernels, its arguments in some layout, the number of threads and the
// instruction set (by default the best that the machine has). Out: the results in the
// arrays, or the failure of the lowest instance. A group of instances runs
//
//   in place      if it is whole, the arrays are column-wise or tiled, and each cell is
//                 accessed only a few times
//   in a tile     otherwise: it is copied to a tile that stays in cache, run there, and
//                 what the function writes is copied back
//
// Invariant: nothing outside the arrays is touched, no thread touches another's instances,
// and no array that is only read is written. Lanes beyond the last instance repeat it, in
// a tile.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/corner_walk.hpp>
#include <colonnade/bulk/cpu_kernel.hpp>
#include <colonnade/bulk/host_memory.hpp>
#include <colonnade/bulk/scalar_ops.hpp>
#include <colonnade/bulk/worker_threads.hpp>
#include <colonnade/simd/machine_isas.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace colonnade::runtime::detail {

/// Keeps the result of the last walk over a function's addresses: it depends on sizes alone, and
/// callers that cut their arrays into chunks launch many times with the same sizes.
class walk_cache {
public:
  walk_result get(const cpu_program &program, const raw_arguments &arguments) {
    const function_info &f = program.info();
    std::vector<uint64_t> key(arguments.scalars, arguments.scalars + f.num_scalars);
    key.insert(key.end(), arguments.cells, arguments.cells + f.num_arrays);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!known_ || key != key_) {
      result_ = program.walk(arguments.scalars, arguments.cells);
      key_ = std::move(key);
      known_ = true;
    }
    return result_;
  }

private:
  std::mutex mutex_;
  bool known_ = false;
  std::vector<uint64_t> key_;
  walk_result result_;
};

/// The failure of a launch that the walk has refused.
inline status refused(const access_site &site, const walk_result &walk) {
  status s;
  s.code = walk.checks_hold ? status_code::out_of_extent : status_code::failed_check;
  s.message = std::string(site.position) + ": ";
  if (walk.checks_hold)
    s.message += "cell " + std::to_string(walk.cell) + " of '" + site.what +
                 "' is accessed, but it has " + std::to_string(walk.cells) + " cells";
  else
    s.message += std::string("does not hold for these sizes: ") + site.what;
  return s;
}

/// One launch. Threads take chunks of groups from a counter until none is left.
class cpu_launcher {
public:
  cpu_launcher(const cpu_program &program, const raw_arguments &arguments, layout l,
               const isa_kernels &isa, const walk_result &walk, uint64_t first_instance)
      : program_(program), function_(program.info()), arguments_(arguments), layout_(l), isa_(isa),
        first_instance_(first_instance), guarded_(!walk.all_within), accesses_(walk.accesses),
        stages_(l == layout::row_wise || reuses(walk)),
        groups_((arguments.count + isa.lanes - 1) / isa.lanes) {}

  status run(unsigned num_threads) {
    num_threads = number_of_threads(num_threads);
    // Small enough to balance the threads' work, large enough that the counter costs nothing.
    chunk_ = std::max<uint64_t>(1, std::min<uint64_t>(64, groups_ / (8 * num_threads)));
    const uint64_t chunks = (groups_ + chunk_ - 1) / chunk_;
    if (num_threads > 1 && ends_at_once(chunks))
      work(chunks);
    else
      run_on_threads(num_threads, chunks, [this, chunks] { work(chunks); });
    return result();
  }

private:
  /// If there are few accesses in all, runs a chunk: whether the others then take less time than a
  /// thread needs to start.
  bool ends_at_once(uint64_t chunks) {
    constexpr uint64_t few_accesses = 20000;
    constexpr std::chrono::microseconds start_of_a_thread(30);
    if (arguments_.count > few_accesses / std::max<uint64_t>(1, accesses_))
      return false;
    const auto begin = std::chrono::steady_clock::now();
    work(1);
    return (std::chrono::steady_clock::now() - begin) * (chunks - 1) < start_of_a_thread;
  }

  /// Copying to a tile pays where the function accesses its cells more often than copying does
  /// (six times a cell on average), and the tile stays in the second-level cache (1 MiB).
  bool reuses(const walk_result &walk) const {
    uint64_t cells = 0, bytes = 0;
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (staged(a)) {
        cells += arguments_.cells[a];
        bytes += arguments_.cells[a] * cell_bytes(a) * isa_.lanes;
      }
    return walk.accesses >= 6 * cells && bytes <= (uint64_t{1} << 20);
  }

  using buffer = host_memory<unsigned char>;

  /// One thread's memory.
  struct worker {
    std::vector<buffer> tiles; // per array
    buffer scratch;
    std::vector<void *> lane0;
    lane_failure failure;
  };

  bool staged(uint32_t a) const { return !function_.arrays[a].uniform; }
  size_t cell_bytes(uint32_t a) const { return size_bytes(function_.arrays[a].cell); }
  bool is_partial(uint64_t group) const { return (group + 1) * isa_.lanes > arguments_.count; }

  /// At most so many chunks, as long as there are any.
  void work(uint64_t most) {
    worker w;
    w.lane0.assign(arguments_.arrays, arguments_.arrays + function_.num_arrays);
    w.tiles.resize(function_.num_arrays);
    bool ready = true;
    if (const uint64_t bytes = program_.scratch_bytes(arguments_.scalars, isa_.lanes)) {
      w.scratch = aligned_memory<unsigned char>(bytes);
      ready = w.scratch != nullptr;
    }
    for (; ready && most > 0; --most) {
      const uint64_t first = next_.fetch_add(chunk_);
      if (first >= groups_)
        break;
      for (uint64_t g = first; ready && g < std::min(first + chunk_, groups_); ++g)
        ready = run_group(w, g);
    }
    if (!ready)
      out_of_memory_ = true;
    const std::lock_guard<std::mutex> lock(mutex_);
    failure_.record(w.failure.instance, w.failure.site);
  }

  bool run_group(worker &w, uint64_t g) {
    lane_group group{w.lane0.data(),     static_cast<int64_t>(isa_.lanes),
                     arguments_.scalars, arguments_.cells,
                     w.scratch.get(),    &w.failure,
                     g * isa_.lanes};
    if (stages_ || is_partial(g))
      return run_staged(w, group);
    group.stride = static_cast<int64_t>(stride());
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (staged(a))
        w.lane0[a] = cell(a, group.first_instance, 0);
    (stride() == isa_.lanes ? isa_.tile : isa_.strided)[guarded_](group);
    return true;
  }

  bool run_staged(worker &w, const lane_group &group) {
    for (uint32_t a = 0; a < function_.num_arrays; ++a) {
      if (!staged(a))
        continue;
      if (!w.tiles[a])
        w.tiles[a] =
            aligned_memory<unsigned char>(arguments_.cells[a] * isa_.lanes * cell_bytes(a));
      if (!w.tiles[a])
        return false;
      w.lane0[a] = w.tiles[a].get();
      copy_in(a, group.first_instance, w.tiles[a].get());
    }
    isa_.tile[guarded_](group);
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (staged(a) && function_.arrays[a].dir != direction::in)
        copy_out(a, group.first_instance, w.tiles[a].get());
    return true;
  }

  unsigned char *cell(uint32_t a, uint64_t instance, uint64_t i) const {
    const uint64_t cells = arguments_.cells[a];
    uint64_t index = 0;
    switch (layout_) {
    case layout::row_wise:
      index = instance * cells + i;
      break;
    case layout::column_wise:
      index = i * arguments_.count + instance;
      break;
    case layout::tiled: {
      const uint64_t tile = function_.cpu_tile;
      index = instance / tile * cells * tile + i * tile + instance % tile;
      break;
    }
    }
    return static_cast<unsigned char *>(arguments_.arrays[a]) + index * cell_bytes(a);
  }

  /// Cells from one cell of an instance to its next; not for row-wise arrays.
  uint64_t stride() const {
    return layout_ == layout::tiled ? function_.cpu_tile : arguments_.count;
  }
  static unsigned log2(size_t bytes) {
    return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
  }

  void copy_in(uint32_t a, uint64_t first, unsigned char *tile) const {
    const uint64_t cells = arguments_.cells[a], bytes = cell_bytes(a), lanes = isa_.lanes;
    if (layout_ == layout::row_wise && first + lanes <= arguments_.count)
      return isa_.rows_to_tile[log2(bytes)](cell(a, first, 0), tile, cells);
    if (first + lanes <= arguments_.count)
      return isa_.strided_to_tile[log2(bytes)](cell(a, first, 0), tile, cells, stride());
    for (uint64_t i = 0; i < cells; ++i)
      for (uint64_t lane = 0; lane < lanes; ++lane)
        std::memcpy(tile + (i * lanes + lane) * bytes,
                    cell(a, std::min(first + lane, arguments_.count - 1), i), bytes);
  }
  void copy_out(uint32_t a, uint64_t first, const unsigned char *tile) const {
    const uint64_t cells = arguments_.cells[a], bytes = cell_bytes(a), lanes = isa_.lanes;
    if (layout_ == layout::row_wise && first + lanes <= arguments_.count)
      return isa_.tile_to_rows[log2(bytes)](tile, cell(a, first, 0), cells);
    if (first + lanes <= arguments_.count)
      return isa_.tile_to_strided[log2(bytes)](tile, cell(a, first, 0), cells, stride());
    for (uint64_t i = 0; i < cells; ++i)
      for (uint64_t lane = 0; first + lane < std::min(first + lanes, arguments_.count); ++lane)
        std::memcpy(cell(a, first + lane, i), tile + (i * lanes + lane) * bytes, bytes);
  }

  status result() const {
    status s;
    if (out_of_memory_) {
      s.code = status_code::out_of_memory;
      s.message = std::string("not enough memory for a tile of '") + function_.name + "'";
    } else if (failure_.instance != ~uint64_t{0}) {
      s.code = status_code::failed_check;
      s.instance = first_instance_ + std::min(failure_.instance, arguments_.count - 1);
      const access_site &site = program_.sites[failure_.site];
      s.message =
          "instance " + std::to_string(s.instance) + ": " + site.position + ": " + site.what;
    }
    return s;
  }

  const cpu_program &program_;
  const function_info &function_;
  const raw_arguments &arguments_;
  const layout layout_;
  const isa_kernels &isa_;
  const uint64_t first_instance_;
  const bool guarded_;
  const uint64_t accesses_; // of an instance
  const bool stages_;
  const uint64_t groups_;
  uint64_t chunk_ = 1;
  std::atomic<uint64_t> next_{0};
  std::atomic<bool> out_of_memory_{false};
  std::mutex mutex_;
  lane_failure failure_;
};

/// The kernels for the instruction set `name` ("sse2" also names the baseline), or the best ones
/// if it is null; null if the machine or the build does not have it.
inline const isa_kernels *find_isa(const cpu_program &program, const char *name) {
  for (uint32_t i = 0; i < program.num_isas; ++i) {
    const bool wanted =
        !name || !std::strcmp(name, program.isas[i]->name) ||
        (!std::strcmp(name, "sse2") && !std::strcmp(program.isas[i]->name, "baseline"));
    if (wanted && isa_supported(program.isas[i]->name))
      return program.isas[i];
  }
  return nullptr;
}

/// What function_info::run_cpu does.
inline status launch_program(const cpu_program &program, walk_cache &walks,
                             const raw_arguments &arguments, layout l,
                             const cpu_launch_options &options) {
  const isa_kernels *isa = find_isa(program, options.isa);
  if (!isa) {
    status s;
    s.code = status_code::no_backend;
    s.message = std::string("this machine has no instruction set '") + options.isa + "'";
    return s;
  }
  if (options.isa_taken)
    *options.isa_taken = isa->name;
  const walk_result walk = walks.get(program, arguments);
  if (!walk.within)
    return refused(program.sites[walk.site], walk);
  if (arguments.count == 0)
    return {};
  return cpu_launcher(program, arguments, l, *isa, walk, options.first_instance)
      .run(options.num_threads);
}

} // namespace colonnade::runtime::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// compare SEED JOBS.json [INSTANCES [ISA [LAYOUT]]]: runs every entry sequentially and with
// the back end that it is linked with (back_end.hpp), on numbers of instances around the
// borders of tiles, with different data, in every layout (or in LAYOUT) and on every
// instruction set there is (or on ISA), and compares all cells. "GUARD NAME" names an entry
// of which only the unguarded form was compiled, but which needs the other.
// Arrays lie between unmapped pages; uniform arrays are mapped read-only. Writes
// inputs and sequential outputs of the first INSTANCES instances to JOBS.json,
// for the interpreter. Exit 1 if anything differs.
//
//===----------------------------------------------------------------------===//
#include "back_end.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

using namespace fuzz;
using colonnade::bulk::layout;

namespace {

/// Memory that ends where an unmapped page begins, after another unmapped page
/// and a margin of known bytes.
class guarded {
public:
  explicit guarded(size_t bytes) : bytes_(bytes) {
    pages_ = (bytes + page - 1) / page * page;
    base_ = static_cast<char *>(mmap(nullptr, pages_ + 2 * page, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base_ == MAP_FAILED)
      std::abort();
    mprotect(base_, page, PROT_NONE);
    mprotect(base_ + page + pages_, page, PROT_NONE);
    std::memset(base_ + page, 0x5a, pages_ - bytes);
  }
  guarded(const guarded &) = delete;
  ~guarded() { munmap(base_, pages_ + 2 * page); }
  char *data() { return base_ + page + pages_ - bytes_; }
  void make_read_only() { mprotect(base_ + page, pages_, PROT_READ); }
  bool margin_intact() const {
    for (size_t i = 0; i < pages_ - bytes_; i++)
      if (base_[page + i] != 0x5a)
        return false;
    return true;
  }

private:
  static constexpr size_t page = 4096;
  char *base_;
  size_t bytes_, pages_;
};

/// As `--verify` takes them: some ulp of a mathematical function, and what comes of them.
template <class T> bool near_value(const void *a, const void *b, T tolerance) {
  T x, y;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  return std::abs(x - y) <= tolerance * std::max<T>(1, std::abs(y));
}
bool near(const colonnade::bulk::function_info &info, cell_type type, const void *a,
          const void *b) {
  if (type == cell_type::f32)
    return near_value<float>(a, b, 1e-4f);
  return type == cell_type::f64 && near_value<double>(a, b, info.inexact_floats ? 1e-4 : 1e-10);
}

struct instance_data {
  std::vector<std::vector<char>> before, after;
};

uint64_t cell_index(layout l, uint64_t w, uint64_t p, uint64_t n, uint64_t j, uint64_t i) {
  if (l == layout::row_wise)
    return j * n + i;
  return l == layout::column_wise ? i * p + j : j / w * n * w + i * w + j % w;
}

const char *name(layout l) {
  const char *names[] = {"row-wise", "column-wise", "tiled"};
  return names[size_t(l)];
}

const char *current = ""; // what runs, for the signal handler

void report_signal(int) {
  char text[300];
  const int size =
      std::snprintf(text, sizeof text, "FAIL %s: touches memory outside its arrays\n", current);
  (void)!write(1, text, size_t(size));
  _exit(1);
}

class comparison {
public:
  comparison(const entry &e, const std::vector<instance_data> &instances)
      : e_(e), info_(*e.bulk), instances_(instances) {}

  // The position of each of info's arrays in e.arrays; false if they differ.
  bool match() {
    for (uint32_t k = 0; k < info_.num_arrays; k++) {
      size_t a = 0;
      while (a < e_.arrays.size() && std::string(e_.arrays[a].name) != info_.arrays[k].name)
        a++;
      if (a == e_.arrays.size() || e_.arrays[a].cell != info_.arrays[k].cell ||
          e_.arrays[a].uniform != info_.arrays[k].uniform) {
        std::printf("FAIL %s: array %s is not as declared\n", e_.name, info_.arrays[k].name);
        return false;
      }
      order_.push_back(a);
      cells_.push_back(e_.arrays[a].cells);
    }
    for (uint32_t k = 0; k < info_.num_scalars; k++)
      for (const scalar &s : e_.scalars)
        if (std::string(s.name) == info_.scalars[k].name)
          scalars_.push_back(s.bits);
    if (scalars_.size() == info_.num_scalars)
      return true;
    std::printf("FAIL %s: scalars are not as declared\n", e_.name);
    return false;
  }

  bool check_extents() {
    if (!info_.check_extents)
      return true;
    const auto status = info_.check_extents(scalars_.data(), cells_.data());
    if (!status)
      std::printf("FAIL %s: check_extents: %s\n", e_.name, status.message.c_str());
    return status.ok();
  }

  bool run(uint64_t p, layout l, const char *variant) {
    const uint64_t w = tile(info_);
    const uint64_t storage = l == layout::tiled ? (p + w - 1) / w * w : p;
    std::vector<std::unique_ptr<guarded>> memory;
    host_arrays arrays{{}, {}, scalars_, cells_, p};
    for (size_t a : order_) {
      const array &info = e_.arrays[a];
      arrays.bytes.push_back(info.cells * size_bytes(info.cell) * (info.uniform ? 1 : storage));
      memory.push_back(std::make_unique<guarded>(arrays.bytes.back()));
      arrays.pointers.push_back(memory.back()->data());
      fill(a, memory.back()->data(), p, l);
      if (info.uniform)
        memory.back()->make_read_only();
    }
    char text[200];
    std::snprintf(text, sizeof text, "%s p=%llu %s %s", e_.name, (unsigned long long)p, name(l),
                  variant);
    current = text;
    const auto status = fuzz::run(info_, arrays, l, variant);
    if (kernel_is_missing)
      return false;
    if (!status) {
      std::printf("FAIL %s: %s\n", text, status.message.c_str());
      return false;
    }
    for (size_t k = 0; k < order_.size(); k++)
      if (!memory[k]->margin_intact()) {
        std::printf("FAIL %s: writes before %s\n", text, info_.arrays[k].name);
        return false;
      }
    return compare(arrays.pointers, p, l, text);
  }

private:
  void fill(size_t a, char *to, uint64_t p, layout l) {
    const array &info = e_.arrays[a];
    const size_t size = size_bytes(info.cell);
    if (info.uniform) {
      std::memcpy(to, instances_[0].before[a].data(), info.cells * size);
      return;
    }
    for (uint64_t j = 0; j < p; j++)
      for (uint64_t i = 0; i < info.cells; i++)
        std::memcpy(to + cell_index(l, tile(info_), p, info.cells, j, i) * size,
                    &instances_[j].before[a][i * size], size);
  }

  bool compare(const std::vector<void *> &pointers, uint64_t p, layout l, const char *text) {
    for (size_t k = 0; k < order_.size(); k++) {
      const array &info = e_.arrays[order_[k]];
      const size_t size = size_bytes(info.cell);
      for (uint64_t j = 0; j < p && !info.uniform; j++)
        for (uint64_t i = 0; i < info.cells; i++) {
          const char *got = static_cast<char *>(pointers[k]) +
                            cell_index(l, tile(info_), p, info.cells, j, i) * size;
          const char *want = &instances_[j].after[order_[k]][i * size];
          if (same_cell(info.cell, got, want) ||
              (!is_exact(info_) && near(info_, info.cell, got, want)))
            continue;
          std::printf("FAIL %s: instance %llu, %s[%llu]: 0x%llx, sequentially 0x%llx\n", text,
                      (unsigned long long)j, info.name, (unsigned long long)i,
                      (unsigned long long)load_bits(info.cell, got),
                      (unsigned long long)load_bits(info.cell, want));
          return false;
        }
    }
    return true;
  }

  const entry &e_;
  const colonnade::bulk::function_info &info_;
  const std::vector<instance_data> &instances_;
  std::vector<size_t> order_;
  std::vector<uint64_t> cells_, scalars_;
};

std::vector<instance_data> run_sequentially(const entry &e, uint64_t count, uint64_t seed) {
  std::vector<instance_data> all;
  std::vector<uint64_t> scalars;
  for (const scalar &s : e.scalars)
    scalars.push_back(s.bits);
  for (uint64_t j = 0; j < count; j++) {
    instance_data data{make_inputs(e, j, seed), {}};
    data.after = data.before;
    std::vector<void *> pointers;
    for (auto &bytes : data.after)
      pointers.push_back(bytes.data());
    e.sequential(pointers.data(), scalars.data());
    all.push_back(std::move(data));
  }
  return all;
}

struct selection {
  std::vector<const char *> variants;
  std::string layout; // empty: all
};

bool run_entry(const entry &e, const std::vector<instance_data> &instances,
               const selection &selected) {
  comparison c(e, instances);
  if (!c.match() || !c.check_extents())
    return false;
  for (const char *variant : selected.variants)
    for (layout l : {layout::row_wise, layout::column_wise, layout::tiled})
      for (uint64_t p : counts(*e.bulk))
        if ((selected.layout.empty() || selected.layout == name(l)) && !c.run(p, l, variant)) {
          if (!kernel_is_missing)
            return false;
          std::printf("GUARD %s\n", e.name);
          kernel_is_missing = false;
          return true;
        }
  return true;
}

} // namespace

namespace fuzz {
std::atomic<bool> kernel_is_missing = false;
void write_jobs(std::FILE *file, const entry &e, uint64_t count, uint64_t seed);
} // namespace fuzz

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: compare SEED JOBS.json [INSTANCES [ISA [LAYOUT]]]\n");
    return 3;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::signal(SIGSEGV, report_signal);
  std::signal(SIGBUS, report_signal);
  const uint64_t seed = std::strtoull(argv[1], nullptr, 0);
  const uint64_t num_jobs = argc > 3 ? std::strtoull(argv[3], nullptr, 0) : 3;
  const selection selected{argc > 4 ? std::vector<const char *>{argv[4]} : variants(),
                           argc > 5 ? argv[5] : ""};
  std::FILE *jobs = std::fopen(argv[2], "w");
  if (!jobs)
    return 3;
  std::fprintf(jobs, "{\"entries\":[");
  bool all_well = true;
  for (size_t i = 0; i < entries().size(); i++) {
    const entry &e = entries()[i];
    std::fprintf(jobs, "%s\n", i ? "," : "");
    write_jobs(jobs, e, num_jobs, seed);
    const uint64_t most = e.bulk ? counts(*e.bulk).back() : num_jobs;
    const auto instances = run_sequentially(e, most, seed);
    if (e.bulk && !run_entry(e, instances, selected))
      all_well = false;
  }
  std::fprintf(jobs, "]}\n");
  std::fclose(jobs);
  std::printf("%zu functions compared\n", entries().size());
  return all_well ? 0 : 1;
}

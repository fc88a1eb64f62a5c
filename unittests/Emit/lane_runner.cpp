//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lane_runner.cpp: runs one generated function with every instruction set the
// machine has, in every layout, for p = 1, W-1, W, W+1 and 3W+5, with red zones
// around every array, and requires equal results. Linked with the generated files, of which
// tested() knows the functions. Usage: lane_runner FUNCTION DUMP SCALAR-BITS…
// DUMP receives, for p = 3W+5: "input" and "output" cells row-wise, as hex words.
// Prints "status N MESSAGE (instance)" if a run fails.
//
//===----------------------------------------------------------------------===//
#include <colonnade/bulk/run.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace colonnade::bulk;

const function_info *tested(const std::string &name);

namespace {

constexpr size_t red_zone = 256;

uint64_t next_random() {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

template <class T> void put(unsigned char *to, T value) { std::memcpy(to, &value, sizeof value); }

/// Small values, so that no operation of the samples overflows.
void random_cell(cell_type type, unsigned char *to) {
  const uint64_t r = next_random() >> 20;
  switch (type) {
  case cell_type::boolean:
    return put<uint8_t>(to, r & 1);
  case cell_type::s8:
    return put<int8_t>(to, int8_t(r % 41) - 20);
  case cell_type::u8:
    return put<uint8_t>(to, uint8_t(r));
  case cell_type::s16:
    return put<int16_t>(to, int16_t(r % 201) - 100);
  case cell_type::u16:
    return put<uint16_t>(to, uint16_t(r));
  case cell_type::s32:
    return put<int32_t>(to, int32_t(r % 41) - 20);
  case cell_type::u32:
    return put<uint32_t>(to, uint32_t(r));
  case cell_type::s64:
    return put<int64_t>(to, int64_t(r % 41) - 20);
  case cell_type::u64:
    return put<uint64_t>(to, r * 0x10001);
  case cell_type::f32:
    return put<float>(to, (float(r % 4001) - 2000) / 64);
  case cell_type::f64:
    return put<double>(to, (double(r % 4001) - 2000) / 64);
  }
}

struct guarded_array {
  std::vector<unsigned char> bytes;
  explicit guarded_array(size_t size = 0) : bytes(size + 2 * red_zone, 0xa5) {}
  unsigned char *data() { return bytes.data() + red_zone; }
  bool intact() const {
    for (size_t i = 0; i < red_zone; ++i)
      if (bytes[i] != 0xa5 || bytes[bytes.size() - 1 - i] != 0xa5)
        return false;
    return true;
  }
};

size_t storage(layout l, uint64_t tile, uint64_t count, uint64_t cells) {
  return (l == layout::tiled ? (count + tile - 1) / tile * tile : count) * cells;
}
size_t index(layout l, uint64_t tile, uint64_t count, uint64_t cells, uint64_t j, uint64_t i) {
  if (l == layout::row_wise)
    return j * cells + i;
  if (l == layout::column_wise)
    return i * count + j;
  return j / tile * cells * tile + i * tile + j % tile;
}

int failures = 0;
void fail(const std::string &what) {
  std::printf("FAIL %s\n", what.c_str());
  ++failures;
}

struct problem {
  const function_info &f;
  std::vector<scalar_bits> scalars;
  std::vector<uint64_t> cells;
  uint64_t count = 0;
  std::vector<std::vector<unsigned char>> rows; // inputs, row-wise

  void fill() {
    rows.clear();
    for (uint32_t a = 0; a < f.num_arrays; ++a) {
      const size_t size = size_bytes(f.arrays[a].cell);
      rows.emplace_back((f.arrays[a].uniform ? 1 : count) * cells[a] * size);
      for (size_t at = 0; at < rows[a].size(); at += size)
        random_cell(f.arrays[a].cell, &rows[a][at]);
    }
  }

  status run(layout l, const char *isa, cpu_plan plan,
             std::vector<std::vector<unsigned char>> &results) {
    std::vector<guarded_array> memory;
    std::vector<void *> pointers;
    for (uint32_t a = 0; a < f.num_arrays; ++a) {
      const size_t size = size_bytes(f.arrays[a].cell);
      const bool uniform = f.arrays[a].uniform;
      memory.emplace_back((uniform ? cells[a] : storage(l, f.cpu_tile, count, cells[a])) * size);
      for (uint64_t j = 0; j < (uniform ? 1 : count); ++j)
        for (uint64_t i = 0; i < cells[a]; ++i)
          std::memcpy(memory[a].data() +
                          (uniform ? i : index(l, f.cpu_tile, count, cells[a], j, i)) * size,
                      &rows[a][(j * cells[a] + i) * size], size);
    }
    for (guarded_array &array : memory)
      pointers.push_back(array.data());
    std::vector<std::vector<unsigned char>> before;
    for (guarded_array &array : memory)
      before.push_back(array.bytes);
    const raw_arguments raw{pointers.data(), scalars.data(), cells.data(), count};
    cpu_launch_options options;
    options.isa = isa;
    options.plan = plan;
    options.num_threads = 2;
    status s = f.run_cpu(raw, l, options);
    results.clear();
    for (uint32_t a = 0; a < f.num_arrays; ++a) {
      const size_t size = size_bytes(f.arrays[a].cell);
      if (!memory[a].intact())
        fail(std::string("red zone of ") + f.arrays[a].name);
      if (f.arrays[a].dir == direction::in && memory[a].bytes != before[a])
        fail(std::string("input written: ") + f.arrays[a].name);
      results.push_back(rows[a]);
      for (uint64_t j = 0; !f.arrays[a].uniform && j < count; ++j)
        for (uint64_t i = 0; i < cells[a]; ++i)
          std::memcpy(&results[a][(j * cells[a] + i) * size],
                      memory[a].data() + index(l, f.cpu_tile, count, cells[a], j, i) * size, size);
    }
    return s;
  }
};

void dump(std::FILE *to, const char *what, const problem &p,
          const std::vector<std::vector<unsigned char>> &rows) {
  for (uint32_t a = 0; a < p.f.num_arrays; ++a) {
    const size_t size = size_bytes(p.f.arrays[a].cell);
    std::fprintf(to, "%s %s %zu\n", what, p.f.arrays[a].name, rows[a].size() / size);
    for (size_t at = 0; at < rows[a].size(); at += size) {
      uint64_t bits = 0;
      std::memcpy(&bits, &rows[a][at], size);
      std::fprintf(to, "%llx\n", static_cast<unsigned long long>(bits));
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  problem p{*tested(argv[1]), {}, {}, 0, {}};
  for (int i = 3; i < argc; ++i)
    p.scalars.push_back(std::strtoull(argv[i], nullptr, 0));
  for (uint32_t a = 0; a < p.f.num_arrays; ++a) {
    int64_t cells = 1;
    for (uint32_t d = 0; d < p.f.arrays[a].rank; ++d)
      cells *= p.f.arrays[a].extent(d, p.scalars.data());
    p.cells.push_back(static_cast<uint64_t>(cells));
  }
  const uint64_t w = p.f.cpu_tile;
  for (uint64_t count : {uint64_t{1}, w - 1, w, w + 1, 3 * w + 5}) {
    p.count = count;
    p.fill();
    std::vector<std::vector<unsigned char>> first, other;
    const status expected = p.run(layout::row_wise, "baseline", cpu_plan::lanes, first);
    if (count == 3 * w + 5) {
      std::FILE *to = std::fopen(argv[2], "w");
      dump(to, "input", p, p.rows);
      dump(to, "output", p, first);
      std::fclose(to);
      if (!expected.ok())
        std::printf("status %d %s (%llu)\n", int(expected.code), expected.message.c_str(),
                    static_cast<unsigned long long>(expected.instance));
    }
    for (const char *isa : {"avx512", "avx2", "baseline"})
      for (auto [l, plan] : {std::pair(layout::row_wise, cpu_plan::fastest),
                             {layout::row_wise, cpu_plan::lanes},
                             {layout::row_wise, cpu_plan::serial},
                             {layout::column_wise, cpu_plan::lanes},
                             {layout::tiled, cpu_plan::lanes}}) {
        const status s = p.run(l, isa, plan, other);
        if (s.code == status_code::no_backend)
          continue;
        const std::string where = std::string(isa) + " layout " + std::to_string(int(l)) +
                                  " plan " + std::to_string(int(plan)) + " p " +
                                  std::to_string(count);
        if (s.code != expected.code || s.instance != expected.instance)
          fail("status " + s.message + " " + where);
        else if (s.ok() && other != first)
          fail("results " + where);
      }
  }
  return failures != 0;
}

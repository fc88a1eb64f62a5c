//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hulls.hpp: the convex hulls of points from a file, as indices and as a picture: all but the
// hulls themselves, which hulls.cpp finds on the CPU and hulls.cu on the GPU.
//
// In: a file of points (point_sets.hpp). Out: for each set its vertices, counter-clockwise from the
// leftmost, by their number in the file: on standard output, as .npy, as SVG.
// Invariant: files appear when all is done, or not at all.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "hull_picture.hpp"
#include "point_sets.hpp"

#include <colonnade/host_convex_hull.hpp>

#include <cerrno>
#include <cstring>
#include <numeric>

/// In hulls.cpp or hulls.cu: the vertices of set s are hulls[hull_offsets[s]] up to
/// hulls[hull_offsets[s + 1] - 1], places in sets.xy. 0, or the exit code.
int find_hulls(const point_sets &sets, std::vector<uint32_t> &hulls,
               std::vector<uint32_t> &hull_offsets);

struct hulls_options {
  std::string input, npy, svg;
  bool are_zones = false, with_hoods = false;
};

inline bool usage() {
  std::fprintf(stderr, "usage: hulls POINTS.csv | POINTS.npy | --zones zone1970.tab\n"
                       "  --npy FILE  vertices: (h,) numbers of points; of several sets (h, 2),\n"
                       "              set and point\n"
                       "  --svg FILE  a picture\n"
                       "  --hoods     with the hoods of Wagener's stages\n");
  return false;
}
/// False, having said why, if the arguments make no sense.
inline bool parse_options(int argc, char **argv, hulls_options &options) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    std::string *const value = argument == "--npy"     ? &options.npy
                               : argument == "--svg"   ? &options.svg
                               : argument == "--zones" ? &options.input
                                                       : nullptr;
    options.are_zones |= argument == "--zones";
    if (argument == "--hoods")
      options.with_hoods = true;
    else if (value && i + 1 < argc && value->empty())
      *value = argv[++i];
    else if (!value && argument[0] != '-' && options.input.empty())
      options.input = argument;
    else {
      std::fprintf(stderr, value ? "error: %s needs one file\n" : "error: what is '%s'?\n",
                   argument.c_str());
      return usage();
    }
  }
  if (options.with_hoods && options.svg.empty()) {
    std::fprintf(stderr, "error: --hoods is for a picture: give --svg FILE\n");
    return false;
  }
  if (!options.svg.empty() && options.svg == options.npy) {
    std::fprintf(stderr, "error: --npy and --svg need two files, not '%s' twice\n",
                 options.svg.c_str());
    return false;
  }
  return !options.input.empty() || usage();
}

/// The upper hoods of Wagener's stages: of 2, 4, 8 ... points that are neighbours by x.
inline std::vector<polyline> hoods_of_stages(const point_sets &sets) {
  std::vector<polyline> hoods;
  for (size_t set = 0; set < sets.names.size(); ++set) {
    const uint32_t begin = sets.offsets[set], count = sets.offsets[set + 1] - begin;
    std::vector<uint32_t> by_x(count);
    std::iota(by_x.begin(), by_x.end(), begin);
    std::sort(by_x.begin(), by_x.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(sets.xy[2 * a], sets.xy[2 * a + 1]) <
             std::pair(sets.xy[2 * b], sets.xy[2 * b + 1]);
    });
    std::vector<double> xy;
    for (const uint32_t i : by_x)
      xy.insert(xy.end(), {sets.xy[2 * i], sets.xy[2 * i + 1]});
    for (uint64_t width = 2; width / 2 < count; width *= 2)
      for (uint64_t first = 0; first < count; first += width) {
        const uint64_t most = std::min<uint64_t>(width, count - first);
        const colonnade::interleaved_points<double> block{xy.data() + 2 * first};
        polyline hood{std::vector<uint32_t>(most), width < count ? 0.45 : 0.9};
        uint64_t found = 0;
        (void)colonnade::host_convex_hull(block, most, hood.points.data(), most, found,
                                          {colonnade::hull_part::upper}); // finite, and room
        hood.points.resize(found);
        for (uint32_t &i : hood.points)
          i = by_x[first + i];
        hoods.push_back(std::move(hood));
      }
  }
  return hoods;
}

inline std::string npy_text(const point_sets &sets, const std::vector<uint32_t> &hulls,
                            const std::vector<uint32_t> &hull_offsets) {
  const bool are_several = sets.names.size() > 1;
  std::vector<uint32_t> cells;
  for (uint32_t set = 0; set < sets.names.size(); ++set)
    for (uint32_t i = hull_offsets[set]; i < hull_offsets[set + 1]; ++i) {
      if (are_several)
        cells.push_back(set);
      cells.push_back(sets.places[hulls[i]]);
    }
  std::vector<uint64_t> shape = {hulls.size()};
  if (are_several)
    shape.push_back(2);
  std::string text =
      colonnade::runtime::npy::format_header(colonnade::runtime::cell_type::u32, false, shape);
  return text.append(reinterpret_cast<const char *>(cells.data()), 4 * cells.size());
}

/// 0, or the exit code.
inline int print_hulls(const point_sets &sets, const std::vector<uint32_t> &hulls,
                       const std::vector<uint32_t> &hull_offsets) {
  for (size_t set = 0; set < sets.names.size(); ++set) {
    std::printf("%s%s%u points, %u vertices:", sets.names[set].c_str(),
                sets.names[set].empty() ? "" : ": ", sets.offsets[set + 1] - sets.offsets[set],
                hull_offsets[set + 1] - hull_offsets[set]);
    for (uint32_t i = hull_offsets[set]; i < hull_offsets[set + 1]; ++i)
      if (sets.labels.empty() || sets.labels[hulls[i]].empty())
        std::printf(" %u", sets.places[hulls[i]]);
      else
        std::printf(" %s", sets.labels[hulls[i]].c_str());
    std::printf("\n");
  }
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return 0;
  std::fprintf(stderr, "error: cannot write to standard output: %s\n", std::strerror(errno));
  return 1;
}

/// 0, or the exit code.
inline int write_files(const std::vector<std::pair<std::string, std::string>> &files) {
  std::vector<colonnade::runtime::output_file> outputs;
  const auto failed = [](const colonnade::runtime::status &status) {
    std::fprintf(stderr, "error: %s\n", status.message.c_str());
    return 1;
  };
  for (const auto &[path, text] : files) {
    outputs.emplace_back();
    if (const auto made = outputs.back().create(path); !made)
      return failed(made);
    if (const auto written = outputs.back().write(text.data(), text.size()); !written)
      return failed(written);
  }
  const auto committed = colonnade::runtime::output_file::commit(outputs);
  return committed ? 0 : failed(committed);
}

int main(int argc, char **argv) {
  hulls_options options;
  if (!parse_options(argc, argv, options))
    return 2;
  point_sets sets;
  if (const error_text error = read_point_sets(options.input, options.are_zones, sets);
      !error.empty()) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  std::vector<uint32_t> hulls, hull_offsets;
  if (const int failed = find_hulls(sets, hulls, hull_offsets))
    return failed;
  std::vector<std::pair<std::string, std::string>> files;
  if (!options.npy.empty())
    files.emplace_back(options.npy, npy_text(sets, hulls, hull_offsets));
  if (!options.svg.empty() && sets.size() == 0) {
    std::fprintf(stderr, "error: %s: there are no points to draw\n", options.input.c_str());
    return 1;
  }
  if (!options.svg.empty())
    files.emplace_back(options.svg,
                       hull_picture(sets).draw(hulls, hull_offsets,
                                               options.with_hoods ? hoods_of_stages(sets)
                                                                  : std::vector<polyline>{}));
  if (const int failed = write_files(files))
    return failed;
  return print_hulls(sets, hulls, hull_offsets);
}

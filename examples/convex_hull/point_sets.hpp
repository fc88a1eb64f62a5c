//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// point_sets.hpp: points in the plane, in named sets, from text, .npy files and the table of time
// zones.
//
//   points.csv    x,y or x,y,name a line, also with blanks or tabs; # begins a comment; a first
//                 line neither of whose first two fields begins as a number does is a heading
//   points.npy    shape (n, 2): float32, float64 or int32
//   --zones FILE  zone1970.tab: the principal city of each time zone, longitude and latitude in
//                 seconds of arc; a set is what stands before the zone's first slash
//
// In: a file. Out: the sets, in the order in which their names come first, their points in the
// file's order. Invariant: coordinates are finite; every point knows its place in the file.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/npy.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

struct point_sets {
  std::vector<double> xy;               // x0 y0 x1 y1 ...
  std::vector<uint32_t> offsets = {0};  // of sets, in points; one more than there are sets
  std::vector<std::string> names;       // of sets
  std::vector<uint32_t> places;         // of points: their number in the file
  std::vector<std::string> labels = {}; // of points, or none at all
  uint64_t size() const { return places.size(); }
};

/// What went wrong, or nothing.
using error_text = std::string;

/// A point of a file, before its set is known to be complete.
struct named_point {
  double x, y;
  std::string set, label;
};

/// Sorts points by set; each set keeps the file's order.
inline point_sets sorted_into_sets(const std::vector<named_point> &points) {
  point_sets sets;
  std::vector<std::vector<uint32_t>> members;
  std::unordered_map<std::string_view, size_t> numbers; // of sets, by name
  for (uint32_t i = 0; i < points.size(); ++i) {
    const auto [found, is_new] = numbers.try_emplace(points[i].set, members.size());
    if (is_new) {
      sets.names.push_back(points[i].set);
      members.emplace_back();
    }
    members[found->second].push_back(i);
  }
  for (const std::vector<uint32_t> &set : members) {
    for (const uint32_t i : set) {
      sets.xy.insert(sets.xy.end(), {points[i].x, points[i].y});
      sets.places.push_back(i);
      sets.labels.push_back(points[i].label);
    }
    sets.offsets.push_back(static_cast<uint32_t>(sets.places.size()));
  }
  return sets;
}

/// What a line has before the first of these characters or its end, without the blanks around it.
inline std::string_view take_field(std::string_view &line, const char *separators) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const size_t end = std::min(line.find_first_of(separators), line.size());
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(end);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (!line.empty() && std::string_view(separators).find(line.front()) != std::string_view::npos)
    line.remove_prefix(1);
  return field.substr(0, field.find_last_not_of(' ') + 1);
}
inline bool parse_number(std::string_view text, double &number) {
  text.remove_prefix(!text.empty() && text.front() == '+' ? 1 : 0);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc{} && end == text.data() + text.size() && std::isfinite(number);
}

/// Whether a field is meant as a number, though it may be a bad one: `1.5.2`, `1e400`, `nan`.
inline bool is_like_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("+-"), text.size()));
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_word =
      text.empty() || (text.front() != '.' && (text.front() < '0' || text.front() > '9'));
  return code != std::errc::invalid_argument && (!is_word || end == text.data() + text.size());
}

/// Calls read(line, its number from 1 on) for each line that has something but a comment, until
/// one returns an error.
template <class Read>
error_text for_each_line(const std::string &path, const char *bytes, size_t size,
                         const Read &read) {
  std::string_view text(bytes, size);
  if (constexpr std::string_view mark = "\xef\xbb\xbf"; text.substr(0, mark.size()) == mark)
    text.remove_prefix(mark.size()); // that the text is UTF-8
  for (uint64_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    if (const error_text error = read(line, number); !error.empty())
      return path + ":" + std::to_string(number) + ": error: " + error;
  }
  return {};
}

inline error_text read_text(const std::string &path, const char *bytes, size_t size,
                            std::vector<named_point> &points) {
  bool is_first = true;
  return for_each_line(path, bytes, size, [&](std::string_view line, uint64_t) -> error_text {
    const std::string_view x = take_field(line, " ,;\t\r"), y = take_field(line, " ,;\t\r");
    named_point point{};
    const bool is_heading =
        std::exchange(is_first, false) && !is_like_number(x) && !is_like_number(y);
    if (is_heading)
      return {};
    if (!parse_number(x, point.x) || !parse_number(y, point.y))
      return "two finite numbers are needed, not '" + std::string(x) + "', '" + std::string(y) +
             "'";
    point.set = take_field(line, ",;\t\r");
    if (line.find_first_not_of(" \t\r") != std::string_view::npos)
      return "what is '" + std::string(line) + "' behind x, y and a name?";
    points.push_back(point);
    return {};
  });
}

/// +DDMM or +DDMMSS, with `digits` of degrees, in seconds of arc.
inline bool parse_angle(std::string_view text, size_t digits, double &seconds) {
  if (text.size() != digits + 3 && text.size() != digits + 5)
    return false;
  int parts[3] = {0, 0, 0};
  for (size_t i = 1, part = 0; i < text.size(); ++i) {
    part = i <= digits ? 0 : 1 + (i - digits - 1) / 2;
    if (text[i] < '0' || text[i] > '9')
      return false;
    parts[part] = parts[part] * 10 + (text[i] - '0');
  }
  seconds = (text[0] == '-' ? -1 : 1) * (parts[0] * 3600 + parts[1] * 60 + parts[2]);
  return text[0] == '-' || text[0] == '+';
}

inline error_text read_zones(const std::string &path, const char *bytes, size_t size,
                             std::vector<named_point> &points) {
  return for_each_line(path, bytes, size, [&](std::string_view line, uint64_t) -> error_text {
    take_field(line, "\t"); // countries
    const std::string_view place = take_field(line, "\t"), zone = take_field(line, "\t\r");
    const size_t second = place.find_first_of("+-", 1), slash = zone.find('/');
    named_point city{};
    if (second == std::string_view::npos || slash == std::string_view::npos ||
        !parse_angle(place.substr(0, second), 2, city.y) ||
        !parse_angle(place.substr(second), 3, city.x))
      return "needs countries, latitude with longitude, and a zone, as in zone1970.tab";
    city.set = zone.substr(0, slash);
    city.label = zone.substr(zone.rfind('/') + 1);
    points.push_back(city);
    return {};
  });
}

template <class T> void append_cells(const char *data, uint64_t count, std::vector<double> &to) {
  for (uint64_t i = 0; i < count; ++i) {
    T cell;
    std::memcpy(&cell, data + i * sizeof cell, sizeof cell);
    to.push_back(static_cast<double>(cell));
  }
}

inline error_text read_npy(const std::string &path, point_sets &sets) {
  using namespace colonnade::runtime;
  npy::array_file array;
  if (const status opened = npy::array_file::open(path, array); !opened)
    return "error: " + opened.message;
  const npy::header &head = array.head;
  if (head.structured || head.shape.size() != 2 || head.shape[1] != 2)
    return "error: " + path + ": points have the shape (n, 2), not " + npy::shape_text(head.shape);
  const uint64_t n = head.shape[0];
  std::vector<double> cells;
  if (const std::string &code = head.fields[0].code; code == "<f4")
    append_cells<float>(array.data(), 2 * n, cells);
  else if (code == "<f8")
    append_cells<double>(array.data(), 2 * n, cells);
  else if (code == "<i4")
    append_cells<int32_t>(array.data(), 2 * n, cells);
  else
    return "error: " + path + ": coordinates are float32, float64 or int32, not '" + code + "'";
  sets.xy.resize(2 * n);
  for (uint64_t i = 0; i < n; ++i) {
    sets.xy[2 * i] = cells[head.fortran_order ? i : 2 * i];
    sets.xy[2 * i + 1] = cells[head.fortran_order ? n + i : 2 * i + 1];
    sets.places.push_back(static_cast<uint32_t>(i));
    if (!std::isfinite(sets.xy[2 * i]) || !std::isfinite(sets.xy[2 * i + 1]))
      return "error: " + path + ": point " + std::to_string(i) + " is not finite";
  }
  sets.offsets.push_back(static_cast<uint32_t>(n));
  sets.names.emplace_back();
  return {};
}

/// `are_zones`: the file is a table of time zones.
inline error_text read_point_sets(const std::string &path, bool are_zones, point_sets &sets) {
  if (path.size() > 4 && path.compare(path.size() - 4, 4, ".npy") == 0)
    return read_npy(path, sets);
  colonnade::runtime::mapped_file file;
  if (const auto opened = colonnade::runtime::mapped_file::open(path, file); !opened)
    return "error: " + opened.message;
  std::vector<named_point> points;
  if (const error_text error =
          (are_zones ? read_zones : read_text)(path, file.data(), file.size(), points);
      !error.empty())
    return error;
  if (points.empty())
    return "error: " + path + ": there are no points";
  sets = sorted_into_sets(points);
  return {};
}

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_picture.hpp: an SVG of sets of points with their hulls.
//
// In: the sets, the vertices of each hull, polylines that lie below them. Out: the file's text.
// Invariant: x grows to the right and y upwards, by one scale; at most `most_points` points are
// drawn, evenly chosen, but every vertex is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "point_sets.hpp"

#include <cstdio>
#include <limits>

/// Places in sets.xy of the points that a line joins.
struct polyline {
  std::vector<uint32_t> points;
  double opacity;
};

class hull_picture {
public:
  static constexpr uint64_t most_points = 20'000;

  explicit hull_picture(const point_sets &sets) : sets_(sets) {
    low_x_ = high_x_ = sets.xy[0];
    low_y_ = high_y_ = sets.xy[1];
    for (uint64_t i = 0; i < sets.size(); ++i) {
      low_x_ = std::min(low_x_, sets.xy[2 * i]);
      high_x_ = std::max(high_x_, sets.xy[2 * i]);
      low_y_ = std::min(low_y_, sets.xy[2 * i + 1]);
      high_y_ = std::max(high_y_, sets.xy[2 * i + 1]);
    }
    const extent most = std::max(extent{high_x_} - low_x_, extent{high_y_} - low_y_);
    scale_ = most > 0 ? side / most : 1;
  }

  std::string draw(const std::vector<uint32_t> &hulls, const std::vector<uint32_t> &hull_offsets,
                   const std::vector<polyline> &below) {
    char line[256];
    std::snprintf(line, sizeof line,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%g %g %g %g\" "
                  "font-family=\"sans-serif\" font-size=\"12\">\n",
                  -margin, -margin, x(high_x_) + 2 * margin, y(low_y_) + 2 * margin);
    text_ = line;
    text_ += "<rect x=\"-20\" y=\"-20\" width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    for (const polyline &p : below)
      path(p.points, 0, p.points.size(), "polyline", "#888888", p.opacity);
    const uint64_t step = (sets_.size() + most_points - 1) / most_points;
    for (uint64_t i = 0; i < sets_.size(); i += step)
      dot(i, 1.5, "#555555");
    for (size_t set = 0; set < sets_.names.size(); ++set)
      draw_hull(set, hulls, hull_offsets[set], hull_offsets[set + 1]);
    return text_ + "</svg>\n";
  }

private:
  static constexpr double side = 1000, margin = 20;
  /// The extent of doubles may be more than the largest one, and less than one over it.
  using extent = long double;
  static_assert(std::numeric_limits<extent>::max_exponent >
                    std::numeric_limits<double>::max_exponent,
                "pictures of points: long double has more exponents than double");

  double x(double of) const { return static_cast<double>((of - extent{low_x_}) * scale_); }
  double y(double of) const { return static_cast<double>((extent{high_y_} - of) * scale_); }

  static const char *colour(size_t set) {
    // Wong, Points of view: Color blindness (2011)
    constexpr const char *colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                       "#56b4e9", "#000000", "#8c6d31", "#7b4173"};
    return colours[set % std::size(colours)];
  }

  void append(uint64_t i) {
    char place[64];
    std::snprintf(place, sizeof place, "%.2f,%.2f ", x(sets_.xy[2 * i]), y(sets_.xy[2 * i + 1]));
    text_ += place;
  }
  void path(const std::vector<uint32_t> &points, uint64_t begin, uint64_t end, const char *element,
            const char *colour, double opacity) {
    text_ += std::string("<") + element + " points=\"";
    for (uint64_t i = begin; i < end; ++i)
      append(points[i]);
    char style[128];
    std::snprintf(style, sizeof style,
                  "\" fill=\"%s\" fill-opacity=\"0.12\" stroke=\"%s\" stroke-opacity=\"%.2f\"/>\n",
                  element[4] == 'g' ? colour : "none", colour, opacity);
    text_ += style;
  }
  void dot(uint64_t i, double radius, const char *colour) {
    char circle[128];
    std::snprintf(circle, sizeof circle, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%g\" fill=\"%s\"/>\n",
                  x(sets_.xy[2 * i]), y(sets_.xy[2 * i + 1]), radius, colour);
    text_ += circle;
  }
  void draw_hull(size_t set, const std::vector<uint32_t> &hulls, uint64_t begin, uint64_t end) {
    path(hulls, begin, end, "polygon", colour(set), 1);
    double mean_x = 0, mean_y = 0;
    for (uint64_t i = begin; i < end; ++i) {
      dot(hulls[i], 3, colour(set));
      mean_x += x(sets_.xy[2 * hulls[i]]) / static_cast<double>(end - begin);
      mean_y += y(sets_.xy[2 * hulls[i] + 1]) / static_cast<double>(end - begin);
    }
    if (sets_.names[set].empty())
      return;
    char place[128];
    std::snprintf(place, sizeof place,
                  "<text x=\"%.2f\" y=\"%.2f\" fill=\"%s\" text-anchor=\"middle\">", mean_x, mean_y,
                  colour(set));
    text_ += place + escaped(sets_.names[set]) + "</text>\n";
  }
  /// How many bytes the character at the front has; 0: it is none that may stand in an SVG.
  static size_t character_bytes(std::string_view text) {
    const auto byte = [&](size_t i) { return i < text.size() ? text[i] & 0xffu : 0u; };
    if (byte(0) < 0x80)
      return byte(0) >= 0x20 && byte(0) != 0x7f;
    const size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
    uint32_t code = byte(0) & (0xff >> (bytes + 1));
    for (size_t i = 1; i < bytes; ++i) {
      if (byte(i) >> 6 != 2)
        return 0;
      code = code << 6 | (byte(i) & 0x3f);
    }
    constexpr uint32_t least[] = {0x80, 0x800, 0x10000};
    const bool is_one = byte(0) >= 0xc0 && code >= least[bytes - 2] && code <= 0x10ffff &&
                        code >> 11 != 0x1b && code != 0xfffe && code != 0xffff;
    return is_one ? bytes : 0;
  }
  static std::string escaped(std::string_view name) {
    std::string text;
    while (!name.empty()) {
      const size_t bytes = character_bytes(name);
      const std::string_view character = name.substr(0, bytes);
      text += bytes == 0         ? "\xef\xbf\xbd" // U+FFFD stands for it
              : character == "<" ? "&lt;"
              : character == "&" ? "&amp;"
                                 : character;
      name.remove_prefix(std::max<size_t>(bytes, 1));
    }
    return text;
  }

  const point_sets &sets_;
  double low_x_, high_x_, low_y_, high_y_;
  extent scale_;
  std::string text_;
};

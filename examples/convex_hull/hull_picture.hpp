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
    // Halves: the extent of doubles may be more than the largest one.
    const double most = std::max(high_x_ / 2 - low_x_ / 2, high_y_ / 2 - low_y_ / 2);
    scale_ = most > 0 ? side / 2 / most : 1;
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

  double x(double of) const { return (of / 2 - low_x_ / 2) * 2 * scale_; }
  double y(double of) const { return (high_y_ / 2 - of / 2) * 2 * scale_; }

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
  static std::string escaped(const std::string &name) {
    std::string text;
    for (const char c : name)
      text += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    return text;
  }

  const point_sets &sets_;
  double low_x_, high_x_, low_y_, high_y_, scale_;
  std::string text_;
};

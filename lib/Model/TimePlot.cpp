//===- TimePlot.cpp - A kernel's time by the number of instances ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/TimePlot.h"

#include "Model/TimeAdvice.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace colonnade::model {

namespace {

constexpr double Width = 720, Height = 440, Left = 80, Right = 100, Top = 40, Bottom = 60;

/// From a logarithm to a place on the page.
struct Axis {
  double low, high;     // logarithms; low < high
  double begin, length; // in pixels; y grows downwards: its length is negative
  double place(double logarithm) const { return begin + (logarithm - low) / (high - low) * length; }
};

struct Style {
  const char *colour, *dashes;
};
constexpr Style Styles[] = {{"#1b6ca8", "none"}, {"#c1440e", "8 4"}, {"#3a7d44", "2 3"}};

class Figure {
public:
  Figure(const std::string &title, llvm::ArrayRef<TimeCurve> curves);
  std::string draw();

private:
  void frame();
  void ticksOfCounts();
  void ticksOfTimes();
  void curve(const TimeCurve &curve, const Style &style);
  void text(double x, double y, const char *anchor, const std::string &what);
  void line(double x1, double y1, double x2, double y2, const char *colour);

  const std::string &title_;
  llvm::ArrayRef<TimeCurve> curves_;
  Axis x_, y_; // powers of two, of ten
  std::string result_;
  llvm::raw_string_ostream out_;
};

} // namespace

Figure::Figure(const std::string &title, llvm::ArrayRef<TimeCurve> curves)
    : title_(title), curves_(curves), out_(result_) {
  double most = 1, low = std::numeric_limits<double>::infinity(), high = -low;
  for (const TimeCurve &curve : curves)
    for (const TimePoint &point : curve.points) {
      most = std::max(most, std::log2(static_cast<double>(point.count)));
      low = std::min(low, std::floor(std::log10(point.microseconds)));
      high = std::max(high, std::ceil(std::log10(point.microseconds)));
    }
  x_ = {0, most, Left, Width - Left - Right};
  y_ = {low, std::max(high, low + 1), Height - Bottom, Top + Bottom - Height};
}

void Figure::text(double x, double y, const char *anchor, const std::string &what) {
  out_ << llvm::formatv("<text x=\"{0:F1}\" y=\"{1:F1}\" text-anchor=\"{2}\">", x, y, anchor);
  llvm::printHTMLEscaped(what, out_);
  out_ << "</text>\n";
}

void Figure::line(double x1, double y1, double x2, double y2, const char *colour) {
  out_ << llvm::formatv(
      "<line x1=\"{0:F1}\" y1=\"{1:F1}\" x2=\"{2:F1}\" y2=\"{3:F1}\" stroke=\"{4}\"/>\n", x1, y1,
      x2, y2, colour);
}

/// One tick for as many doublings as fit beside each other.
void Figure::ticksOfCounts() {
  const int step = std::max(1, static_cast<int>(std::ceil(x_.high / 8)));
  for (int power = 0; power <= x_.high; power += step) {
    line(x_.place(power), Top, x_.place(power), Height - Bottom, "#dddddd");
    text(x_.place(power), Height - Bottom + 18, "middle", grouped(uint64_t(1) << power));
  }
}

void Figure::ticksOfTimes() {
  for (int power = static_cast<int>(y_.low); power <= y_.high; ++power) {
    line(Left, y_.place(power), Width - Right, y_.place(power), "#dddddd");
    text(Left - 8, y_.place(power) + 4, "end", duration(std::pow(10, power)));
  }
}

void Figure::frame() {
  ticksOfCounts();
  ticksOfTimes();
  line(Left, Top, Left, Height - Bottom, "#222222");
  line(Left, Height - Bottom, Width - Right, Height - Bottom, "#222222");
  text(Left, Top - 16, "start", title_);
  text((Left + Width - Right) / 2, Height - 16, "middle", "instances p");
}

void Figure::curve(const TimeCurve &curve, const Style &style) {
  auto x = [&](const TimePoint &point) {
    return x_.place(std::log2(static_cast<double>(point.count)));
  };
  auto y = [&](const TimePoint &point) { return y_.place(std::log10(point.microseconds)); };
  out_ << llvm::formatv("<polyline fill=\"none\" stroke=\"{0}\" stroke-width=\"2\" "
                        "stroke-dasharray=\"{1}\" points=\"",
                        style.colour, style.dashes);
  for (const TimePoint &point : curve.points)
    out_ << llvm::formatv("{0:F1},{1:F1} ", x(point), y(point));
  out_ << "\"/>\n";
}

/// Names stand at the ends of their curves, below each other where these meet.
std::string Figure::draw() {
  static constexpr double LineHeight = 14;
  out_ << llvm::formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
                        "font-family=\"sans-serif\" font-size=\"12\">\n",
                        static_cast<int>(Width), static_cast<int>(Height))
       << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  frame();
  std::vector<std::pair<double, std::string>> names;
  for (size_t c = 0; c < curves_.size(); ++c) {
    curve(curves_[c], Styles[c % std::size(Styles)]);
    const TimePoint &last = curves_[c].points.back();
    names.emplace_back(y_.place(std::log10(last.microseconds)) + 4,
                       curves_[c].name + " " + duration(last.microseconds));
  }
  llvm::sort(names);
  double free = 0;
  for (const auto &[wanted, name] : names) {
    const double y = std::max(wanted, free);
    text(Width - Right + 4, y, "start", name);
    free = y + LineHeight;
  }
  out_ << "</svg>\n";
  return std::move(result_);
}

std::string timePlot(const std::string &title, llvm::ArrayRef<TimeCurve> curves) {
  return Figure(title, curves).draw();
}

} // namespace colonnade::model

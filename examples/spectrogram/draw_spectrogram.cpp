//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// draw_spectrogram POWER.npy OUT.png RATE HOP: power spectra (windows x bins) as a
// picture in decibels, time to the right, frequency upwards, with axes and a
// colour scale.
//
//===----------------------------------------------------------------------===//
#include "npy_file.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>

namespace {

struct rgb {
  uint8_t r, g, b;
};
constexpr rgb black{20, 20, 20};
constexpr rgb white{255, 255, 255};

class picture {
public:
  picture(int width, int height)
      : width_(width), height_(height), pixels_(std::size_t(width) * std::size_t(height), white) {}
  void set(int x, int y, rgb colour) {
    if (x >= 0 && x < width_ && y >= 0 && y < height_)
      pixels_[std::size_t(y) * std::size_t(width_) + std::size_t(x)] = colour;
  }
  void line(int x0, int y0, int x1, int y1) { // horizontal or vertical
    for (int y = y0; y <= y1; y++)
      for (int x = x0; x <= x1; x++)
        set(x, y, black);
  }
  // Throws std::runtime_error.
  void save(const std::string &path) const {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = png_uint_32(width_);
    image.height = png_uint_32(height_);
    image.format = PNG_FORMAT_RGB;
    if (!png_image_write_to_file(&image, path.c_str(), 0, pixels_.data(), 0, nullptr))
      throw std::runtime_error(path + ": " + image.message);
  }

private:
  int width_;
  int height_;
  std::vector<rgb> pixels_;
};

// Five rows of three pixels a glyph, from the top, most significant bit left.
struct glyph {
  char letter;
  std::array<uint8_t, 5> rows;
};
constexpr glyph glyphs[] = {
    {'0', {7, 5, 5, 5, 7}}, {'1', {2, 6, 2, 2, 7}}, {'2', {7, 1, 7, 4, 7}}, {'3', {7, 1, 3, 1, 7}},
    {'4', {5, 5, 7, 1, 1}}, {'5', {7, 4, 7, 1, 7}}, {'6', {7, 4, 7, 5, 7}}, {'7', {7, 1, 1, 2, 2}},
    {'8', {7, 5, 7, 5, 7}}, {'9', {7, 5, 7, 1, 7}}, {'.', {0, 0, 0, 0, 2}}, {'-', {0, 0, 7, 0, 0}},
    {'k', {4, 5, 6, 6, 5}}, {'H', {5, 5, 7, 5, 5}}, {'z', {0, 7, 1, 2, 7}}, {'s', {0, 3, 6, 3, 6}},
    {'d', {1, 1, 7, 5, 7}}, {'B', {6, 5, 6, 5, 6}},
};
constexpr int glyph_scale = 2;

int text_width(const std::string &text) { return int(text.size()) * 4 * glyph_scale; }

void write_text(picture &target, int x, int y, const std::string &text) {
  for (char letter : text) {
    for (const glyph &g : glyphs)
      if (g.letter == letter)
        for (int py = 0; py < 5 * glyph_scale; py++)
          for (int px = 0; px < 3 * glyph_scale; px++)
            if (g.rows[std::size_t(py / glyph_scale)] >> (2 - px / glyph_scale) & 1)
              target.set(x + px, y + py, black);
    x += 4 * glyph_scale;
  }
}

// Dark blue over violet and orange to light yellow; level in [0, 1].
rgb colour(float level) {
  static constexpr float stops[][3] = {{4, 4, 24},     {54, 16, 104},   {140, 41, 129},
                                       {222, 73, 104}, {254, 159, 109}, {252, 253, 191}};
  const float at = std::clamp(level, 0.0f, 1.0f) * 5;
  const int stop = std::min(int(at), 4);
  const float part = at - float(stop);
  auto mix = [&](int c) {
    return uint8_t(stops[stop][c] + part * (stops[stop + 1][c] - stops[stop][c]));
  };
  return {mix(0), mix(1), mix(2)};
}

std::string tidy(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value == std::floor(value) ? "%.0f" : "%.1f", value);
  return text;
}

struct frame {
  int left = 62, top = 14, width = 0, height = 0;
  int bottom() const { return top + height; }
  int right() const { return left + width; }
};

constexpr float range_db = 80; // below the loudest bin: the darkest colour
constexpr int scale_width = 16;

void draw_levels(picture &target, const frame &f, const float_array &power) {
  const std::size_t windows = power.shape[0], bins = power.shape[1];
  const float peak = std::max(*std::max_element(power.cells.begin(), power.cells.end()), 1e-30f);
  for (int x = 0; x < f.width; x++) {
    const std::size_t window = std::size_t(x) * windows / std::size_t(f.width);
    for (int y = 0; y < f.height; y++) {
      const std::size_t bin = std::size_t(f.height - 1 - y) * bins / std::size_t(f.height);
      const float cell = std::max(power.cells[window * bins + bin], 1e-30f);
      target.set(f.left + x, f.top + y, colour(1 + 10 * std::log10(cell / peak) / range_db));
    }
  }
}

void draw_axes(picture &target, const frame &f, double seconds, double khz) {
  target.line(f.left - 1, f.top, f.left - 1, f.bottom());
  target.line(f.left - 1, f.bottom(), f.right(), f.bottom());
  for (int tick = 0; tick * 0.2 <= seconds; tick++) {
    const int x = f.left + int(tick * 0.2 / seconds * f.width);
    const std::string label = tidy(tick * 0.2) + (tick ? "" : "s");
    target.line(x, f.bottom(), x, f.bottom() + 5);
    write_text(target, x - text_width(label) / 2, f.bottom() + 9, label);
  }
  for (int tick = 0; tick * 4 <= khz; tick++) {
    const int y = f.bottom() - int(tick * 4 / khz * f.height);
    const std::string label = std::to_string(tick * 4) + (tick ? "" : "kHz");
    target.line(f.left - 6, y, f.left - 1, y);
    write_text(target, f.left - 10 - text_width(label), y - 5, label);
  }
}

void draw_scale(picture &target, const frame &f) {
  const int left = f.right() + 18;
  for (int y = 0; y < f.height; y++)
    for (int x = 0; x < scale_width; x++)
      target.set(left + x, f.top + y, colour(1 - float(y) / float(f.height)));
  for (int db = 0; db <= int(range_db); db += 20) {
    const int y = f.top + db * f.height / int(range_db);
    target.line(left + scale_width, y, left + scale_width + 4, y);
    write_text(target, left + scale_width + 8, y - 5, (db ? "-" : "") + std::to_string(db) + "dB");
  }
}

} // namespace

int main(int argc, char **argv) try {
  const double rate = argc == 5 ? std::atof(argv[3]) : 0;
  const double hop = argc == 5 ? std::atof(argv[4]) : 0;
  if (rate <= 0 || hop <= 0) {
    std::fprintf(stderr, "usage: draw_spectrogram POWER.npy OUT.png RATE HOP\n");
    return 3;
  }
  const float_array power = read_npy(argv[1]);
  if (power.shape.size() != 2 || power.cells.empty())
    throw std::runtime_error(std::string(argv[1]) + ": not windows x bins");
  frame f;
  f.width = std::clamp(int(power.shape[0]), 640, 1200);
  f.height = 400;
  picture target(f.right() + 110, f.bottom() + 30);
  draw_levels(target, f, power);
  draw_axes(target, f, double(power.shape[0]) * hop / rate, rate / 2000);
  draw_scale(target, f);
  target.save(argv[2]);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "draw_spectrogram: %s\n", error.what());
  return 1;
}

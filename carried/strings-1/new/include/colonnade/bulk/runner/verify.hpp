//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runner/verify.hpp: compares the results of a run with the original sequential function.
//
// In: the arrays before and after the run, and how many instances are to be compared. Out: the
// first difference, or how many instances were compared: as many as asked for, else all if
// that takes no longer than the run did (or a second, if that is more), else as many as do.
// The first and the last instance come first; the others in an order that a fixed seed gives.
// Invariant: results agree if they have the same bits or are both NaN; cells that differ where the
// function may leave no determinate value are counted, and no difference. On a GPU, or with vector
// math, if the function calls functions of <cmath> that are not exact there, a difference within a
// bound is accepted too (docs/numerics.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/runner/arrays.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>

namespace colonnade::runtime::runner {

/// All numbers below `count`, each once, in an order that depends on nothing else: 0, count - 1,
/// then the others as a seeded bijection of the next power of two mixes them.
class sample_order {
public:
  static constexpr uint64_t seed = 1;

  explicit sample_order(uint64_t count) : count_(count) {
    while (bits_ < 63 && (uint64_t{1} << bits_) < count)
      ++bits_;
  }
  /// False: there is none left.
  bool next(uint64_t &result) {
    const uint64_t number = number_++;
    if (number >= count_)
      return false;
    if (number < 2) {
      result = number == 0 ? 0 : count_ - 1;
      return true;
    }
    do
      result = mixed(position_++);
    while (result == 0 || result >= count_ - 1);
    return true;
  }

private:
  /// Odd factors and shifts to the right are bijections of `bits_` bits.
  uint64_t mixed(uint64_t x) const {
    const uint64_t mask = (uint64_t{1} << bits_) - 1;
    for (uint64_t factor : {uint64_t{0x9e3779b97f4a7c15}, uint64_t{0xbf58476d1ce4e5b9}}) {
      x = (x + seed) * factor & mask;
      x ^= x >> (bits_ / 2 + 1);
    }
    return x;
  }

  const uint64_t count_;
  unsigned bits_ = 1;
  uint64_t number_ = 0, position_ = 0;
};

class verifier {
public:
  verifier(const function_info &f, const array_set &set, const scalar_bits *scalars, bool on_gpu)
      : function_(f), set_(set), scalars_(scalars),
        tolerant_(f.inexact_math && (on_gpu || f.vector_math)) {}

  /// failed_check at the first difference. Sets `verified` to the instances seen. run_seconds: what
  /// the run took.
  status verify(const verify_wanted &wanted, double run_seconds, uint64_t &verified) {
    if (!function_.sequential)
      return status::failure(status_code::no_backend, std::string("--verify: the original ") +
                                                          function_.name + " is not linked in");
    if (status s = allocate(); !s)
      return s;
    using clock = std::chrono::steady_clock;
    const auto end = clock::now() + std::chrono::duration_cast<clock::duration>(
                                        std::chrono::duration<double>(std::max(1.0, run_seconds)));
    sample_order order(set_.count);
    verified = 0;
    for (uint64_t j; verified < wanted.most.value_or(set_.count) && order.next(j); ++verified) {
      if (!wanted.most && verified > 0 && clock::now() > end)
        break;
      if (status s = verify_instance(j); !s)
        return s;
    }
    return status::success();
  }

  /// Cells that differ in arrays which may hold no determinate value.
  uint64_t num_indeterminate() const { return num_indeterminate_; }
  const char *rule() const { return tolerant_ ? "within tolerance" : "bit-identical"; }

private:
  bool is_instance(uint32_t a) const { return !function_.arrays[a].uniform; }
  size_t cell_bytes(uint32_t a) const { return size_bytes(function_.arrays[a].cell); }

  status allocate() {
    instance_.resize(function_.num_arrays);
    pointers_.assign(function_.num_arrays + 1, nullptr);
    for (uint32_t a = 0; a < function_.num_arrays; ++a) {
      pointers_[a] = const_cast<void *>(set_.arrays[a].input);
      if (!is_instance(a))
        continue;
      if (status s = detail::allocate(set_.cells[a] * cell_bytes(a), instance_[a]); !s)
        return s;
      pointers_[a] = instance_[a].get();
    }
    return status::success();
  }

  const char *cell_at(const void *array, uint32_t a, uint64_t j, uint64_t i) const {
    const uint64_t index =
        set_.host_layout == layout::column_wise ? i * set_.count + j : j * set_.cells[a] + i;
    return static_cast<const char *>(array) + index * cell_bytes(a);
  }

  status verify_instance(uint64_t j) {
    for (uint32_t a = 0; a < function_.num_arrays; ++a) {
      if (!is_instance(a))
        continue;
      char *cells = static_cast<char *>(pointers_[a]);
      const void *input = set_.arrays[a].input;
      for (uint64_t i = 0; i < set_.cells[a]; ++i)
        if (input)
          std::memcpy(cells + i * cell_bytes(a), cell_at(input, a, j, i), cell_bytes(a));
        else
          std::memset(cells + i * cell_bytes(a), 0, cell_bytes(a));
    }
    function_.sequential(pointers_.data(), scalars_);
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      for (uint64_t i = 0; is_instance(a) && set_.writes(a) && i < set_.cells[a]; ++i)
        if (status s = compare(a, j, i); !s)
          return s;
    return status::success();
  }

  status compare(uint32_t a, uint64_t j, uint64_t i) {
    const char *expected = static_cast<const char *>(pointers_[a]) + i * cell_bytes(a);
    const char *got = cell_at(set_.arrays[a].result.get(), a, j, i);
    if (std::memcmp(expected, got, cell_bytes(a)) == 0)
      return status::success();
    const cell_type type = function_.arrays[a].cell;
    if (type == cell_type::f32 && same<float>(expected, got, 1e-4))
      return status::success();
    if (type == cell_type::f64 &&
        same<double>(expected, got, function_.inexact_floats ? 1e-4 : 1e-10))
      return status::success();
    if (function_.arrays[a].may_be_indeterminate) {
      ++num_indeterminate_;
      return status::success();
    }
    return status::failure(status_code::failed_check,
                           "instance " + std::to_string(j) + ", " + function_.arrays[a].name + "[" +
                               std::to_string(i) + "]: got " + text(type, got) +
                               ", the sequential function gives " + text(type, expected),
                           j);
  }

  template <class T> bool same(const char *expected, const char *got, double tolerance) const {
    T x, y;
    std::memcpy(&x, expected, sizeof x);
    std::memcpy(&y, got, sizeof y);
    if (std::isnan(x) && std::isnan(y))
      return true;
    const double bound = tolerance * std::max({1.0, std::fabs(double(x)), std::fabs(double(y))});
    return tolerant_ && std::fabs(double(x) - double(y)) <= bound;
  }

  template <class T> static std::string number(const char *format, const char *cell) {
    T value;
    std::memcpy(&value, cell, sizeof value);
    char buffer[64];
    if constexpr (std::is_floating_point_v<T>)
      std::snprintf(buffer, sizeof buffer, format, static_cast<double>(value));
    else if constexpr (std::is_signed_v<T>)
      std::snprintf(buffer, sizeof buffer, format, static_cast<long long>(value));
    else
      std::snprintf(buffer, sizeof buffer, format, static_cast<unsigned long long>(value));
    return buffer;
  }
  static std::string text(cell_type type, const char *cell) {
    switch (type) {
    case cell_type::boolean:
    case cell_type::u8:
      return number<uint8_t>("%llu", cell);
    case cell_type::s8:
      return number<int8_t>("%lld", cell);
    case cell_type::s16:
      return number<int16_t>("%lld", cell);
    case cell_type::u16:
      return number<uint16_t>("%llu", cell);
    case cell_type::s32:
      return number<int32_t>("%lld", cell);
    case cell_type::u32:
      return number<uint32_t>("%llu", cell);
    case cell_type::s64:
      return number<int64_t>("%lld", cell);
    case cell_type::u64:
      return number<uint64_t>("%llu", cell);
    case cell_type::f32:
      return number<float>("%.9g", cell);
    case cell_type::f64:
      return number<double>("%.17g", cell);
    }
    return "?";
  }

  const function_info &function_;
  const array_set &set_;
  const scalar_bits *scalars_;
  const bool tolerant_;
  uint64_t num_indeterminate_ = 0;
  std::vector<buffer> instance_;
  std::vector<void *> pointers_;
};

} // namespace colonnade::runtime::runner

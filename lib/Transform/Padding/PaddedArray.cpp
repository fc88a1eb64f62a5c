//===- PaddedArray.cpp - Where cells lie at the largest sizes -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The extents say which factors the number of cells has; the subscripts, which of them are inner
// dimensions.
//
//===----------------------------------------------------------------------===//

#include "Transform/Padding/PaddedArray.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

uint64_t PaddedArray::cells() const {
  uint64_t product = 1;
  for (int64_t extent : most)
    product *= static_cast<uint64_t>(std::max<int64_t>(extent, 0));
  return product;
}

uint64_t PaddedArray::at(uint64_t cell, const SizePoint &sizes) const {
  uint64_t result = 0, stride = 1;
  for (size_t d = extents.size(); d-- > 1;) {
    const uint64_t extent =
        static_cast<uint64_t>(std::max<int64_t>(1, *extents[d].evaluate(sizes)));
    result += cell % extent * stride;
    cell /= extent;
    stride *= static_cast<uint64_t>(most[d]);
  }
  return result + cell * stride;
}

static SizeExpr cellsOf(const Array &array) {
  SizeExpr cells = SizeExpr::constant(1);
  for (const SizeExpr &extent : array.extents)
    cells = cells * extent;
  return cells;
}

/// n * (m + 1) * 3 has three.
static void addFactors(const SizeExpr &size, std::vector<SizeExpr> &factors) {
  if (size.kind() != SizeExpr::Kind::Mul) {
    factors.push_back(size);
    return;
  }
  addFactors(size.lhs(), factors);
  addFactors(size.rhs(), factors);
}

static std::optional<Polynomial> flatSubscript(const Op &access, Affine &affine) {
  const AccessOperands parts = accessOperands(access);
  Polynomial cell;
  for (size_t k = 0; k < parts.subscripts.size(); ++k) {
    const std::optional<Polynomial> subscript = affine.of(parts.subscripts[k]),
                                    radix = k ? affine.of(parts.radices[k - 1]) : Polynomial(1);
    if (!subscript || !radix)
      return std::nullopt;
    cell = cell * *radix + *subscript;
  }
  return cell.valid() ? std::optional(cell) : std::nullopt;
}

using Term = std::pair<Polynomial::Monomial, Rational>;

static unsigned degreeOf(const Polynomial::Monomial &monomial) {
  unsigned degree = 0;
  for (const auto &[name, power] : monomial)
    degree += power;
  return degree;
}

static Polynomial asPolynomial(const Polynomial::Monomial &monomial, Rational coefficient) {
  Polynomial product(coefficient);
  for (const auto &[name, power] : monomial)
    for (unsigned i = 0; i < power; ++i)
      product = product * Polynomial::name(name);
  return product;
}

/// nullopt: it does not divide.
static std::optional<Polynomial> quotient(const Term &term, const Term &by) {
  Polynomial::Monomial left = term.first;
  for (const auto &[name, power] : by.first) {
    const auto found = llvm::find_if(left, [&](const auto &each) { return each.first == name; });
    if (found == left.end() || found->second < power)
      return std::nullopt;
    found->second -= power;
  }
  const Rational coefficient = term.second / by.second;
  return coefficient.isInteger() ? std::optional(asPolynomial(left, coefficient)) : std::nullopt;
}

/// dividend = divisor * quotient + remainder, of which no term is a multiple of the divisor's
/// first.
static std::pair<Polynomial, Polynomial> divide(Polynomial dividend, const Polynomial &divisor) {
  static constexpr unsigned MostSteps = 64;
  const Term first = *std::max_element(
      divisor.terms().begin(), divisor.terms().end(),
      [](const auto &a, const auto &b) { return degreeOf(a.first) < degreeOf(b.first); });
  Polynomial result;
  for (unsigned step = 0; step < MostSteps; ++step) {
    std::optional<Polynomial> part;
    for (const Term term : dividend.terms())
      if ((part = quotient(term, first)))
        break;
    if (!part)
      break;
    result = result + *part;
    dividend = dividend - *part * divisor;
  }
  return {result, dividend};
}

std::optional<Polynomial> colonnade::paddedSubscript(const PaddedArray &array, const Op &access,
                                                     Affine &affine, const SizePoints &points) {
  std::optional<Polynomial> rest = flatSubscript(access, affine);
  if (!rest)
    return std::nullopt;
  Polynomial stride(1), cell;
  std::vector<Polynomial> strides{stride};
  for (size_t d = array.extents.size(); d-- > 1;) {
    const std::optional<Polynomial> extent = Polynomial::from(array.extents[d]);
    if (!extent || extent->isZero())
      return std::nullopt;
    strides.push_back(strides.back() * *extent);
  }
  for (size_t d = 0; d < array.extents.size(); ++d) {
    int64_t largest = 1;
    for (size_t inner = d + 1; inner < array.extents.size(); ++inner)
      largest *= array.most[inner];
    const auto [digit, remainder] = d + 1 < array.extents.size()
                                        ? divide(*rest, strides[array.extents.size() - 1 - d])
                                        : std::pair(*rest, Polynomial());
    cell = cell + digit * Polynomial(largest);
    rest = remainder;
  }
  const bool isKnown = cell.valid() && llvm::none_of(cell.names(), [&](const std::string &name) {
                         return points.hasRange(name) || affine.findAtom(name);
                       });
  return isKnown ? std::optional(cell) : std::nullopt;
}

namespace {

/// Tries dimensions of one array.
class DimensionSearch {
public:
  DimensionSearch(const Function &function, ArrayId array, Affine &affine, const SizePoints &points)
      : function_(function), array_(array), affine_(affine), points_(points) {}

  std::optional<PaddedArray> run() {
    const SizeExpr cells = cellsOf(function_.array(array_));
    if (areKnown({cells}))
      return padded({cells});
    std::vector<SizeExpr> factors;
    addFactors(cells, factors);
    static constexpr size_t MostFactors = 4;
    if (factors.size() > MostFactors)
      return std::nullopt;
    std::vector<size_t> order(factors.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    do {
      std::vector<SizeExpr> dimensions;
      for (size_t i : order)
        dimensions.push_back(factors[i]);
      if (areKnown(dimensions))
        return padded(dimensions);
    } while (std::next_permutation(order.begin(), order.end()));
    return std::nullopt;
  }

private:
  std::optional<PaddedArray> padded(std::vector<SizeExpr> extents) const {
    PaddedArray result{array_, std::move(extents), {}};
    for (const SizeExpr &extent : result.extents) {
      const std::optional<SizeRange> range = points_.extremes(extent);
      if (!range || range->most < 0)
        return std::nullopt;
      result.most.push_back(range->most);
    }
    return result;
  }

  /// Whether no subscript depends on a size that has a range.
  bool areKnown(std::vector<SizeExpr> extents) {
    const std::optional<PaddedArray> array = padded(std::move(extents));
    return array && llvm::all_of(function_.ops, [&](const Op &op) {
             if (!isAccess(op) || op.array != array_)
               return true;
             // Of one dimension, what is no polynomial may be known once loops are unrolled.
             const bool isFree = array->extents.size() == 1 && !flatSubscript(op, affine_);
             return isFree || paddedSubscript(*array, op, affine_, points_);
           });
  }

  const Function &function_;
  ArrayId array_;
  Affine &affine_;
  const SizePoints &points_;
};

} // namespace

std::optional<PaddedArray> colonnade::padArray(const Function &function, ArrayId array,
                                               Affine &affine, const SizePoints &points,
                                               std::string &reason) {
  std::optional<PaddedArray> found = DimensionSearch(function, array, affine, points).run();
  if (!found)
    reason = function.array(array).name + ": a subscript depends on the size by more than the "
                                          "length of rows";
  return found;
}

//===- ScalarText.cpp - Scalars to text and back ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Evaluate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

#include <charconv>

namespace colonnade::ir {

namespace {
struct FloatFormat {
  uint64_t exponentMask, fractionMask, signMask;
  uint64_t defaultNaN() const { return exponentMask | ((fractionMask + 1) >> 1); }
};
FloatFormat format(ScalarType type) {
  if (type == ScalarType::F32)
    return {0x7f800000, 0x007fffff, 0x80000000};
  return {0x7ff0000000000000, 0x000fffffffffffff, 0x8000000000000000};
}

template <class Float, class Bits> std::string shortest(uint64_t bits) {
  char buffer[64];
  auto [end, code] =
      std::to_chars(buffer, buffer + sizeof buffer, llvm::bit_cast<Float>(static_cast<Bits>(bits)));
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text;
}

std::string floatText(Scalar s) {
  FloatFormat f = format(s.type);
  if ((s.bits & f.exponentMask) != f.exponentMask)
    return s.type == ScalarType::F32 ? shortest<float, uint32_t>(s.bits)
                                     : shortest<double, uint64_t>(s.bits);
  if ((s.bits & f.fractionMask) == 0)
    return s.bits & f.signMask ? "-inf" : "inf";
  if (s.bits == f.defaultNaN())
    return "nan";
  return "nan:0x" + llvm::utohexstr(s.bits, /*LowerCase=*/true);
}

template <class Float, class Bits>
std::optional<Scalar> parseDecimal(ScalarType type, llvm::StringRef text) {
  Float value;
  auto [end, code] = std::from_chars(text.begin(), text.end(), value);
  if (code != std::errc() || end != text.end())
    return std::nullopt;
  return Scalar{type, llvm::bit_cast<Bits>(value)};
}

std::optional<Scalar> parseFloat(ScalarType type, llvm::StringRef text) {
  FloatFormat f = format(type);
  if (text == "inf" || text == "-inf")
    return Scalar{type, f.exponentMask | (text[0] == '-' ? f.signMask : 0)};
  if (text == "nan")
    return Scalar{type, f.defaultNaN()};
  if (text.consume_front("nan:0x")) {
    uint64_t bits;
    bool isNaN = !text.getAsInteger(16, bits) && (bits & f.exponentMask) == f.exponentMask &&
                 (bits & f.fractionMask) != 0 && (bits >> (bitWidth(type) - 1)) <= 1;
    return isNaN ? std::optional(Scalar{type, bits}) : std::nullopt;
  }
  return type == ScalarType::F32 ? parseDecimal<float, uint32_t>(type, text)
                                 : parseDecimal<double, uint64_t>(type, text);
}
} // namespace

std::string str(Scalar s) {
  if (s.type == ScalarType::Bool)
    return s.bits ? "true" : "false";
  if (isFloat(s.type))
    return floatText(s);
  return isSigned(s.type) ? std::to_string(asInt64(s)) : std::to_string(s.bits);
}

std::optional<Scalar> exactInt(ScalarType type, int64_t value) {
  Scalar s = makeInt(type, value);
  bool fits = asInt64(s) == value && (value >= 0 || isSigned(type));
  return fits ? std::optional(s) : std::nullopt;
}

std::optional<Scalar> parseScalar(ScalarType type, llvm::StringRef text) {
  if (type == ScalarType::Bool) {
    if (text != "true" && text != "false")
      return std::nullopt;
    return Scalar{type, text == "true"};
  }
  if (isFloat(type))
    return parseFloat(type, text);
  Scalar s{type, 0};
  if (isSigned(type)) {
    int64_t value;
    if (text.getAsInteger(10, value))
      return std::nullopt;
    return exactInt(type, value);
  }
  if (text.getAsInteger(10, s.bits) || makeInt(type, s.bits).bits != s.bits)
    return std::nullopt;
  return s;
}

} // namespace colonnade::ir

//===- EvaluateTest.cpp - Scalar evaluation against the host's operators ---===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Evaluate.h"

#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

template <class T> constexpr ScalarType typeOf() {
  if constexpr (std::is_same_v<T, bool>)
    return ScalarType::Bool;
  else if constexpr (std::is_same_v<T, float>)
    return ScalarType::F32;
  else if constexpr (std::is_same_v<T, double>)
    return ScalarType::F64;
  else {
    constexpr ScalarType Types[] = {ScalarType::S8,  ScalarType::U8,  ScalarType::S16,
                                    ScalarType::U16, ScalarType::S32, ScalarType::U32,
                                    ScalarType::S64, ScalarType::U64};
    return Types[2 * std::countr_zero(sizeof(T)) + std::is_unsigned_v<T>];
  }
}

template <class T> Scalar scalar(T value) {
  if constexpr (std::is_same_v<T, float>)
    return {ScalarType::F32, std::bit_cast<uint32_t>(value)};
  else if constexpr (std::is_same_v<T, double>)
    return {ScalarType::F64, std::bit_cast<uint64_t>(value)};
  else if constexpr (std::is_same_v<T, bool>)
    return {ScalarType::Bool, value};
  else
    return {typeOf<T>(), static_cast<uint64_t>(static_cast<std::make_unsigned_t<T>>(value))};
}

/// Values at the edges of the type as often as random ones.
template <class T> T randomValue(std::mt19937_64 &random) {
  using L = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>)
    return random() & 1;
  else if constexpr (std::is_floating_point_v<T>) {
    const T edges[] = {0,
                       T(-0.0),
                       1,
                       -1,
                       T(0.5),
                       L::max(),
                       L::lowest(),
                       L::min(),
                       L::denorm_min(),
                       L::infinity(),
                       -L::infinity(),
                       L::quiet_NaN(),
                       T(1e9),
                       T(-3e18),
                       T(255.5)};
    if (random() % 2)
      return edges[random() % std::size(edges)];
    if constexpr (sizeof(T) == 4)
      return std::bit_cast<float>(static_cast<uint32_t>(random()));
    else
      return std::bit_cast<double>(random());
  } else {
    const T edges[] = {0, 1, T(-1), 2, L::max(), L::min(), T(L::max() - 1), T(L::min() + 1), 7};
    return random() % 2 ? edges[random() % std::size(edges)] : static_cast<T>(random());
  }
}

/// Equal bits, or both NaN.
template <class T> void expectValue(T expected, Evaluation e, const char *what) {
  EXPECT_EQ(e.undefined, Undefined::None) << what;
  ASSERT_EQ(e.value.type, typeOf<T>()) << what;
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(asDouble(e.value))) << what;
      return;
    }
  EXPECT_EQ(e.value.bits, scalar(expected).bits) << what;
}

class EvaluateRandom : public testing::Test {
protected:
  void SetUp() override {
    seed = std::random_device{}();
    random.seed(seed);
    RecordProperty("seed", std::to_string(seed));
  }
  void TearDown() override {
    if (HasFailure())
      std::cout << "seed " << seed << "\n";
  }
  unsigned seed;
  std::mt19937_64 random;
  static constexpr int Iterations = 3000;
};

template <class T> void checkComparisons(T a, T b) {
  Scalar x = scalar(a), y = scalar(b);
  expectValue(a == b, evaluateBinary(Opcode::Eq, x, y), "==");
  expectValue(a != b, evaluateBinary(Opcode::Ne, x, y), "!=");
  expectValue(a < b, evaluateBinary(Opcode::Lt, x, y), "<");
  expectValue(a <= b, evaluateBinary(Opcode::Le, x, y), "<=");
  expectValue(a > b, evaluateBinary(Opcode::Gt, x, y), ">");
  expectValue(a >= b, evaluateBinary(Opcode::Ge, x, y), ">=");
}

template <class T> void checkOverflowing(Opcode opcode, T a, T b, T wrapped, bool overflow) {
  Evaluation e = evaluateBinary(opcode, scalar(a), scalar(b));
  EXPECT_EQ(e.value.bits, scalar(wrapped).bits) << mnemonic(opcode) << " " << +a << " " << +b;
  bool expected = overflow && std::is_signed_v<T>;
  EXPECT_EQ(e.undefined, expected ? Undefined::SignedOverflow : Undefined::None);
}

template <class T> void checkDivision(T a, T b) {
  using L = std::numeric_limits<T>;
  Evaluation div = evaluateBinary(Opcode::Div, scalar(a), scalar(b));
  Evaluation rem = evaluateBinary(Opcode::Rem, scalar(a), scalar(b));
  if (b == 0) {
    EXPECT_EQ(div.undefined, Undefined::DivisionByZero);
    EXPECT_EQ(rem.undefined, Undefined::DivisionByZero);
  } else if (std::is_signed_v<T> && a == L::min() && b == T(-1)) {
    EXPECT_EQ(div.undefined, Undefined::SignedOverflow);
    EXPECT_EQ(rem.undefined, Undefined::SignedOverflow);
  } else {
    expectValue(T(a / b), div, "/");
    expectValue(T(a % b), rem, "%");
  }
}

template <class T, class C> void checkShift(T a, C count) {
  Evaluation l = evaluateBinary(Opcode::Shl, scalar(a), scalar(count));
  Evaluation r = evaluateBinary(Opcode::Shr, scalar(a), scalar(count));
  if (count < 0 || uint64_t(count) >= sizeof(T) * 8) {
    EXPECT_EQ(l.undefined, Undefined::ShiftCount);
    EXPECT_EQ(r.undefined, Undefined::ShiftCount);
  } else {
    expectValue(T(std::make_unsigned_t<T>(a) << count), l, "<<");
    expectValue(T(a >> count), r, ">>");
  }
}

template <class T> void checkIntegers(std::mt19937_64 &random) {
  T a = randomValue<T>(random), b = randomValue<T>(random), wrapped;
  bool overflow = __builtin_add_overflow(a, b, &wrapped);
  checkOverflowing(Opcode::Add, a, b, wrapped, overflow);
  overflow = __builtin_sub_overflow(a, b, &wrapped);
  checkOverflowing(Opcode::Sub, a, b, wrapped, overflow);
  overflow = __builtin_mul_overflow(a, b, &wrapped);
  checkOverflowing(Opcode::Mul, a, b, wrapped, overflow);
  checkDivision(a, b);
  checkShift(a, static_cast<int8_t>(random() % 80 - 5));
  checkShift(a, random() % 70);
  checkComparisons(a, b);
  Scalar x = scalar(a), y = scalar(b);
  expectValue(T(a & b), evaluateBinary(Opcode::And, x, y), "&");
  expectValue(T(a | b), evaluateBinary(Opcode::Or, x, y), "|");
  expectValue(T(a ^ b), evaluateBinary(Opcode::Xor, x, y), "^");
  expectValue(T(~a), evaluateUnary(Opcode::Not, x), "~");
  overflow = __builtin_sub_overflow(T(0), a, &wrapped);
  Evaluation neg = evaluateUnary(Opcode::Neg, x);
  EXPECT_EQ(neg.value.bits, scalar(wrapped).bits);
  EXPECT_EQ(neg.undefined == Undefined::SignedOverflow, overflow && std::is_signed_v<T>);
}

TEST_F(EvaluateRandom, Integers) {
  for (int i = 0; i < Iterations; ++i) {
    checkIntegers<int8_t>(random);
    checkIntegers<uint8_t>(random);
    checkIntegers<int16_t>(random);
    checkIntegers<uint16_t>(random);
    checkIntegers<int32_t>(random);
    checkIntegers<uint32_t>(random);
    checkIntegers<int64_t>(random);
    checkIntegers<uint64_t>(random);
  }
}

template <class T> void checkFloats(std::mt19937_64 &random) {
  T a = randomValue<T>(random), b = randomValue<T>(random), c = randomValue<T>(random);
  Scalar x = scalar(a), y = scalar(b), z = scalar(c);
  expectValue(T(a + b), evaluateBinary(Opcode::Add, x, y), "+");
  expectValue(T(a - b), evaluateBinary(Opcode::Sub, x, y), "-");
  expectValue(T(a * b), evaluateBinary(Opcode::Mul, x, y), "*");
  expectValue(T(a / b), evaluateBinary(Opcode::Div, x, y), "/");
  expectValue(T(-a), evaluateUnary(Opcode::Neg, x), "neg");
  checkComparisons(a, b);
  expectValue(std::sqrt(a), evaluateMath(MathFn::Sqrt, {x}), "sqrt");
  expectValue(std::fma(a, b, c), evaluateMath(MathFn::Fma, {x, y, z}), "fma");
  expectValue(std::atan2(a, b), evaluateMath(MathFn::Atan2, {x, y}), "atan2");
}

TEST_F(EvaluateRandom, Floats) {
  for (int i = 0; i < Iterations; ++i) {
    checkFloats<float>(random);
    checkFloats<double>(random);
  }
}

template <class To, class From> void checkCast(From from) {
  Evaluation e = evaluateCast(scalar(from), typeOf<To>());
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> &&
                !std::is_same_v<To, bool>) {
    // In range if the truncated value is; both bounds are exact as long double.
    long double t = std::trunc(static_cast<long double>(from));
    if (!(t >= std::numeric_limits<To>::min() && t <= std::numeric_limits<To>::max())) {
      EXPECT_EQ(e.undefined, Undefined::FloatToInteger) << from;
      return;
    }
  }
  expectValue(static_cast<To>(from), e, "cast");
}

template <class From> void checkCasts(std::mt19937_64 &random) {
  From from = randomValue<From>(random);
  checkCast<bool>(from);
  checkCast<int8_t>(from);
  checkCast<uint8_t>(from);
  checkCast<int16_t>(from);
  checkCast<uint16_t>(from);
  checkCast<int32_t>(from);
  checkCast<uint32_t>(from);
  checkCast<int64_t>(from);
  checkCast<uint64_t>(from);
  checkCast<float>(from);
  checkCast<double>(from);
}

TEST_F(EvaluateRandom, Casts) {
  for (int i = 0; i < Iterations; ++i) {
    checkCasts<bool>(random);
    checkCasts<int8_t>(random);
    checkCasts<uint8_t>(random);
    checkCasts<int16_t>(random);
    checkCasts<uint16_t>(random);
    checkCasts<int32_t>(random);
    checkCasts<uint32_t>(random);
    checkCasts<int64_t>(random);
    checkCasts<uint64_t>(random);
    checkCasts<float>(random);
    checkCasts<double>(random);
  }
}

template <class T> void checkText(std::mt19937_64 &random) {
  Scalar s = scalar(randomValue<T>(random));
  EXPECT_EQ(parseScalar(s.type, str(s)), s) << str(s);
}

TEST_F(EvaluateRandom, TextRoundTrip) {
  for (int i = 0; i < Iterations; ++i) {
    checkText<bool>(random);
    checkText<int8_t>(random);
    checkText<uint32_t>(random);
    checkText<int64_t>(random);
    checkText<uint64_t>(random);
    checkText<float>(random);
    checkText<double>(random);
  }
}

TEST(Evaluate, Text) {
  EXPECT_EQ(str(scalar(3.0f)), "3.0");
  EXPECT_EQ(str(scalar(0.1f)), "0.1");
  EXPECT_EQ(str(scalar(1e-7)), "1e-07");
  EXPECT_EQ(str(scalar(-0.0)), "-0.0");
  EXPECT_EQ(str({ScalarType::F32, 0x7fc00000}), "nan");
  EXPECT_EQ(str({ScalarType::F32, 0xffc00001}), "nan:0xffc00001");
  EXPECT_EQ(str(scalar<int8_t>(-1)), "-1");
  EXPECT_EQ(parseScalar(ScalarType::S8, "128"), std::nullopt);
  EXPECT_EQ(parseScalar(ScalarType::U8, "-1"), std::nullopt);
  EXPECT_EQ(parseScalar(ScalarType::Bool, "1"), std::nullopt);
  EXPECT_EQ(parseScalar(ScalarType::F32, "1.5x"), std::nullopt);
  EXPECT_EQ(parseScalar(ScalarType::F32, "nan:0x1"), std::nullopt);
}

TEST(Evaluate, BoolOperators) {
  Scalar t = scalar(true), f = scalar(false);
  EXPECT_EQ(evaluateUnary(Opcode::Not, t).value, f);
  EXPECT_EQ(evaluateBinary(Opcode::Xor, t, t).value, f);
  EXPECT_EQ(evaluateBinary(Opcode::Lt, f, t).value, t);
}

TEST(Evaluate, FoldsOnlyWhatIsDefinedAndPortable) {
  Op op;
  op.opcode = Opcode::Add;
  EXPECT_EQ(fold(op, ScalarType::S32, {scalar(2), scalar(3)}), scalar(5));
  EXPECT_EQ(fold(op, ScalarType::S32, {scalar(INT32_MAX), scalar(1)}), std::nullopt);
  op.opcode = Opcode::Math;
  op.math = MathFn::Sqrt;
  EXPECT_EQ(fold(op, ScalarType::F64, {scalar(4.0)}), scalar(2.0));
  op.math = MathFn::Sin;
  EXPECT_EQ(fold(op, ScalarType::F64, {scalar(4.0)}), std::nullopt);
  op.opcode = Opcode::Load;
  EXPECT_EQ(fold(op, ScalarType::F64, {scalar(int64_t(0))}), std::nullopt);
}

} // namespace

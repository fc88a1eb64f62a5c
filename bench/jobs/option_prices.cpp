//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// option_prices.cpp: the price of a European call by Black and Scholes, with a polynomial for
// the normal distribution (Abramowitz and Stegun 26.2.17).
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cmath>

static float normal(float x) {
  const float k = 1.0f / (1.0f + 0.2316419f * std::fabs(x));
  const float tail =
      0.39894228f * std::exp(-0.5f * x * x) * k *
      (0.31938153f +
       k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return x < 0 ? tail : 1.0f - tail;
}

COLONNADE_BULK
float black_scholes(COLONNADE_INSTANCE float price, COLONNADE_INSTANCE float strike,
                    COLONNADE_INSTANCE float years) {
  const float rate = 0.02f, volatility = 0.3f, root = std::sqrt(years);
  const float d1 = (std::log(price / strike) + (rate + 0.5f * volatility * volatility) * years) /
                   (volatility * root);
  const float d2 = d1 - volatility * root;
  return price * normal(d1) - strike * std::exp(-rate * years) * normal(d2);
}

//===- FrontEndMutator.h - Changes a source file by tokens ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a text and a seed. Out: another one, of which far more compile than of texts with
// changed bytes: a token becomes one of its kind from this text or from a list, or a statement
// is repeated, moved, removed, or taken over from a second text.
// Invariant: the same seed changes the same text in the same way, and never beyond maxSize.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_FUZZERS_FRONTENDMUTATOR_H
#define COLONNADE_TEST_FUZZERS_FRONTENDMUTATOR_H

#include <cstddef>
#include <cstdint>
#include <utility>

size_t mutateSource(uint8_t *data, size_t size, size_t maxSize, unsigned seed);

/// Writes `into` with a statement of `from` to data; what is not known there takes names of it.
size_t crossSources(std::pair<const uint8_t *, size_t> into,
                    std::pair<const uint8_t *, size_t> from, uint8_t *data, size_t maxSize,
                    unsigned seed);

#endif // COLONNADE_TEST_FUZZERS_FRONTENDMUTATOR_H

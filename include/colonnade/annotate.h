//===- annotate.h - Facts about a function, in its source ------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Optional: every annotation has a command-line twin, so that sources need not
// be touched. The header works in C and C++ and expands to nothing unless the
// colonnade tool itself reads the file.
//
//   COLONNADE_BULK            on a function: an entry when no -f is given
//   COLONNADE_UNIFORM         on a parameter: the same in all instances
//   COLONNADE_INSTANCE        on a parameter: one per instance
//   COLONNADE_EXTENT(n * n)   on a pointer parameter: elements behind it
//   COLONNADE_BOUND(n);       first in a loop body: at most n iterations
//   COLONNADE_ASSUME(x < n);  a fact; false at run time is a status error
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_ANNOTATE_H
#define COLONNADE_ANNOTATE_H

#ifdef __COLONNADE_TOOL__

#define COLONNADE_DETAIL_STRING(...) #__VA_ARGS__
#define COLONNADE_BULK __attribute__((annotate("colonnade.bulk")))
#define COLONNADE_UNIFORM __attribute__((annotate("colonnade.uniform")))
#define COLONNADE_INSTANCE __attribute__((annotate("colonnade.instance")))
#define COLONNADE_EXTENT(...)                                                                      \
  __attribute__((annotate("colonnade.extent:" COLONNADE_DETAIL_STRING(__VA_ARGS__))))
#define COLONNADE_BOUND(...) ((void)__builtin_annotation((__VA_ARGS__), "colonnade.bound"))
#define COLONNADE_ASSUME(...)                                                                      \
  ((void)__builtin_annotation((__VA_ARGS__) ? 1 : 0, "colonnade.assume:" #__VA_ARGS__))

#else

#define COLONNADE_BULK
#define COLONNADE_UNIFORM
#define COLONNADE_INSTANCE
#define COLONNADE_EXTENT(...)
#define COLONNADE_BOUND(...) ((void)0)
#define COLONNADE_ASSUME(...) ((void)0)

#endif

#endif // COLONNADE_ANNOTATE_H

#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""show.py OUT: a table of a few blocks, and the check that all sums are right."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import npy

out = sys.argv[1]
(count, n), blocks = npy.read(f"{out}/blocks.npy")
_, sums = npy.read(f"{out}/sums.npy")
# Samples are multiples of 2^-15 below 1, so 32 of them add up exactly.
for first in range(0, count * n, n):
    total = 0.0
    for i in range(first, first + n):
        total += blocks[i]
        if sums[i] != total:
            sys.exit(f"block {first // n}, sum {i - first}: {sums[i]}, expected {total}")
print("block     b[0]      b[0..7]   b[0..15]  b[0..31]")
for block in range(0, count, count // 8):
    row = sums[block * n : block * n + n]
    print(f"{block:6d}  " + "  ".join(f"{row[i]:8.5f}" for i in (0, 7, 15, 31)))
print(f"{count} blocks of {n} samples: all sums right")

#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""show.py OUT: quantiles of a few blocks, and the check that all are sorted."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import npy

out = sys.argv[1]
(count, n), keys = npy.read(f"{out}/keys.npy")
_, result = npy.read(f"{out}/sorted.npy")
for first in range(0, count * n, n):
    if sorted(keys[first : first + n]) != list(result[first : first + n]):
        sys.exit(f"block {first // n} is not sorted")
print("block    minimum   lower q.  median    upper q.  maximum")
for block in range(0, count, count // 8):
    row = result[block * n : block * n + n]
    print(
        f"{block:6d}  "
        + "  ".join(f"{row[i]:8.5f}" for i in (0, n // 4, n // 2, 3 * n // 4, n - 1))
    )
print(f"{count} blocks of {n} samples: all sorted")
